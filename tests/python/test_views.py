"""Fields as attributes: views of the engine's memory, numbers, copies of what comes and goes."""

import gc
import keyword
import pydoc

import corten
import numpy as np
import pytest
from corten._fields import is_index


def test_writing_to_a_view_changes_the_simulation(model, data):
    data.qpos[0] = 0.25
    corten.forward(model, data)
    assert data.body("base").xpos[0] == 0.25
    model.opt.gravity[:] = 0
    corten.forward(model, data)
    assert np.allclose(data.qacc, 0)


def test_a_view_follows_the_simulation(model, data):
    qpos = data.qpos
    corten.step(model, data)
    assert qpos[2] != 1 and data.qpos is qpos


def test_views_outlive_their_owners(xml):
    model = corten.Model.from_xml_string(xml)
    data = corten.Data(model)
    mass, qpos, warning, gravity = model.body_mass, data.qpos, data.warning, model.opt.gravity
    expected = mass.copy(), qpos.copy(), gravity.copy()
    del model, data
    gc.collect()
    filler = [corten.Model.from_xml_string(xml) for _ in range(20)]  # would reuse memory that had been freed
    assert (mass == expected[0]).all() and (qpos == expected[1]).all() and (gravity == expected[2]).all()
    assert warning.number.sum() == 0 and filler


def test_a_data_keeps_its_model(xml):
    data = corten.Data(corten.Model.from_xml_string(xml))
    gc.collect()
    corten.step(data.model, data, 10)
    assert data.time > 0


def test_assignment_copies_into_the_array(model, data):
    ctrl = data.ctrl
    values = np.array([1.0, 2.0])
    data.ctrl = values
    values[:] = 9
    assert data.ctrl is ctrl and list(ctrl) == [1, 2]
    data.ctrl = [3, 4]
    data.ctrl[1:] = 5
    assert list(ctrl) == [3, 5]
    data.qvel = 0.5
    assert (data.qvel == 0.5).all()
    model.opt.gravity = (0, 0, -1)
    assert list(model.opt.gravity) == [0, 0, -1]


@pytest.mark.parametrize("value", [[1.0], [1.0, 2, 3], [[1.0, 2.0]], []])
def test_a_wrong_shape_is_refused_and_named(data, value):
    with pytest.raises(ValueError, match=r"ctrl has shape \(2,\), got"):
        data.ctrl = value
    assert (data.ctrl == 0).all()


def test_a_wrong_type_is_refused(model, data):
    with pytest.raises(TypeError, match="body_parentid"):
        model.body_parentid = np.zeros(model.nbody)
    with pytest.raises((TypeError, ValueError)):
        data.ctrl = "ab"


def test_scalars_are_plain_numbers(model, data):
    assert type(model.nq) is int and type(data.time) is float and type(model.opt.timestep) is float
    assert type(model.opt.integrator) is int and type(data.flg_energypos) is bool
    data.time = 2
    assert data.time == 2.0
    model.opt.timestep = 0.125
    corten.step(model, data)
    assert data.time == 2.125
    model.opt.integrator = corten.Integrator.EULER
    model.vis.global_.fovy = 30
    assert model.vis.global_.fovy == 30
    model.vis.rgba.haze = [1, 2, 3, 4]
    assert list(model.vis.rgba.haze) == [1, 2, 3, 4]


@pytest.mark.parametrize("value", ["fast", None, [1.0]])
def test_a_scalar_needs_a_number(model, value):
    with pytest.raises(TypeError):
        model.opt.timestep = value
    with pytest.raises(TypeError):
        model.opt.iterations = 1.5
    with pytest.raises(OverflowError):
        model.opt.iterations = 2**40


def test_sizes_cannot_be_set(model, data):
    for owner, name in ((model, "nq"), (model, "nbody"), (data, "ncon"), (data, "nefc")):
        with pytest.raises(AttributeError):
            setattr(owner, name, 3)
        field = next(f for f in type(owner)._table if f.name == name)
        with pytest.raises(AttributeError):
            owner._block.set_scalar(field.index, 3)


def test_a_typo_is_an_error_with_a_suggestion(model, data):
    for owner, wrong, right in (
        (data, "qpso", "qpos"),
        (model, "body_mas", "body_mass"),
        (model.opt, "timstep", "timestep"),
        (model.body("base"), "inertai", "inertia"),
    ):
        with pytest.raises(AttributeError, match=f"did you mean.* {right}"):
            getattr(owner, wrong)
        with pytest.raises(AttributeError, match=f"did you mean.* {right}"):
            setattr(owner, wrong, 1)
    assert not hasattr(data, "zzzzzz")


def test_fields_are_listed(model, data):
    assert {"body_mass", "nq", "opt", "body", "from_xml_path"} <= set(dir(model))
    assert {"qpos", "time", "contact", "efc_J", "joint"} <= set(dir(data))
    assert {"mass", "id", "name"} <= set(dir(model.body(1)))


def test_text_is_bytes(model):
    assert b"shoulder\0" in model.names
    assert isinstance(model.text_data, bytes)
    with pytest.raises(AttributeError):
        model.names = b"other"


