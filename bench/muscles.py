#!/usr/bin/env python3
"""Print a model with 200 muscles on wrapped tendons: 20 limbs of three bodies on one trunk, ten muscles a limb.

    bench/muscles.py > build/muscles.xml
"""

import math

LIMBS, MUSCLES = 20, 10


def limb(i):
    angle = 2 * math.pi * i / LIMBS
    x, y = math.cos(angle), math.sin(angle)
    return f"""
      <body name="upper{i}" pos="{0.3 * x:.4f} {0.3 * y:.4f} {0.02 * i:.4f}" zaxis="{x:.4f} {y:.4f} 0">
        <joint name="hip_a{i}" axis="1 0 0" range="-60 60"/>
        <joint name="hip_b{i}" axis="0 1 0" range="-60 60"/>
        <geom type="capsule" size=".02" fromto="0 0 0 0 0 .2"/>
        <geom name="hip{i}" type="sphere" size=".04" group="3" contype="0" conaffinity="0"/>
        <body name="middle{i}" pos="0 0 .2">
          <joint name="knee{i}" axis="1 0 0" range="-90 30"/>
          <geom type="capsule" size=".015" fromto="0 0 0 0 0 .2"/>
          <geom name="roll{i}" type="cylinder" size=".03 .05" zaxis="1 0 0" contype="0" conaffinity="0"/>
          {sites(i, "m", 0.08)}
          <body name="lower{i}" pos="0 0 .2">
            <joint name="ankle{i}" axis="0 1 0" range="-50 50"/>
            <geom type="capsule" size=".012" fromto="0 0 0 0 0 .1"/>
            {sites(i, "l", 0.05)}
          </body>
        </body>
        {sites(i, "u", 0.12)}
        <site name="side{i}" pos="0 -.06 .2"/>
      </body>"""


def sites(i, kind, z):
    out = []
    for k in range(MUSCLES):
        turn = 2 * math.pi * k / MUSCLES
        out.append(f'<site name="{kind}{i}_{k}" pos="{0.025 * math.cos(turn):.4f} {0.025 * math.sin(turn):.4f} {z}"/>')
    return "".join(out)


def tendon(i, k):
    start = f'<site site="t{i}_{k}"/><geom geom="hip{i}"/><site site="u{i}_{k}"/>'
    rest = f'<geom geom="roll{i}" sidesite="side{i}"/><site site="m{i}_{k}"/>'
    end = f'<site site="l{i}_{k}"/>' if k % 2 else ""
    return f'<spatial name="ten{i}_{k}">{start}{rest}{end}</spatial>'


def trunk_sites(i):
    angle = 2 * math.pi * i / LIMBS
    x, y = math.cos(angle), math.sin(angle)
    out = []
    for k in range(MUSCLES):
        turn = 2 * math.pi * k / MUSCLES
        across, up = 0.05 * math.cos(turn), 0.05 * math.sin(turn)
        out.append(f'<site name="t{i}_{k}" pos="{0.2 * x - across * y:.4f} {0.2 * y + across * x:.4f} {0.02 * i + up:.4f}"/>')
    return "".join(out)


def model():
    every = [(i, k) for i in range(LIMBS) for k in range(MUSCLES)]
    return f"""<mujoco model="muscles">
  <option timestep="0.002"><flag contact="disable"/></option>
  <default><joint damping=".05" armature=".001"/><site size=".004"/></default>
  <worldbody>
    <body name="trunk" pos="0 0 1">
      <freejoint/>
      <geom type="cylinder" size=".2 .2"/>
      {"".join(trunk_sites(i) for i in range(LIMBS))}{"".join(limb(i) for i in range(LIMBS))}
    </body>
  </worldbody>
  <tendon>{"".join(tendon(i, k) for i, k in every)}</tendon>
  <actuator>{"".join(f'<muscle tendon="ten{i}_{k}" lengthrange=".2 .5" force="20"/>' for i, k in every)}</actuator>
</mujoco>"""


if __name__ == "__main__":
    print(model())
