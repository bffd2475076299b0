"""corten.mujoco against MuJoCo's own module: names, enumerations, and the numbers of every function."""

import copy
import pathlib
import re

import corten.mujoco as door
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
if door.MJTNUM_BYTES != 8:
    pytest.skip("the mujoco module is of double precision", allow_module_level=True)

XML = """
<mujoco model="test">
  <option timestep="0.005"/>
  <size nkey="1"/>
  <asset><mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.2 0  0 0 0.2"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 0.2 0.1" elevation="0 1 0 1 0 1 0 1 0"/></asset>
  <worldbody>
    <light name="sun" pos="0 0 3"/>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <geom name="hill" type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="box" pos="0 0 0.2">
      <freejoint name="root"/>
      <geom name="box" type="box" size="0.1 0.15 0.2"/>
      <site name="top" pos="0 0 0.2" size="0.05"/>
      <body name="arm" pos="0.1 0 0.2">
        <joint name="shoulder" type="ball" damping="0.1"/>
        <geom name="arm" type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/>
        <body name="hand" pos="0.3 0 0">
          <joint name="wrist" axis="0 1 0" range="-60 60" stiffness="3"/>
          <geom name="hand" type="mesh" mesh="wedge"/>
          <site name="tip" pos="0.1 0 0"/>
        </body>
      </body>
    </body>
    <body name="slider" pos="0 1 0.5">
      <joint name="slide" type="slide" axis="1 0 0" frictionloss="0.2"/>
      <geom name="ball" size="0.1"/>
      <site name="ear"/>
    </body>
    <body name="target" mocap="true" pos="1 1 1"><geom size="0.05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <tendon><spatial name="string" stiffness="2"><site site="tip"/><site site="ear"/></spatial></tendon>
  <equality><connect body1="slider" anchor="0 0 0" active="false"/></equality>
  <actuator>
    <motor name="push" joint="slide" gear="2"/>
    <position name="bend" joint="wrist" kp="5" delay="0.02" nsample="5"/>
    <general name="pull" tendon="string" dyntype="integrator" gainprm="1"/>
  </actuator>
  <sensor>
    <accelerometer name="acc" site="top"/>
    <framepos name="where" objtype="site" objname="tip" delay="0.01" nsample="4"/>
    <jointvel name="speed" joint="slide"/>
  </sensor>
</mujoco>
"""


def moved(module, steps=30, xml=XML):
    """A model and a data in motion, the same on both sides."""
    m = module.MjModel.from_xml_string(xml)
    d = module.MjData(m)
    rng = np.random.default_rng(1)
    d.qvel[:] = rng.uniform(-0.3, 0.3, m.nv)
    d.ctrl[:] = [0.5, 0.2, 0.1]
    d.xfrc_applied[4, 2] = 0.3
    module.mj_step(m, d, steps)
    module.mj_forward(m, d)
    return m, d


@pytest.fixture(scope="module")
def both():
    return moved(door), moved(mujoco)


# ---- names


def public(module):
    return [name for name in dir(module) if not re.fullmatch(r"__\w+__", name)]


BORROWED = {"Any", "_batch", "_rollout", "IO", "Sequence", "TypeAlias", "Union", "ctypes", "np", "os", "platform", "subprocess", "warnings", "zipfile"}


def test_every_name_is_here_or_has_a_reason():
    table = door.names(set(public(mujoco)) - BORROWED)
    unknown = [name for name, (state, why) in table.items() if state == "absent" and not why]
    assert not unknown
    assert sum(state != "absent" for state, _ in table.values()) > 430


def test_no_reason_for_what_is_here():
    from corten.mujoco._names import ABSENT_NAMES

    here = vars(door)
    assert not [name for name in ABSENT_NAMES if name in here]
    patterns = [name for name in ABSENT_NAMES if "*" not in name and not name.startswith("_")]
    assert not [name for name in patterns if not hasattr(mujoco, name) and name != "mujoco"]


def test_a_missing_name_says_what_there_is():
    with pytest.raises(AttributeError, match=r"corten.mujoco has no mj_maxContact: the arena grows"):
        door.mj_maxContact  # noqa: B018
    with pytest.raises(AttributeError, match="has no mj_nonsense$"):
        door.mj_nonsense  # noqa: B018
    with pytest.raises(AttributeError, match="has no mjr_overlay: texts and plots"):
        door.mjr_overlay  # noqa: B018


