"""One short program for each further package; what it returns is compared. For compare.py."""

import os

import numpy as np

os.environ.setdefault("MUJOCO_GL", "disable")

ARM = """
<mujoco>
  <worldbody>
    <body name="a"><joint name="j1" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <body name="b" pos=".3 0 0"><joint name="j2" axis="0 1 0" range="-150 150"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <body name="c" pos=".3 0 0"><joint name="j3" axis="0 0 1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
          <site name="tip" pos=".2 0 0"/></body></body></body>
  </worldbody>
</mujoco>
"""


def mink():
    """Inverse kinematics of an arm: a few steps of differential IK."""
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_string(ARM)
    configuration = mink.Configuration(model)
    configuration.update(np.array([0.3, 0.4, 0.1]))
    task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.0)
    posture = mink.PostureTask(model, cost=1e-2)
    task.set_target(mink.SE3.from_translation(np.array([0.5, 0.1, -0.3])))
    posture.set_target_from_configuration(configuration)
    limits = [mink.ConfigurationLimit(model)]
    path = []
    for _ in range(20):
        velocity = mink.solve_ik(configuration, [task, posture], 0.02, "daqp", damping=1e-3, limits=limits)
        configuration.integrate_inplace(velocity, 0.02)
        path.append(configuration.q.copy())
    return np.concatenate(path)


def robosuite():
    """A robot that lifts a cube, without cameras."""
    import robosuite

    env = robosuite.make("Lift", robots="Panda", has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, seed=0)
    observation = env.reset()
    rng, rows = np.random.default_rng(0), []
    for _ in range(20):
        observation, reward, _, _ = env.step(rng.uniform(-1, 1, env.action_dim))
        rows.append(np.append(np.concatenate([np.ravel(observation[key]) for key in sorted(observation)]), reward))
    return np.concatenate(rows)


def metaworld():
    """A task of Meta-World."""
    import gymnasium
    import metaworld  # noqa: F401

    env = gymnasium.make("Meta-World/MT1", env_name="reach-v3", seed=0)
    observation, _ = env.reset(seed=0)
    rng, rows = np.random.default_rng(0), [observation]
    for _ in range(20):
        observation, reward, *_ = env.step(rng.uniform(-1, 1, 4).astype(np.float32))
        rows.append(np.append(observation, reward))
    return np.concatenate(rows)


def mo_gymnasium():
    """A task with several rewards."""
    import mo_gymnasium

    env = mo_gymnasium.make("mo-halfcheetah-v5")
    observation, _ = env.reset(seed=0)
    env.action_space.seed(0)
    rows = []
    for _ in range(20):
        observation, reward, *_ = env.step(env.action_space.sample())
        rows.append(np.concatenate([observation, reward]))
    return np.concatenate(rows)


def loco_mujoco():
    """A walking robot of LocoMuJoCo."""
    from loco_mujoco.task_factories import ImitationFactory  # noqa: F401
    from loco_mujoco.environments import UnitreeH1

    env = UnitreeH1()
    rows, rng = [np.ravel(env.reset())], np.random.default_rng(0)
    for _ in range(20):
        observation, reward, *_ = env.step(0.1 * rng.standard_normal(env.info.action_space.shape[0]))
        rows.append(np.append(np.ravel(observation), reward))
    return np.concatenate(rows)


def robopianist():
    """A hand over a piano keyboard: the model of the piano, compiled and stepped."""
    from dm_control import mjcf
    from robopianist.models.piano import piano

    _sizes()
    instrument = piano.Piano()
    physics = mjcf.Physics.from_mjcf_model(instrument.mjcf_model)
    physics.data.qpos[:20] = 0.01
    for _ in range(20):
        physics.step()
    return np.concatenate([physics.data.qpos, physics.data.qvel])


def _sizes():
    """dm_control lists fields that MuJoCo 4.0 has no more."""
    import mujoco
    from dm_control.mujoco.wrapper.mjbindings import sizes

    for kind, cls in (("mjmodel", mujoco.MjModel), ("mjdata", mujoco.MjData)):
        for field in [field for field in sizes.array_sizes[kind] if not hasattr(cls, field)]:
            del sizes.array_sizes[kind][field]


