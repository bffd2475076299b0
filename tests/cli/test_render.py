"""corten render: pictures, and what is said when there can be none."""

import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from pictures import read_png

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import browser  # noqa: E402

WORLD = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
  <camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/><camera name="small" pos="0 -3 0" xyaxes="1 0 0 0 0 1" resolution="32 16"/>
  <body><joint name="j" type="slide" axis="1 0 0"/><geom type="box" size=".3 .3 .3" rgba="1 0 0 1"/></body></worldbody>
  <keyframe><key name="away" qpos="100"/></keyframe></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def driver(corten, tmp_path_factory):
    made = corten("render", "--png", tmp_path_factory.mktemp("driver") / "a.png", "--width", 16, "--height", 16)
    if made.returncode == 1 and ("EGL" in made.stderr or "OpenGL" in made.stderr):
        print(f"NOTICE: corten render is not tested: {made.stderr.strip()}")
        pytest.skip(made.stderr.strip())


@pytest.fixture
def world(model):
    return model(WORLD)


def test_a_picture(corten, world, tmp_path):
    out = tmp_path / "a.png"
    made = corten("render", world, "--png", out, "--camera", "front", "--width", 80, "--height", 60, "--background", "0,0,1")
    assert made.returncode == 0, made.stderr
    assert made.stdout == made.stderr == ""
    pixels = read_png(out)
    assert pixels.shape == (60, 80, 3)
    assert pixels[30, 40].tolist() == [255, 0, 0]
    assert pixels[5, 5].tolist() == [0, 0, 255]
    assert os.listdir(tmp_path).count("a.png") == 1 and len([f for f in os.listdir(tmp_path) if "a.png" in f]) == 1


def test_the_builtin_model(corten, tmp_path):
    out = tmp_path / "a.png"
    assert corten("render", "--png", out).returncode == 0
    pixels = read_png(out)
    assert pixels.shape == (480, 640, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 200


def test_keyframe_time_and_sizes(corten, world, tmp_path):
    out = tmp_path / "a.png"
    assert corten("render", world, "--png", out, "--camera", "small", "--keyframe", "away", "--time", 0.01).returncode == 0
    pixels = read_png(out)
    assert pixels.shape == (16, 32, 3)  # the camera's own
    assert (pixels[8, 16] == pixels[0, 0]).all()  # the box is away
    assert corten("render", world, "--png", out, "--camera", "small", "--height", 8).returncode == 0
    assert read_png(out).shape == (8, 16, 3)


def test_depth_and_segmentation(corten, world, tmp_path):
    depth, ids = tmp_path / "d.npy", tmp_path / "s.npy"
    size = ("--camera", "front", "--width", 40, "--height", 30)
    assert corten("render", world, "--depth", depth, "--segmentation", ids, *size).returncode == 0
    assert np.load(depth)[15, 20] == pytest.approx(2.7, rel=1e-5)
    assert np.load(ids).shape == (30, 40, 2)
    assert np.load(ids)[15, 20].tolist() == [0, 5]
    assert np.load(ids)[0, 0].tolist() == [-1, -1]
    depth, ids = tmp_path / "d.png", tmp_path / "s.png"
    assert corten("render", world, "--depth", depth, "--segmentation", ids, *size).returncode == 0
    assert read_png(depth)[15, 20, 0] == 2700
    assert read_png(depth)[0, 0, 0] == 0
    assert read_png(ids)[0, 0].tolist() == [0, 0, 0] != read_png(ids)[15, 20].tolist()


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((), "nothing to write"),
        (("--png", "a.jpg"), "does not end with .png"),
        (("--depth", "a.exr"), "neither with .png nor with .npy"),
        (("--png", "a.png", "--width", "0"), "--width"),
        (("--png", "a.png", "--height", "99999"), "--height"),
        (("--png", "a.png", "--camera", "nobody"), "front"),
        (("--png", "a.png", "--show", "shadows"), "contactforce"),
        (("--png", "a.png", "--keyframe", "nobody"), "keyframe"),
        (("--png", "a.png", "--lookat", "1,2"), "three numbers"),
        (("--png", "a.png", "--backend", "vulkan"), "osmesa"),
    ],
)
def test_misuse(corten, world, tmp_path, arguments, words):
    made = corten("render", world, *arguments, cwd=tmp_path)
    assert made.returncode == 2
    assert words in made.stderr and made.stderr.count("\n") == 1
    assert not (tmp_path / "a.png").exists()