def test_enumerations_and_constants_are_theirs():
    for name in public(mujoco):
        value = getattr(mujoco, name)
        if hasattr(value, "__members__"):
            mine = getattr(door, name)
            assert {key: int(member) for key, member in value.__members__.items()} == {
                key: int(member) for key, member in mine.__members__.items()
            }, name
        elif name.startswith("mj") and isinstance(value, (int, float, str, tuple)):
            assert getattr(door, name) == value, name
    assert door.mjtGeom(value=100) is door.mjtGeom.mjGEOM_ARROW
    assert door.mj_versionString() == mujoco.mj_versionString() and door.mj_version() == mujoco.mj_version()


def test_arguments_have_their_names():
    """A program may name every argument."""
    import inspect

    wrong = []
    for name in public(mujoco):
        if not name.startswith(("mj_", "mju_", "mjd_")) or name not in vars(door):
            continue
        found = re.search(rf"^(?:\d+\. )?{name}\((.*)\) ->", getattr(mujoco, name).__doc__, re.MULTILINE)
        theirs = [part for part in re.findall(r"(\w+): ", found[1]) if part]
        ours = [parameter for parameter in inspect.signature(getattr(door, name)).parameters]
        if ours != theirs:
            wrong.append(f"{name}: {theirs} there, {ours} here")
    assert not wrong, "\n".join(wrong)


# ---- numbers


def check(name, both, *args, out=(), tolerance=1e-9, result=True):
    """Call a function of both modules with copies of the arguments; compare the outputs (numbers of arguments) and what is
    returned."""
    (m, d), (m0, d0) = both
    answers = []
    for module, model, data in ((door, m, d), (mujoco, m0, d0)):
        given = [model if a is M else data if a is D else copy.copy(a) for a in args]
        returned = getattr(module, name)(*given)
        answers.append([given[i] for i in out] + ([returned] if result and returned is not None else []))
    for mine, theirs in zip(*answers):
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance, err_msg=name)


M, D = object(), object()
FIXED = {"[3,1]": 3, "[4,1]": 4, "[9,1]": 9, "[6,1]": 6, "[2,1]": 2, "[5,1]": 5, "[1,1]": 1}
SKIPPED = {  # why their numbers are not compared here
    "mju_standardNormal": "another generator", "mju_eig3": "below", "mju_mat2Rot": "below", "mju_boxQP": "below",
    "mju_euler2Quat": "below", "mju_rayGeom": "below", "mju_raySkin": "below", "mju_printMat": "text", "mju_printMatSparse": "text",
    "mju_warningText": "other words", "mju_writeLog": "a file", "mju_getXMLDependencies": "below", "mju_threadpool": "no numbers",
    "mju_str2Type": "below", "mju_type2Str": "below", "mju_writeNumBytes": "below", "mju_insertionSortInt": "below",
    "mju_muscleGain": "below", "mju_muscleBias": "below", "mju_muscleDynamics": "below", "mju_cholUpdate": "below",
    "mju_cholSolve": "below", "mju_cholFactor": "below", "mju_clip": "below", "mju_Halton": "below", "mju_f2n": "below",
    "mju_n2f": "below", "mju_transformSpatial": "below", "mju_round": "below", "mju_isBad": "below",
}  # fmt: skip


def signature(name):
    """[(argument, kind)] of a function of the other module, with sizes as [3,1] and W where it is written."""
    text = re.search(rf"^(?:\d+\. )?{name}\((.*)\) ->", getattr(mujoco, name).__doc__, re.MULTILINE)[1]
    text = re.sub(
        r'typing.Annotated\[numpy.typing.NDArray\[numpy.float64\], "\[(\w+), (\w+)\]"([^\]]*)\]',
        lambda k: f"[{k[1]};{k[2]}]" + ("W" if "writeable" in k[3] else ""), text,
    )  # fmt: skip
    parts = [part.split(": ", 1) for part in re.split(r", (?=\w+: )", text)]
    return [(name, kind.replace(";", ",")) for name, kind in parts]


def simple_functions():
    for name in public(mujoco):
        if name.startswith("mju_") and name not in SKIPPED:
            kinds = [kind for _, kind in signature(name)] if "()" not in mujoco.__dict__[name].__doc__.split("\n")[0] else []
            if all(kind.removesuffix("W") in FIXED or "SupportsFloat" in kind for kind in kinds):
                yield name


