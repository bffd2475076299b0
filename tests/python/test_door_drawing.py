"""Drawing through the door: the renderer, scenes and contexts of corten.mujoco, beside MuJoCo's own where there is a driver."""

import subprocess
import sys

import numpy as np
import pytest

import corten.mujoco as door

pytestmark = pytest.mark.usefixtures("driver")

XML = """
<mujoco>
  <visual><global offwidth="200" offheight="100"/><quality offsamples="1"/></visual>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <camera name="top" pos="0 0 3"/>
    <camera name="lens" pos="0 0 3" resolution="200 100" sensorsize="1 .5" focal="1 1" principal=".1 .05"/>
    <geom name="floor" type="plane" size="2 2 .1" rgba=".2 .3 .4 1"/>
    <geom name="hidden" type="box" size=".2 .2 .2" pos="-.6 0 .3" group="4"/>
    <body name="ball" pos=".5 0 .5"><freejoint/><geom name="ball" size=".2" rgba="1 0 0 1"/></body>
  </worldbody>
</mujoco>
"""
GEOM = int(door.mjtObj.mjOBJ_GEOM)


@pytest.fixture
def scene():
    model = door.MjModel.from_xml_string(XML)
    data = door.MjData(model)
    door.mj_forward(model, data)
    return model, data


def add_sphere(scene, pos, rgba=(0, 1, 0, 1)):
    geom = scene.geoms[scene.ngeom]
    door.mjv_initGeom(geom, door.mjtGeom.mjGEOM_SPHERE, [0.2, 0, 0], pos, np.eye(3).ravel(), rgba)
    scene.ngeom += 1
    return geom


def test_a_renderer_gives_colours_depth_and_objects(scene):
    model, data = scene
    with door.Renderer(model, 100, 200) as renderer:
        assert (renderer.height, renderer.width, renderer.model) == (100, 200, model)
        renderer.update_scene(data, "top")
        colours = renderer.render()
        assert colours.shape == (100, 200, 3) and colours.dtype == np.uint8
        renderer.enable_segmentation_rendering()
        objects = renderer.render()
        ball = (objects == (model.geom("ball").id, GEOM)).all(axis=-1)
        rows, columns = np.nonzero(ball)
        assert ball.any() and columns.min() > 100 and abs(rows.mean() - 49.5) < 1  # right of the middle
        assert (colours[ball][:, 0] > 2 * colours[ball][:, 1].astype(int)).all()
        renderer.enable_depth_rendering()
        depth = renderer.render()
        assert depth.dtype == np.float32 and depth[50, 20] == pytest.approx(3, abs=1e-5)
        assert depth[ball].min() == pytest.approx(2.3, abs=2e-3)
        renderer.disable_depth_rendering()
        assert np.array_equal(renderer.render(), colours)
        out = np.zeros((100, 200, 3), np.int32)
        assert renderer.render(out=out) is out and np.array_equal(out, colours)
        with pytest.raises(ValueError, match="out.shape"):
            renderer.render(out=np.zeros((3, 3)))
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_options_and_cameras_are_taken_over(scene):
    model, data = scene
    hidden = (model.geom("hidden").id, GEOM)
    with door.Renderer(model, 100, 200) as renderer:
        renderer.enable_segmentation_rendering()
        option = door.MjvOption()
        for shown in (0, 1):
            option.geomgroup[4] = shown
            renderer.update_scene(data, "top", option)
            assert (renderer.render() == hidden).all(axis=-1).any() == bool(shown)
        renderer.update_scene(data, "top")  # the default again
        assert not (renderer.render() == hidden).all(axis=-1).any()
        renderer.disable_segmentation_rendering()
        plain = renderer.render()
        option = door.MjvOption()
        option.flags[door.mjtVisFlag.mjVIS_COM] = option.flags[door.mjtVisFlag.mjVIS_TRANSPARENT] = 1
        option.frame = door.mjtFrame.mjFRAME_BODY
        renderer.update_scene(data, "top", option)
        assert not np.array_equal(renderer.render(), plain)
        camera = door.MjvCamera()
        camera.type, camera.trackbodyid, camera.distance, camera.elevation = door.mjtCamera.mjCAMERA_TRACKING, 1, 2, -90
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, camera)
        assert tuple(renderer.render()[50, 100]) == (model.geom("ball").id, GEOM)
        assert renderer.scene.camera[0].forward == pytest.approx([0, 0, -1], abs=1e-6)


