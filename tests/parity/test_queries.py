"""Questions about a state: beside the oracle, and beside finite differences."""

import pathlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import Pair

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = [ROOT / "tests" / "models" / name for name in ("chain.xml", "simple_bodies.xml", "smooth/gyroscope.xml", "sensors/wrench.xml", "mjcf/tendons.xml")]
MODELS += [ROOT / "models" / "humanoid.xml"]
Obj, State = corten.ObjType, corten.State


@pytest.fixture(params=MODELS, ids=lambda p: p.stem)
def pair(request):
    pair = Pair(request.param)
    pair.rng = np.random.default_rng(5)
    pair.set_random_state(pair.rng)
    mujoco.mj_forward(pair.oracle_model, pair.oracle)
    corten.forward(pair.model, pair.data)
    return pair


def close(ours, theirs, tolerance=1e-10):
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * max(1.0, np.abs(theirs).max(initial=0)))


def oracle_jac(pair, function, *args):
    jacp, jacr = np.zeros((2, 3, pair.model.nv))
    function(pair.oracle_model, pair.oracle, jacp, jacr, *args)
    return jacp, jacr


def moved(pair, step):
    """A data a little further along qvel, with positions and velocities."""
    data = corten.Data(pair.model)
    data.qpos[:] = corten.integrate_pos(pair.model, pair.data.qpos, pair.data.qvel, step)
    data.qvel[:] = pair.data.qvel
    corten.forward_position(pair.model, data)
    corten.forward_velocity(pair.model, data)
    return data


def pushed(pair, dof, step):
    """A data with one dof moved."""
    vel = np.zeros(pair.model.nv)
    vel[dof] = 1
    data = corten.Data(pair.model)
    data.qpos[:] = corten.integrate_pos(pair.model, pair.data.qpos, vel, step)
    corten.forward_position(pair.model, data)
    return data


# ---- Jacobians and the oracle

def test_jacobians_of_bodies(pair):
    m, d = pair.model, pair.data
    for body in range(m.nbody):
        for ours, function in ((corten.jac_body, mujoco.mj_jacBody), (corten.jac_body_com, mujoco.mj_jacBodyCom)):
            close(ours(m, d, body), oracle_jac(pair, function, body))
        jacp = np.zeros((3, m.nv))
        mujoco.mj_jacSubtreeCom(pair.oracle_model, pair.oracle, jacp, body)
        close(corten.jac_subtree(m, d, body), jacp)
        mujoco.mj_angmomMat(pair.oracle_model, pair.oracle, jacp, body)
        close(corten.angular_momentum(m, d, body), jacp)


def test_jacobians_of_geoms_and_sites(pair):
    for geom in range(pair.model.ngeom):
        close(corten.jac_geom(pair.model, pair.data, geom), oracle_jac(pair, mujoco.mj_jacGeom, geom))
    for site in range(pair.model.nsite):
        close(corten.jac_site(pair.model, pair.data, site), oracle_jac(pair, mujoco.mj_jacSite, site))


def test_jacobians_of_points_and_axes(pair):
    for body in range(pair.model.nbody):
        point, axis = pair.rng.normal(size=(2, 3))
        close(corten.jac_point(pair.model, pair.data, point, body), oracle_jac(pair, mujoco.mj_jac, point, body))
        close(corten.jac_point_dot(pair.model, pair.data, point, body), oracle_jac(pair, mujoco.mj_jacDot, point, body))
        close(corten.jac_axis(pair.model, pair.data, point, axis, body), oracle_jac(pair, mujoco.mj_jacPointAxis, point, axis, body))


# ---- Jacobians and finite differences

H = 1e-6
FD = 1e-6


def test_jacobians_are_derivatives_of_positions(pair):
    m, d = pair.model, pair.data
    jacs = {"xpos": [corten.jac_body(m, d, i)[0] for i in range(m.nbody)], "xipos": [corten.jac_body_com(m, d, i)[0] for i in range(m.nbody)],
            "subtree_com": [corten.jac_subtree(m, d, i) for i in range(m.nbody)], "site_xpos": [corten.jac_site(m, d, i)[0] for i in range(m.nsite)],
            "geom_xpos": [corten.jac_geom(m, d, i)[0] for i in range(m.ngeom)]}
    for dof in range(m.nv):
        ahead, behind = pushed(pair, dof, H), pushed(pair, dof, -H)
        for field, jac in jacs.items():
            slope = (getattr(ahead, field) - getattr(behind, field)) / (2 * H)
            for i, j in enumerate(jac):
                close(j[:, dof], slope[i], FD)
        for body in range(m.nbody):
            # columns of the rotation matrix are axes fixed to the body
            turned = (ahead.xmat[body] - behind.xmat[body]).reshape(3, 3) / (2 * H)
            for k in range(3):
                axis = d.xmat[body].reshape(3, 3)[:, k]
                close(corten.jac_axis(m, d, d.xpos[body], axis, body)[1][:, dof], turned[:, k], FD)


