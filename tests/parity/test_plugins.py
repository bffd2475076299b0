"""The plugins that come with MuJoCo, beside the oracle's: pid, touch_grid and the five shapes."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

TIGHT = dict(rtol=1e-11, atol=1e-11)


def both(xml):
    return mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)


def run(xml, steps, names, control=None, start=None, tolerance=TIGHT):
    """Both engines side by side, compared after every step."""
    theirs, ours = both(xml)
    a, b = mujoco.MjData(theirs), corten.Data(ours)
    for d in (a, b):
        if start is not None:
            start(d)
    for k in range(steps):
        if control is not None:
            a.ctrl[:] = b.ctrl[:] = control(k)
        mujoco.mj_step(theirs, a)
        corten.step(ours, b)
        assert a.ncon == b.ncon, k
        for name in names:
            np.testing.assert_allclose(getattr(b, name), getattr(a, name), err_msg=f"{name} after step {k}", **tolerance)
    return a, b


# ---- pid

PID = """<mujoco><option timestep=".002"/><extension><plugin plugin="mujoco.pid"><instance name="servo">{config}</instance></plugin></extension>
<worldbody><body><joint name="j" axis="0 1 0" damping=".1"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body></worldbody>
<actuator><plugin joint="j" instance="servo" {attributes}/></actuator></mujoco>"""


def config(**values):
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())


@pytest.mark.parametrize(
    "values, attributes",
    [
        (dict(kp=40, kd=2), ""),
        (dict(kp=40, ki=10, kd=2), 'actdim="1"'),
        (dict(kp=40, ki=100, kd=2, imax=0.5), 'actdim="1" ctrlrange="-.4 .4"'),
        (dict(kp=40, kd=2, slewmax=0.7), 'actdim="1"'),
        (dict(kp=40, ki=10, kd=2, imax=3, slewmax=1), 'actdim="2" forcerange="-5 5"'),
        (dict(kp=40, ki=10, kd=2, slewmax=1), 'actdim="3" dyntype="filter" dynprm=".05"'),
        (dict(kp=40, ki=10, kd=2), 'actdim="2" dyntype="filterexact" dynprm=".05" actearly="true"'),
        (dict(kp=40, kd=2), 'actdim="1" dyntype="integrator" actrange="-1 1"'),
        ({}, ""),
    ],
)
def test_pid(values, attributes):
    xml = PID.format(config=config(**values), attributes=attributes)
    run(xml, 150, ("qpos", "qvel", "act", "act_dot", "actuator_force"), control=lambda k: [np.sin(0.05 * k)])


# ---- touch_grid

GRID = """<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody>
  <body name="pad" pos="0 0 .1" euler="{euler}"><joint name="h" axis="0 1 0" stiffness="40" damping="1"/>
    <geom type="box" size=".1 .1 .02"/><site name="eye" pos="0 0 .06"/><body><geom type="sphere" size=".03" pos=".05 0 .02"/></body></body>
  {balls}</worldbody>
  <sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="eye">{config}</plugin></sensor></mujoco>"""


@pytest.mark.parametrize("channels", [1, 3, 6])
@pytest.mark.parametrize("gamma", [0, 0.4, 1])
def test_touch_grid(channels, gamma):
    rng = np.random.default_rng(channels)
    balls = "".join(
        f'<body pos="{x:.3f} {y:.3f} .16"><freejoint/><geom size=".02" condim="6" friction="1 .01 .01"/></body>'
        for x, y in rng.uniform(-0.08, 0.08, (6, 2))
    )
    xml = GRID.format(euler="5 -8 3", balls=balls, config=config(size="7 5", fov="60 45", gamma=gamma, nchannel=channels))
    a, b = run(xml, 120, ("sensordata",), tolerance=dict(rtol=1e-7, atol=1e-7))
    assert np.count_nonzero(b.sensordata) > channels


# ---- shapes

SHAPES = """<mujoco><option sdf_iterations="10" sdf_initpoints="40"/><extension>{extension}</extension><asset>{asset}</asset>
<worldbody>{world}</worldbody></mujoco>"""


def shape_model(shapes, world):
    """shapes: name -> (plugin, attributes); world with {name} where the geom of a shape stands."""
    extension = "".join(
        f'<plugin plugin="mujoco.sdf.{plugin}"><instance name="{name}">{config(**values)}</instance></plugin>' for name, (plugin, values) in shapes.items()
    )
    asset = "".join(f'<mesh name="{name}"><plugin instance="{name}"/></mesh>' for name in shapes)
    geoms = {name: f'<geom type="sdf" mesh="{name}"><plugin instance="{name}"/></geom>' for name in shapes}
    return SHAPES.format(extension=extension, asset=asset, world=world.format(**geoms))


KINDS = [
    ("bolt", {}), ("nut", dict(radius=0.27)), ("bowl", dict(height=0.3, radius=0.9)), ("gear", dict(teeth=14, diameter=1.5, alpha=0.1)),
    ("gear", dict(innerdiameter=0.5)), ("torus", dict(radius1=0.2, radius2=0.06)),
]


@pytest.mark.parametrize("plugin, values", KINDS)
def test_the_model_is_the_oracles(plugin, values):
    xml = shape_model({"s": (plugin, values)}, "<body pos='0 0 3' euler='10 20 30'><freejoint/>{s}</body>")
    theirs, ours = both(xml)
    for name in ("mesh_vert", "mesh_face", "mesh_pos", "mesh_quat", "geom_pos", "geom_quat", "geom_size", "geom_aabb", "geom_rbound", "body_mass",
                 "body_ipos", "body_iquat", "body_inertia", "geom_plugin", "plugin", "plugin_attradr", "plugin_attr", "mesh_polyvertnum", "mesh_graph"):  # fmt: skip
        a, b = np.asarray(getattr(theirs, name)), np.asarray(getattr(ours, name))
        if name == "plugin_attr":
            a, b = a.tobytes(), bytes(b)
            assert a == b
            continue
        np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-12, err_msg=name)


SCENES = {
    "bowl": (
        {"dish": ("bowl", {}), "ring": ("torus", {})},
        "{dish}<body pos='.1 0 -.3' euler='10 20 0'><freejoint/>{ring}</body><body pos='-.4 .2 -.2'><freejoint/><geom size='.1'/></body>"
        "<body pos='-.4 -.4 -.2' euler='0 30 0'><freejoint/><geom type='box' size='.1 .05 .08'/></body>"
        "<body pos='.5 -.4 0' euler='0 30 0'><freejoint/><geom type='capsule' size='.1 .1'/></body>",
    ),
    "bolt": ({"b": ("bolt", {}), "n": ("nut", {})}, "<body pos='0 0 1' euler='3 2 1'><freejoint/>{n}</body>{b}"),
    "plane": ({"b": ("bolt", {})}, "<geom type='plane' size='5 5 .1'/><body pos='0 0 1.5' euler='60 20 0'><freejoint/>{b}</body>"),
}


@pytest.mark.parametrize("scene", SCENES)
def test_contacts(scene):
    run(shape_model(*SCENES[scene]), 60, ("qpos", "qvel"), tolerance=dict(rtol=1e-8, atol=1e-8))


def test_rays():
    theirs, ours = both(shape_model({"r": ("torus", dict(radius1=0.5, radius2=0.2))}, "<body><freejoint/>{r}</body>"))
    a, b = mujoco.MjData(theirs), corten.Data(ours)
    mujoco.mj_forward(theirs, a)
    corten.forward(ours, b)
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(100):
        start, aim = rng.normal(size=3) * 0.3 + [0, 0, 2], rng.normal(size=3) * 0.3
        geom = np.zeros(1, np.int32)
        theirs_at = mujoco.mj_ray(theirs, a, start, aim - start, None, 1, -1, geom, None)
        ours_at, ours_geom = corten.ray_cast(ours, b, start, aim - start)[:2]
        assert geom[0] == ours_geom
        hits += geom[0] >= 0
        if geom[0] >= 0:
            np.testing.assert_allclose(ours_at, theirs_at, rtol=1e-6)
    assert hits > 20