def test_a_folder_that_is_not_there(corten, world, tmp_path):
    made = corten("render", world, "--png", tmp_path / "no" / "a.png", "--width", 8, "--height", 8)
    assert made.returncode == 1 and made.stderr.count("\n") == 1


def make_empty_library(folder, name):
    """A library that has nothing in it stands for a machine that has none."""
    (folder / "empty.c").write_text("int nothing;\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / name, folder / "empty.c"], check=True)


def test_without_egl_osmesa_draws(corten, world, tmp_path):
    out = tmp_path / "a.png"
    if corten("render", world, "--png", out, "--backend", "osmesa").returncode != 0:
        print("NOTICE: drawing without EGL is not tested: there is no OSMesa")
        pytest.skip("there is no OSMesa")
    make_empty_library(tmp_path, "libEGL.so.1")
    os.remove(out)
    assert corten("render", world, "--png", out, env={"LD_LIBRARY_PATH": str(tmp_path)}).returncode == 0
    assert len(np.unique(read_png(out))) > 1


def test_a_driver_that_is_too_old(corten, world, tmp_path):
    made = corten("render", world, "--png", tmp_path / "a.png", env={"MESA_GL_VERSION_OVERRIDE": "2.1"})
    if made.returncode == 0:
        pytest.skip("the driver is not Mesa's")
    assert made.returncode == 1 and "no device with OpenGL 3.3" in made.stderr and made.stderr.count("\n") == 1


def test_a_texture_that_is_too_large(corten, model, tmp_path):
    made = corten("render", model("""<mujoco><asset><texture name="wide" type="2d" builtin="flat" width="32768" height="1"/>
      <material name="m" texture="wide"/></asset><worldbody><geom size="1" material="m"/></worldbody></mujoco>"""), "--png", tmp_path / "a.png")
    if made.returncode == 0:
        pytest.skip("this driver allows it")
    assert made.returncode == 1 and 'texture "wide" has 32768 x 1 pixels, this driver allows' in made.stderr


def test_a_broken_mesh(corten, model, tmp_path):
    (tmp_path / "bad.stl").write_bytes(bytes(range(256)) * 10)
    made = corten("render", model(f"""<mujoco><asset><mesh name="m" file="{tmp_path / 'bad.stl'}"/></asset>
      <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""), "--png", tmp_path / "a.png")
    assert made.returncode == 1 and 'mesh "m"' in made.stderr


def test_without_a_driver(corten, world, tmp_path):
    out = tmp_path / "a.png"
    for name in ("libEGL.so.1", "libOSMesa.so.8"):
        make_empty_library(tmp_path, name)
    made = corten("render", world, "--png", out, env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert made.returncode == 1 and not out.exists()
    assert "EGL" in made.stderr and "OSMesa" in made.stderr and made.stderr.count("\n") == 1
    os.remove(tmp_path / "libOSMesa.so.8")
    made = corten("render", world, "--png", out, "--backend", "egl", env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert made.returncode == 1 and "EGL" in made.stderr and made.stderr.count("\n") == 1


def test_the_end_of_a_run(corten, tmp_path):
    out = tmp_path / "a.png"
    assert corten("run", "--time", 0.1, "--quiet", "--png", out).returncode == 0
    assert read_png(out).shape == (480, 640, 3)
    made = corten("run", "--time", 0.1, "--png", tmp_path / "a.jpg")
    assert made.returncode == 2 and "does not end with .png" in made.stderr


FALLING = """<mujoco model="a &lt;/script&gt; &quot;b"><worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 5"><freejoint/><geom size=".1" rgba="1 0 0 1"/><site name="s"/></body><site name="t" pos="1 0 5"/></worldbody>
  <tendon><spatial width=".01"><site site="s"/><site site="t"/></spatial></tendon></mujoco>"""


def floats(page, name):
    return np.frombuffer(base64.b64decode(re.search(rf'{name}:"([^"]*)"', page)[1]), np.float32)


def test_a_replay_has_the_motion(corten, model, tmp_path):
    out = tmp_path / "replay.html"
    made = corten("run", model(FALLING), "--time", 0.5, "--quiet", "--html", out)
    assert made.returncode == 0, made.stderr
    page = out.read_text()
    times = floats(page, "times")
    assert len(times) == 25 + 1 and times[0] == 0 and times[-1] == pytest.approx(0.498)
    poses = floats(page, "poses").reshape(len(times), 2, 7)  # the ball and its site
    g = 9.81
    # semi-implicit steps of 2 ms fall by g t (t + h) / 2
    assert poses[:, 0, 2] == pytest.approx(5 - g * times * (times + 0.002) / 2, abs=1e-4)
    assert poses[0, 0, 3:].tolist() == [1, 0, 0, 0]
    links = floats(page, "links").reshape(len(times), 9)
    assert 2 * links[-1, 7] == pytest.approx(np.hypot(1, 5 - poses[-1, 0, 2]), rel=1e-5)
    # one file, without network, whatever the model is called
    assert "http" not in page and "import" not in page and page.count("</script>") == 1
    assert corten("run", "--time", 0.1, "--html", tmp_path / "no" / "a.html").returncode == 1


def test_a_replay_has_deformables(corten, model, tmp_path):
    """A sheet of nine vertices and a line of three, in free fall."""
    out = tmp_path / "replay.html"
    made = corten("run", model("""<mujoco><worldbody>
      <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 1" mass="1" radius=".01"><contact selfcollide="none"/></flexcomp>
      <flexcomp name="line" type="grid" dim="1" count="3 1 1" spacing=".1 .1 .1" pos="1 0 2" mass="1" radius=".01"><contact selfcollide="none"/></flexcomp>
      </worldbody></mujoco>"""), "--time", 0.2, "--quiet", "--html", out)  # fmt: skip
    assert made.returncode == 0, made.stderr
    page = out.read_text()
    times = floats(page, "times")
    fall = 9.81 * times * (times + 0.002) / 2
    corners = floats(page, "corners").reshape(len(times), 9, 3)
    assert np.ptp(corners[0, :, :2]) == pytest.approx(0.2)
    assert np.abs(corners[..., 2] - (1 - fall)[:, None]).max() < 1e-4
    links = floats(page, "links").reshape(len(times), 2, 9)  # two edges a frame
    assert np.abs(links[..., 2] - (2 - fall)[:, None]).max() < 1e-4 and (links[..., 8] == 1).all()


def centre_of_red(picture):
    red = (picture[..., 0] > 100) & (picture[..., 1] < 60) & (picture[..., 2] < 60)
    assert red.sum() > 3  # it is seen
    return [float(axis.mean()) for axis in np.nonzero(red)]


def test_a_replay_in_a_browser(corten, model, tmp_path):
    """The slider and the plots move the ball to where pictures have it at that time."""
    if not browser.find():
        print("NOTICE: the replay was not opened: there is no Chromium")
        pytest.skip("there is no Chromium")
    world, replay = model(FALLING), tmp_path / "replay.html"
    assert corten("run", world, "--time", 0.9, "--quiet", "--html", replay).returncode == 0
    place = "(b => [b.left, b.top + b.height / 2, b.width])(document.querySelector('{}').getBoundingClientRect())"
    with browser.page(tmp_path / "profile", 800, 400) as page:
        page.open(replay.as_uri())
        start = centre_of_red(read_png(page.picture(tmp_path / "start.png")).astype(int))
        left, middle, width = page.ask(place.format("#slider"))
        page.drag((left + 8, middle), (left + 0.8 * width, middle))  # from the first to about 0.7 s
        frame = page.ask("frame")
        moved = read_png(page.picture(tmp_path / "moved.png")).astype(int)
        size = page.ask("[canvas.clientWidth, canvas.clientHeight]")
        time, height = page.ask("[times[frame], valueAt(frame, R.channels.findIndex(c => c.name === 'qpos.0.z' || c.name.endsWith('.z')))]")
        assert 30 < frame < 42 and page.ask("document.getElementById('time').textContent").startswith(f"{time:.2f} of 0.9")
        assert height == pytest.approx(5 - 9.81 * time * (time + 0.002) / 2, abs=1e-4)
        # the same place as in a picture
        drawn = tmp_path / "drawn.png"
        assert corten("render", world, "--camera", "free", "--time", time, "--png", drawn, "--width", size[0], "--height", size[1]).returncode == 0
        assert centre_of_red(moved[: size[1], : size[0]]) == pytest.approx(centre_of_red(read_png(drawn).astype(int)), abs=2)
        assert centre_of_red(moved)[0] > start[0] + 20
        # a page that is opened there looks the same
        page.open(f"{replay.as_uri()}#frame={frame}")
        again = read_png(page.picture(tmp_path / "again.png")).astype(int)
        assert (np.abs(again - moved).max(axis=2) > 8).mean() < 0.002
        # plots: the mouse on one moves the time
        left, middle, width = page.ask(place.format("#plots canvas"))
        page.drag((left + 0.1 * width, middle), (left + 0.25 * width, middle))
        assert page.ask("times[frame] / times[times.length - 1]") == pytest.approx(0.25, abs=0.03)
        # and they can be put away
        page.ask("document.getElementById('toggle').click()")
        assert page.ask("canvas.clientWidth") == 800


PAINTED = """<mujoco model="Ærø αβγ"><visual><headlight ambient=".3 .3 .3"/><map haze=".3"/><global elevation="-15"/></visual>
  <asset><texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="32" height="32"/>
    <texture name="grid" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".7 .7 .6" width="64" height="64"/>
    <texture name="die" type="cube" builtin="flat" rgb1="1 .5 0" rgb2="0 .5 1" mark="cross" markrgb="1 1 1" width="32" height="32"/>
    <material name="grid" texture="grid" texrepeat=".5 .7" texuniform="true" reflectance=".3"/><material name="tiles" texture="grid" texrepeat="4 2"/><material name="die" texture="die"/></asset>
  <worldbody><light pos="1 -2 4" dir="-.2 .5 -1" diffuse=".6 .6 .6"/><light type="directional" pos="0 0 5" dir=".5 .3 -1" diffuse=".3 .3 .3"/>
    <geom type="plane" size="0 0 1" material="grid"/>
    <body pos="0 0 1"><freejoint name="γωνία"/><geom type="box" size=".3 .2 .4" material="die"/></body>
    <geom type="box" size=".2 .3 .2" pos="1 0 .3" material="tiles"/><geom type="sphere" size=".3" pos="-1 0 .4" material="tiles"/>
    <geom type="cylinder" size=".2 .3" pos="0 1 .5" material="tiles"/><geom type="capsule" size=".1 .4" pos="0 -1 .3" euler="0 80 0" material="die"/>
    <geom type="ellipsoid" size=".3 .2 .1" pos="-1 1 .3" rgba="1 1 0 .5"/></worldbody></mujoco>"""


def unlike(a, b):
    """Which part of a picture differs so that one sees it, in squares of 5 x 5 pixels: drivers filter textures in their own ways."""
    squares = (a.astype(float) - b).reshape(a.shape[0] // 5, 5, a.shape[1] // 5, 5, 3).mean(axis=(1, 3))
    return float((np.abs(squares).max(axis=2) > 12).mean())


def test_a_replay_looks_like_pictures(corten, model, tmp_path):
    """Textures on all shapes, sky, shadows of two lights, a mirror, haze, something to see through."""
    if not browser.find():
        pytest.skip("there is no Chromium")
    world, replay = model(PAINTED), tmp_path / "replay.html"
    assert corten("run", world, "--time", 0.2, "--quiet", "--html", replay).returncode == 0

    def picture(*options):
        out = tmp_path / "drawn.png"
        assert corten("render", world, "--camera", "free", "--png", out, "--width", 400, "--height", 300, *options).returncode == 0
        return read_png(out)

    with browser.page(tmp_path / "profile", 400, 366) as page:
        page.open(replay.as_uri())
        page.ask("ready.then(() => { for (const id of ['title', 'hint']) document.getElementById(id).style.display = 'none'; })")
        seen = read_png(page.picture(tmp_path / "seen.png"))[:300]
        assert page.ask("gl.getError()") == 0
        assert page.ask("document.title") == "Ærø αβγ" and page.ask("R.channels.some(c => c.name.includes('γωνία'))")
    assert unlike(seen, picture()) < 0.025
    for name in ("texture", "shadow", "reflection", "skybox", "haze"):  # each of them is seen
        assert unlike(seen, picture("--hide", name)) > 0.03, name


def test_textures_of_a_replay_are_bounded(corten, model, tmp_path):
    """Noise, which nothing makes smaller, in 19 MB: half of its width and height remain, and a remark says so."""
    side = 2500
    rows = np.random.default_rng(1).integers(0, 256, (side, 1 + 3 * side), np.uint8)
    rows[:, 0] = 0

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    (tmp_path / "noise.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 0)) + chunk(b"IEND", b""))
    world = model("""<mujoco><asset><texture name="noise" type="2d" file="noise.png"/><material name="m" texture="noise"/></asset>
      <worldbody><geom type="plane" size="1 1 1" material="m"/></worldbody></mujoco>""")
    made = corten("run", world, "--time", 0.01, "--quiet", "--html", tmp_path / "replay.html")
    assert made.returncode == 0
    assert '"noise" with 1/2 of its width and height: images may have 4096 pixels a side and 16 MB together' in made.stderr
    image = re.search(r'images:\["([^"]*)"', (tmp_path / "replay.html").read_text())[1]
    assert struct.unpack(">II", base64.b64decode(image)[16:24]) == (side // 2, side // 2)


def test_videos_and_recordings(corten, world, tmp_path):
    made = corten("run", world, "--time", 1, "--record", tmp_path / "run.npz")
    assert made.returncode == 0
    for ending in ["mp4", "gif"]:
        said = corten("render", world, "--recording", tmp_path / "run.npz", "--video", tmp_path / f"a.{ending}", "--width", 64, "--height", 48, "--fps", 10)
        assert said.returncode == 0 and "10 pictures" in said.stdout
        if shutil.which("ffmpeg"):
            assert (tmp_path / f"a.{ending}").stat().st_size > 500
    # without ffmpeg, the same pictures one by one; they are those that single calls draw
    said = corten("render", world, "--video", tmp_path / "b.mp4", "--width", 64, "--height", 48, "--duration", 0.3, "--fps", 10, env={"PATH": "/nowhere"})
    assert said.returncode == 0 and "there is no ffmpeg" in said.stderr and "b-pictures: 3 pictures" in said.stdout
    assert corten("render", world, "--time", 0.2, "--png", tmp_path / "c.png", "--width", 64, "--height", 48).returncode == 0
    assert (read_png(tmp_path / "b-pictures" / "000003.png") == read_png(tmp_path / "c.png")).all()


@pytest.mark.parametrize("options, message", [
    (("--video", "a.mp4", "--png", "a.png"), "go alone"),
    (("--sheet", "a.jpg"), "does not end with .png"),
    (("--recording", "r.npz", "--keyframe", "0", "--png", "a.png"), "exclude each other"),
    (("--video", "a.mp4", "--fps", "0"), "--fps"),
])  # fmt: skip
def test_options_that_do_not_go_together(corten, world, options, message):
    said = corten("render", world, *options)
    assert said.returncode == 2 and message in said.stderr


def test_a_recording_of_another_model(corten, world, tmp_path, humanoid):
    assert corten("run", humanoid, "--steps", 3, "--record", tmp_path / "run.csv").returncode == 0
    said = corten("render", world, "--recording", tmp_path / "run.csv", "--png", tmp_path / "a.png")
    assert said.returncode == 1 and "no recording of this model" in said.stderr


def test_a_video_that_cannot_be_written(corten, world, tmp_path):
    if not shutil.which("ffmpeg"):
        pytest.skip("no ffmpeg")
    said = corten("render", world, "--video", tmp_path / "none" / "a.mp4", "--width", 640, "--height", 480, "--duration", 2)
    assert said.returncode == 1 and "ffmpeg" in said.stderr


def test_a_sheet_of_models(corten, tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    for i in range(3):
        (folder / f"{i}.xml").write_text(WORLD)
    (folder / "bad.xml").write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
    (folder / "part.xml").write_text("<worldbody/>")
    said = corten("render", folder, "--sheet", tmp_path / "s.png", "--width", 60, "--height", 40, "--camera", "front")
    assert said.returncode == 0 and "4 models, 3 drawn" in said.stdout
    sheet = read_png(tmp_path / "s.png")
    assert sheet.shape == (2 * (40 + 18), 2 * 60, 3)
    red = (sheet[:, :, 0] > 200) & (sheet[:, :, 1] < 50)
    assert all(red[y : y + 40, x : x + 60].any() for x, y in [(0, 0), (60, 0), (0, 58)]) and not red[58:, 60:].any()
    empty = corten("render", tmp_path / "nothing", "--sheet", tmp_path / "t.png")
    assert empty.returncode == 1 and "there are no models" in empty.stderr