def test_programs_add_shapes_to_a_scene(scene):
    model, data = scene
    with door.Renderer(model, 100, 200) as renderer:
        renderer.update_scene(data, "top")
        before, count = renderer.render().copy(), renderer.scene.ngeom
        geom = add_sphere(renderer.scene, [-0.6, 0, 1])
        geom.objtype, geom.objid = GEOM, 77
        after = renderer.render()
        green = (after[..., 1] > 2 * after[..., 0].astype(int)) & (after[..., 1] > 60)
        assert green.any() and not np.array_equal(before, after)
        renderer.enable_segmentation_rendering()
        assert ((renderer.render() == (77, GEOM)).all(axis=-1) | ~green).all()
        renderer.update_scene(data, "top")  # they are gone
        assert renderer.scene.ngeom == count and not (renderer.render()[..., 0] == 77).any()
        # shapes of the model can be changed, too
        ball = next(g for g in renderer.scene.geoms[:count] if g.objid == model.geom("ball").id and g.objtype == GEOM)
        ball.type = door.mjtGeom.mjGEOM_NONE
        assert not (renderer.render() == (model.geom("ball").id, GEOM)).all(axis=-1).any()
        ball.type, ball.dataid = door.mjtGeom.mjGEOM_MESH, 0
        with pytest.raises(ValueError, match="not there"):
            renderer.render()
        ball.type = door.mjtGeom.mjGEOM_TRIANGLE
        with pytest.raises(NotImplementedError, match="type 108"):
            renderer.render()


def test_contexts_draw_into_viewports(scene):
    model, data = scene
    context, camera, shapes = door.MjrContext(model, door.mjtFontScale.mjFONTSCALE_150), door.MjvCamera(), door.MjvScene(model, 50)
    camera.type, camera.fixedcamid = door.mjtCamera.mjCAMERA_FIXED, 0
    with pytest.raises(door.FatalError, match="updateScene"):
        door.mjr_render(door.MjrRect(0, 0, 10, 10), shapes, context)
    door.mjv_updateScene(model, data, door.MjvOption(), None, camera, door.mjtCatBit.mjCAT_ALL, shapes)
    assert shapes.ngeom == 2 and shapes.nlight == 2 and [g.category for g in shapes.geoms[:2]] == [1, 2]
    right, whole = door.MjrRect(100, 0, 100, 100), door.mjr_maxViewport(context)
    door.mjr_render(right, shapes, context)
    pixels, depth = np.zeros((100, 200, 3), np.uint8), np.zeros((100, 200), np.float32)
    door.mjr_readPixels(pixels, depth, whole, context)
    assert not pixels[:, :100].any() and pixels[:, 100:].any(axis=-1).all()
    near, far = (x * model.stat.extent for x in (model.vis.map.znear, model.vis.map.zfar))
    assert depth[50, 101] == pytest.approx(1 - near * (far - 3) / (3 * (far - near)), abs=1e-6) and (depth[:, :100] == 1).all()
    shapes.flags[door.mjtRndFlag.mjRND_SEGMENT] = shapes.flags[door.mjtRndFlag.mjRND_IDCOLOR] = 1
    door.mjr_render(right, shapes, context)
    door.mjr_readPixels(pixels, None, whole, context)
    assert {int(x) for x in np.unique(pixels[:, 100:, 0])} == {1, 2}
    door.mjv_updateScene(model, data, door.MjvOption(), None, camera, door.mjtCatBit.mjCAT_DYNAMIC, shapes)
    assert shapes.ngeom == 1
    with pytest.raises(door.FatalError, match="updated after"):
        door.mjr_readPixels(None, depth, whole, context)
    with pytest.raises(door.FatalError, match="does not fit"):
        door.mjr_render(door.MjrRect(0, 0, 400, 100), shapes, context)
    context.free()
    with pytest.raises(door.FatalError, match="freed"):
        door.mjr_render(right, shapes, context)


