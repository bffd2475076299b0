"""Deformables beside the oracle: positions, forces, rows, the metric of the discrete integrator, rollouts."""

import pathlib
import random
import tempfile

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

SHARED = pathlib.Path(__file__).parents[3] / "shared" / "models" / "deformables"
EULER, RK4, DISCRETE = 0, 1, 4
NO_CONTACT = 1 << 4

KINEMATICS = "flexvert_xpos flexedge_length flexedge_velocity flexelem_aabb bvh_aabb_dyn".split()
FORCES = "qfrc_spring qfrc_damper qfrc_passive qfrc_smooth".split()
ROWS = "efc_type efc_id efc_pos efc_diagA efc_KBIP efc_R efc_D efc_vel efc_aref".split()
METRIC = "efm_c efm_diag efm_sdiag efm_fluid flexvert_hessian flexedge_hessian efm_con_ind".split()
# Held against dense solves, this engine's accelerations are good to 1e-14, the oracle's to 1e-9, where its search along
# lines ends; rows multiply that by their stiffness.
SOLVED = {"qacc_smooth": 1e-8, "qacc": 1e-8, "qfrc_constraint": 1e-7, "efc_force": 1e-7}


def binary(m):
    """The oracle's own model. Modes of strain that cost the same are a matter of rounding: rows of such cells can be
    compared only with the same modes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.mjb"
        mujoco.mj_saveModel(m, str(path))
        return corten.Model.from_bytes(path.read_bytes())


def pair(xml, integrator=None, solver=None):
    """The model in both engines, solved as far as it goes, without contacts: those are tested elsewhere."""
    theirs = mujoco.MjModel.from_xml_string(xml)
    models = theirs, binary(theirs) if 'equality="strain"' in xml else corten.Model.from_xml_string(xml)
    for m in models:
        if integrator is not None:
            m.opt.integrator = integrator
        if solver is not None:
            m.opt.solver = solver
        m.opt.disableflags |= NO_CONTACT
        m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 1e-15, 2000, 200
    return models


def scatter(m, seed, position=2e-3, velocity=0.1):
    rng = np.random.RandomState(seed)
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, position * rng.randn(m.nv), 1)
    d.qvel[:] = velocity * rng.randn(m.nv)
    return d


def both(models, d):
    e = corten.Data(models[1])
    for name in "qpos qvel plastic qacc_warmstart".split():
        getattr(e, name)[:] = getattr(d, name)
    mujoco.mj_forward(models[0], d)
    corten.forward(models[1], e)
    return e


def error(theirs, ours):
    a, b = np.asarray(theirs, float).ravel(), np.asarray(ours, float).ravel()
    assert a.shape == b.shape
    return np.abs(a - b).max(initial=0) / max(1, np.abs(a).max(initial=0))


def stiffness(m, d):
    """The stiffness matrix of the metric, dense."""
    K = np.zeros((m.nv, m.nv))
    for i in range(m.nv if d.nefmK else 0):
        at = slice(d.efm_K_rowadr[i], d.efm_K_rowadr[i] + d.efm_K_rownnz[i])
        K[i, np.asarray(d.efm_K_colind)[at]] = np.asarray(d.efm_K_val)[at]
    return K


def compare(models, d, e, tolerance=1e-10):
    assert (d.nefc, d.nisland, d.nefmK, d.nefmdof) == (e.nefc, e.nisland, e.nefmK, e.nefmdof)
    names = KINEMATICS + FORCES + (ROWS if d.nefc else [])
    wrong = {name: error(getattr(d, name), getattr(e, name)) for name in names}
    if models[0].opt.integrator == DISCRETE:
        wrong |= {name: error(getattr(d, name), getattr(e, name)) for name in METRIC}
        wrong["efm_K"] = error(stiffness(models[0], d), stiffness(models[0], e))
    wrong = {name: size for name, size in wrong.items() if not size < tolerance}
    for name, enough in SOLVED.items():
        size = error(getattr(d, name), getattr(e, name))
        if not size < enough:
            wrong[name] = size
    assert not wrong


def own(name):
    return (SHARED / name).read_text()


# ---- the example models ----

FILES = sorted(p.name for p in SHARED.glob("*.xml") if p.name != "plugins.xml")
SPRINGS = {"rope_edges.xml", "flex_raw_rigid.xml"}  # springs and dampers of edges: not with the discrete integrator


@pytest.mark.parametrize("integrator", [EULER, DISCRETE])
@pytest.mark.parametrize("name", FILES)
def test_forward(name, integrator):
    if (name in SPRINGS and integrator == DISCRETE) or (name == "passive_stack.xml" and integrator != DISCRETE):
        pytest.skip("not allowed together")
    models = pair(own(name), integrator, solver=2)
    for seed in range(3):
        d = scatter(models[0], seed)
        compare(models, d, both(models, d))


@pytest.mark.parametrize("name", FILES)
def test_twenty_steps(name):
    models = pair(own(name), solver=2)
    d = scatter(models[0], 1, position=1e-3)
    e = both(models, d)
    for _ in range(20):
        mujoco.mj_step(models[0], d)
        corten.step(models[1], e)
    assert error(d.qpos, e.qpos) < 1e-6 and error(d.qvel, e.qvel) < 1e-6
    assert error(d.plastic, e.plastic) < 1e-6


@pytest.mark.parametrize("name", FILES)
def test_from_rest(name):
    """Rods that are exactly straight, cloth that is exactly flat."""
    models = pair(own(name), solver=2)
    d = mujoco.MjData(models[0])
    e = both(models, d)
    for _ in range(20):
        mujoco.mj_step(models[0], d)
        corten.step(models[1], e)
    assert error(d.qpos, e.qpos) < 1e-8 and error(d.qvel, e.qvel) < 1e-7


@pytest.mark.parametrize("name", ["plastic_clay.xml", "rods.xml"])
@pytest.mark.parametrize("integrator", [EULER, RK4])
def test_what_yields_and_the_frames_of_rods(name, integrator):
    models = pair(own(name), integrator, solver=2)
    for m in models:
        m.opt.timestep = 1e-4
    d = scatter(models[0], 2)
    e = both(models, d)
    before = d.plastic.copy()
    for _ in range(20):
        mujoco.mj_step(models[0], d)
        corten.step(models[1], e)
    assert np.abs(d.plastic - before).max() > 1e-6
    assert error(d.plastic, e.plastic) < 1e-9 and error(d.qpos, e.qpos) < 1e-9


@pytest.mark.parametrize("position", [0.02, 0.1, 10])
def test_solids_that_are_crushed_yield(position):
    """Strains far above one, where the volume that stays is the root of a steep cubic."""
    models = pair(own("plastic_clay.xml"), DISCRETE, solver=2)
    for seed in range(3):
        d = scatter(models[0], seed, position)
        e = both(models, d)
        mujoco.mj_step(models[0], d)
        corten.step(models[1], e)
        assert np.abs(d.plastic).max() > 1e-3
        assert error(d.plastic, e.plastic) < 1e-9 * max(1, position**2)


CAGE = """<mujoco><option timestep=".0005"/><worldbody><flexcomp name="f" {kind} count="3 3 3" spacing=".05 .06 .07"
  radius=".004" mass=".6"><elasticity young="2e4" poisson=".3" yield=".01" {shell}/><contact selfcollide="none"/></flexcomp>
  </worldbody></mujoco>"""
SOLID, SHELL = 'type="grid" dim="3"', 'type="box" dim="2"'


CARRIED = """<mujoco><option timestep="2e-4" gravity="0 0 0"/><worldbody><body name="b" pos="0 0 1" euler="20 30 40">{joint}
<geom size=".05" mass="1"/><flexcomp name="r" type="grid" dim="1" count="6 1 1" spacing=".1 .1 .1" radius=".004" mass=".1"
pos=".3 .02 0"><edge equality="true"/><elasticity young="2e6" poisson=".3" damping=".01" {section}/><pin id="{pins}"/>
</flexcomp></body></worldbody></mujoco>"""


@pytest.mark.parametrize("integrator", [EULER, DISCRETE])
@pytest.mark.parametrize("pins", ["0 1", "4 5", "0 1 4 5"])
@pytest.mark.parametrize("section", ["", 'section="box" sectionsize=".004 .008"'])
@pytest.mark.parametrize("joint", ['<joint axis="1 0 0"/>', '<joint axis="0 0 1"/>', '<joint type="ball"/>', "<freejoint/>"])
def test_rods_twist_the_bodies_that_clamp_them(joint, section, pins, integrator):
    models = pair(CARRIED.format(joint=joint, section=section, pins=pins), integrator)
    d = scatter(models[0], 3, position=0.06)
    for _ in range(3):
        compare(models, d, both(models, d))
        # on with frames that are stored, and a turn
        mujoco.mj_step(models[0], d)
        mujoco.mj_integratePos(models[0], d.qpos, 0.05 * np.random.RandomState(5).randn(models[0].nv), 1)


@pytest.mark.parametrize("integrator", [EULER, RK4, DISCRETE])
@pytest.mark.parametrize("dof", ['dof="trilinear"', 'dof="quadratic" cellcount="2 1 1"'])
@pytest.mark.parametrize("kind", [SOLID, SHELL])
def test_cages_yield(kind, dof, integrator):
    shell = 'thickness=".004" elastic2d="stretch"' if kind == SHELL else ""
    models = pair(CAGE.format(kind=f"{kind} {dof}", shell=shell), integrator)
    d = scatter(models[0], 8, position=3e-3)
    e = both(models, d)
    for _ in range(10):
        mujoco.mj_step(models[0], d)
        corten.step(models[1], e)
    assert np.abs(d.plastic).max() > 1e-3
    assert error(d.plastic, e.plastic) < 1e-9 and error(d.qpos, e.qpos) < 1e-9


@pytest.mark.parametrize("name", ["shell_plate.xml", "rods.xml", "cage_volume.xml"])
@pytest.mark.parametrize("flag", [1 << 5, 1 << 6, 1 << 5 | 1 << 6])
def test_switched_off(name, flag):
    models = pair(own(name), DISCRETE, solver=2)
    for m in models:
        m.opt.disableflags |= flag
    d = scatter(models[0], 3)
    compare(models, d, both(models, d))


@pytest.mark.parametrize("name", ["shell_plate.xml", "rods.xml", "soft_block.xml", "radial_ball.xml"])
def test_inverse(name):
    models = pair(own(name), DISCRETE, solver=2)
    d = scatter(models[0], 4)
    e = both(models, d)
    mujoco.mj_inverse(models[0], d)
    corten.inverse(models[1], e)
    assert error(d.qfrc_inverse, e.qfrc_inverse) < 1e-8


def test_energy_of_edges():
    models = pair(own("rope_edges.xml"))
    for m in models:
        m.opt.enableflags |= 2
    d = scatter(models[0], 5)
    e = both(models, d)
    assert error(d.energy, e.energy) < 1e-12


# not of rods: there the oracle's nudged steps begin with the frames that the one before has left
@pytest.mark.parametrize("name", ["shell_plate.xml", "soft_block.xml"])
def test_finite_differences(name):
    models = pair(own(name), DISCRETE, solver=2)
    d = scatter(models[0], 6, position=1e-3)
    e = both(models, d)
    nx = 2 * models[0].nv
    A = np.zeros((nx, nx))
    mujoco.mjd_transitionFD(models[0], d, 1e-6, True, A, None, None, None)
    ours = corten.transition_fd(models[1], e, eps=1e-6, centered=True)[0]
    assert error(A, ours) < 1e-5


def test_a_copy_solves_as_the_original():
    m = corten.Model.from_xml_string(own("shell_plate.xml"))
    d = corten.Data(m)
    d.qvel[:] = 0.1 * np.random.RandomState(7).randn(m.nv)
    corten.forward(m, d)
    other = d.copy()
    del d
    before = other.qacc.copy()
    corten.forward_constraint(m, other)
    np.testing.assert_allclose(other.qacc, before, atol=1e-10)


# ---- random ones ----


def numbers(*values):
    return " ".join(f"{v:g}" for v in values)


def random_flex(rng):
    """A flexcomp of a random kind, with what its kind can resist."""
    kind = rng.choice(["sheet", "sheet", "solid", "solid", "rod", "ring", "cage", "cage", "skin", "radial", "box"])
    n = [rng.randint(2, 6) for _ in range(3)]
    space = [round(rng.uniform(0.03, 0.08), 3) for _ in range(3)]
    young, poisson = round(10 ** rng.uniform(3, 5)), round(rng.uniform(0, 0.45), 2)
    damping = rng.choice([0, 0.005, 0.02])
    attrs = {"name": "f", "mass": round(rng.uniform(0.1, 1), 2), "radius": 0.004, "pos": "0 0 1"}
    inner = ['<contact selfcollide="none"/>']
    elastic = f'young="{young}" poisson="{poisson}"' + (f' damping="{damping}"' if damping else "")
    if kind in ("sheet", "skin"):
        attrs |= {"type": rng.choice(["grid", "square", "disc"]) if kind == "sheet" else "box", "dim": 2}
        n[2] = 1 if kind == "sheet" else n[2]
        if attrs["type"] == "disc":
            n[0] = n[1] = 2 * (n[0] // 2) + 1
        mode = rng.choice(["stretch", "bend", "both"])
        yields = rng.choice(["", ' yield=".01"']) if mode == "both" and kind == "sheet" else ""
        inner.append(f'<elasticity {elastic} thickness=".004" elastic2d="{mode}"{yields}/>')
        if mode == "bend":
            inner.append('<edge equality="true"/>')
        if attrs["type"] == "grid" and rng.random() < 0.5:
            inner.append(f'<pin gridrange="0 0 0 {n[1] - 1}"/>')
    elif kind == "solid":
        attrs |= {"type": "grid", "dim": 3}
        yields = rng.choice(["", ' yield=".02"'])
        inner.append(f"<elasticity {elastic}{yields}/>")
        if rng.random() < 0.5:
            inner.append('<pin id="0 1"/>')
    elif kind == "box":
        attrs |= {"type": rng.choice(["box", "cylinder", "ellipsoid"]), "dim": 3}
        n = [max(3, k) for k in n]
        inner.append(f"<elasticity {elastic}/>")
    elif kind == "rod":
        attrs |= {"type": "grid", "dim": 1, "euler": numbers(*(rng.randint(-40, 40) for _ in range(3)))}
        n = [rng.randint(4, 12), 1, 1]
        section = rng.choice(["", ' section="box" sectionsize=".01 .004"', ' section="box" sectionsize=".003 .008"'])
        if section:
            del attrs["radius"]
        inner += [f"<elasticity {elastic}{section}/>", '<edge equality="true"/>']
        if rng.random() < 0.7:
            inner.append(rng.choice(['<pin id="0"/>', '<pin id="0 1"/>', f'<pin id="0 1 {n[0] - 2} {n[0] - 1}"/>']))
    elif kind == "ring":
        attrs |= {"type": "circle", "dim": 1}
        n = [rng.randint(6, 14), 1, 1]
        inner += [f"<elasticity {elastic}/>", '<edge equality="true"/>']
    elif kind == "cage":
        attrs |= {"type": "grid", "dim": 3, "dof": rng.choice(["trilinear", "quadratic"])}
        attrs["cellcount"] = numbers(*(rng.randint(1, 2) for _ in range(3)))
        inner.append(f"<elasticity {elastic}/>")
    else:
        attrs |= {"type": "ellipsoid", "dim": 3, "dof": "radial"}
        n = [max(3, k) for k in n]
        inner.append('<edge equality="true"/>')
    attrs |= {"count": numbers(*n), "spacing": numbers(*space)}
    words = " ".join(f'{key}="{value}"' for key, value in attrs.items())
    flex = f"<flexcomp {words}>{''.join(inner)}</flexcomp>"
    if kind == "radial":
        flex = f'<body name="b" pos="0 0 1"><freejoint/><geom size=".02"/>{flex}</body>'
    return f'<mujoco><option timestep=".001"/><worldbody>{flex}</worldbody></mujoco>'


@pytest.mark.parametrize("seed", range(300))
def test_random(seed):
    rng = random.Random(seed)
    xml = random_flex(rng)
    for integrator in (EULER, DISCRETE):
        models = pair(xml, integrator, solver=2)
        d = scatter(models[0], seed, position=1e-3)
        e = both(models, d)
        compare(models, d, e)
        for _ in range(5):
            mujoco.mj_step(models[0], d)
            corten.step(models[1], e)
        # stiff ones explode when they are integrated explicitly
        if np.abs(d.qvel).max() < 10 and d.time > 4e-3:
            assert error(d.qpos, e.qpos) < 1e-6 and error(d.plastic, e.plastic) < 1e-6
