"""Nothing is leaked: what is made in a loop does not add up."""

import gc
import os
import pickle
import threading
import weakref

import corten
import pytest

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def grows(work, count):
    """Bytes a repetition adds, after a first round has filled caches and free lists."""
    for _ in range(count):
        work()
    gc.collect()
    before = resident()
    for _ in range(count):
        work()
    gc.collect()
    return (resident() - before) / count


def test_data_is_freed(model):
    def work():
        data = corten.Data(model)
        data.qpos, data.warning, data.contact, data.efc_J, data.body("hand").xpos
        corten.step(model, data)

    gc.disable()  # reference counts alone must do it
    try:
        assert grows(work, 1000) < 64
    finally:
        gc.enable()


def test_pickled_objects_are_freed(model, tmp_path):
    def work():
        data = pickle.loads(pickle.dumps(corten.Data(model)))
        data.model.remarks, data.model.update(), data.model.to_bytes()
        data.model.save(tmp_path / "a.ctb"), data.model.save(tmp_path / "a.xml")
        pickle.loads(pickle.dumps(corten.Spec.from_model(data.model)))
        corten.step(data.model, data)

    assert grows(work, 200) < 256


def test_models_are_freed(xml):
    def work():
        model = corten.Model.from_xml_string(xml)
        model.body_mass, model.opt.gravity, model.vis.global_.fovy, model.names, model.copy()

    assert grows(work, 1000) < 64


def test_failures_leak_nothing(model, data):
    def work():
        for call in (
            lambda: corten.Model.from_xml_string("<mujoco><oops/></mujoco>"),
            lambda: corten.Model.from_xml_string("<mujoco/>", assets={"a": b"x" * 4000, "b": 3}),
            lambda: corten.step(model, 3),
            lambda: corten.set_state(model, data, [1.0]),
            lambda: data.nothing,
            lambda: model.body("nobody"),
        ):
            try:
                call()
            except Exception:
                pass
            else:
                raise AssertionError("should have failed")

    assert grows(work, 500) < 64


def test_owners_die_by_reference_count(xml):
    model = corten.Model.from_xml_string(xml)
    data = corten.Data(model)
    model.body_mass, model.opt, data.qpos, data.warning, model.body(0)
    model_gone, data_gone = weakref.ref(model), weakref.ref(data)
    gc.disable()
    try:
        del data
        assert data_gone() is None
        del model
        assert model_gone() is None
    finally:
        gc.enable()


class Fleeting:
    """Looks like a model, but its memory lives only as long as somebody holds it."""

    def __init__(self, xml):
        self.xml = xml

    @property
    def _block(self):
        return corten.Model.from_xml_string(self.xml)._block


def test_a_call_holds_what_it_works_on(xml, data):
    corten.step(Fleeting(xml), data, 10)
    assert data.time > 0 and corten.state_size(Fleeting(xml)) > 0


def test_an_owner_may_lose_its_memory_during_a_call(xml):
    model = corten.Model.from_xml_string(xml)
    data = corten.Data(model)
    thread = threading.Thread(target=corten.step, args=(model, data, 20_000))
    thread.start()
    while data.time == 0:
        pass
    model.__dict__.clear()
    data.__dict__.clear()
    thread.join()
    with pytest.raises(AttributeError):
        data.qpos
