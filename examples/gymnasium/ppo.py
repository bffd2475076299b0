"""Proximal policy optimization on a vector environment, in one file: numpy, gymnasium and torch.

    python ppo.py                                    corten/HalfCheetah-v5 on 64 worlds, 1.5 million steps
    python ppo.py corten/Hopper-v5 --steps 3000000 --worlds 128 --plot hopper.svg --video hopper.mp4

All worlds are one corten.Batch: a step of the environment is one call for all of them. Returns go to a CSV file and, with
matplotlib, a plot; `--video` shows what was learnt (imageio with ffmpeg).
"""

import argparse
import csv
import time

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

import corten.gymnasium

HORIZON, EPOCHS, MINIBATCHES = 128, 10, 16  # steps of a world between updates; passes over them; parts of a pass
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2  # discount, weight of longer returns, how far the policy may move in an update
RATE, VALUE_WEIGHT, GRADIENT_NORM = 3e-4, 0.5, 0.5


class Scale:
    """Running mean and deviation, to bring observations and returns to order one."""

    def __init__(self, shape=()):
        self.mean, self.var, self.count = np.zeros(shape), np.ones(shape), 1e-4

    def update(self, x):
        mean, var, count = x.mean(axis=0), x.var(axis=0), len(x)
        total, delta = self.count + count, mean - self.mean
        self.mean = self.mean + delta * count / total
        self.var = (self.var * self.count + var * count + delta**2 * self.count * count / total) / total
        self.count = total

    def __call__(self, x):
        return np.clip((x - self.mean) / np.sqrt(self.var + 1e-8), -10, 10).astype(np.float32)


def layer(inputs, outputs, gain=2**0.5):
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, gain)
    nn.init.zeros_(made.bias)
    return made


class Agent(nn.Module):
    """A normal distribution of actions, and the value of an observation."""

    def __init__(self, observations, actions, width=64):
        super().__init__()
        self.mean = nn.Sequential(layer(observations, width), nn.Tanh(), layer(width, width), nn.Tanh(), layer(width, actions, 0.01))
        self.critic = nn.Sequential(layer(observations, width), nn.Tanh(), layer(width, width), nn.Tanh(), layer(width, 1, 1.0))
        self.log_std = nn.Parameter(torch.zeros(actions))

    def policy(self, x):
        return torch.distributions.Normal(self.mean(x), self.log_std.exp(), validate_args=False)

    def value(self, x):
        return self.critic(x).squeeze(-1)


def advantages(rewards, values, ends, last_value):
    """How much better things went than expected: generalized advantage estimation. `ends` cut episodes."""
    out, running, following = np.zeros_like(rewards), np.zeros(rewards.shape[1]), last_value
    for t in reversed(range(len(rewards))):
        goes_on = 1 - ends[t]
        running = rewards[t] + GAMMA * following * goes_on - values[t] + GAMMA * LAMBDA * goes_on * running
        out[t], following = running, values[t]
    return out


def update(agent, optimizer, batch):
    """Some passes over a batch: (observations, actions, log probabilities, advantages, returns)."""
    size = len(batch[0])
    for _ in range(EPOCHS):
        for part in torch.randperm(size).split(size // MINIBATCHES):
            seen, done, before, advantage, target = (x[part] for x in batch)
            ratio = (agent.policy(seen).log_prob(done).sum(-1) - before).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            loss = VALUE_WEIGHT * (agent.value(seen) - target).square().mean() - gain
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), GRADIENT_NORM)
            optimizer.step()


