"""Objects by name."""

import corten
import numpy as np
import pytest


def test_rows_by_name_and_by_number(model, data):
    body = model.body("lower")
    assert body.id == 3 and body.name == "lower" and model.body(3).name == "lower"
    assert body.mass.shape == (1,) and body.mass[0] == model.body_mass[3]
    assert (body.pos == model.body_pos[3]).all()
    corten.forward(model, data)
    assert (data.body("lower").xpos == data.xpos[3]).all()
    assert (data.geom("forearm").xmat == data.geom_xmat[3]).all()
    assert (data.site("tip").xpos == data.site_xpos[0]).all()


def test_rows_are_views(model, data):
    model.body("hand").mass = 7
    model.body("hand").pos[2] = 9
    assert model.body_mass[4] == 7 and model.body_pos[4, 2] == 9
    data.joint("elbow").qpos = 0.5
    data.actuator("push").ctrl = 3
    assert data.qpos[model.joint("elbow").qposadr[0]] == 0.5 and data.ctrl[1] == 3


def test_a_joint_has_its_positions_and_degrees_of_freedom(model, data):
    shapes = {"root": (7, 6), "shoulder": (4, 3), "elbow": (1, 1), "reach": (1, 1)}
    begin_q = begin_v = 0
    data.qpos = np.arange(model.nq)
    data.qvel = np.arange(model.nv)
    for name, (nq, nv) in shapes.items():
        joint = data.joint(name)
        assert list(joint.qpos) == list(range(begin_q, begin_q + nq))
        assert list(joint.qvel) == list(range(begin_v, begin_v + nv))
        assert joint.cdof.shape == (nv, 6) and model.joint(name).damping.shape == (nv,)
        begin_q, begin_v = begin_q + nq, begin_v + nv


def test_an_object_without_a_name_has_an_empty_one(model):
    assert model.geom(2).name == ""


def test_an_unknown_name_suggests(model, data):
    with pytest.raises(KeyError, match="did you mean 'elbow'"):
        model.joint("elbw")
    with pytest.raises(KeyError, match="there are tip"):
        data.site("zzz")


@pytest.mark.parametrize("index", [-1, 5, 10**30])
def test_a_number_out_of_range_is_an_index_error(model, index):
    with pytest.raises((IndexError, OverflowError)):
        model.body(index)


def test_a_wrong_key_is_a_type_error(model):
    with pytest.raises(TypeError):
        model.body(1.5)
    assert model.body(np.int64(1)).name == "base"


def test_the_id_cannot_be_changed(model):
    with pytest.raises(AttributeError):
        model.body(1).id = 2


def test_short_names_of_kinds(model):
    assert model.jnt("elbow").id == model.joint("elbow").id == 2


def test_names_and_ids(model):
    assert model.name2id(corten.ObjType.BODY, "hand") == 4
    assert model.name2id(corten.ObjType.BODY, "foot") == -1
    assert model.id2name(corten.ObjType.JOINT, 0) == "root"
    assert model.id2name(corten.ObjType.JOINT, 99) is None
    assert model.id2name(corten.ObjType.GEOM, 2) is None


def test_enumerations_come_from_the_lists():
    assert corten.JointType.HINGE == 3 and corten.GeomType.NONE == 1001
    assert corten.DisableBit.CONTACT == 1 << 4 and corten.State.QPOS | corten.State.QVEL == 6
    assert corten.State.PHYSICS in corten.State.INTEGRATION
    assert corten.ObjType(1) is corten.ObjType.BODY and corten.TextureType._2D == 0
