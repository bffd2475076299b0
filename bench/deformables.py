"""Deformables beside MuJoCo: time of a step on one thread, growth with the number of vertices.

    python bench/deformables.py [--seconds 1] [--plot docs/images/elastica.svg]

Processor time, both engines in turn in one run, without contacts but for the cloth that lies over capsules. With --plot it only draws the clamped strip of
tests/python/test_flex_physics.py against the elastica.
"""

import argparse
import math
import pathlib
import sys
import time

import numpy as np

import corten

EMPTY = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
BEND = '<elasticity young="3e5" poisson="0" thickness=".002" elastic2d="bend" damping=".01"/>'
BOTH = '<elasticity young="3e5" poisson="0" thickness=".002" elastic2d="both" damping=".01"/>'


def model(flexes, integrator, solver, h=0.002):
    return (
        f'<mujoco><option timestep="{h}" integrator="{integrator}" solver="{solver}" tolerance="1e-6"/>'
        f"<worldbody>{flexes}</worldbody></mujoco>"
    )


def cloth(n, elasticity, edges=True):
    edge = '<edge equality="true"/>' if edges else ""
    return (
        f'<flexcomp name="c" type="grid" dim="2" count="{n} {n} 1" spacing=".03 .03 .03" radius=".005" mass="1" pos="0 0 1">'
        f'{edge}{elasticity}{EMPTY}<pin gridrange="0 0 0 {n - 1}"/></flexcomp>'
    )


def dressed(n, elasticity, edges=True):
    """A cloth that lies over a figure of capsules: head, shoulders, arms and trunk."""
    size = 1.77 / (n - 1)
    parts = [
        ("0 0 .62", "0 0 0", ".1 .04"), ("0 0 .42", "90 0 0", ".09 .18"), ("0 0 .2", "0 0 0", ".16 .2"),
        ("0 .4 .3", "-40 0 0", ".06 .22"), ("0 -.4 .3", "40 0 0", ".06 .22"),
    ]  # fmt: skip
    figure = "".join(f'<geom type="capsule" pos="{pos}" euler="{turn}" size="{half}"/>' for pos, turn, half in parts)
    edge = '<edge equality="true"/>' if edges else ""
    return (
        f'{figure}<flexcomp name="c" type="grid" dim="2" count="{n} {n} 1" spacing="{size} {size} {size}" radius=".008" mass="1" '
        f'pos="0 0 .78">{edge}{elasticity}<contact selfcollide="none"/></flexcomp>'
    )


def rope(n):
    return (
        f'<flexcomp name="r" type="grid" dim="1" count="{n + 1} 1 1" spacing=".02 .02 .02" radius=".005" mass=".5" pos="0 0 1">'
        f'<edge equality="true"/>{EMPTY}<pin id="0"/></flexcomp>'
    )


def block(n):
    return (
        f'<flexcomp name="b" type="grid" dim="3" count="{n} {n} {n}" spacing=".03 .03 .03" radius=".005" mass="2" pos="0 0 1">'
        f'<elasticity young="2e4" poisson=".3" damping=".005"/>{EMPTY}<pin gridrange="0 0 0 0 {n - 1} {n - 1}"/></flexcomp>'
    )


def bundle(rods, n):
    return "".join(
        f'<flexcomp name="r{i}" type="grid" dim="1" count="{n} 1 1" spacing=".03 .03 .03" radius=".004" mass=".1" '
        f'pos="0 {i * 0.05} 1"><edge equality="true"/><elasticity young="2e6" poisson=".3" damping=".01"/>{EMPTY}'
        '<pin id="0 1"/></flexcomp>'
        for i in range(rods)
    )


