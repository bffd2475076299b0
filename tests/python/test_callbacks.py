"""Sensors and actuators computed by functions of Python."""

import gc
import weakref

import corten
import numpy as np
import pytest

XML = """<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
  <actuator><general joint="j" dyntype="user" gaintype="user" biastype="user" actdim="2"/></actuator>
  <sensor><user dim="2" needstage="pos"/><user dim="1" needstage="vel"/></sensor></mujoco>"""


@pytest.fixture
def model():
    return corten.Model.from_xml_string(XML)


@pytest.fixture
def data(model):
    return corten.Data(model)


def test_functions_compute_sensors_and_actuators(model, data):
    model.set_callbacks(
        sensor=lambda m, d, i: [d.time, 7.0] if i == 0 else d.qvel[0] + 1,
        dyn=lambda m, d, i: np.array([1.0, 2.0]),
        gain=lambda m, d, i: 3,
        bias=lambda m, d, i: np.array(4.0),
    )
    data.act = [5, 6]
    corten.forward(model, data)
    assert data.sensordata.tolist() == [0, 7, 1]
    assert data.act_dot.tolist() == [1, 2]
    assert data.actuator_force.tolist() == [3 * 6 + 4]


def test_none_clears_them(model, data):
    model.set_callbacks(sensor=lambda m, d, i: np.ones(m.sensor_dim[i]))
    corten.forward(model, data)
    assert data.sensordata.tolist() == [1, 1, 1]
    model.set_callbacks()
    data.sensordata = 0
    corten.forward(model, data)
    assert data.sensordata.tolist() == [0, 0, 0]


def test_what_they_raise_comes_out_of_the_step(model, data):
    calls = []

    def fail(m, d, i):
        calls.append(i)
        raise KeyError("battery")

    model.set_callbacks(sensor=fail)
    with pytest.raises(KeyError, match="battery"):
        corten.step(model, data, 100)
    assert calls == [0]
    model.set_callbacks()
    corten.step(model, data)


@pytest.mark.parametrize("value", [1.0, [1, 2, 3], []])
def test_wrong_numbers_are_refused(model, data, value):
    model.set_callbacks(sensor=lambda m, d, i: value)
    with pytest.raises(ValueError, match=r"sensor callback gave \d numbers for id 0, which has 2"):
        corten.forward(model, data)


@pytest.mark.parametrize("value", [None, ["a", "b"], [None, 1]])
def test_what_is_no_number_is_refused(model, data, value):
    model.set_callbacks(sensor=lambda m, d, i: value)
    with pytest.raises((TypeError, ValueError)):
        corten.forward(model, data)


def test_what_cannot_be_called_is_refused(model):
    with pytest.raises(TypeError, match="gain must be a function"):
        model.set_callbacks(gain=3)


def test_callbacks_read_but_do_not_step(model, data):
    seen = []

    def look(m, d, i):
        seen.append(len(d.contact))
        return corten.step(m, d)

    model.set_callbacks(sensor=look)
    with pytest.raises(RuntimeError, match="in the middle of a step"):
        corten.step(model, data)
    assert seen == [0]


def test_copies_have_them_and_batches_refuse(model):
    model.set_callbacks(sensor=lambda m, d, i: np.full(m.sensor_dim[i], 9.0))
    copy = model.copy()
    data = corten.Data(copy)
    corten.forward(copy, data)
    assert data.sensordata.tolist() == [9, 9, 9]
    with pytest.raises(ValueError, match="functions of Python"):
        corten.Batch(model, 2)


def test_a_function_that_knows_its_model_does_not_keep_it():
    model = corten.Model.from_xml_string(XML)
    model.set_callbacks(sensor=lambda m, d, i, model=model: 0)
    alive = weakref.ref(model)
    del model
    gc.collect()
    assert alive() is None