def test_arrays_of_the_arena_are_copies_that_cannot_be_written(model, data):
    corten.step(model, data)
    before = data.efc_force
    corten.step(model, data)
    assert before.shape == (0,) and data.efc_KBIP.shape == (0, 4)
    assert not before.flags.writeable
    data.efc_force = np.zeros(data.nefc)  # assignment writes to the arena itself
    with pytest.raises(ValueError, match="efc_force has shape"):
        data.efc_force = [1.0, 2.0]


def test_contacts_are_records(model, data):
    corten.step(model, data)
    assert len(data.contact) == data.ncon == 0
    assert data.contact.dist.shape == (0,) and data.contact.frame.shape == (0, 9)
    assert data.contact.geom.shape == (0, 2) and data.contact.geom.dtype == np.int32
    with pytest.raises(IndexError):
        data.contact[0]
    with pytest.raises(AttributeError):
        data.contact = []


BALL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body pos="0 0 0.09"><freejoint/><geom name="ball" size="0.1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def resting():
    """A ball in the floor, or nothing where the engine has no contacts yet."""
    try:
        model = corten.Model.from_xml_string(BALL)
    except corten.Error as error:
        if error.status != corten.Status.ERR_UNSUPPORTED:
            raise
        pytest.skip("the engine has no contacts yet")
    data = corten.Data(model)
    corten.forward(model, data)
    if data.ncon == 0:
        pytest.skip("the engine has no contacts yet")
    return model, data


def test_a_contact_kept_is_the_contact_of_its_time(resting):
    model, data = resting
    contacts, forces = data.contact, data.efc_force
    assert len(contacts) == 1 and contacts[0].dist == contacts.dist[0] == pytest.approx(-0.01)
    assert list(contacts[0].geom) == [0, 1] and contacts.frame.shape == (1, 9) and contacts[0].dim == 3
    assert forces.shape == (data.nefc,) and data.nefc > 0 and data.efc_KBIP.shape == (data.nefc, 4)
    dist, kept = contacts.dist[0], forces.copy()
    data.qpos[2] = 5
    corten.step(model, data)
    assert data.ncon == 0 and len(data.contact) == 0
    assert contacts.dist[0] == dist and (forces == kept).all()


def test_assignment_writes_to_the_arena(resting):
    _, data = resting
    data.efc_force = np.arange(data.nefc)
    assert (data.efc_force == np.arange(data.nefc)).all()


def test_warnings_timers_and_solver_reports_are_records(model, data):
    model.opt.disableflags |= corten.DisableBit.AUTORESET
    data.qpos[0] = np.nan
    corten.step(model, data)
    bad = corten.WarningType.BADQPOS
    assert data.warning[bad].number >= 1 and data.warning.number[bad] >= 1
    data.warning[bad].number = 0
    assert data.warning.number[bad] == 0
    assert len(data.timer) == len(corten.TimerType) and len(data.warning) == len(corten.WarningType)
    assert data.solver_niter.dtype == np.int32 and data.solver.gradient.shape == data.solver.shape


def test_timing_is_measured_on_request(model, data):
    corten.step(model, data)
    assert data.timer[corten.TimerType.STEP].number == 0 and data.timing is False
    data.timing = True
    corten.step(model, data, 3)
    assert data.timer[corten.TimerType.STEP].number == 3 and data.timing is True


def test_every_field_can_be_read_and_has_its_shape(model, data):
    corten.forward(model, data)
    for owner in (model, data):
        for field in type(owner)._table:
            if "." in field.name or field.code == "V":
                continue
            value = getattr(owner, field.name)
            if field.ndim == 0:
                assert isinstance(value, (int, float))
            elif field.code != "S1":
                assert value.ndim == field.ndim and value.dtype == np.dtype(field.code)
                if field.place == "array":
                    sizes = model.nv, getattr(model, field.rows, None)
                    assert value.shape[0] == sizes[1]
                    assert value.size == 0 or value.flags.writeable != is_index(field) and value.flags.aligned

def test_the_report_of_the_solver_is_the_engines():
    contact = corten.Model.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/>"
        "</body></worldbody></mujoco>"
    )
    data = corten.Data(contact)
    corten.forward(contact, data)
    done = data.solver_niter[0]
    assert done >= 1 and (data.solver.improvement[:done] > 0).all() and data.solver.nactive[0] > 0
    assert (data.solver.improvement[done:] == 0).all() and data.solver_nnz[0] == 36


def test_every_field_has_its_description_as_a_docstring(model, data):
    owners = [
        (corten.Model, corten._core.model_fields),
        (corten.Data, [row for row in corten._core.data_fields if row[0] != "contact"]),
    ]
    for owner, rows in owners:
        for name, *_, description in rows:
            *groups, last = (part + "_" if keyword.iskeyword(part) else part for part in name.split("."))
            place = owner
            for group in groups:
                place = place._groups[group]
            assert getattr(place, last).__doc__.startswith(description), name
    assert corten.Data.qpos.__doc__.endswith("[nq, float64]") or corten._core.real != "d"
    assert corten.Model.body_pos.__doc__.startswith("position of the body frame")
    assert type(model.body("world")).pos.__doc__.startswith("row of `body_pos`: position of the body frame")


def test_help_explains_fields():
    text = pydoc.plain(pydoc.render_doc(corten.Data))
    assert "configuration: slides m" in text and "simulated time, s" in text