def dm_control_mjcf():
    """Models built with dm_control's own library, attached to each other and stepped."""
    from dm_control import mjcf

    _sizes()
    arena, leg = mjcf.RootElement(), mjcf.RootElement(model="leg")
    thigh = leg.worldbody.add("body")
    thigh.add("joint", name="hip", axis=[0, 1, 0], damping=0.1)
    thigh.add("geom", type="capsule", fromto=[0, 0, 0, 0, 0, -0.3], size=[0.05])
    leg.actuator.add("position", joint="hip", kp=5)
    for x in (-0.3, 0.3):
        arena.attach(leg).pos = [x, 0, 1]
        leg = mjcf.RootElement(model=f"leg{x}") if x < 0 else leg
        if x < 0:
            thigh = leg.worldbody.add("body")
            thigh.add("joint", name="hip", axis=[0, 1, 0])
            thigh.add("geom", size=[0.05], pos=[0.1, 0, 0])
    physics = mjcf.Physics.from_mjcf_model(arena)
    for _ in range(20):
        physics.step()
    return np.concatenate([physics.data.qpos, physics.data.qvel])


def dm_robotics():
    """Poses and twists of moving bodies."""
    import mujoco
    from dm_robotics.transformations import transformations as tr

    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    data.qvel[:] = [1, -1, 2]
    mujoco.mj_step(model, data, 50)
    return np.concatenate([tr.mat_to_quat(data.xmat[i].reshape(3, 3)) for i in range(model.nbody)])


def stable_baselines3():
    """A policy of Stable-Baselines3 learns for a moment."""
    import gymnasium
    from stable_baselines3 import PPO

    model = PPO("MlpPolicy", gymnasium.make("InvertedPendulum-v5"), n_steps=64, batch_size=32, seed=0, device="cpu")
    model.learn(256)
    return np.concatenate([parameter.detach().numpy().ravel() for parameter in model.policy.parameters()])


def mujoco_toolbox():
    """A simulation with its recording."""
    import mujoco_toolbox as toolbox

    wrapper = toolbox.Wrapper(ARM, duration=0.1)
    wrapper.run()
    return np.asarray(wrapper.captures["qpos"], float).ravel()


def robot_descriptions():
    """The package finds models; without a network it has none, so that its loader only is asked."""
    from robot_descriptions.loaders import mujoco as loader

    return np.array([callable(loader.load_robot_description)], float)


def obj2mjcf():
    """The parts of the converter that need no mesh."""
    from obj2mjcf import constants

    return np.array([len(vars(constants)) > 0], float)


def spec_program():
    """A model built with MjSpec, as its tutorial does: a tree by recursion, attached legs, a height field."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.timestep = 0.004
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    torso = spec.worldbody.add_body(name="torso", pos=[0, 0, 0.6])
    torso.add_freejoint()
    torso.add_geom(type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=[0.3, 0.2, 0.1], mass=3)
    for i in range(4):
        angle = i * np.pi / 2 + 0.4
        site = torso.add_site(name=f"hip{i}", pos=[0.3 * np.cos(angle), 0.2 * np.sin(angle), 0], euler=[0, 0, np.degrees(angle)])
        leg = mujoco.MjSpec()
        thigh = leg.worldbody.add_body(name="thigh")
        thigh.add_joint(name="swing", axis=[0, 0, 1], range=[-30, 30], damping=[0.5, 0, 0])
        thigh.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0.2, 0, -0.2], size=[0.03, 0, 0])
        shin = thigh.add_body(name="shin", pos=[0.2, 0, -0.2])
        shin.add_joint(name="knee", axis=[0, 1, 0], damping=[0.5, 0, 0])
        shin.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0.05, 0, -0.3], size=[0.025, 0, 0])
        act = leg.add_actuator(name="drive", trntype=mujoco.mjtTrn.mjTRN_JOINT, target="knee")
        act.set_to_position(kp=20)
        leg.add_sensor(type=mujoco.mjtSensor.mjSENS_JOINTPOS, objtype=mujoco.mjtObj.mjOBJ_JOINT, objname="knee", name="angle")
        site.attach_body(thigh, f"leg{i}_", "")
    model = spec.compile()
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.3
    mujoco.mj_step(model, data, 40)
    return np.concatenate([[model.nbody, model.nu, model.nsensor], data.qpos, data.sensordata])


EXAMPLES = {
    name: value for name, value in list(globals().items()) if callable(value) and not name.startswith("_") and name not in ("np",)
}
