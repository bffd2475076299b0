"""Parameters of contacts: mixing, priority, margins, gaps, adhesion, explicit pairs, excludes and the override option.

Random models of spheres, capsules, boxes and a plane, whose contacts have formulas; every field of every contact and the order
are those of the oracle.
"""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

FIELDS = (
    "geom", "dim", "includemargin", "friction", "solref", "solreffriction", "solimp", "adhesion", "exclude", "dist", "pos", "frame",
    "surfacevel", "efc_address",
)


def words(values):
    return " ".join(f"{v:.6g}" for v in np.ravel(values))


def sometimes(rng, share, text):
    return text if rng.random() < share else ""


def reference(rng):
    return rng.uniform([0.01, 0.5], [0.1, 1.5]) if rng.random() < 0.7 else -rng.uniform([100, 5], [1000, 50])


def impedance(rng):
    return [*np.sort(rng.uniform(0.5, 0.99, 2)), rng.uniform(1e-3, 0.05), rng.uniform(0.1, 0.9), rng.uniform(1, 4)]


def geom_parameters(rng):
    return "".join([
        sometimes(rng, 0.6, f' margin="{rng.uniform(0, 0.1):.4g}"'),
        sometimes(rng, 0.6, f' gap="{rng.uniform(0, 0.1):.4g}"'),
        sometimes(rng, 0.5, f' condim="{rng.choice([1, 3, 4, 6])}"'),
        sometimes(rng, 0.4, f' priority="{rng.integers(-1, 3)}"'),
        sometimes(rng, 0.5, f' solmix="{rng.choice([0, 0.3, 1, 5])}"'),
        sometimes(rng, 0.5, f' solref="{words(reference(rng))}"'),
        sometimes(rng, 0.5, f' solimp="{words(impedance(rng))}"'),
        sometimes(rng, 0.5, f' friction="{words(rng.uniform(0, [1.5, 0.1, 0.01]) * (rng.random() < 0.8))}"'),
        sometimes(rng, 0.3, f' adhesion="{rng.uniform(0, 5):.4g}"'),
        sometimes(rng, 0.2, f' surfacevel="{words(rng.normal(size=6))}"'),
        sometimes(rng, 0.3, f' contype="{rng.integers(0, 4)}" conaffinity="{rng.integers(0, 4)}"'),
    ])


def pair_parameters(rng):
    return "".join([
        sometimes(rng, 0.6, f' margin="{rng.uniform(0, 0.2):.4g}"'),
        sometimes(rng, 0.6, f' gap="{rng.uniform(0, 0.2):.4g}"'),
        sometimes(rng, 0.5, f' condim="{rng.choice([1, 3, 4, 6])}"'),
        sometimes(rng, 0.5, f' solref="{words(reference(rng))}"'),
        sometimes(rng, 0.4, f' solreffriction="{words(reference(rng))}"'),
        sometimes(rng, 0.5, f' solimp="{words(impedance(rng))}"'),
        sometimes(rng, 0.5, f' friction="{words(rng.uniform(0, [1, 1, 0.1, 0.01, 0.01]))}"'),
        sometimes(rng, 0.4, f' adhesion="{rng.uniform(0, 5):.4g}"'),
    ])


def options(rng, override):
    if not override:
        return f'<option cone="{rng.choice(["pyramidal", "elliptic"])}"/>'
    values = [
        sometimes(rng, 0.7, f'o_margin="{rng.uniform(0, 0.15):.4g}" '),
        sometimes(rng, 0.6, f'o_solref="{words(reference(rng))}" '),
        sometimes(rng, 0.6, f'o_solimp="{words(impedance(rng))}" '),
        sometimes(rng, 0.6, f'o_friction="{words(rng.uniform(0, [1, 1, 0.1, 0.01, 0.01]))}" '),
    ]
    return f'<option {"".join(values)}><flag override="enable"/></option>'


def random_scene(seed):
    rng = np.random.default_rng(seed)
    bodies, count = [], 7
    for i in range(count):
        kind = rng.choice(["sphere", "capsule", "box"])
        axis = rng.normal(size=4)
        second = sometimes(rng, 0.3, f'<geom name="h{i}" type="sphere" size="0.1" pos="0 0 0.3"{geom_parameters(rng)}/>')
        bodies.append(
            f'<body name="b{i}" pos="{words(rng.uniform([-0.4, -0.4, 0], [0.4, 0.4, 0.6]))}" quat="{words(axis)}">'
            f'{"" if rng.random() < 0.1 else "<freejoint/>"}'
            f'<geom name="g{i}" type="{kind}" size="{words(rng.uniform(0.08, 0.2, 3))}"{geom_parameters(rng)}/>{second}</body>'
        )
    chosen = {tuple(sorted(rng.choice(count, 2, replace=False))) for _ in range(4)}
    pairs = "".join(f'<pair geom1="g{a}" geom2="g{b}"{pair_parameters(rng)}/>' for a, b in chosen)
    excludes = "".join(f'<exclude body1="b{a}" body2="b{b}"/>' for a, b in [rng.choice(count, 2, replace=False)])
    return f"""<mujoco>{options(rng, seed % 2)}<worldbody><geom name="floor" type="plane" size="1 1 1"{geom_parameters(rng)}/>
      {"".join(bodies)}</worldbody><contact>{pairs}{excludes}</contact></mujoco>"""


