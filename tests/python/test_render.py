"""Pictures from Python. Where there is no driver they are skipped, with the reason."""

import threading

import numpy as np
import pytest

import corten

pytestmark = pytest.mark.usefixtures("driver")

WORLD = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
  <camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>
  <body name="left" pos="-0.6 0 0"><joint type="slide"/><geom name="red" type="box" size=".3 .3 .3" rgba="1 0 0 1"/></body>
  <geom name="green" type="box" size=".3 .3 .3" pos=".6 0 0" rgba="0 1 0 1"/>
  <geom name="hidden" type="box" size=".1 .1 .1" pos="0 0 .8" group="3" rgba="0 0 1 1"/>
  </worldbody></mujoco>"""


@pytest.fixture
def world():
    model = corten.Model.from_xml_string(WORLD)
    data = corten.Data(model)
    corten.forward(model, data)
    return model, data


def test_a_picture_has_the_colours_of_the_model(world):
    model, data = world
    with corten.Renderer(model, 60, 80, background=(0, 0, 1)) as renderer:
        renderer.update(data, "front")
        pixels = renderer.render()
        assert pixels.shape == (60, 80, 3) and pixels.dtype == np.uint8
        assert pixels[30, 20].tolist() == [255, 0, 0]
        assert pixels[30, 60].tolist() == [0, 255, 0]
        assert pixels[5, 5].tolist() == [0, 0, 255]
        pixels[:] = 0  # it is the caller's own


def test_pictures_follow_the_data(world):
    model, data = world
    with corten.Renderer(model, 60, 80) as renderer:
        renderer.update(data, camera="front")
        before = renderer.render()
        data.qpos[0] = 1000
        corten.forward(model, data)
        assert np.array_equal(renderer.render(), before)  # until it is updated
        renderer.update(data, camera="front")
        assert renderer.render()[30, 20].tolist() == [0, 0, 0]


def test_depth_is_in_metres(world):
    model, data = world
    with corten.Renderer(model, 60, 80) as renderer:
        renderer.update(data, "front")
        depth = renderer.depth()
        assert depth.shape == (60, 80) and depth.dtype == np.float32
        assert depth[30, 20] == pytest.approx(2.7, rel=1e-5)
        assert depth[5, 5] == pytest.approx(model.vis.map.zfar * model.stat.extent, rel=1e-5)


def test_segmentation_has_ids_and_kinds(world):
    model, data = world
    with corten.Renderer(model, 60, 80) as renderer:
        renderer.update(data, "front")
        ids = renderer.segmentation()
        assert ids.shape == (60, 80, 2) and ids.dtype == np.int32
        assert ids[30, 20].tolist() == [model.geom("red").id, corten.ObjType.GEOM]
        assert ids[5, 5].tolist() == [-1, -1]
        assert model.geom("hidden").id not in ids[..., 0]
        renderer.show("geomgroup:3")
        renderer.hide("geomgroup:0")
        renderer.update(data, "front")
        assert set(np.unique(renderer.segmentation()[..., 0])) == {-1, model.geom("hidden").id}


def test_cameras(world):
    model, data = world
    with corten.Renderer(model, 60, 80) as renderer:
        assert renderer.camera("front").kind == "fixed"
        assert renderer.camera(0).kind == "fixed"
        assert renderer.camera(-1).kind == "free"
        renderer.update(data, 0)
        by_number = renderer.render()
        renderer.update(data, "front")
        assert np.array_equal(renderer.render(), by_number)
        camera = corten.Camera("tracking", model.body("left").id, distance=2, azimuth=90, elevation=0)
        renderer.update(data, camera)
        assert renderer.depth()[30, 40] == pytest.approx(1.7, rel=1e-5)
        for bad in ("nobody", 7, "track:nobody"):
            with pytest.raises(ValueError, match="there is no"):
                renderer.update(data, bad)
        with pytest.raises(ValueError):
            renderer.update(data, corten.Camera("fixed", 7))
        with pytest.raises(ValueError, match="free, tracking or fixed"):
            renderer.update(data, corten.Camera("flying"))


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (-1, 10), (16385, 10), (10, 10**6)])
def test_sizes_that_make_no_picture(world, size):
    with pytest.raises(ValueError, match="1 to 16384"):
        corten.Renderer(world[0], *size)


def test_misuse(world):
    model, data = world
    with pytest.raises(ValueError, match="backend"):
        corten.Renderer(model, backend="vulkan")
    with pytest.raises(TypeError):
        corten.Renderer(data)
    renderer = corten.Renderer(model, 8, 8)
    with pytest.raises(ValueError, match="update"):
        renderer.render()
    with pytest.raises(ValueError, match="contactforce"):
        renderer.show("no such thing")
    with pytest.raises(ValueError, match="selected"):
        renderer.update(data, selected=99)
    other = corten.Model.from_xml_string("<mujoco><worldbody><body/></worldbody></mujoco>")
    with pytest.raises(ValueError, match="other sizes"):
        renderer.update(corten.Data(other))
    renderer.close()
    renderer.close()
    with pytest.raises(ValueError, match="closed"):
        renderer.update(data)


def test_changed_textures_are_taken_over_when_asked():
    model = corten.Model.from_xml_string("""<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
      <asset><texture name="t" type="2d" builtin="flat" rgb1="1 0 0" width="4" height="4"/><material name="m" texture="t" rgba="1 1 1 1"/></asset>
      <worldbody><camera pos="0 -3 0" xyaxes="1 0 0 0 0 1"/><geom type="box" size="1 1 1" material="m"/></worldbody></mujoco>""")
    data = corten.Data(model)
    corten.forward(model, data)
    with corten.Renderer(model, 8, 8) as renderer:
        renderer.update(data, 0)
        assert renderer.render()[4, 4].tolist() == [255, 0, 0]
        model.tex_data[:] = 255
        assert renderer.render()[4, 4].tolist() == [255, 0, 0]
        renderer.upload()
        assert renderer.render()[4, 4].tolist() == [255, 255, 255]


def test_renderers_of_several_threads(world):
    model, data = world
    pictures = {}

    def draw(i):
        own = data.copy()
        with corten.Renderer(model, 60, 80) as renderer:
            for _ in range(5):
                renderer.update(own, "front")
                pictures[i] = renderer.render()

    threads = [threading.Thread(target=draw, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pictures) == 4
    for picture in pictures.values():
        assert np.array_equal(picture, pictures[0])


def test_worlds_of_a_batch_side_by_side(model):
    batch = corten.Batch(model, 5, backend="cpu")
    one = batch.render([2], 24, 32)
    all_of_them = batch.render(height=24, width=32)
    assert one.shape == (24, 32, 3) and all_of_them.shape == (48, 96, 3)
    assert (all_of_them[:24, :32] == one).all() and not all_of_them[24:, 64:].any()  # five of six places
    with pytest.raises(ValueError, match="needs a world"):
        batch.render([])


def test_a_replay_is_a_page(model, tmp_path):
    data = corten.Data(model)
    rows = []
    for _ in range(20):
        corten.step(model, data)
        rows.append(data.qpos.copy())
    replay = corten.Replay(model, rows)
    replay.save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text()
    assert page.startswith("<!") and "RECORDING" not in page
    assert replay._repr_html_().startswith("<iframe srcdoc=") and "20 states" in repr(replay)
    for bad in [[[1.0] * (model.nq + 1)], []]:
        with pytest.raises(ValueError, match="qpos has rows"):
            corten.Replay(model, bad)
    with pytest.raises(ValueError, match="that rise"):
        corten.Replay(model, rows, [0.0] * 20)