@pytest.mark.parametrize("name", list(simple_functions()))
def test_functions_of_short_vectors(name, both):
    rng = np.random.default_rng(sum(map(ord, name)))
    for _ in range(5):
        args, outs = [], []
        for i, (argument, kind) in enumerate(signature(name)):
            size = FIXED.get(kind.removesuffix("W"))
            value = rng.normal(size=size) if size else float(rng.uniform(0.1, 1))
            if size == 4 and "quat" in argument or argument in ("qa", "qb"):
                value /= np.linalg.norm(value)
            if size == 9:
                quat, value = rng.normal(size=4), np.zeros(9)
                mujoco.mju_quat2Mat(value, quat / np.linalg.norm(quat))
            args.append(value)
            outs += [i] if kind.endswith("W") else []
        check(name, both, *args, out=outs, tolerance=1e-12)


VECTORS = {
    "mju_zero": lambda r: ([r(5)], [0]),
    "mju_fill": lambda r: ([r(5), 2.5], [0]),
    "mju_copy": lambda r: ([r(5), r(5)], [0]),
    "mju_sum": lambda r: ([r(5)], []),
    "mju_L1": lambda r: ([r(5)], []),
    "mju_scl": lambda r: ([r(5), r(5), 0.3], [0]),
    "mju_add": lambda r: ([r(5), r(5), r(5)], [0]),
    "mju_sub": lambda r: ([r(5), r(5), r(5)], [0]),
    "mju_addTo": lambda r: ([r(5), r(5)], [0]),
    "mju_subFrom": lambda r: ([r(5), r(5)], [0]),
    "mju_addToScl": lambda r: ([r(5), r(5), 0.3], [0]),
    "mju_addScl": lambda r: ([r(5), r(5), r(5), 0.3], [0]),
    "mju_normalize": lambda r: ([r(5)], [0]),
    "mju_norm": lambda r: ([r(5)], []),
    "mju_dot": lambda r: ([r(5), r(5)], []),
    "mju_isZero": lambda r: ([np.zeros(3)], []),
    "mju_insertionSort": lambda r: ([r(7)], [0]),
    "mju_d2n": lambda r: ([r(5), r(5)], [0]),
    "mju_n2d": lambda r: ([r(5), r(5)], [0]),
    "mju_transpose": lambda r: ([r(3, 2), r(2, 3)], [0]),
    "mju_symmetrize": lambda r: ([r(3, 3), r(3, 3)], [0]),
    "mju_eye": lambda r: ([r(3, 3)], [0]),
    "mju_mulMatVec": lambda r: ([r(2), r(2, 3), r(3)], [0]),
    "mju_mulMatTVec": lambda r: ([r(3), r(2, 3), r(2)], [0]),
    "mju_mulVecMatVec": lambda r: ([r(3), r(3, 3), r(3)], []),
    "mju_mulMatMat": lambda r: ([r(2, 4), r(2, 3), r(3, 4)], [0]),
    "mju_mulMatMatT": lambda r: ([r(2, 4), r(2, 3), r(4, 3)], [0]),
    "mju_mulMatTMat": lambda r: ([r(3, 4), r(2, 3), r(2, 4)], [0]),
    "mju_sqrMatTD": lambda r: ([r(3, 3), r(2, 3), r(2)], [0]),
    "mju_encodePyramid": lambda r: ([r(6), np.abs(r(4)), np.abs(r(3))], [0]),
    "mju_decodePyramid": lambda r: ([r(4), r(6), r(3)], [0]),
    "mju_dense2Band": lambda r: ([r(2 * 3 + 2 * 5), r(5, 5), 5, 2, 2], [0]),
    "mju_band2Dense": lambda r: ([r(5, 5), r(2 * 3 + 2 * 5), 5, 2, 2, True], [0]),
    "mju_bandMulMatVec": lambda r: ([r(5), r(2 * 3 + 2 * 5), r(5, 1), 5, 2, 2, 1, True], [0]),
    "mju_bandDiag": lambda r: ([3, 5, 2, 2], []),
    "mju_sparse2dense": lambda r: ([r(2, 3), r(3), *(np.array(a, np.int32) for a in ([1, 2], [0, 1], [1, 0, 2]))], [0]),
    "mju_sym2dense": lambda r: ([r(2, 2), r(3), *(np.array(a, np.int32) for a in ([1, 2], [0, 1], [0, 0, 1]))], [0]),
    "mju_dense2sparse": lambda r: (
        [r(3), np.array([[0, 1.0, 0], [2, 0, 3]]), *(np.zeros(n, np.int32) for n in (2, 2, 3))], [0, 2, 3, 4],
    ),
    "mju_cholFactor": lambda r: ([(lambda a: a @ a.T + np.eye(4))(r(4, 4)), 0.0], []),
    "mju_f2n": lambda r: ([r(4), r(4).astype(np.float32)], [0]),
    "mju_n2f": lambda r: ([r(4).astype(np.float32), r(4)], [0]),
    "mju_insertionSortInt": lambda r: ([np.array([5, 2, 9, 1], np.int32)], [0]),
    "mju_clip": lambda r: ([1.5, 2.0, 3.0], []),
    "mju_Halton": lambda r: ([37, 3], []),
    "mju_transformSpatial": lambda r: ([r(6), r(6), 1, r(3), r(3), np.eye(3).ravel()], [0]),
    "mju_muscleGain": lambda r: ([0.7, 0.1, [0.5, 1.0], 2.0, [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]], []),
    "mju_muscleBias": lambda r: ([1.1, [0.5, 1.0], 2.0, [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]], []),
    "mju_muscleDynamics": lambda r: ([0.7, 0.4, [0.01, 0.04, 0.2]], []),
    "mjd_subQuat": lambda r: ([[0.8, 0.6, 0, 0], [0.6, 0, 0.8, 0], np.zeros((3, 3)), np.zeros((3, 3))], [2, 3]),
    "mjd_quatIntegrate": lambda r: ([r(3), 0.3, np.zeros(9), np.zeros(9), np.zeros(3)], [2, 3, 4]),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(VECTORS))
