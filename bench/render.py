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
SECONDS = 10.0


def fastest(*draws):
    """Pictures a second of each in turn, so that other work on the machine slows all alike; the best time of each counts."""
    for draw in draws:
        draw(), draw()
    best, start, n = [np.inf] * len(draws), time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS or n < 5:
        for i, draw in enumerate(draws):
            begin = time.perf_counter()
            draw()
            best[i] = min(best[i], time.perf_counter() - begin)
        n += 1
    return [1 / seconds for seconds in best]


class Theirs:
    def __init__(self, path):
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.model.vis.global_.offwidth, self.model.vis.global_.offheight = WIDTH, HEIGHT
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.renderer = mujoco.Renderer(self.model, HEIGHT, WIDTH)

    def draw(self):
        self.renderer.update_scene(self.data)
        return self.renderer.render().copy()

    def measure(self):
        self.renderer.enable_segmentation_rendering()
        ids = self.draw()
        self.renderer.disable_segmentation_rendering()
        self.renderer.enable_depth_rendering()
        return ids, self.draw()


class Ours:
    def __init__(self, path):
        self.model = corten.Model.from_xml_path(path)
        self.data = corten.Data(self.model)
        corten.forward(self.model, self.data)
        self.renderer = corten.Renderer(self.model, HEIGHT, WIDTH)

    def draw(self):
        self.renderer.update(self.data, "free")
        return self.renderer.render()

    def measure(self):
        return self.renderer.segmentation(), self.renderer.depth()


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
        theirs, ours = Theirs(path), Ours(path)
        speed, own_speed = fastest(theirs.draw, ours.draw)
        (ids, depth), (own_ids, own_depth) = theirs.measure(), ours.measure()
        theirs.renderer.close()
        ours.renderer.close()
        same = (ids == own_ids).all(-1)
        both = same & (ids[..., 0] >= 0)
        error = np.median(np.abs(depth - own_depth)[both] / depth[both]) if both.any() else 0
        beyond = int((~seen_nearby(own_ids, ids)).sum())
        name = f"{path.parent.name}/{path.name}"
        print(f"| {name} | {int((~same).sum())} | {beyond} | {error:.0e} | {speed:.1f} | {own_speed:.1f} |", flush=True)


if __name__ == "__main__":
    main()