def test_what_does_not_fit_a_scene_is_left_out_and_said(scene):
    model, data = scene
    small, camera = door.MjvScene(model, 1), door.MjvCamera()
    door.mjv_updateScene(model, data, door.MjvOption(), door.MjvPerturb(), camera, door.mjtCatBit.mjCAT_ALL, small)
    assert (small.ngeom, small.status) == (1, 1)
    camera.type = door.mjtCamera.mjCAMERA_USER
    with pytest.raises(NotImplementedError, match="mjCAMERA_USER"):
        door.mjv_updateScene(model, data, door.MjvOption(), None, camera, 7, small)
    camera.type, camera.fixedcamid = door.mjtCamera.mjCAMERA_FIXED, 3
    with pytest.raises(door.FatalError, match="outside valid range"):
        door.mjv_updateScene(model, data, door.MjvOption(), None, camera, 7, small)


PROGRAM = """
import os
os.environ["MUJOCO_GL"] = "egl"
import mujoco, numpy as np
m = mujoco.MjModel.from_xml_string('''{xml}''')
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
with mujoco.Renderer(m, 100, 200) as r:
    r.update_scene(d, "top")
    g = r.scene.geoms[r.scene.ngeom]
    mujoco.mjv_initGeom(g, mujoco.mjtGeom.mjGEOM_CAPSULE, np.zeros(3), np.zeros(3), np.eye(3).ravel(), np.ones(4, np.float32))
    mujoco.mjv_connector(g, mujoco.mjtGeom.mjGEOM_CAPSULE, 0.1, np.array([-1.0, -0.5, 0.5]), np.array([-0.5, 0.5, 1]))
    g.objtype, g.objid, g.segid = 5, 9, r.scene.ngeom
    r.scene.ngeom += 1
    r.enable_segmentation_rendering(); objects = r.render()
    r.enable_depth_rendering(); depth = r.render()
    heads = [np.concatenate([eye.pos, eye.forward, eye.up]) for eye in r.scene.camera]
    r.update_scene(d, "lens")
    r.enable_segmentation_rendering(); lens = r.render()
    sides = [r.scene.camera[0].frustum_center, r.scene.camera[0].frustum_width, r.scene.camera[0].frustum_top]
np.savez({out!r}, objects=objects, depth=depth, heads=heads, lens=lens, sides=sides)
"""


def by_both(folder, program, xml, ending):
    """What MuJoCo and the door save when they run a program."""
    found = []
    for name, words in (("theirs", []), ("ours", ["-m", "corten.mujoco"])):
        source, out = folder / f"{name}.py", str(folder / f"{name}{ending}")
        source.write_text(program.format(xml=xml, out=out))
        done = subprocess.run([sys.executable, *words, str(source)], capture_output=True, text=True)
        if done.returncode and name == "theirs":
            pytest.skip("MuJoCo does not draw here")
        assert done.returncode == 0, done.stderr
        found.append(np.load(out))
    return found