def test_functions_of_vectors_and_matrices(name, both):
    rng = np.random.default_rng(0)
    args, outs = VECTORS[name](lambda *shape: rng.normal(size=shape))
    check(name, both, *args, out=outs, tolerance=1e-11)


def test_every_function_of_vectors_is_compared():
    covered = set(VECTORS) | set(simple_functions()) | set(SKIPPED) | {"mju_cholFactorBand", "mju_cholSolveBand"}
    covered |= {"mjd_transitionFD", "mjd_inverseFD"}
    assert not [name for name in public(door) if name.startswith(("mju_", "mjd_")) and name not in covered]


@pytest.mark.parametrize("centered", [False, True])
def test_finite_differences(centered):
    xml = re.sub(r' delay="[\d.]+" nsample="\d"', "", XML)
    answers = []
    for module in (door, mujoco):
        m, d = moved(module, 5, xml)
        nx, ns, before = 2 * m.nv + m.na, m.nsensordata, d.qpos.copy()
        maps = [np.zeros(shape) for shape in ((nx, nx), (nx, m.nu), (ns, nx), (ns, m.nu))]
        module.mjd_transitionFD(m, d, 1e-6, centered, *maps)
        assert np.array_equal(d.qpos, before)
        inverse = [np.zeros((m.nv, n)) for n in (m.nv, m.nv, m.nv, ns, ns, ns, m.nC)]
        module.mjd_inverseFD(m, d, 1e-6, True, *inverse)
        module.mjd_transitionFD(m, d, 1e-6, centered, None, None, None, None)
        answers.append(maps + inverse)
    for mine, theirs in zip(*answers):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=2e-5 * max(1, np.abs(theirs).max()))
    with pytest.raises(door.FatalError, match="delays"):
        door.mjd_transitionFD(*moved(door), 1e-6, False, None, None, None, None)


