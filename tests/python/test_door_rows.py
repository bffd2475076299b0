"""corten.mujoco: constraint rows and contacts by hand, logs, inputs, against MuJoCo."""

import numpy as np
import pytest

import corten.mujoco as door

mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
if door.MJTNUM_BYTES != 8:
    pytest.skip("the mujoco module is of double precision", allow_module_level=True)

SCENE = """<mujoco><option cone="{cone}" jacobian="dense"/><worldbody><geom type="plane" size="3 3 .1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1" condim="{dim}"/></body>
<body pos="1 0 .3"><joint name="h" axis="0 1 0" frictionloss=".2"/><geom size=".1" pos=".3 0 0"/>
<body pos=".4 0 0"><joint name="s" axis="0 1 0"/><geom size=".08"/></body></body></worldbody>
<equality><joint joint1="h" joint2="s"/></equality></mujoco>"""


def both(xml):
    for module in (door, mujoco):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        d.qvel[:] = 0.3 * np.arange(m.nv) - 1
        yield module, m, d


@pytest.mark.parametrize("dim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_of_rows(cone, dim):
    answers = []
    for module, m, d in both(SCENE.format(cone=cone, dim=dim)):
        module.mj_forward(m, d)
        jar, answer = np.empty(d.nefc), []
        module.mj_mulJacVec(m, d, jar, d.qacc)
        jar -= d.efc_aref
        for change in (1, -1, np.arange(d.nefc) % 3 - 0.5):
            cost = np.zeros(1)
            module.mj_constraintUpdate(m, d, jar * change, cost, 1)
            answer += [*cost, *d.efc_force, *d.qfrc_constraint, *d.efc_state]
            if d.efc_state[d.contact[0].efc_address] == module.mjtConstraintState.mjCNSTRSTATE_CONE:
                answer += [*d.contact[0].H[: dim * dim]]
        answers.append(answer)
    assert answers[0] == pytest.approx(answers[1], rel=1e-6, abs=1e-7)


def test_contacts_that_a_program_adds():
    answers = []
    for module, m, d in both(SCENE.format(cone="pyramidal", dim=3)):
        module.mj_fwdPosition(m, d)
        extra = d.contact[0].__copy__()
        extra.pos[0] += 0.05
        added = module.mj_addContact(m, d, extra)
        module.mj_makeConstraint(m, d)
        answers.append([added, d.ncon, d.nefc, *d.contact[d.ncon - 1].pos])
    assert answers[0] == pytest.approx(answers[1])


def test_islands():
    answers = []
    for module, m, d in both(SCENE.format(cone="pyramidal", dim=3)):
        module.mj_fwdPosition(m, d)
        position = [d.nisland, *d.dof_island, *d.efc_island]
        module.mj_island(m, d)
        assert position == [d.nisland, *d.dof_island, *d.efc_island]
        answers.append(position)
    assert answers[0] == answers[1] and answers[0][0] == 2


def test_composite_inertias_do_not_have_the_armature_of_tendons():
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <tendon><fixed armature="5"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"""
    answers = []
    for module, m, d in both(xml):
        masses = []
        for call in (module.mj_forward, module.mj_crb, module.mj_makeM):
            call(m, d)
            masses.append(d.M[0])
        answers.append(masses)
    assert answers[0] == pytest.approx(answers[1], rel=1e-14) and answers[0][0] - answers[0][1] == pytest.approx(5)


def test_vertices_of_deformables():
    xml = """<mujoco><worldbody><flexcomp name="f" type="grid" count="3 2 1" spacing=".1 .1 .1" dim="2" mass="1" pos="0 0 1" radius=".01"/></worldbody></mujoco>"""
    places = []
    for module, m, d in both(xml):
        d.qpos[:] = 0.01 * np.arange(m.nq)
        module.mj_kinematics(m, d)
        module.mj_comPos(m, d)
        module.mj_flex(m, d)
        places.append(d.flexvert_xpos.copy())
    np.testing.assert_allclose(*places, atol=1e-12)


def test_names_of_inputs():
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body><body><joint name="b" type="ball"/><geom size="1"/></body></worldbody>
    <actuator><position joint="j"/><motor joint="j"/><pid joint="j" kp="1" input="pos vel ff"/><cylinder joint="j"/><orientation joint="b" kp="1"/>
    <orientation joint="b" kp="1" input="quat"/><dcmotor joint="j" motorconst="1" resistance="1"/></actuator></mujoco>"""
    answers = [[module.mj_actuatorInputName(m, i, k) for i in range(-1, 8) for k in range(-1, 5)] for module, m, _ in both(xml)]
    assert answers[0] == answers[1] and "qw" in answers[0]


def test_length_ranges():
    xml = """<mujoco><worldbody><site name="a" pos="0 0 1"/><body><joint name="j" axis="0 1 0" range="-60 80" armature=".1"/>
    <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/><site name="b" pos=".4 0 0"/></body><body pos="0 1 0"><joint name="k" range="-1 1"/><geom size=".1"/></body>
    </worldbody><tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
    <actuator><muscle tendon="t" lengthrange="0.1 0.2"/><motor joint="k"/><muscle joint="k" lengthrange="0.1 0.2"/></actuator></mujoco>"""
    answers = []
    for module, m, d in both(xml):
        opt = module.MjLROpt()
        module.mj_defaultLROpt(opt)
        bits = module.mjtDisableBit
        for name in "CONTACT SPRING DAMPER GRAVITY FRICTIONLOSS ACTUATION SENSOR".split():
            m.opt.disableflags |= int(getattr(bits, f"mjDSBL_{name}"))
        m.opt.timestep = opt.timestep
        for opt.useexisting in (1, 0):
            opt.uselimit = 1
            for i in range(3):
                module.mj_setLengthRange(m, d, i, opt)
            answers.append(m.actuator_lengthrange.copy())
    np.testing.assert_allclose(answers[0], answers[2], atol=1e-9)
    np.testing.assert_allclose(answers[1], answers[3], atol=1e-6)
    assert answers[1][0, 1] > answers[1][0, 0] > 0.5


def test_a_dc_motor_with_a_controller():
    answers = []
    for module in (door, mujoco):
        actuator = module.MjSpec().add_actuator()
        actuator.set_to_dcmotor([0.05, 0.06], 2, controller=[1, 2, 3, 0, 0, 0], ctrlspec=1)
        answers.append([*actuator.gainprm, *actuator.dynprm, actuator.actdim, actuator.ctrlspec])
    assert answers[0] == pytest.approx(answers[1])


def test_a_body_that_becomes_a_frame():
    xml = """<mujoco><worldbody><body name="p" pos="1 0 0"><joint/>{}<geom size=".1"/><body name="b" pos="0 1 0" euler="0 0 90"><joint axis="1 0 0"/>
    <geom name="g" pos="1 0 0" size=".2"/><body name="c" pos="0 0 3"><geom size=".3"/></body></body></body></worldbody></mujoco>"""
    for inertial in ("", '<inertial pos="0 0 .1" mass="3" diaginertia="1 2 2"/>'):
        answers = []
        for module in (door, mujoco):
            spec = module.MjSpec.from_string(xml.format(inertial))
            geom = spec.geom("g")
            frame = spec.body("b").to_frame()
            assert frame is not None
            geom.size[0] = 0.25
            m = spec.compile()
            answers.append([m.nbody, m.njnt, *m.body_mass, *m.body_ipos.ravel(), *m.geom_pos.ravel(), *m.geom_size.ravel()])
        assert answers[0] == pytest.approx(answers[1], abs=1e-9)


def test_the_time_of_a_compilation_is_logged_when_asked_for(tmp_path, capsys):
    before = door.MjLogConfig.get()
    config = door.MjLogConfig.get()
    config.logfile = str(tmp_path / "log.txt")
    config.logto_console = False
    config.topics |= 1 << (door.mjtLogTopic.mjTOPIC_TIME_CMP - 1)
    door.MjModel.from_xml_string("<mujoco/>")
    assert not (tmp_path / "log.txt").exists()
    try:
        config.set()
        door.MjModel.from_xml_string("<mujoco/>")
        door.MjSpec().compile()
    finally:
        before.set()
    assert (tmp_path / "log.txt").read_text().count("compile time") == 2 and capsys.readouterr().err == ""


def test_the_cache_keeps_nothing():
    cache = door.mj_getCache()
    assert door.mj_getCacheSize(cache) == door.mj_setCacheCapacity(cache, 100) == door.mj_getCacheCapacity(cache) == 0
    door.mj_clearCache(cache)
    with pytest.raises(TypeError):
        door.mj_clearCache(None)