def test_rates_of_jacobians_are_their_derivatives(pair):
    m, d = pair.model, pair.data
    ahead, behind = moved(pair, H), moved(pair, -H)

    def slope(function):
        return (np.array(function(ahead)) - np.array(function(behind))) / (2 * H)

    for body in range(m.nbody):
        for kind in (Obj.BODY, Obj.XBODY):
            close(corten.jac_object_dot(m, d, kind, body), slope(lambda e: corten.jac_object(m, e, kind, body)), FD)
        close(corten.jac_subtree_dot(m, d, body), slope(lambda e: corten.jac_subtree(m, e, body)), FD)

        def of_axis(e):
            return corten.jac_axis(m, e, e.xpos[body], e.xmat[body].reshape(3, 3)[:, 1], body)

        close(corten.jac_axis_dot(m, d, d.xpos[body], d.xmat[body].reshape(3, 3)[:, 1], body), slope(of_axis), FD)
    for kind, count in ((Obj.GEOM, m.ngeom), (Obj.SITE, m.nsite)):
        for i in range(count):
            close(corten.jac_object_dot(m, d, kind, i), slope(lambda e: corten.jac_object(m, e, kind, i)), FD)


# ---- motion

@pytest.mark.parametrize("local", (False, True))
def test_motion_of_objects(pair, local):
    m, d = pair.model, pair.data
    mujoco.mj_rnePostConstraint(pair.oracle_model, pair.oracle)
    out = np.zeros(6)
    for kind, count in ((Obj.BODY, m.nbody), (Obj.XBODY, m.nbody), (Obj.GEOM, m.ngeom), (Obj.SITE, m.nsite), (Obj.CAMERA, m.ncam)):
        for i in range(count):
            mujoco.mj_objectVelocity(pair.oracle_model, pair.oracle, int(kind), i, out, local)
            close(corten.object_velocity(m, d, kind, i, local), out)
            mujoco.mj_objectAcceleration(pair.oracle_model, pair.oracle, int(kind), i, out, local)
            # behind a constraint solver forces agree to 1e-8
            close(corten.object_acceleration(m, d, kind, i, local), out, 1e-10 if pair.oracle.nefc == 0 else 1e-7)


def test_forces_on_bodies_are_computed_when_asked_for():
    pair = Pair(MODELS[0])
    pair.set_random_state(np.random.default_rng(0))
    corten.step(pair.model, pair.data)
    assert not pair.data.flg_rnepost and not pair.data.cacc.any() and not pair.data.cfrc_int.any()
    corten.forward(pair.model, pair.data)
    corten.post_constraint(pair.model, pair.data)
    assert pair.data.flg_rnepost and pair.data.cacc.any()
    corten.subtree_velocity(pair.model, pair.data)
    assert pair.data.flg_subtreevel
    np.testing.assert_allclose(corten.angular_momentum(pair.model, pair.data, 1) @ pair.data.qvel, pair.data.subtree_angmom[1], atol=1e-12)


# ---- mass

def test_products_with_the_mass_matrix(pair):
    m, d, nv = pair.model, pair.data, pair.model.nv
    condition = max(1.0, np.linalg.cond(corten.full_mass(m, d)) * 1e-4)
    vector, out = pair.rng.normal(size=nv), np.zeros(nv)
    full, lower = np.zeros((2, nv, nv))
    mujoco.mj_fullM(pair.oracle_model, pair.oracle, full)
    close(corten.full_mass(m, d), full)
    corten.add_mass(m, d, lower)
    close(lower, np.tril(full))
    mujoco.mj_mulM(pair.oracle_model, pair.oracle, out, vector)
    close(corten.mul_mass(m, d, vector), out)
    mujoco.mj_mulM2(pair.oracle_model, pair.oracle, out, vector)
    close(corten.mul_mass_half(m, d, vector), out)
    solved = np.zeros((1, nv))
    mujoco.mj_solveM(pair.oracle_model, pair.oracle, solved, vector[None])
    close(corten.solve_mass(m, d, vector), solved[0], 1e-12 * condition * 100)
    half = corten.solve_mass_half(m, d, vector)
    close(half @ half, vector @ solved[0], 1e-12 * condition * 100)
    close(np.linalg.norm(corten.mul_mass_half(m, d, vector)) ** 2, vector @ full @ vector)


