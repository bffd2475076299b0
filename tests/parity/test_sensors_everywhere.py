"""Sensors of every kind put on our own models at random, beside the oracle: what nobody thought of by hand."""

import pathlib
import shutil
import re

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import Pair, rounding_of_forces
from pending import entries

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = [p for p in sorted((ROOT / "tests" / "models").rglob("*.xml")) + sorted((ROOT / "models").glob("*.xml"))
          if str(p.relative_to(ROOT)) not in entries("model").keys() | entries("run").keys()]
SCALAR = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
CONTACT_FIELDS = ("found", "force", "torque", "dist", "pos", "normal", "tangent", "linvel", "angvel")


class Sprinkler:
    """Random sensors for a model."""

    def __init__(self, model, rng):
        self.m, self.rng = model, rng
        kinds = {"body": model.nbody, "geom": model.ngeom, "site": model.nsite, "joint": model.njnt, "tendon": model.ntendon, "actuator": model.nactuator}
        self.names = {kind: [getattr(model, kind)(i).name for i in range(n)] for kind, n in kinds.items()}
        self.names = {kind: [name for name in names if name] for kind, names in self.names.items()}

    def pick(self, options):
        return options[self.rng.integers(len(options))]

    def frame(self):
        kind = self.pick([k for k in ("body", "geom", "site") if self.names[k]])
        word = self.pick(["body", "xbody"]) if kind == "body" else kind
        return word, self.pick(self.names[kind])

    def history(self):
        if self.rng.random() < 0.6:
            return ""
        dt, n = self.m.opt.timestep, int(self.rng.integers(2, 6))
        return (f' nsample="{n}" delay="{dt * self.rng.uniform(0, n):.6g}" interval="{dt * self.rng.uniform(0, 4):.6g}"'
                f' interp="{self.pick(["zoh", "linear", "cubic"])}"')

    def line(self, kind, attributes):
        return f"<{kind} {attributes}{self.history()}/>"

    def lines(self):
        names, out = self.names, []
        if names["site"]:
            for kind in ("touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer"):
                out.append(self.line(kind, f'site="{self.pick(names["site"])}"'))
            out.append(self.line("rangefinder", f'site="{self.pick(names["site"])}" data="dist dir origin point normal depth"'))
            word, name = self.frame()
            out.append(self.line("insidesite", f'site="{self.pick(names["site"])}" objtype="{word}" objname="{name}"'))
        for kind in ("framepos", "framequat", "framexaxis", "framelinvel", "frameangvel", "framelinacc", "frameangacc"):
            (word, name), (ref, refname) = self.frame(), self.frame()
            seen = f' reftype="{ref}" refname="{refname}"' if self.rng.random() < 0.5 and not kind.endswith("acc") else ""
            out.append(self.line(kind, f'objtype="{word}" objname="{name}"{seen}'))
        for kind in ("subtreecom", "subtreelinvel", "subtreeangmom"):
            out.append(self.line(kind, f'body="{self.pick(names["body"])}"'))
        for joint in names["joint"][:1]:
            j = self.m.joint(joint)
            if j.type[0] in SCALAR:
                out += [self.line(kind, f'joint="{joint}"') for kind in ("jointpos", "jointvel", "jointactuatorfrc")]
                out += [self.line(kind, f'joint="{joint}"') for kind in ("jointlimitpos", "jointlimitvel", "jointlimitfrc") if self.m.jnt_limited[j.id]]
        if names["actuator"]:
            out += [self.line(kind, f'actuator="{self.pick(names["actuator"])}"') for kind in ("actuatorpos", "actuatorvel", "actuatorfrc")]
        if names["tendon"]:
            out += [self.line(kind, f'tendon="{self.pick(names["tendon"])}"') for kind in ("tendonpos", "tendonvel", "tendonactuatorfrc")]
        reduce = self.pick(["none", "maxforce", "netforce"])
        fields = [f for f in CONTACT_FIELDS if self.rng.random() < 0.6 and not (reduce == "netforce" and f.endswith("vel"))] or ["found"]
        first = self.pick(["", f'body1="{self.pick(names["body"])}"', f'subtree1="{self.pick(names["body"])}"'])
        second = self.pick(["", f'body2="{self.pick(names["body"])}"', f'subtree2="{self.pick(names["body"])}"'])
        out.append(self.line("contact", f'{first} {second} num="3" reduce="{reduce}" data="{" ".join(fields)}"'))
        return out


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_random_sensors(path, tmp_path):
    rng = np.random.default_rng(8)
    sprinkler = Sprinkler(mujoco.MjModel.from_xml_path(str(path)), rng)
    lines = [line for _ in range(6) for line in sprinkler.lines()]
    labels = ["one of its own"] * sprinkler.m.nsensor + lines
    text = re.sub(r"</mujoco>\s*$", "<sensor>" + "".join(lines) + "</sensor></mujoco>", path.read_text())
    # beside the files it refers to
    folder = shutil.copytree(path.parent, tmp_path / "models")
    (folder / path.name).write_text(text)
    pair = Pair(folder / path.name)
    pair.tighten()
    m, o = pair.oracle_model, pair.oracle
    for state in range(20):
        pair.set_random_state(rng)
        rounding = 0
        for _ in range(1 + state % 4):
            mujoco.mj_step(m, o)
            corten.step(pair.model, pair.data)
            rounding = max(rounding, rounding_of_forces(o))
        for i in range(m.nsensor):
            part = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
            ours, theirs = pair.data.sensordata[part], o.sensordata[part]
            # behind the constraint solver numbers are known to 1e-8 of the largest force: what sums to little is not better
            largest = max(np.abs(o.efc_force).max(initial=0), np.abs(o.qacc).max(initial=0)) if m.sensor_needstage[i] == 3 and o.nefc else 0
            error = np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max(), largest)
            allowed = 1e-9 if o.nefc == 0 else max(1e-7, rounding)
            assert error <= allowed, f"{labels[i]}: {error:.1e}\n{ours}\n{theirs}"
