#!/usr/bin/env python3
"""What sleeping costs and saves, beside MuJoCo in the same run: one thread, microseconds a step.

    bench/sleep.py          needs the corten module and the mujoco wheel

Scenes: one pendulum that swings beside 10 to 10,000 boxes that sleep, the same with sleeping off, and 30 chains that never
rest with the flag on and off. Corten takes its steps in one call and one by one; MuJoCo has nstep in Python for the first.
"""

import time

import corten
import mujoco


def field(boxes, flag):
    side = max(1, int(boxes**0.5))
    bodies = "".join(f'<body pos="{i % side * 0.5} {i // side * 0.5} .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
                     for i in range(boxes))
    arm = """<body pos="-3 0 .5"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" contype="0" conaffinity="0"/>
      <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" contype="0" conaffinity="0"/></body></body>"""
    return (f'<mujoco><option timestep="0.004"><flag sleep="{flag}"/></option><size memory="1G"/><worldbody>'
            f'<geom type="plane" size="200 200 .1"/>{bodies}{arm}</worldbody></mujoco>')


def chains(flag):
    links = '<body pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .2 0 0"/>' * 3 + "</body>" * 3
    return (f'<mujoco><option><flag sleep="{flag}" contact="disable"/></option><worldbody>'
            + "".join(f'<body pos="0 {i} 1">{links}</body>' for i in range(30)) + "</worldbody></mujoco>")


def clock(run, steps, repeats=5):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return 1e6 * best / steps


def ours(text, steps, settle):
    m = corten.Model.from_xml_string(text, max_memory=1 << 32)
    d = corten.Data(m)
    corten.step(m, d, settle)

    def one_by_one():
        for _ in range(steps):
            corten.step(m, d)

    many = clock(lambda: corten.step(m, d, steps), steps)
    return many, clock(one_by_one, steps), d.ntree_awake


def theirs(text, steps, settle):
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, settle)
    return clock(lambda: mujoco.mj_step(m, d, steps), steps)


def main():
    print(f"{'scene':28} {'corten':>9} {'one by one':>11} {'mujoco':>9} {'ratio':>7}")
    for boxes in (10, 100, 1000, 10000):
        steps, settle = (20000, 100) if boxes < 10000 else (20000, 60)
        text = field(boxes, "enable")
        many, single, awake = ours(text, steps if boxes < 10000 else 4000, settle)
        peer = theirs(text, 2000 if boxes < 10000 else 100, settle)
        print(f"{f'{boxes} asleep, {awake} awake':28} {many:9.2f} {single:11.2f} {peer:9.2f} {peer / many:7.1f}")
    for boxes in (10, 100, 1000):
        steps = max(10, 20000 // boxes)
        many, single, _ = ours(field(boxes, "disable"), steps, 60)
        peer = theirs(field(boxes, "disable"), steps, 60)
        print(f"{f'{boxes} with sleeping off':28} {many:9.2f} {single:11.2f} {peer:9.2f} {peer / many:7.1f}")
    for flag in ("enable", "disable"):
        many, single, _ = ours(chains(flag), 2000, 100)
        peer = theirs(chains(flag), 2000, 100)
        print(f"{f'30 chains awake, {flag}':28} {many:9.2f} {single:11.2f} {peer:9.2f} {peer / many:7.1f}")


if __name__ == "__main__":
    main()