def train(task, worlds, steps, seed, threads=0, device="cpu"):
    """The agent, the scale of its observations, and rows (steps, seconds, mean return of the last 100 episodes)."""
    torch.manual_seed(seed)
    envs = gymnasium.make_vec(task, worlds, autoreset_mode=AutoresetMode.SAME_STEP, threads=threads, device=device)
    low, high = envs.single_action_space.low, envs.single_action_space.high
    agent = Agent(envs.single_observation_space.shape[0], len(low))
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    observation_scale, return_scale = Scale(envs.single_observation_space.shape), Scale()
    updates = max(1, steps // (worlds * HORIZON))
    shape = (HORIZON, worlds)
    seen, done = np.zeros((*shape, *envs.single_observation_space.shape), np.float32), np.zeros((*shape, len(low)), np.float32)
    chances, rewards, values, ends = (np.zeros(shape, np.float32) for _ in range(4))
    episode, discounted, finished, rows = np.zeros(worlds), np.zeros(worlds), [], []

    raw, _ = envs.reset(seed=seed)
    began = time.time()
    for number in range(updates):
        optimizer.param_groups[0]["lr"] = RATE * (1 - number / updates)
        with torch.no_grad():
            for t in range(HORIZON):
                observation_scale.update(raw)
                seen[t] = observation_scale(raw)
                inputs = torch.from_numpy(seen[t])
                policy = agent.policy(inputs)
                action = policy.sample()
                done[t], chances[t], values[t] = action, policy.log_prob(action).sum(-1), agent.value(inputs)
                raw, reward, terminated, truncated, info = envs.step(np.clip(done[t], low, high))
                episode += reward
                discounted = GAMMA * discounted + reward
                return_scale.update(discounted)
                rewards[t] = reward / np.sqrt(return_scale.var + 1e-8)
                ends[t] = terminated | truncated
                if truncated.any():  # time was up, not the end of the world: what would have come counts
                    last = np.stack(info["final_obs"][truncated])
                    rewards[t, truncated] += GAMMA * agent.value(torch.from_numpy(observation_scale(last))).numpy()
                finished += episode[ends[t] > 0].tolist()
                episode[ends[t] > 0] = discounted[ends[t] > 0] = 0
            last_value = agent.value(torch.from_numpy(observation_scale(raw))).numpy()
        gains = advantages(rewards, values, ends, last_value)
        update(agent, optimizer, [torch.from_numpy(x.reshape(-1, *x.shape[2:])) for x in (seen, done, chances, gains, gains + values)])
        if finished:
            rows.append(((number + 1) * worlds * HORIZON, time.time() - began, float(np.mean(finished[-100:]))))
            print("%9d steps  %6.1f s  return %8.1f" % rows[-1], flush=True)
    envs.close()
    return agent, observation_scale, rows


def plot(rows, title, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    axes.plot([row[0] for row in rows], [row[2] for row in rows])
    axes.set(title=title, xlabel="steps of all worlds", ylabel="return, mean of 100 episodes")
    axes.grid(alpha=0.3)
    figure.savefig(path)


def film(agent, scale, task, path, seed):
    import imageio

    env = gymnasium.make(task, render_mode="rgb_array")
    raw, _ = env.reset(seed=seed)
    frames, over = [], False
    while not over:
        frames.append(env.render())
        with torch.no_grad():
            action = agent.mean(torch.from_numpy(scale(raw[None])))[0].numpy()
        raw, _, terminated, truncated, _ = env.step(np.clip(action, env.action_space.low, env.action_space.high))
        over = terminated or truncated
    imageio.mimsave(path, frames, fps=env.metadata["render_fps"])
    env.close()


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("task", nargs="?", default="corten/HalfCheetah-v5")
    words.add_argument("--worlds", type=int, default=64)
    words.add_argument("--steps", type=int, default=1_500_000, help="of all worlds together")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--threads", type=int, default=0, help="of the simulation; 0: as many as there are cores")
    words.add_argument("--device", default="cpu", help="where the worlds are: cpu or cuda")
    words.add_argument("--csv", default="ppo.csv")
    words.add_argument("--plot")
    words.add_argument("--video")
    given = words.parse_args()
    agent, scale, rows = train(given.task, given.worlds, given.steps, given.seed, given.threads, given.device)
    with open(given.csv, "w", newline="") as file:
        csv.writer(file).writerows([("steps", "seconds", "return"), *rows])
    if given.plot:
        plot(rows, f"{given.task}, {given.worlds} worlds", given.plot)
    if given.video:
        film(agent, scale, given.task, given.video, given.seed)


if __name__ == "__main__":
    main()