def rows_that_count(model, d, override):
    """With the override option the oracle leaves out some of what lies only in a gap: where the boxes of two bodies that move, or
    those of bodies with several geoms, are farther apart than o_margin. Here it is kept. All other contacts are compared."""
    c = d.contact
    if not override:
        return np.arange(d.ncon)
    body = model.geom_bodyid[np.array(c.geom[: d.ncon]).reshape(-1, 2)]
    fixed = (body == 0).any(axis=1) & (model.body_geomnum[body] == 1).all(axis=1)
    return np.flatnonzero(fixed | (np.array(c.dist[: d.ncon]) < np.array(c.includemargin[: d.ncon])))


def check_scene(seed):
    text, override = random_scene(seed), seed % 2
    oracle, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    theirs, mine = mujoco.MjData(oracle), corten.Data(ours)
    mujoco.mj_forward(oracle, theirs)
    corten.forward(ours, mine)
    a, b = rows_that_count(oracle, theirs, override), rows_that_count(oracle, mine, override)
    assert len(b) == len(a), f"scene {seed}: {len(b)} contacts, not {len(a)}"
    assert mine.ncon >= theirs.ncon, f"scene {seed}"
    for name in FIELDS:
        x, y = (np.array(getattr(d.contact, name)[: d.ncon], float)[rows] for d, rows in ((theirs, a), (mine, b)))
        if name == "efc_address" and mine.ncon != theirs.ncon:
            continue  # adhesive contacts in a gap have rows
        np.testing.assert_allclose(y, x, rtol=1e-9, atol=1e-9, err_msg=f"scene {seed}: {name}")
    if mine.ncon == theirs.ncon:
        assert mine.nefc == theirs.nefc, f"scene {seed}: rows"
    return theirs.contact.exclude[: theirs.ncon].copy(), theirs.contact.dist[: theirs.ncon] >= theirs.contact.includemargin[: theirs.ncon]


@pytest.mark.parametrize("block", range(8))
def test_random_parameters(block):
    results = [check_scene(seed) for seed in range(50 * block, 50 * block + 50)]
    excluded, within_gap = (np.concatenate(x) for x in zip(*results))
    # contacts that only lie in a gap are among them, adhesive ones too
    assert excluded.sum() > 20 and (within_gap & (excluded == 0)).sum() > 5


@pytest.mark.parametrize("flags", ["", 'spring="disable" damper="disable"'])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 6])
def test_forces_of_contacts_are_without_their_adhesion(condim, cone, flags):
    text = f"""<mujoco><option cone="{cone}"><flag {flags}/></option>
      <worldbody><geom name="p" type="plane" size="2 2 .1" adhesion="50"/>
        <body name="b" pos="0 0 .099" euler="0 0 20"><freejoint/><geom name="g" type="box" size=".1 .1 .1" mass="1" condim="{condim}"/>
          <site name="s" type="box" size=".2 .2 .2"/></body></worldbody>
      <sensor><touch site="s"/><force site="s"/><torque site="s"/><accelerometer site="s"/>
        <contact geom1="g" num="2" data="found force torque dist"/>
        <contact geom1="g" num="2" reduce="maxforce" data="force torque"/>
        <contact geom1="g" geom2="p" num="1" reduce="netforce" data="found force torque pos"/></sensor></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    there, here = mujoco.MjData(theirs), corten.Data(ours)
    for data in (there, here):
        data.qvel[:3] = 0.2, 0.1, 0
        data.xfrc_applied[1] = [3, 2, -5, 0, 0, 1]
    for _ in range(50):
        mujoco.mj_step(theirs, there)
        corten.step(ours, here)
    mujoco.mj_forward(theirs, there)
    corten.forward(ours, here)
    assert there.ncon == here.ncon > 0
    for i in range(there.ncon):
        expected = np.zeros(6)
        mujoco.mj_contactForce(theirs, there, i, expected)
        np.testing.assert_allclose(corten.contact_force(ours, here, i), expected, rtol=1e-7, atol=1e-7)
    for field in ("sensordata", "cfrc_ext", "cfrc_int"):
        np.testing.assert_allclose(getattr(here, field), getattr(there, field), rtol=1e-7, atol=1e-7, err_msg=field)