def test_total_mass():
    pair = Pair(MODELS[1])
    assert corten.total_mass(pair.model) == pytest.approx(mujoco.mj_getTotalmass(pair.oracle_model), rel=1e-15)
    corten.set_total_mass(pair.model, 10)
    mujoco.mj_setTotalmass(pair.oracle_model, 10)
    assert corten.total_mass(pair.model) == pytest.approx(10, rel=1e-15)
    close(pair.model.body_mass, pair.oracle_model.body_mass)
    close(pair.model.body_inertia, pair.oracle_model.body_inertia)
    # the constants of the oracle follow when it is told to; ours have
    mujoco.mj_setConst(pair.oracle_model, pair.oracle)
    close(pair.model.dof_M0, pair.oracle_model.dof_M0)
    close(pair.model.body_subtreemass, pair.oracle_model.body_subtreemass)
    for bad in (0, -1, np.nan, np.inf):
        with pytest.raises(corten.Error):
            corten.set_total_mass(pair.model, bad)


# ---- positions

def test_positions(pair):
    m = pair.model
    there, velocity = corten.integrate_pos(m, pair.data.qpos, pair.rng.normal(size=m.nv), 0.3), np.zeros(m.nv)
    mujoco.mj_differentiatePos(pair.oracle_model, velocity, 0.3, pair.oracle.qpos, there)
    close(corten.differentiate_pos(m, pair.data.qpos, there, 0.3), velocity)
    back = corten.integrate_pos(m, pair.data.qpos, velocity, 0.3)
    oracle_back = pair.oracle.qpos.copy()
    mujoco.mj_integratePos(pair.oracle_model, oracle_back, velocity, 0.3)
    close(back, oracle_back)
    scaled, expected = 3 * there, 3 * there
    mujoco.mj_normalizeQuat(pair.oracle_model, expected)
    close(corten.normalize_pos(m, scaled), expected)


# ---- bad questions

def test_unknown_objects_and_wrong_sizes_are_refused(pair):
    m, d = pair.model, pair.data
    for id in (-1, m.nbody, 10**6):
        with pytest.raises(corten.Error):
            corten.jac_object(m, d, Obj.BODY, id)
    with pytest.raises(corten.Error):
        corten.jac_object(m, d, Obj.MESH, 0)
    with pytest.raises((KeyError, IndexError)):
        corten.jac_body(m, d, "nobody")
    with pytest.raises(ValueError):
        corten.jac_point(m, d, [1, 2], 0)
    with pytest.raises(ValueError):
        corten.mul_mass(m, d, np.zeros(m.nv + 1))


# ---- state

def test_parts_of_a_state(pair):
    m, o = pair.model, pair.oracle_model
    whole = (1 << 15) - 1
    for which in (State.PHYSICS, State.FULLPHYSICS, State.INPUT, State.INTEGRATION, State.QVEL | State.CTRL, whole):
        which = int(which)
        assert corten.state_size(m, which) == mujoco.mj_stateSize(o, which)
        theirs = np.zeros(mujoco.mj_stateSize(o, which))
        mujoco.mj_getState(o, pair.oracle, theirs, which)
        np.testing.assert_array_equal(corten.get_state(m, pair.data, State.QPOS), pair.data.qpos)
        state = corten.get_state(m, pair.data, whole)
        np.testing.assert_array_equal(corten.extract_state(m, state, whole, which), corten.get_state(m, pair.data, which))
        if not which & int(State.WARMSTART):
            close(corten.get_state(m, pair.data, which), theirs, 1e-12)
    with pytest.raises(corten.Error):
        corten.extract_state(m, corten.get_state(m, pair.data, State.QPOS), State.QPOS, State.QPOS | State.QVEL)
    other = corten.Data(m)
    corten.copy_state(m, other, pair.data, State.QPOS)
    np.testing.assert_array_equal(other.qpos, pair.data.qpos)
    assert not other.qvel.any()


def test_histories_can_be_read_and_set():
    pair = Pair(ROOT / "tests" / "models" / "sensors" / "history.xml")
    pair.set_random_state(np.random.default_rng(6))
    for _ in range(20):
        mujoco.mj_step(pair.oracle_model, pair.oracle)
        corten.step(pair.model, pair.data)
    for i in range(pair.model.nsensor):
        for time in (-1, 0.131, 0.15, 0.17, 5):
            for interp in (-1, 0, 1, 2):
                out = np.zeros(pair.model.sensor_dim[i])
                found = mujoco.mj_readSensor(pair.oracle_model, pair.oracle, i, time, out, interp)
                close(corten.read_sensor(pair.model, pair.data, i, time, interp), found)
    values = np.arange(3.0).reshape(3, 1)
    corten.set_sensor_history(pair.model, pair.data, 0, [1, 2, 3], values)
    assert corten.read_sensor(pair.model, pair.data, 0, 2.5, 1)[0] == 1.5
    for times in ([1, 1, 2], [1, np.nan, 2]):
        with pytest.raises(corten.Error):
            corten.set_sensor_history(pair.model, pair.data, 0, times, values)