def test_factors_and_eigenvalues(both):
    rng = np.random.default_rng(3)
    a = rng.normal(size=(4, 4))
    a = a @ a.T + np.eye(4)
    for module in (door, mujoco):
        factor = a.copy()
        assert module.mju_cholFactor(factor, 0.0) == 4
        x = np.zeros(4)
        module.mju_cholSolve(x, factor, np.arange(4.0))
        np.testing.assert_allclose(a @ x, np.arange(4.0), atol=1e-12)
        v = rng.normal(size=4)
        module.mju_cholUpdate(factor, v.copy(), 1)
        lower = np.tril(factor)
        np.testing.assert_allclose(lower @ lower.T, a + np.outer(v, v), atol=1e-12)
        symmetric = (a[:3, :3] + a[:3, :3].T) / 2
        values, vectors, quat = np.zeros(3), np.zeros(9), np.zeros(4)
        module.mju_eig3(values, vectors, quat, symmetric.ravel())
        e = vectors.reshape(3, 3)
        np.testing.assert_allclose(e @ np.diag(values) @ e.T, symmetric, atol=1e-9)
        assert values[0] >= values[1] >= values[2] and np.linalg.det(e) > 0
        band, res = np.zeros(2 * 2 + 2 * 4), np.zeros(4)
        banded = np.diag([3.0, 4, 5, 6])
        banded[1, 0] = banded[0, 1] = banded[3, 0] = banded[0, 3] = 0.5
        module.mju_dense2Band(band, banded, 4, 2, 2)
        assert module.mju_cholFactorBand(band, 4, 2, 2, 0.0, 0.0) > 0
        module.mju_cholSolveBand(res, band, np.arange(4.0), 4, 2, 2)
        np.testing.assert_allclose(banded @ res, np.arange(4.0), atol=1e-12)
        res, r, index = np.zeros(3), np.zeros((3, 10)), np.zeros(3, np.int32)
        rank = module.mju_boxQP(res, r, index, np.eye(3), np.array([3.0, 0.2, -5]), -np.ones(3), np.ones(3))
        np.testing.assert_allclose(res, [-1, -0.2, 1])
        assert rank == 1 and index[0] == 1
        quat = np.array([1.0, 0, 0, 0])
        turn = np.zeros(9)
        module.mju_quat2Mat(turn, np.array([0.8, 0.36, 0.48, 0.0]))
        module.mju_mat2Rot(quat, turn)
        np.testing.assert_allclose(quat, [0.8, 0.36, 0.48, 0], atol=1e-6)


def test_text_and_numbers(both):
    for kind in range(-1, 104):
        assert door.mju_type2Str(kind) == mujoco.mju_type2Str(kind)
    for name in ("body", "joint", "tendon", "key", "nothing", "frame"):
        assert door.mju_str2Type(name) == mujoco.mju_str2Type(name)
    for x in (0, 0.2, 0.5, 1.5, -0.5, 2.7):
        assert door.mju_round(x) == mujoco.mju_round(x)
        assert door.mju_isBad(x) == mujoco.mju_isBad(x)
    assert door.mju_isBad(float("nan")) == 1 and door.mju_isBad(1e11) == 1
    for number in (0, 1000, 1024, 5000, 3 << 20, 7 << 30):
        assert door.mju_writeNumBytes(number) == mujoco.mju_writeNumBytes(number)
    for seq in ("xyz", "XYZ", "zYx"):
        check("mju_euler2Quat", both, np.zeros(4), [0.3, -0.2, 1.1], seq, out=[0], tolerance=1e-12)
    for bad in ("xy", "xyp"):
        with pytest.raises(door.FatalError, match="seq"):
            door.mju_euler2Quat(np.zeros(4), [0, 0, 0], bad)


STAGES = [name for name in door._steps._STAGES if name not in ("mj_resetData", "mj_RungeKutta")]


@pytest.mark.parametrize("name", STAGES)
def test_stages(name):
    """Each part of a step after a whole forward pass, and what all arrays are then."""
    both = moved(door), moved(mujoco)
    check(name, both, M, D)
    mine, theirs = both[0][1], both[1][1]
    for field in ("time qpos qvel act qacc xpos xquat xmat xipos geom_xpos geom_xmat site_xpos cam_xpos light_xpos subtree_com "
                  "cinert cdof cvel M qLD ten_length actuator_length actuator_velocity actuator_force qfrc_passive qfrc_bias "
                  "qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse subtree_linvel subtree_angmom cacc "
                  "cfrc_ext cfrc_int sensordata energy efc_pos efc_aref efc_force ncon nefc").split():  # fmt: skip
        np.testing.assert_allclose(getattr(mine, field), getattr(theirs, field), rtol=1e-7, atol=1e-8, err_msg=field)


def test_integrators():
    for kind, name in ((2, "mj_implicit"), (3, "mj_implicit"), (0, "mj_Euler"), (1, "mj_RungeKutta")):
        both = moved(door), moved(mujoco)
        for m, _ in both:
            m.opt.integrator = kind
        check(name, both, M, D, *([4] if kind == 1 else []))
        np.testing.assert_allclose(both[0][1].qpos, both[1][1].qpos, rtol=1e-8, atol=1e-9, err_msg=name)
    with pytest.raises(door.FatalError, match="must be implicit"):
        door.mj_implicit(*moved(door))
    with pytest.raises(door.FatalError, match="order 4"):
        door.mj_RungeKutta(*moved(door), 2)


