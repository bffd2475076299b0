"""Sleeping beside the oracle: the same trees fall asleep and wake at the same steps, and what they are left with is equal."""

import pathlib
import warnings

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from sleepy import JOINT_NUMBERS, Events, scene

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")

OWN = sorted((pathlib.Path(__file__).resolve().parents[1] / "models" / "sleep").glob("*.xml"))

COUNTS = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "ncon", "nefc", "nisland")
LISTS = (("body_awake_ind", "nbody_awake"), ("parent_awake_ind", "nparent_awake"), ("dof_awake_ind", "nv_awake"))
REALS = """qpos qvel qacc act act_dot xpos xquat xipos geom_xpos site_xpos subtree_com cdof cinert crb M qLD qLDiagInv cvel
cdof_dot qfrc_bias qfrc_passive qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qacc_warmstart ten_length ten_velocity
ten_J actuator_length actuator_velocity actuator_force sensordata energy cam_xpos xanchor xaxis""".split()
TOLERANCE = 1e-5  # solvers stop at 1e-8 of a cost: what they leave is multiplied by stiff contacts


def difference(oracle, data):
    """What differs first: sleep exactly, everything else to rounding."""
    for name in ("tree_asleep", "tree_awake", "body_awake"):
        if not np.array_equal(getattr(oracle, name), np.ravel(getattr(data, name))):
            return name, getattr(oracle, name), np.ravel(getattr(data, name))
    for name, count in LISTS:
        n = getattr(oracle, count)
        if n != getattr(data, count) or not np.array_equal(getattr(oracle, name)[:n], np.ravel(getattr(data, name))[:n]):
            return name, getattr(oracle, name)[:n], np.ravel(getattr(data, name))
    for name in COUNTS:
        if getattr(oracle, name) != getattr(data, name):
            return name, getattr(oracle, name), getattr(data, name)
    for name in REALS:
        a, b = np.ravel(getattr(oracle, name)).astype(float), np.ravel(getattr(data, name))
        error = np.abs(a - b) / (1 + np.abs(a))
        if a.size and not np.max(error) <= TOLERANCE:
            i = int(np.argmax(error))
            return name, i, a[i], b[i]
    return None


def follow(model, oracle, data):
    """What is awake in both begins every step at the oracle's state: rounding does not add up."""
    for t in range(model.ntree):
        if oracle.tree_asleep[t] >= 0 or data.tree_asleep[t] >= 0:
            continue
        dofs = slice(model.tree_dofadr[t], model.tree_dofadr[t] + model.tree_dofnum[t])
        data.qvel[dofs] = oracle.qvel[dofs]
        data.qacc_warmstart[dofs] = oracle.qacc_warmstart[dofs]
        for j in np.unique(model.dof_jntid[dofs]):
            adr = model.jnt_qposadr[j]
            place = slice(adr, adr + JOINT_NUMBERS[model.jnt_type[j]])
            data.qpos[place] = oracle.qpos[place]
    data.act[:] = oracle.act


