#!/usr/bin/env python3
"""Many of one thing at a time: time of a step over that of the reference engine, in one run.

    PYTHONPATH=<build>/python bench/scaling.py [--count 300] [--only WORD]

What grows faster than it should shows here: try 80, 300 and 1000. Both engines are timed on the states of the
reference, three steps at a time; contacts and iterations say whether they do the same work.
"""

import argparse
import math
import time

import mujoco
import numpy as np

import corten

HINGE = '<joint name="j@" type="hinge" axis="0 1 0" damping=".1"/>'
SHAPES = {
    "box": '<geom type="box" size=".1 .1 .1"/>',
    "capsule": '<geom type="capsule" size=".06 .05"/>',
    "cylinder": '<geom type="cylinder" size=".1 .1"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".1 .09 .08"/>',
    "sphere": '<geom type="sphere" size=".1"/>',
    "mesh": '<geom type="mesh" mesh="hull"/>',
}
OPTIONS = (
    'solver="PGS"', 'solver="CG"', 'cone="elliptic"', 'cone="elliptic" solver="PGS"',
    'cone="elliptic" solver="CG"', 'noslip_iterations="3"',
    'integrator="implicitfast"', 'integrator="implicit"', 'integrator="RK4"',
)
FLAGS = ("island", "energy", "fwdinv", "diagexact")


def hull():
    points = np.random.default_rng(1).normal(size=(40, 3))
    points *= 0.1 / np.linalg.norm(points, axis=1)[:, None]
    return f'<mesh name="hull" vertex="{" ".join(f"{x:.5f}" for x in points.ravel())}"/>'


def world(bodies, option="", rest="", flags=""):
    return (
        f"<mujoco><option {option}><flag {flags}/></option><asset>{hull()}</asset>"
        f'<worldbody><geom type="plane" size="50 50 1"/>{bodies}</worldbody>{rest}</mujoco>'
    )


def field(n, inside, gap=0.5):
    """Bodies apart from each other, above the ground; @ is the number of each."""
    side = math.ceil(math.sqrt(n))
    return "".join(
        f'<body name="b{i}" pos="{i % side * gap} {i // side * gap} .3">{inside.replace("@", str(i))}</body>'
        for i in range(n)
    )


def free(n, extra="", shape="capsule"):
    return field(n, f"<freejoint/>{SHAPES[shape]}{extra}")


def hinged(n, extra=""):
    return field(n, f"{HINGE}{SHAPES['capsule']}{extra}")