def test_a_pipeline_from_its_parts(both):
    """mj_forward by its parts gives what mj_forward gives."""
    m, d = moved(door)
    whole = door.MjData(m)
    state = np.empty(door.mj_stateSize(m, door.mjtState.mjSTATE_INTEGRATION))
    door.mj_getState(m, d, state, door.mjtState.mjSTATE_INTEGRATION)
    door.mj_setState(m, whole, state, door.mjtState.mjSTATE_INTEGRATION)
    door.mj_forward(m, whole)
    parts = door.MjData(m)
    door.mj_setState(m, parts, state, door.mjtState.mjSTATE_INTEGRATION)
    for name in ("kinematics comPos camlight tendon makeM factorM collision makeConstraint transmission fwdVelocity fwdActuation "
                 "fwdAcceleration fwdConstraint").split():  # fmt: skip
        getattr(door, f"mj_{name}")(m, parts)
    assert np.array_equal(parts.qacc, whole.qacc) and np.array_equal(parts.efc_force, whole.efc_force)
    door.mj_collision(m, parts)
    door.mj_makeConstraint(m, parts)
    door.mj_makeConstraint(m, parts)
    assert np.array_equal(parts.efc_J, whole.efc_J) and len(parts.contact) == len(whole.contact) > 0


def test_jacobians_mass_and_forces(both):
    (m, d), _ = both
    nv, point = m.nv, np.array([0.1, 0.2, 0.3])
    j = lambda: np.zeros((3, nv))
    for name, id in (("mj_jacBody", 3), ("mj_jacBodyCom", 3), ("mj_jacGeom", 3), ("mj_jacSite", 1)):
        check(name, both, M, D, j(), j(), id, out=[2, 3])
        check(name, both, M, D, None, j(), id, out=[3])
    check("mj_jac", both, M, D, j(), j(), point, 3, out=[2, 3])
    check("mj_jacDot", both, M, D, j(), j(), point, 3, out=[2, 3])
    check("mj_jacPointAxis", both, M, D, j(), j(), point, [0, 0, 1], 3, out=[2, 3])
    check("mj_jacSubtreeCom", both, M, D, j(), 1, out=[2])
    check("mj_angmomMat", both, M, D, j(), 1, out=[2])
    v = np.arange(nv) + 1.0
    check("mj_fullM", both, M, D, np.zeros((nv, nv)), out=[2])
    for name in ("mj_mulM", "mj_mulM2"):
        check(name, both, M, D, np.zeros(nv), v, out=[2])
    check("mj_solveM", both, M, D, np.zeros((2, nv)), np.stack([v, -v]), out=[2])
    check("mj_rne", both, M, D, 0, np.zeros(nv), out=[3])
    check("mj_rne", both, M, D, 1, np.zeros(nv), out=[3])
    check("mj_mulJacVec", both, M, D, np.zeros(d.nefc), v, out=[2])
    check("mj_mulJacTVec", both, M, D, np.zeros(nv), np.arange(d.nefc) + 1.0, out=[2])
    check("mj_applyFT", both, M, D, [1, 2, 3], [0.1, 0, 0], point, 3, np.ones(nv), out=[6])
    for i in range(-1, d.ncon + 1):
        check("mj_contactForce", both, M, D, i, np.ones(6), out=[3], tolerance=1e-7)
    for kind, id in ((1, 3), (2, 3), (5, 3), (6, 1), (7, 0)):
        for local in (0, 1):
            check("mj_objectVelocity", both, M, D, kind, id, np.zeros(6), local, out=[4])
            check("mj_objectAcceleration", both, M, D, kind, id, np.zeros(6), local, out=[4], tolerance=1e-7)
    check("mj_getTotalmass", both, M)
    dst, pattern = np.zeros(m.nC), [np.array(a) for a in (m.M_rownnz, m.M_rowadr, m.M_colind)]
    check("mj_addM", both, M, D, dst, *pattern, out=[2])
    for sameframe in range(5):
        check("mj_local2Global", both, D, np.zeros(3), np.zeros(9), point, [0.8, 0.6, 0, 0], 3, sameframe, out=[1, 2])