def test_pictures_are_those_of_mujoco(tmp_path):
    pytest.importorskip("mujoco")
    found = by_both(tmp_path, PROGRAM, XML, ".npz")
    theirs, ours = found
    differ = (theirs["objects"] != ours["objects"]).any(axis=-1)
    assert set(np.unique(ours["objects"][..., 0])) == {-1, 0, 2, 9} and differ.sum() <= 40  # pixels at edges
    assert np.abs(theirs["depth"] - ours["depth"])[~differ].max() < 0.02
    assert np.allclose(theirs["heads"], ours["heads"], atol=1e-6) and np.allclose(theirs["sides"], ours["sides"], atol=1e-7)
    assert (theirs["lens"] != ours["lens"]).any(axis=-1).sum() <= 20


LIT = """<mujoco><visual><map shadowclip="1.5"/></visual><asset>
    <texture name="g" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".2 .3 .4" width="300" height="300"/>
    <texture type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" width="32" height="32"/>
    <material name="g" texture="g" texrepeat="8 8" texuniform="true" reflectance=".3"/></asset>
  <worldbody><light pos="0 0 4" dir="0 0 -1" diffuse=".8 .8 .8" ambient=".2 .2 .2"/><light type="point" pos="1 -1 1"/>
    <light directional="true" pos="1 -1 3" dir="-.3 .3 -1" diffuse=".3 .3 .2" specular=".1 .1 .1"/>
    <geom type="plane" size="0 0 .1" material="g"/><geom type="box" size=".3 .3 .3" pos="0 0 .5" rgba="1 .4 .2 1"/>
    <geom type="sphere" size=".3" pos="1 0 .3" rgba=".2 .8 .2 .4"/><geom type="sphere" size=".2" pos="-1 0 .8" rgba=".9 .9 .9 1"/>
    <camera name="c" pos="0 -3 1.5" xyaxes="1 0 0 0 .4 1"/></worldbody></mujoco>"""

COLOURS = """
import os
os.environ["MUJOCO_GL"] = "egl"
import mujoco, numpy as np
m = mujoco.MjModel.from_xml_string('''{xml}''')
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
with mujoco.Renderer(m, 200, 200) as r:
    r.update_scene(d, "c")
    np.save({out!r}, r.render())
"""


def test_colours_are_those_of_mujoco(tmp_path):
    """Light on textures, shadows of what is seen through, mirror images, haze: edges differ, faces do not."""
    pytest.importorskip("mujoco")
    pictures = [picture.astype(int) for picture in by_both(tmp_path, COLOURS, LIT, ".npy")]
    differ = np.abs(pictures[0] - pictures[1]).max(axis=-1)
    assert differ.mean() < 5 and (differ > 12).mean() < 0.07 and np.median(differ) <= 2  # textures are rounded elsewhere


def test_rectangles_and_pixels_of_programs(scene):
    model, _ = scene
    context = door.MjrContext(model)
    door.mjr_setBuffer(door.mjtFramebuffer.mjFB_OFFSCREEN, context)
    whole = door.mjr_maxViewport(context)
    door.mjr_rectangle(door.MjrRect(10, 20, 30, 5), 0, 0, 1, 1)
    pixels = np.zeros((100, 200, 3), np.uint8)
    door.mjr_readPixels(pixels, None, whole, context)
    blue = np.zeros_like(pixels)
    blue[20:25, 10:40, 2] = 255
    assert np.array_equal(pixels, blue)
    door.mjr_drawPixels(np.full((2, 2, 3), 7, np.uint8), None, door.MjrRect(0, 0, 2, 2), context)
    door.mjr_readPixels(pixels, None, whole, context)
    assert (pixels[:2, :2] == 7).all() and not pixels[2:20].any()
    for bad, match in ((np.zeros(11, np.uint8), "too small"), (np.zeros((4, 4, 3), np.uint8)[::2, ::2], "C-contiguous")):
        with pytest.raises(ValueError, match=match):
            door.mjr_readPixels(bad, None, door.MjrRect(0, 0, 2, 2), context)
    with pytest.raises(ValueError, match="non-negative"):
        door.mjr_readPixels(None, None, door.MjrRect(0, 0, -1, 2), context)
