#!/usr/bin/env python3
"""Creep of a grasp: a 45 g capsule held between two pads, friction 0.7, by a force of 12 to 60 N.

    PYTHONPATH=build/py/python bench/grasp.py [--oracle]

Softness lets a grasped thing slide slowly. Prints how fast, in micrometres a second, after the grasp has settled, for
each cone, impratio and number of noslip iterations; with --oracle also what the reference engine gives.
"""

import argparse

import corten
import numpy as np

MODEL = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast" cone="{cone}" impratio="{impratio}" noslip_iterations="{noslip}"/>
  <default><geom friction="0.7 0.005 0.0001" condim="4"/></default>
  <worldbody>
    <body name="thing" pos="0 0 0.2"><freejoint/><geom type="capsule" size="0.015 0.04" mass="0.045"/></body>
    <body pos="-0.025 0 0.2">
      <joint name="left" type="slide" axis="1 0 0" damping="20"/><geom type="box" size="0.01 0.02 0.03" mass="0.1"/>
    </body>
    <body pos="0.025 0 0.2">
      <joint name="right" type="slide" axis="-1 0 0" damping="20"/><geom type="box" size="0.01 0.02 0.03" mass="0.1"/>
    </body>
  </worldbody>
  <actuator><motor joint="left"/><motor joint="right"/></actuator>
</mujoco>
"""
SETTLE, MEASURE = 1.0, 4.0  # seconds


def creep(make_model, make_data, step, text, force):
    """Micrometres a second downwards, or None when it falls."""
    model = make_model(text)
    data = make_data(model)
    data.ctrl[:] = force
    height = []
    for seconds in (SETTLE, MEASURE):
        for _ in range(round(seconds / model.opt.timestep)):
            step(model, data)
        height.append(float(data.qpos[2]))
    return None if height[1] < 0.1 else 1e6 * (height[0] - height[1]) / MEASURE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--oracle", action="store_true")
    args = parser.parse_args()
    engines = {"corten": (corten.Model.from_xml_string, corten.Data, corten.step)}
    if args.oracle:
        import mujoco

        engines["mujoco"] = (mujoco.MjModel.from_xml_string, mujoco.MjData, mujoco.mj_step)
    forces = (12, 24, 36, 60)
    print("creep in um/s" + "".join(f"{force:>10} N" for force in forces))
    for cone in ("pyramidal", "elliptic"):
        for impratio in (1, 10, 100):
            for noslip in (0, 3, 10):
                text = MODEL.format(cone=cone, impratio=impratio, noslip=noslip)
                for name, engine in engines.items():
                    speeds = [creep(*engine, text, force) for force in forces]
                    cells = "".join("     falls  " if v is None else f"{v:12.4g}" for v in speeds)
                    print(f"{name:8}{cone:10} impratio {impratio:<4} noslip {noslip:<3}{cells}", flush=True)


if __name__ == "__main__":
    np.seterr(all="raise")
    main()