def test_positions_and_states(both):
    (m, d), _ = both
    rng = np.random.default_rng(2)
    qpos = d.qpos + 0.1 * rng.normal(size=m.nq)
    check("mj_differentiatePos", both, M, np.zeros(m.nv), 0.3, d.qpos.copy(), qpos, out=[1])
    check("mj_integratePos", both, M, qpos, rng.normal(size=m.nv), 0.2, out=[1])
    check("mj_normalizeQuat", both, M, qpos, out=[1])
    for name in ("PHYSICS", "FULLPHYSICS", "INTEGRATION", "USER", "CTRL"):
        sig = door.mjtState[f"mjSTATE_{name}"]
        check("mj_stateSize", both, M, int(sig))
        size = door.mj_stateSize(m, sig)
        check("mj_getState", both, M, D, np.zeros(size), int(sig), out=[2], tolerance=1e-7)
    full, part = (int(door.mjtState[f"mjSTATE_{name}"]) for name in ("FULLPHYSICS", "QPOS"))
    vector = rng.normal(size=door.mj_stateSize(m, full))
    check("mj_extractState", both, M, vector, full, np.zeros(m.nq), part, out=[3])
    with pytest.raises(door.FatalError, match="mj_stateSize"):
        door.mj_stateSize(m, -1)
    with pytest.raises(TypeError, match="state size"):
        door.mj_getState(m, d, np.zeros(3), full)
    check("mj_isSparse", both, M)
    check("mj_isPyramidal", both, M)
    check("mj_isDual", both, M)


def test_histories(both):
    (m, d), _ = both
    times, values = np.array([0.0, 0.01, 0.02, 0.03]), np.arange(12.0).reshape(4, 3)
    check("mj_initSensorHistory", both, M, D, 1, times, values, 0.0)
    for interp in (0, 1, 2):
        check("mj_readSensor", both, M, D, 1, 0.026, np.zeros(3), interp, out=[4])
    check("mj_initCtrlHistory", both, M, D, 1, np.arange(5) * 0.01, np.arange(5.0))
    check("mj_readCtrl", both, M, D, 1, 0.033, np.zeros(1), 1, out=[4])


def test_rays_and_distances(both):
    (m, d), _ = both
    rng = np.random.default_rng(4)
    for _ in range(10):
        point, direction = [0, 0, 2.0], rng.normal(size=3) - [0, 0, 1]
        check("mj_ray", both, M, D, point, direction, None, 1, -1, np.zeros(1, np.int32), np.zeros(3), out=[7, 8])
    vectors = (rng.normal(size=(6, 3)) - [0, 0, 1]).ravel()
    check("mj_multiRay", both, M, D, [0, 0, 2.0], vectors, None, 1, -1, np.zeros(6, np.int32), np.zeros(6), np.zeros(18), 6, 5.0,
          out=[7, 8, 9])  # fmt: skip
    check("mj_ray", both, M, D, [0, 0, 2.0], [0, 0, -1], [0, 1, 1, 1, 1, 1], 1, -1, np.zeros(1, np.int32), out=[7])
    check("mj_rayMesh", both, M, D, 4, [*d.geom_xpos[4][:2], 3.0], [0, 0, -1.0], np.zeros(3), out=[5])
    check("mj_rayHfield", both, M, D, 1, [5.1, 0.1, 3.0], [0, 0, -1.0], np.zeros(3), out=[5])
    for kind, size in ((0, [1, 1, 1]), (2, [0.3, 0, 0]), (3, [0.1, 0.4, 0]), (4, [0.3, 0.2, 0.1]), (5, [0.2, 0.3, 0]), (6, [0.3, 0.2, 0.1])):
        args = [0, 0, 0], np.eye(3).ravel(), size, [0.05, 0.02, 2], [0.0, 0.01, -1]
        check("mju_rayGeom", both, *args, kind, np.zeros(3), out=[6])
    faces, verts = np.array([[0, 1, 2]], np.int32), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    check("mju_raySkin", both, 1, 3, faces, verts, [0.2, 0.2, 2.0], [0, 0, -1.0], np.zeros(1, np.int32), out=[6])
    flex = []
    for module in (door, mujoco):
        cloth = '<flexcomp name="c" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".02" mass="1"><edge equality="true"/></flexcomp>'
        model = module.MjModel.from_xml_string(f"<mujoco><worldbody>{cloth}</worldbody></mujoco>")
        data = module.MjData(model)
        module.mj_forward(model, data)
        flex.append((model, data))
    for _ in range(10):
        ray = rng.normal(size=3) * 0.05 + [0, 0, 1.0], rng.normal(size=3) * 0.1 - [0, 0, 1.0]
        check("mj_rayFlex", flex, M, D, 0, True, False, True, False, 0, *ray, np.zeros(1, np.int32), np.zeros(3), out=[10, 11])
    for a, b in ((0, 2), (2, 5), (3, 5), (4, 5)):
        check("mj_geomDistance", both, M, D, a, b, 10.0, np.zeros(6), out=[5], tolerance=1e-6)
    for point in ([0, 0, 0.4], [5, 5, 5]):
        check("mj_insideSite", both, M, D, 0, point)
    check("mj_defaultSolRefImp", both, np.zeros(2), np.zeros(5), out=[0, 1])


