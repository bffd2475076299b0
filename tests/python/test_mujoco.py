"""The module has the shapes, types and names the mujoco module has."""

import corten
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
if corten._core.real != "d":
    pytest.skip("the mujoco module is of double precision", allow_module_level=True)

# not fields of the engine: bookkeeping of the other implementation
NOT_OURS = {
    "bvh_active",
    "signature",
    "maxuse_arena",
    "maxuse_con",
    "maxuse_efc",
    "maxuse_stack",
    "narena",
    "nbuffer",
    "nplugin",
    "parena",
    "pbase",
    "pstack",
    "threadpool",
}
# int8 there, text like all characters here; the other module gives these two no elements
DIFFERENT = {"plugin_attr", "bv", "bvactive"}


@pytest.fixture
def pairs(xml, model, data):
    theirs = mujoco.MjModel.from_xml_string(xml)
    their_data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, their_data)
    corten.forward(model, data)
    return [
        (theirs, model),
        (their_data, data),
        (theirs.opt, model.opt),
        (theirs.stat, model.stat),
        *(
            (getattr(theirs.vis, name), getattr(model.vis, name))
            for name in corten.Model._groups["vis"]._groups
        ),
    ]


def values_of(theirs):
    names = [name for name in dir(theirs) if not name.startswith("_") and name not in DIFFERENT]
    return {name: getattr(theirs, name) for name in names if not callable(getattr(theirs, name))}


def test_every_attribute_is_there_with_its_type_and_shape(pairs):
    wrong = []
    arena = {field.name for field in corten.Data._table if field.place == "arena"}
    for theirs, ours in pairs:
        for name, value in values_of(theirs).items():
            if not hasattr(ours, name):
                wrong += [] if name in NOT_OURS else [f"{name} is missing"]
            elif isinstance(value, np.ndarray):
                mine = getattr(ours, name)
                # an array of the arena that no stage made is empty here
                same = mine.shape == value.shape or (
                    name in arena and len(mine) == 0 and mine.ndim == value.ndim
                )
                if not same or mine.dtype != value.dtype:
                    wrong.append(f"{name}: {value.dtype}{value.shape} there, {mine.dtype}{mine.shape} here")
            elif isinstance(value, (int, float, bytes)) and type(getattr(ours, name)) is not type(value):
                wrong.append(f"{name}: {type(value)} there, {type(getattr(ours, name))} here")
    assert not wrong, "\n".join(wrong)


def test_records_have_the_same_members(pairs):
    theirs, ours = pairs[1]
    for name in ("contact", "warning", "timer", "solver"):
        records, mine = getattr(theirs, name), getattr(ours, name)
        if name == "warning":  # there is one more here, of bad activations
            mine = mine[: len(records)]
        assert len(records) == len(mine)
        for member in (member for member in dir(records) if not member.startswith("_")):
            column, other = getattr(records, member), getattr(mine, member)
            if (name, member) == ("timer", "number"):  # counts in 64 bits here
                assert other.dtype == np.int64
            elif isinstance(column, np.ndarray):
                assert (column.shape, column.dtype) == (other.shape, other.dtype), f"{name}.{member}"


def test_named_rows_have_the_same_shapes(pairs):
    # the other module's dense row of the moment matrix, and rows of deformation state
    not_ours = {"moment", "plastic"}
    for theirs, ours in pairs[:2]:
        for kind, count in (("body", 5), ("joint", 4), ("geom", 4), ("site", 1), ("actuator", 2)):
            for i in range(count):
                row, mine = getattr(theirs, kind)(i), getattr(ours, kind)(i)
                assert (row.id, row.name) == (mine.id, mine.name)
                for name in (
                    n for n in dir(row) if not n.startswith("_") and n not in {"id", "name"} | not_ours
                ):
                    assert getattr(row, name).shape == getattr(mine, name).shape, f"{kind}.{name}"
                    assert getattr(row, name).dtype == getattr(mine, name).dtype, f"{kind}.{name}"


def test_enumerations_have_the_same_values():
    same = {
        "JointType": ("mjtJoint", "mjJNT_"),
        "GeomType": ("mjtGeom", "mjGEOM_"),
        "ObjType": ("mjtObj", "mjOBJ_"),
        "Integrator": ("mjtIntegrator", "mjINT_"),
        "Solver": ("mjtSolver", "mjSOL_"),
        "Cone": ("mjtCone", "mjCONE_"),
        "DisableBit": ("mjtDisableBit", "mjDSBL_"),
        "EnableBit": ("mjtEnableBit", "mjENBL_"),
        "State": ("mjtState", "mjSTATE_"),
        "WarningType": ("mjtWarning", "mjWARN_"),
        "TrnType": ("mjtTrn", "mjTRN_"),
        "DynType": ("mjtDyn", "mjDYN_"),
        "EqType": ("mjtEq", "mjEQ_"),
        "Jacobian": ("mjtJacobian", "mjJAC_"),
        "TimerType": ("mjtTimer", "mjTIMER_"),
    }
    for ours, (theirs, prefix) in same.items():
        values = {
            name.removeprefix(prefix): int(value)
            for name, value in getattr(mujoco, theirs).__members__.items()
        }
        for member in getattr(corten, ours):
            if member.name in values:
                assert values[member.name] == member.value, f"{ours}.{member.name}"
        assert len(values.keys() & getattr(corten, ours).__members__.keys()) >= len(getattr(corten, ours)) - 4


def test_numbers_of_a_short_run_agree(xml, model, data):
    theirs = mujoco.MjModel.from_xml_string(xml)
    their_data = mujoco.MjData(theirs)
    for each in (data, their_data):
        each.ctrl[:] = [0.2, -0.1]
    mujoco.mj_step(theirs, their_data, 20)
    corten.step(model, data, 20)
    assert np.allclose(data.qpos, their_data.qpos, rtol=0, atol=1e-10)
    assert np.allclose(data.qvel, their_data.qvel, rtol=0, atol=1e-10)
