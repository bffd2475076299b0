#!/usr/bin/env python3
"""Derivatives of a step: how fast, and how exact.

    bench/derivatives.py speed [MODEL ...]     beside mjd_transitionFD (needs the package mujoco), one thread
    bench/derivatives.py exact [STATES]        closed forms and implicit differentiation against centred differences,
                                               random states of the models at hand, both cones, all solvers to the end

Both start from states after random controls.
"""

import pathlib
import sys
import time

import muscles
import numpy as np

import corten

ROOT = pathlib.Path(__file__).resolve().parents[1]

ARM = """<mujoco model="arm"><option integrator="implicitfast"/><default><joint damping="1" armature=".1"/><geom type="capsule" size=".06"/></default>
<worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .33"><joint axis="0 0 1" range="-166 166"/><geom fromto="0 0 -.2 0 0 .05"/>
<body><joint axis="0 1 0" range="-101 101"/><geom fromto="0 0 0 0 0 .3"/><body pos="0 0 .316"><joint axis="0 0 1" range="-166 166"/><geom fromto="0 0 -.1 .08 0 0"/>
<body pos=".0825 0 0"><joint axis="0 -1 0" range="-176 -4"/><geom fromto="0 0 0 0 0 .1"/><body pos="-.0825 0 .384"><joint axis="0 0 1" range="-166 166"/><geom fromto="0 0 -.25 0 0 0"/>
<body><joint axis="0 -1 0" range="-1 215"/><geom fromto="0 0 0 .08 0 0" size=".05"/><body pos=".088 0 0"><joint axis="0 0 -1" range="-166 166"/><geom fromto="0 0 0 0 0 -.1" size=".04"/>
<body pos="0 .02 -.15"><joint type="slide" axis="0 1 0" range="0 .04"/><geom type="box" size=".01 .01 .04"/></body><body pos="0 -.02 -.15"><joint type="slide" axis="0 -1 0" range="0 .04"/><geom type="box" size=".01 .01 .04"/></body>
</body></body></body></body></body></body></body></worldbody>
<actuator>""" + "".join(f'<position joint="j{i}" kp="400" kv="40"/>' for i in range(9)) + "</actuator></mujoco>"
ARM = ARM.replace("<joint axis", "<joint @ axis").replace('<joint type="slide"', '<joint @ type="slide"')
for _i in range(9):
    ARM = ARM.replace("<joint @", f'<joint name="j{_i}"', 1)

_LEG = ('<body name="{s}thigh" pos="{x} 0 0"><joint name="{s}1" axis="0 1 0" range="-60 60" damping="6" stiffness="60"/><geom fromto="0 0 0 {b} 0 -.25"/>'
        '<body pos="{b} 0 -.25"><joint name="{s}2" axis="0 1 0" range="-60 60" damping="4" stiffness="40"/><geom fromto="0 0 0 {c} 0 -.25"/>'
        '<body pos="{c} 0 -.25"><joint name="{s}3" axis="0 1 0" range="-40 40" damping="3" stiffness="30"/><geom fromto="0 0 0 .14 0 -.07"/></body></body></body>')
CHEETAH = ("""<mujoco model="cheetah"><option timestep=".01"/><default><joint armature=".1"/><geom type="capsule" size=".046" conaffinity="0" friction=".4"/></default>
<worldbody><geom type="plane" size="50 5 1" conaffinity="1"/><body name="torso" pos="0 0 .6"><joint type="slide" axis="1 0 0" armature="0"/><joint type="slide" axis="0 0 1" armature="0"/><joint axis="0 1 0" armature="0"/>
<geom fromto="-.5 0 0 .5 0 0"/><geom fromto=".5 0 0 .65 0 .15"/>""" + _LEG.format(s="back", x=-0.5, b=0.1, c=-0.15) + _LEG.format(s="fore", x=0.5, b=-0.1, c=0.1)
           + "</body></worldbody><actuator>" + "".join(f'<motor joint="{s}{k}" gear="90" ctrlrange="-1 1"/>' for s in ("back", "fore") for k in (1, 2, 3)) + "</actuator></mujoco>")

SCENES = {"arm": ARM, "cheetah": CHEETAH, "200 muscles": muscles.model()}


def load(name):
    return corten.Model.from_xml_string(SCENES[name]) if name in SCENES else corten.Model.from_xml_path(str(name))


def shaken(model, steps, seed):
    data, rng = corten.Data(model), np.random.default_rng(seed)
    for _ in range(steps):
        data.ctrl[:] = 0.3 * rng.normal(size=model.nu)
        corten.step(model, data)
    return data


def fastest(calls, rounds=40, least=5e-4):
    """Milliseconds of each call, the best of many rounds in turns. A round repeats a call that takes less than `least` seconds, so
    that neither the clock nor the caches that the other calls have filled are measured."""
    best, repeats = [float("inf")] * len(calls), [1] * len(calls)
    for k in range(rounds + 1):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            for _ in range(repeats[i]):
                call()
            spent = (time.perf_counter() - start) / repeats[i]
            if k == 0:
                repeats[i] = max(1, round(least / spent))
            else:
                best[i] = min(best[i], 1e3 * spent)
    return best