def test_models_are_changed_and_measured():
    both = moved(door), moved(mujoco)
    check("mj_setTotalmass", both, M, 7.0)
    check("mj_getTotalmass", both, M)
    for (m, d), module in zip(both, (door, mujoco)):
        m.body_mass[2] *= 2
        module.mj_setConst(m, d)
    for field in ("body_subtreemass", "dof_invweight0", "body_invweight0", "stat"):
        mine, theirs = getattr(both[0][0], field), getattr(both[1][0], field)
        if field != "stat":
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, err_msg=field)
    check("mj_setKeyframe", both, M, D, 0)
    np.testing.assert_allclose(both[0][0].key_qpos, both[1][0].key_qpos, rtol=1e-7, atol=1e-9)
    check("mj_resetDataKeyframe", both, M, D, 0)
    check("mj_resetDataKeyframe", both, M, D, 99)
    check("mj_resetCtrl", both, M, D)
    with pytest.raises(door.FatalError, match="index must be smaller than 1"):
        door.mj_setKeyframe(*both[0], 1)


def test_skips(both):
    for name in ("mj_forwardSkip", "mj_inverseSkip"):
        pair = moved(door), moved(mujoco)
        for stage in (0, 1, 2):
            check(name, pair, M, D, stage, 1)
        np.testing.assert_allclose(pair[0][1].qacc, pair[1][1].qacc, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(pair[0][1].qfrc_inverse, pair[1][1].qfrc_inverse, rtol=1e-6, atol=1e-7)


def test_every_function_of_a_model_is_compared():
    """The names that appear in this file, or have no numbers."""
    text = open(__file__).read() + pathlib.Path(__file__).with_name("test_door_rows.py").read_text()
    no_numbers = {
        "mj_actuatorInputName", "mj_copyData", "mj_copyState", "mj_defaultLROpt", "mj_defaultOption", "mj_defaultVisual",
        "mj_embedAssets", "mj_flex", "mj_fwdKinematics", "mj_id2name", "mj_loadTexture", "mj_name2id", "mj_printData",
        "mj_printFormattedData", "mj_printFormattedModel", "mj_printModel", "mj_printSchema", "mj_projectConstraint", "mj_resetCallbacks",
        "mj_resetDataDebug", "mj_saveLastXML", "mj_saveModel", "mj_sizeModel", "mj_solveM2",
    }  # fmt: skip
    names = [name for name in public(door) if name.startswith("mj_")]
    assert not [n for n in names if f'"{n}"' not in text and n not in no_numbers and n not in STAGES and f".{n}(" not in text]


def test_tables_are_current():
    """Enumerations and constants, in Python and in C, are what tools/mujoco_names.py writes today."""
    import pathlib
    import subprocess
    import sys

    tool = pathlib.Path(__file__).parent.parent.parent / "tools" / "mujoco_names.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_rates_of_several_activations_are_written_by_the_callback():
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><general joint="j" dyntype="user" actdim="2"/><general joint="j" dyntype="user" actdim="1"/></actuator></mujoco>"""

    def rates(m, d, id):
        if m.actuator_actnum[id] == 2:
            d.act_dot[:2] = 7, 8
        return 3

    for module in (door, pytest.importorskip("mujoco")):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        module.set_mjcb_act_dyn(rates)
        try:
            module.mj_forward(m, d)
        finally:
            module.set_mjcb_act_dyn(None)
        assert list(d.act_dot) == [7, 8, 3]
        x = np.zeros(2)
        assert module.mju_boxQP(x, np.zeros((2, 9)), None, np.array([[2, 1e3], [0, 2]]), np.array([2.0, 2]), np.full(2, -10.0), np.full(2, 10.0)) == 2
        assert x == pytest.approx([-1, -1])
        assert [module.mju_round(y) for y in (1e18, -1e18, 2147483647.5, -0.5)] == [2**31 - 1, -(2**31), 2**31 - 1, -1]
