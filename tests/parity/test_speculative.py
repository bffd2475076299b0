"""Speculative contacts beside the oracle: what is going to hit within the step is in contact already.

Sweeps, times of impact, distances, points and normals of every pair of shapes; occlusion; the speed that is left.
"""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

SHAPES = {
    "plane": '<geom type="plane" size="1 1 .1" {}/>',
    "sphere": '<geom type="sphere" size=".2" {}/>',
    "capsule": '<geom type="capsule" size=".1 .25" {}/>',
    "ellipsoid": '<geom type="ellipsoid" size=".15 .2 .1" {}/>',
    "cylinder": '<geom type="cylinder" size=".15 .2" {}/>',
    "box": '<geom type="box" size=".15 .2 .1" {}/>',
    "mesh": '<geom type="mesh" mesh="m" {}/>',
}
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[max(1, i) :]]
# pairs with one point each that is found by formula or to rounding
EXACT = {("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "box"), ("plane", "mesh"), ("sphere", "sphere"),
         ("sphere", "capsule"), ("sphere", "box"), ("sphere", "mesh"), ("capsule", "capsule")}  # fmt: skip
ASSET = '<asset><mesh name="m" builtin="sphere" params="1" scale=".2 .15 .1"/></asset>'


def model_of(first, second, margins=(0, 0), option="", flags='speculative="enable"', extra=""):
    a, b = (SHAPES[shape].format(f'margin="{margin}"') for shape, margin in zip((first, second), margins))
    a = a if first == "plane" else f"<body><freejoint/>{a}</body>"
    return (
        f'<mujoco><option timestep=".01" {option}><flag {flags}/></option>{ASSET}<worldbody>{a}<body><freejoint/>{b}</body>{extra}'
        "</worldbody></mujoco>"
    )


def load(xml):
    return mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)


def throw(m, rng, plane, spin):
    """A pose and velocities that bring the last body towards the first."""
    q, v = m.qpos0.copy(), np.zeros(m.nv)
    for j in range(m.njnt):
        a, k = m.jnt_qposadr[j], m.jnt_dofadr[j]
        q[a : a + 3], turn = rng.normal(size=3) * 0.3, rng.normal(size=4)
        q[a + 3 : a + 7] = turn / np.linalg.norm(turn)
        v[k + 3 : k + 6] = rng.normal(size=3) * spin
    a, k = m.jnt_qposadr[m.njnt - 1], m.jnt_dofadr[m.njnt - 1]
    if plane:
        q[a + 2] = 0.3 + rng.random() * 1.5
        v[k : k + 3] = rng.normal() * 5, rng.normal() * 5, -150 * rng.random()
    else:
        towards = rng.normal(size=3)
        towards /= np.linalg.norm(towards)
        q[a : a + 3] = q[:3] + towards * (0.4 + rng.random() * 1.5)
        v[k : k + 3] = -towards * 150 * rng.random()
    return q, v


@pytest.mark.parametrize("first, second", PAIRS)
def test_pairs(first, second):
    rng, seen, near = np.random.default_rng(len(first) + len(second)), 0, 0
    for margins in ((0, 0), (0.02, 0.03)):
        m, model = load(model_of(first, second, margins))
        d, data = mujoco.MjData(m), corten.Data(model)
        for i in range(40):
            d.qpos[:], d.qvel[:] = throw(m, rng, first == "plane", 0 if i % 2 else 10)
            data.qpos[:], data.qvel[:] = d.qpos, d.qvel
            mujoco.mj_fwdPosition(m, d)
            corten.forward_position(model, data)
            # contacts the broad phase of the oracle misses, or that are within rounding of the end of the step
            if d.ncon != data.ncon:
                near += 1
                continue
            if d.ncon == 0 or np.min(d.contact.dist) < max(1e-3, sum(margins)):
                continue  # an ordinary contact
            seen += 1
            np.testing.assert_array_equal(data.contact.exclude, d.contact.exclude)
            np.testing.assert_allclose(data.contact.dist, d.contact.dist, rtol=1e-4, atol=1e-4)
            if (first, second) in EXACT:
                np.testing.assert_allclose(data.contact.dist, d.contact.dist, rtol=0, atol=1e-9)
                np.testing.assert_allclose(data.contact.pos, d.contact.pos, rtol=0, atol=1e-7)
                np.testing.assert_allclose(data.contact.frame, d.contact.frame, rtol=0, atol=1e-9)
    assert seen >= 5 and near <= 2


@pytest.mark.parametrize("integrator", ("Euler", "implicitfast", "RK4"))
@pytest.mark.parametrize("solref", (".02 1", ".05 .7", "-400 -20", "0 -100"))
def test_the_speed_that_is_left(integrator, solref):
    """A body on a slide, its contacts, rows and the speed after the step."""
    xml = (
        f'<mujoco><option timestep=".01" integrator="{integrator}" gravity="0 0 0"><flag speculative="enable"/></option><worldbody>'
        f'<geom type="plane" size="1 1 .1" solref="{solref}"/><body pos="0 0 .24"><joint type="slide" axis="0 0 1"/>'
        f'<geom type="sphere" size=".1" solref="{solref}"/></body></worldbody></mujoco>'
    )
    m, model = load(xml)
    for speed in (-5, -15, -30, -60):
        d, data = mujoco.MjData(m), corten.Data(model)
        d.qvel[0] = data.qvel[0] = speed
        mujoco.mj_step(m, d)
        corten.step(model, data)
        np.testing.assert_allclose(data.qvel, d.qvel, rtol=1e-9)
        np.testing.assert_allclose(data.qpos, d.qpos, rtol=1e-9)


def test_without_the_flag_or_without_native_ccd_nothing_is_speculated():
    for flags in ('speculative="disable"', 'speculative="enable" nativeccd="disable"'):
        _, model = load(model_of("plane", "sphere", flags=flags))
        data = corten.Data(model)
        data.qpos[2], data.qvel[2] = 1, -150
        corten.forward_position(model, data)
        assert data.ncon == 0


@pytest.mark.parametrize("collides, ncon", ((1, 0), (0, 1)))
def test_what_is_in_the_way_hides_the_contact(collides, ncon):
    slab = f'<geom type="box" size="1 1 .005" pos="0 0 .3" contype="{collides}" conaffinity="{collides}"/>'
    m, model = load(model_of("plane", "sphere", extra=slab))
    d, data = mujoco.MjData(m), corten.Data(model)
    for x in (d, data):
        x.qpos[2], x.qvel[2] = 1.0, -150
    mujoco.mj_fwdPosition(m, d)
    corten.forward_position(model, data)
    floor = [c for c in range(data.ncon) if 0 in np.asarray(data.contact.geom)[c]]
    assert len(floor) == ncon == sum(0 in c.geom for c in d.contact)


def test_a_fast_body_does_not_tunnel():
    for shape in ("sphere", "box", "capsule", "cylinder", "mesh"):
        slab = '<geom type="box" size="1 1 .01"/>'
        body = f'<body pos=".1 .05 .7" euler="20 10 0"><freejoint/>{SHAPES[shape].format("")}</body>'
        xml = f'<mujoco><option timestep=".01"><flag speculative="enable"/></option>{ASSET}<worldbody>{slab}{body}</worldbody></mujoco>'
        data = corten.Data(model := corten.Model.from_xml_string(xml))
        data.qvel[2] = -90
        for _ in range(20):
            corten.step(model, data)
        assert data.qpos[2] > 0, shape
