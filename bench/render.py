"""Pictures of models beside MuJoCo's: same framing, distances, speed. Needs mujoco==4.0.0 and a driver for both.

PYTHONPATH=<build>/python MUJOCO_GL=egl python bench/render.py MODEL.xml...
"""

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco
import numpy as np

import corten

WIDTH, HEIGHT = 640, 480
SECONDS = 2.0


def rate(draw):
    """Pictures a second."""
    draw()
    start, n = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        draw()
        n += 1
    return n / (time.perf_counter() - start)


def theirs(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    model.vis.global_.offwidth, model.vis.global_.offheight = WIDTH, HEIGHT
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:

        def draw():
            renderer.update_scene(data)
            return renderer.render().copy()

        speed = rate(draw)
        renderer.enable_segmentation_rendering()
        ids = draw()
        renderer.disable_segmentation_rendering()
        renderer.enable_depth_rendering()
        return ids, draw(), speed


def ours(path):
    model = corten.Model.from_xml_path(path)
    data = corten.Data(model)
    corten.forward(model, data)
    with corten.Renderer(model, HEIGHT, WIDTH) as renderer:

        def draw():
            renderer.update(data, "free")
            return renderer.render()

        speed = rate(draw)
        return renderer.segmentation(), renderer.depth(), speed


def seen_nearby(ids, other):
    """Whether each pixel's object is among the nine pixels around it in the other picture."""
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    found = np.zeros(ids.shape[:2], bool)
    for dy in range(3):
        for dx in range(3):
            found |= (padded[dy : dy + HEIGHT, dx : dx + WIDTH] == ids).all(-1)
    return found


def main():
    print("| model | differ | beyond | depth | MuJoCo, pictures/s | Corten, pictures/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in map(Path, sys.argv[1:]):
        ids, depth, speed = theirs(path)
        own_ids, own_depth, own_speed = ours(path)
        same = (ids == own_ids).all(-1)
        both = same & (ids[..., 0] >= 0)
        error = np.median(np.abs(depth - own_depth)[both] / depth[both]) if both.any() else 0
        beyond = int((~seen_nearby(own_ids, ids)).sum())
        name = f"{path.parent.name}/{path.name}"
        print(f"| {name} | {int((~same).sum())} | {beyond} | {error:.0e} | {speed:.1f} | {own_speed:.1f} |", flush=True)


if __name__ == "__main__":
    main()
