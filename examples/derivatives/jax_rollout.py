#!/usr/bin/env python3
"""Gradients of a simulation in JAX: how hard to throw a ball so that it lands in a place, by gradient descent through a bounce.

The rollout runs in the engine, behind jax.pure_callback; JAX sees a function with its own vector-Jacobian product.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

import corten

jax.config.update("jax_enable_x64", True)

BALL = """<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="9 9 .1" solref=".02 .3"/>
  <body pos="0 0 .5"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1" condim="1"/></body></worldbody></mujoco>"""

STEPS = 160
model = corten.Model.from_xml_string(BALL)
NX = model.nq + model.nv


def rollout(start):
    data = corten.Data(model)
    start = np.asarray(start)
    data.qpos[:], data.qvel[:] = start[: model.nq], start[model.nq :]
    return corten.Rollout(model, data, steps=STEPS)


def states_of(start):
    r = rollout(start)
    return np.hstack([r.qpos, r.qvel])


def pulled_back(start, grad):
    return rollout(start).vjp(np.asarray(grad))[0]


@jax.custom_vjp
def simulate(start):
    """States (steps + 1) x (nq + nv) from the first."""
    return jax.pure_callback(states_of, jax.ShapeDtypeStruct((STEPS + 1, NX), np.float64), start)


def _forward(start):
    return simulate(start), start


def _backward(start, grad):
    return (jax.pure_callback(pulled_back, jax.ShapeDtypeStruct((NX,), np.float64), start, grad),)


simulate.defvjp(_forward, _backward)


def loss(throw, target):
    start = jnp.concatenate([jnp.zeros(2), throw])
    return (simulate(start)[-1, 0] - target) ** 2


def main(rounds=40, target=1.5):
    throw = jnp.array([0.5, 1.0])
    slope = jax.jit(jax.value_and_grad(functools.partial(loss, target=target)))
    for i in range(rounds):
        value, grad = slope(throw)
        throw = throw - 0.3 * grad
        if i % 10 == 0:
            print(f"{i:3d}  loss {float(value):.6f}")
    print(f"thrown with {np.asarray(throw).round(3)} it ends at {float(simulate(jnp.concatenate([jnp.zeros(2), throw]))[-1, 0]):.3f}")
    return float(slope(throw)[0])


if __name__ == "__main__":
    main()
