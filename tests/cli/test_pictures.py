"""Pictures of scenes beside those that are stored: drivers may round, people must see the same.

    python tests/cli/test_pictures.py PROGRAM    writes them anew; look at them before they are committed
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pictures import read_png

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "tests" / "golden" / "pictures"
SIZE = ("--width", "112", "--height", "84")
SCENES = (STORED / "scenes.txt").read_text().splitlines() if (STORED / "scenes.txt").exists() else []


def draw(program, scene, path, *options):
    model, *rest = scene.split()
    return subprocess.run([program, "render", ROOT / model, "--png", path, *SIZE, *rest, *options], capture_output=True, text=True)


def name_of(scene):
    return scene.replace("/", "-").replace(" ", "_").replace(".xml", "").replace(":", "")


@pytest.fixture(scope="module", params=["egl", "osmesa"])
def backend(request, corten, tmp_path_factory):
    tried = draw(corten.path, SCENES[0], tmp_path_factory.mktemp("driver") / "a.png", "--backend", request.param)
    if tried.returncode != 0:
        print(f"NOTICE: pictures of {request.param} are not compared: {tried.stderr.strip()}")
        pytest.skip(tried.stderr.strip())
    return request.param


@pytest.mark.parametrize("scene", SCENES)
def test_the_picture_is_the_stored_one(corten, backend, scene, tmp_path):
    made = draw(corten.path, scene, tmp_path / "a.png", "--backend", backend)
    assert made.returncode == 0, made.stderr
    now, then = (read_png(path).astype(int) for path in (tmp_path / "a.png", STORED / f"{name_of(scene)}.png"))
    differ = np.abs(now - then).max(axis=2)
    assert (differ > 40).mean() < 0.01 and differ.mean() < 2


def test_there_are_at_least_thirty():
    assert len(SCENES) >= 30 and {path.stem for path in STORED.glob("*.png")} == {name_of(scene) for scene in SCENES}


if __name__ == "__main__":
    for line in SCENES:
        said = draw(sys.argv[1], line, STORED / f"{name_of(line)}.png")
        print(line, said.stderr.strip())