def speed(names):
    import mujoco

    print("model                contacts  mjd_transitionFD  transition_fd        linearize            method")
    for name in names or [ROOT / "models" / "humanoid.xml", *SCENES]:
        theirs = mujoco.MjModel.from_xml_string(SCENES[name]) if name in SCENES else mujoco.MjModel.from_xml_path(str(name))
        model = load(name)
        data, other = shaken(model, 200, 2), mujoco.MjData(theirs)
        for field in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
            getattr(other, field)[:] = getattr(data, field)
        nx = 2 * model.nv + model.na
        A, B = np.zeros((nx, nx)), np.zeros((nx, model.nu))
        got = corten.linearize(model, data, sensors=False)
        a, b, c = fastest([lambda: mujoco.mjd_transitionFD(theirs, other, 1e-6, False, A, B, None, None),
                           lambda: corten.transition_fd(model, data, sensors=False), lambda: corten.linearize(model, data, sensors=False)])  # fmt: skip
        label = name if name in SCENES else "/".join(pathlib.Path(name).parts[-2:])
        print(f"{label:28s} {got.report['contacts']:2d} {a:15.3f} ms {b:10.3f} ({a / b:4.1f}x) {c:10.4f} ({a / c:5.1f}x)   {got.method} {got.reason or ''}")


MODELS = ["constraint/mixed", "constraint/equality", "constraint/limits", "constraint/friction", "sensors/contacts", "sensors/tactile", "smooth/wrap_sphere",
          "smooth/wrap_cylinder", "smooth/tendon_pulley", "smooth/fluid_ellipsoid", "smooth/fluid_box", "smooth/actuator_muscle", "smooth/muscles", "smooth/transmission_site",
          "smooth/orientation", "chain", "springs", "simple_bodies"]


def exact(states):
    paths = [ROOT / "models" / "humanoid.xml", *(ROOT / "tests" / "models" / f"{x}.xml" for x in MODELS), "arm", "cheetah"]
    paths = [x for x in paths if x in SCENES or x.exists()]
    rng, limits = np.random.default_rng(0), {"analytic": 1e-5, "implicit": 1e-4}
    each = -(-states // len(paths))
    counts = {"states": 0, "contacts": 0, "switched": 0, "beyond": 0}
    for path in paths:
        worst, switched, beyond, methods, contacts = dict.fromkeys(limits, 0.0), 0, 0, {}, 0
        for i in range(each):
            model = load(path)
            model.opt.cone = list(corten.Cone)[i % 2]
            model.opt.solver = list(corten.Solver)[i // 2 % 3]
            model.opt.tolerance, model.opt.iterations, model.opt.ccd_tolerance = 0, 50 if model.opt.solver == corten.Solver.NEWTON else 3000, 1e-12
            model.opt.noslip_iterations = 0
            data = shaken(model, int(rng.integers(10, 120)), i)
            # differences need Newton's solution to the end; the solvers themselves start from there
            solver, iterations = model.opt.solver, model.opt.iterations
            model.opt.solver, model.opt.iterations = corten.Solver.NEWTON, 100
            there = data.__copy__()
            corten.forward(model, there)
            data.qacc_warmstart[:] = there.qacc
            centred = [corten.transition_fd(model, data, eps, True, sensors=False)[:2] for eps in (1e-6, 1e-7)]
            counts["states"] += 1
            contacts += int(data.ncon)
            model.opt.solver, model.opt.iterations = solver, iterations
            for method in limits:
                got = corten.linearize(model, data, "auto" if method == "analytic" else method, sensors=False)
                methods[got.method] = methods.get(got.method, 0) + 1
                error = min(max(relative(a, b) for a, b in zip(got, pair)) for pair in centred)
                if error <= limits[method]:
                    worst[method] = max(worst[method], error)
                elif max(relative(a, b) for a, b in zip(*centred)) > limits[method] or agrees_closer(model, data, method, centred, limits[method]):
                    switched += 1  # a row or contact switches within the nudge
                    print(f"    switches: {path} state {i} {method}")
                else:
                    beyond += 1
                    print(f"    beyond: {path} state {i} {method} ({got.method}) {error:.1e}")
        counts["contacts"] += contacts
        counts["switched"] += switched
        counts["beyond"] += beyond
        label = path if path in SCENES else path.stem
        print(f"{label:24s} {each} states, {contacts} contacts, auto {worst['analytic']:.1e}, implicit {worst['implicit']:.1e}, {switched} switch, {beyond} beyond  {methods}", flush=True)
    print(counts)
    return counts["beyond"]


def agrees_closer(model, data, method, centred, limit):
    """Differences of inverse dynamics hold the acceleration, so rows switch where those of steps do not: a smaller nudge tells."""
    got = corten.linearize(model, data, "auto" if method == "analytic" else method, eps=1e-8, sensors=False)
    return max(relative(a, b) for a, b in zip(got, centred[1])) <= limit


def relative(a, b):
    return float(np.abs(a - b).max(initial=0) / max(1, np.abs(b).max(initial=0)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["exact"]:
        sys.exit(exact(int(sys.argv[2]) if len(sys.argv) > 2 else 1000) > 0)
    if sys.argv[1:2] != ["speed"]:
        sys.exit(__doc__)
    speed(sys.argv[2:])
