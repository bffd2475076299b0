#!/usr/bin/env python3
"""Gradients of a simulation in PyTorch: controls that swing a pendulum up, by Adam through the steps.

The rollout runs in the engine; torch sees one differentiable function, from controls (and where it starts) to states.
"""

import numpy as np
import torch

import corten

PENDULUM = """<mujoco><option timestep="0.02"/><worldbody><body pos="0 0 1"><joint name="j" axis="0 1 0" damping=".05"/>
  <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass="1"/></body></worldbody><actuator><motor joint="j" gear="2"/></actuator></mujoco>"""


class Simulate(torch.autograd.Function):
    """States (steps + 1) x (nq + nv + na) of a rollout. Positions are numbers of hinges and slides here: their gradient is the
    tangent's. Models with orientations compare them in the tangent (corten.differentiate_pos), which has three numbers."""

    @staticmethod
    def forward(ctx, ctrl, model, data):
        ctx.rollout = corten.Rollout(model, data, ctrl.detach().numpy())
        r = ctx.rollout
        return torch.from_numpy(np.hstack([r.qpos, r.qvel, r.act]))

    @staticmethod
    def backward(ctx, grad):
        _, ctrl = ctx.rollout.vjp(grad.numpy())
        return torch.from_numpy(ctrl), None, None


def main(rounds=300):
    model = corten.Model.from_xml_string(PENDULUM)
    data = corten.Data(model)
    ctrl = torch.full((100, 1), 0.1, dtype=torch.float64, requires_grad=True)
    adam = torch.optim.Adam([ctrl], lr=0.05)
    for i in range(rounds):
        states = Simulate.apply(ctrl, model, data)
        angle, speed = states[-1, 0], states[-1, 1]
        loss = (1 + torch.cos(angle)) * 10 + 0.1 * speed**2 + 1e-3 * (ctrl**2).sum()
        adam.zero_grad()
        loss.backward()
        adam.step()
        if i % 50 == 0:
            print(f"{i:4d}  loss {loss.item():8.4f}  angle {angle.item():7.3f}")
    print(f"at the end the angle is {angle.item():.3f}: upright is pi")
    return float(angle.detach())


if __name__ == "__main__":
    main()