def compare(text, steps, seed, path=None):
    """Run both; the number of times a tree fell asleep, and of times one woke."""
    theirs = mujoco.MjModel.from_xml_path(path) if path else mujoco.MjModel.from_xml_string(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = corten.Model.from_xml_path(path) if path else corten.Model.from_xml_string(text)
    for name in ("tree_sleep_policy", "tendon_treenum", "tendon_treeid", "dof_length"):
        np.testing.assert_allclose(np.ravel(getattr(ours, name)), np.ravel(getattr(theirs, name)), rtol=1e-9, err_msg=name)
    oracle, data = mujoco.MjData(theirs), corten.Data(ours)
    assert np.array_equal(oracle.tree_asleep, data.tree_asleep)
    events = Events(theirs, seed)
    fell = woke = 0
    for step in range(steps):
        follow(theirs, oracle, data)
        events(step, oracle, data)
        before = oracle.tree_asleep >= 0
        mujoco.mj_step(theirs, oracle)
        corten.step(ours, data)
        found = difference(oracle, data)
        assert found is None, (step, *found)
        after = oracle.tree_asleep >= 0
        fell, woke = fell + int((after & ~before).sum()), woke + int((before & ~after).sum())
    return fell, woke


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_own_scenes(path):
    fell, woke = compare(None, 600, 1, str(path))
    assert fell > 0


@pytest.mark.parametrize("seed", range(24))
def test_random_scenes(seed):
    text = scene(seed)
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError as refused:
        with pytest.raises(corten.Error, match="cannot sleep"):
            corten.Model.from_xml_string(text)
        assert "sleeping not allowed" in str(refused)
        return
    compare(text, 500, seed)


def test_every_rule_of_policies():
    # what drives a tree, or ties it to another, decides where the author says nothing
    parts = {
        "joint": '<actuator><motor joint="a"/></actuator>',
        "site": '<actuator><motor site="sa" gear="1 0 0 0 0 0"/></actuator>',
        "sites": '<actuator><motor site="sa" refsite="sb" gear="1 0 0 0 0 0"/></actuator>',
        "adhesion": '<actuator><adhesion body="B" ctrlrange="0 1"/></actuator>',
        "tendon": '<tendon><spatial name="t"><site site="sa"/><site site="sb"/></spatial></tendon><actuator><motor tendon="t"/></actuator>',
        "slack": '<tendon><spatial limited="true" range="0 2" frictionloss="1" armature="1"><site site="sa"/><site site="sb"/></spatial></tendon>',
        "stiff": '<tendon><spatial stiffness="1"><site site="sa"/><site site="sb"/></spatial></tendon>',
        "damped": '<tendon><fixed damping="1"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>',
        "three": '<tendon><spatial><site site="sa"/><site site="sb"/><site site="sc"/></spatial></tendon>',
    }
    bodies = "".join(f'<body name="{n.upper()}" pos="{i} 0 0"><joint name="{n}"/><geom size=".1"/><site name="s{n}"/></body>'
                     for i, n in enumerate("abc"))
    for name, part in parts.items():
        text = f"<mujoco><worldbody>{bodies}</worldbody>{part}</mujoco>"
        theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
        assert np.array_equal(theirs.tree_sleep_policy, ours.tree_sleep_policy), name


def test_update_resolves_policies_again():
    text = """<mujoco><worldbody><body><freejoint/><geom size=".1"/><site name="a"/></body>
      <body pos="1 0 0"><freejoint/><geom size=".1"/><site name="b"/></body></worldbody>
      <tendon><spatial><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    for stiffness in (3, 0):
        theirs.tendon_stiffness[0] = ours.tendon_stiffness[0] = stiffness
        mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
        ours.update()
        assert np.array_equal(theirs.tree_sleep_policy, ours.tree_sleep_policy)


SHEET = """<flexcomp name="x" type="grid" dim="1" count="3 1 1" spacing=".05 .05 .05" radius=".01" mass="1"><edge equality="true" solref=".15 .2"/>%s</flexcomp>"""
PIN = '<pin id="0"/>'
BALL = '<body name="ball" pos="0 0 -.02" mocap="true"><geom size=".04"/></body>'
PLATE = '<body pos="0 0 .04"><freejoint/><geom type="box" size=".02 .02 .01"/></body>'
WITH_MOCAP = {
    "over a mocap body": BALL + f'<body name="f" pos="0 0 .01">{SHEET % ""}</body>',
    "pinned to one": f'<body name="f" pos="0 0 .02" mocap="true">{SHEET % PIN}</body>',
    "pinned, under a box": f'<body name="f" pos="0 0 .02" mocap="true">{SHEET % PIN}</body>{PLATE}',
    "held by a static body": f'<body name="f" pos="0 0 .02">{SHEET % PIN}</body>{BALL.replace("-.02", "-.2")}',
}


@pytest.mark.parametrize("name", WITH_MOCAP)
def test_deformables_and_mocap_bodies(name):
    # a mocap body neither wakes a deformable nor keeps one awake that is pinned to it, unless it moves that
    text = f"""<mujoco><option integrator="implicitfast" viscosity="1" sleep_tolerance="2e-2"><flag sleep="enable"/></option>
      <worldbody><geom type="plane" size="5 5 .01"/>{WITH_MOCAP[name]}</worldbody></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    oracle, data = mujoco.MjData(theirs), corten.Data(ours)
    asleep = 0
    for step in range(600):
        follow(theirs, oracle, data)
        if step == 400:
            for d in (oracle, data):
                d.mocap_pos[0, 2] += 0.004
        mujoco.mj_step(theirs, oracle)
        corten.step(ours, data)
        found = difference(oracle, data)
        assert found is None, (step, *found)
        asleep += (oracle.tree_asleep >= 0).all()
    assert asleep > 200
