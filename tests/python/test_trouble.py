"""Trouble is heard: a warning and a status for bad simulations, and messages that say what is wrong."""

import warnings

import corten
import numpy as np
import pytest


def falling(autoreset=True):
    flag = "" if autoreset else '<option><flag autoreset="disable"/></option>'
    return corten.Model.from_xml_string(
        f"<mujoco>{flag}<worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    )


def test_steps_that_reset_are_heard_once():
    model = falling()
    model.opt.gravity[2] = 1e12  # every step but the first ends in a reset
    data = corten.Data(model)
    with pytest.warns(corten.SimulationWarning, match=r"simulation diverged: .*\d+ times.*was reset") as heard:
        corten.step(model, data, 100)
    assert len(heard) == 1 and issubclass(corten.SimulationWarning, RuntimeWarning)
    assert data.warning.number.sum() > 10
    assert data.status == corten.Status.STEP_DIVERGED and isinstance(data.status, corten.Status)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corten.step(model, data, 100)  # once for each data
    other = corten.Data(model)
    assert other.status == corten.Status.OK
    with pytest.warns(corten.SimulationWarning):
        corten.step(model, other, 100)


def test_a_reset_clears_the_status():
    model = falling()
    data = corten.Data(model)
    data.qvel[2] = np.nan
    with pytest.warns(corten.SimulationWarning, match=r"bad number in qvel, 1 time \(last at index 2\)"):
        corten.step(model, data)
    corten.step(model, data)
    assert data.status == corten.Status.STEP_DIVERGED
    corten.reset(model, data)
    assert data.status == corten.Status.OK


def test_the_warning_says_no_more_than_happened():
    model = falling(autoreset=False)
    data = corten.Data(model)
    data.qvel[2] = np.nan
    with pytest.warns(corten.SimulationWarning) as heard:
        corten.step(model, data)
    assert "reset" not in str(heard[0].message)


def test_warnings_can_be_errors():
    model = falling()
    data = corten.Data(model)
    data.qvel[2] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error", corten.SimulationWarning)
        with pytest.raises(corten.SimulationWarning):
            corten.step(model, data)
    corten.step(model, data)  # the data is free again


def test_good_steps_say_nothing(model, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corten.step(model, data, 10)
    assert data.status == corten.Status.OK


@pytest.mark.parametrize("value, text", [(np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")])
def test_a_state_that_is_not_finite(model, data, value, text):
    state = corten.get_state(model, data)
    state[1 + model.nq + 3] = value
    with pytest.raises(corten.Error, match=rf"set_state: qvel\[3\] is {text}, numbers must be finite"):
        corten.set_state(model, data, state)
    part = corten.get_state(model, data, corten.State.QVEL)
    part[0] = value
    with pytest.raises(corten.Error, match=rf"qvel\[0\] is {text}"):
        corten.set_state(model, data, part, corten.State.QVEL)


def test_a_contact_that_is_not_there(model, data):
    corten.forward(model, data)
    with pytest.raises(corten.Error, match="contact_force: there is no contact 0, there are none"):
        corten.contact_force(model, data, 0)
    scene = corten.Model.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
        "</worldbody></mujoco>"
    )
    touching = corten.Data(scene)
    corten.forward(scene, touching)
    with pytest.raises(corten.Error, match="contact_force: there is no contact 3, they are 0 to 0"):
        corten.contact_force(scene, touching, 3)


def test_an_object_that_is_not_there(model, data):
    corten.forward(model, data)
    with pytest.raises(corten.Error, match="jac_object: there is no object 99, they are 0 to 3"):
        corten.jac_object(model, data, corten.ObjType.GEOM, 99)
    with pytest.raises(corten.Error, match="object_velocity: objects of type .* cannot be asked"):
        corten.object_velocity(model, data, corten.ObjType.ACTUATOR, 0)


def test_seeds_are_checked(data):
    with pytest.raises(ValueError, match="seed must be 0 to"):
        data.set_noise(-1)
    with pytest.raises(ValueError, match="world must be 0 to"):
        data.set_noise(1, 2**32)