def pile(n, shape):
    """Three layers that touch, a little out of place."""
    side, jitter = math.ceil(math.sqrt(n / 3)), np.random.default_rng(0)
    bodies = []
    for i in range(n):
        layer, k = divmod(i, side * side)
        x, y = np.array([k % side, k // side]) * 0.205 + jitter.uniform(-0.01, 0.01, 2)
        place = f"{x} {y} {0.11 + layer * 0.205}"
        bodies.append(f'<body name="b{i}" pos="{place}"><freejoint/>{SHAPES[shape]}</body>')
    return "".join(bodies)


def chain(n):
    link = '<geom type="capsule" size=".02" fromto="0 0 0 .1 0 0" contype="0" conaffinity="0"/>'
    places = ("0 0 2", *["0.1 0 0"] * (n - 1))
    axes = ("0 1 0" if i % 2 else "0 0 1" for i in range(n))
    bodies = (f'<body pos="{place}"><joint axis="{axis}"/>{link}' for place, axis in zip(places, axes))
    return "".join(bodies) + "</body>" * n


def each(n, tag, text):
    """A section with one element for each number; @ is the number, # the next one."""
    elements = (text.replace("@", str(i)).replace("#", str((i + 1) % n)) for i in range(n))
    return f"<{tag}>{''.join(elements)}</{tag}>"


# Sections with one element a body: which bodies, and the element.
SECTIONS = {
    "motors": ("hinged", "actuator", '<position joint="j@" kp="3"/>'),
    "muscles": ("hinged", "actuator", '<muscle joint="j@" lengthrange="-1 1"/>'),
    "welds": ("free", "equality", '<weld body1="b@" body2="b#"/>'),
    "tendons": ("hinged", "tendon", '<spatial stiffness="1"><site site="s@"/><site site="s#"/></spatial>'),
    "fixed tendons": (
        "hinged", "tendon",
        '<fixed limited="true" range="-1 1"><joint joint="j@" coef="1"/>'
        '<joint joint="j#" coef="-1"/></fixed>',
    ),
    "frame sensors": (
        "free", "sensor", '<framepos objtype="body" objname="b@"/><frameangacc objtype="body" objname="b@"/>',
    ),
    "imu sensors": ("free", "sensor", '<accelerometer site="s@"/><gyro site="s@"/><force site="s@"/>'),
    "delayed sensors": ("hinged", "sensor", '<jointpos joint="j@" nsample="5" delay=".01"/>'),
    "rangefinders": ("free", "sensor", '<rangefinder site="s@"/>'),
}


def cases(n):
    site = '<site name="s@" pos="0 0 .1" size=".15"/>'
    yield "free bodies", world(free(n))
    for option in OPTIONS:
        yield f"free bodies {option}", world(free(n), option)
    yield "fluid", world(free(n), 'density="1.2" viscosity="1e-5" integrator="implicitfast"')
    yield "hinges", world(hinged(n))
    yield "chain", world(chain(min(n, 150)))
    yield "chain implicit", world(chain(min(n, 150)), 'integrator="implicit"')
    for name, (kind, tag, text) in SECTIONS.items():
        yield name, world((free if kind == "free" else hinged)(n, site), "", each(n, tag, text))
    walls = (f'<geom type="box" size=".1 .1 .1" pos="{i % 30} {i // 30} .1"/>' for i in range(5 * n))
    yield "static geoms", world("".join(walls) + free(10))
    for shape in SHAPES:
        yield f"pile of {shape}", world(pile(n, shape))
    for option in OPTIONS:
        yield f"pile of box {option}", world(pile(n, "box"), option)
        yield f"pile of sphere {option}", world(pile(n, "sphere"), option)
    for flag in FLAGS:
        setting = "disable" if flag == "island" else "enable"
        yield f"pile of box, {flag}", world(pile(n, "box"), flags=f'{flag}="{setting}"')
    sensors = each(n, "sensor", '<contact body1="b@" data="found force" num="3"/>')
    yield "pile of box, contact sensors", world(pile(n, "box"), "", sensors)


def measure(text):
    theirs = mujoco.MjModel.from_xml_string(text)
    ours = corten.Model.from_xml_string(text)
    their_data, our_data = mujoco.MjData(theirs), corten.Data(ours)
    spent = np.zeros(2)
    mujoco.mj_step(theirs, their_data, nstep=60)
    for _ in range(6):
        mujoco.mj_step(theirs, their_data, nstep=10)
        for name in ("qpos", "qvel", "act", "qacc_warmstart"):
            getattr(our_data, name)[:] = getattr(their_data, name)
        begin = time.perf_counter()
        corten.step(ours, our_data, nstep=3)
        middle = time.perf_counter()
        mujoco.mj_step(theirs, their_data, nstep=3)
        spent += middle - begin, time.perf_counter() - middle
    contacts = our_data.ncon, their_data.ncon
    iterations = int(our_data.solver_niter.sum()), int(their_data.solver_niter.sum())
    return spent / 18 * 1e6, contacts, iterations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="how many of each thing")
    parser.add_argument("--only", default="", help="cases with this word")
    options = parser.parse_args()
    print(f"{'us a step':44} {'ours':>9} {'theirs':>9} {'ratio':>6}  contacts, iterations")
    for name, text in cases(options.count):
        if options.only not in name:
            continue
        (ours, theirs), contacts, iterations = measure(text)
        times = f"{ours:9.1f} {theirs:9.1f} {ours / theirs:6.2f}"
        print(f"{name:44} {times}  {contacts} {iterations}", flush=True)


if __name__ == "__main__":
    main()