CASES = {
    "cloth 60 x 60, edges and bending; Euler, CG": model(cloth(60, BEND), "Euler", "CG"),
    "cloth 60 x 60, edges and bending; Euler, Newton": model(cloth(60, BEND), "Euler", "Newton"),
    "cloth 60 x 60, edges and bending; discrete, CG": model(cloth(60, BEND), "discrete", "CG"),
    "cloth 60 x 60, edges and bending; discrete, Newton": model(cloth(60, BEND), "discrete", "Newton"),
    "cloth 60 x 60, stretching and bending; discrete": model(cloth(60, BOTH, False), "discrete", "Newton"),
    "cloth 60 x 60 over capsules, edges and bending; Euler, CG": model(dressed(60, BEND), "Euler", "CG"),
    "cloth 60 x 60 over capsules, stretching and bending; discrete": model(dressed(60, BOTH, False), "discrete", "Newton"),
    "rope of 200 edges; Euler, Newton": model(rope(200), "Euler", "Newton"),
    "rope of 200 edges; Euler, CG": model(rope(200), "Euler", "CG"),
    "rope of 200 edges; discrete, Newton": model(rope(200), "discrete", "Newton"),
    "block 10 x 10 x 10; Euler": model(block(10), "Euler", "Newton", 1e-4),
    "block 10 x 10 x 10; discrete": model(block(10), "discrete", "Newton", 1e-3),
    "10 rods of 30; Euler, CG": model(bundle(10, 30), "Euler", "CG", 2e-4),
    "10 rods of 30; discrete, CG": model(bundle(10, 30), "discrete", "CG"),
    "10 rods of 30; discrete, Newton": model(bundle(10, 30), "discrete", "Newton"),
}


def seconds_a_step(step, budget):
    """Processor time of a step, the least of five turns."""
    start = time.process_time()
    step()
    count = max(1, int(budget / 5 / max(1e-6, time.process_time() - start)))
    best = math.inf
    for _ in range(5):
        start = time.process_time()
        for _ in range(count):
            step()
        best = min(best, (time.process_time() - start) / count)
    return best


def compare(xml, budget):
    import mujoco

    m, ours = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
    d, data = mujoco.MjData(m), corten.Data(ours)
    # where there is something to touch, it is touched
    for _ in range(3 if m.ngeom == 0 else 150):
        mujoco.mj_step(m, d)
    corten.step(ours, data)
    data.qpos[:], data.qvel[:], data.qacc_warmstart[:] = d.qpos, d.qvel, d.qacc_warmstart
    theirs = seconds_a_step(lambda: mujoco.mj_step(m, d), budget)
    here = seconds_a_step(lambda: corten.step(ours, data), budget)
    return m, theirs, here


def tables(budget):
    print("| model | here, ms | MuJoCo, ms | ratio |\n| --- | --- | --- | --- |")
    for name, xml in CASES.items():
        _, theirs, here = compare(xml, budget)
        print(f"| {name} | {here * 1e3:.3f} | {theirs * 1e3:.3f} | {theirs / here:.2f} |", flush=True)
    print("\n| vertices | edges; Euler, CG: here, ms | MuJoCo, ms | stretching; discrete: here, ms | MuJoCo, ms |")
    print("| --- | --- | --- | --- | --- |")
    for n in (10, 20, 30, 45, 60, 80):
        m, a, b = compare(model(cloth(n, BEND), "Euler", "CG"), budget)
        _, c, e = compare(model(cloth(n, BOTH, False), "discrete", "Newton"), budget)
        print(f"| {m.nflexvert} | {b * 1e3:.2f} | {a * 1e3:.2f} | {e * 1e3:.2f} | {c * 1e3:.2f} |", flush=True)


def plot(path):
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "python"))
    import test_flex_physics as physics

    scale, left, top = 560, 40, 30
    shapes = []

    def line(points, color, width, dots=False):
        at = [(left + scale * x, top - scale * z) for x, z in points]
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        shapes.append(f'<polyline points="{text}" fill="none" stroke="{color}" stroke-width="{width}"/>')
        if dots:
            shapes.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in at)

    n = 400
    line(physics.elastica_shape(n), "#888", 6)
    for count, color in ((4, "#c33"), (8, "#27c"), (32, "#191")):
        line(physics.ribbon_shape(count), color, 1.5, True)
    legend = [("#888", "elastica"), ("#c33", "4 edges"), ("#27c", "8 edges"), ("#191", "32 edges")]
    for i, (color, word) in enumerate(legend):
        shapes.append(f'<text x="{left}" y="{top + 190 + 22 * i}" font-family="sans-serif" font-size="15" fill="{color}">{word}</text>')
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 290">{"".join(shapes)}</svg>\n'
    pathlib.Path(path).write_text(svg)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1, help="for each engine and model")
    parser.add_argument("--plot", help="draw the clamped strip into this SVG file")
    args = parser.parse_args()
    plot(args.plot) if args.plot else tables(args.seconds)
