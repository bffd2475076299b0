"""An arm moved by two pairs of muscles against each other: effort moves it, co-contraction makes it stiff. Needs Matplotlib.

python antagonists.py [picture.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from corten import kit

INERTIA, WEIGHT, FRICTION = 0.08, 6.0, 0.1  # forearm: kg m^2, m g l in N m, N m s
TIMESTEP, DURATION = 1e-3, 3.0

# force, fibre, tendon, pennation: Holzbaur, Murray, Delp 2005
biceps = kit.muscle_preset("biceps")
brachialis = kit.muscle_default(987, 0.086, 0.054)
triceps_long = kit.muscle_default(799, 0.134, 0.143, np.radians(12))
triceps_lateral = kit.muscle_default(624, 0.114, 0.098, np.radians(9))


def attach(muscle, arm, stretch, weight=1.0):
    """The muscle on the elbow, `stretch` longer than at rest when the arm hangs down."""
    rest = muscle.slack_length + muscle.optimal_length * np.cos(muscle.pennation) + stretch
    return kit.Antagonist(muscle=muscle, rest=rest, arm=arm, weight=weight)


flexors = [attach(biceps, 0.04, 0.05), attach(brachialis, 0.02, 0.02, weight=0.5)]
extensors = [attach(triceps_long, -0.022, -0.02), attach(triceps_lateral, -0.022, -0.02)]
group = flexors + extensors


def run(cocontraction):
    """Angle, activations and stiffness; the arm is pushed for 50 ms at 2 s."""
    angle, velocity, log, states = 0.2, 0.0, [], []
    for a in group:
        activation = a.weight * cocontraction
        fibre = kit.muscle_equilibrium(a.muscle, a.rest - a.arm * angle, activation).fibre
        states.append(kit.MuscleState(activation=activation, fibre=fibre))
    for k in range(int(DURATION / TIMESTEP)):
        time = k * TIMESTEP
        excitation = kit.antagonists_excite(group, 0.18 if time > 0.3 else 0.0, cocontraction)
        torque, stiffness, _ = kit.antagonists_step(group, states, excitation, angle, TIMESTEP)
        push = 10 if 2 <= time < 2.05 else 0
        velocity += TIMESTEP * (torque + push - WEIGHT * np.sin(angle) - FRICTION * velocity) / INERTIA
        angle += TIMESTEP * velocity
        log.append((time, np.degrees(angle), states[0].activation, states[2].activation, stiffness))
    return np.array(log).T


figure, axes = plt.subplots(3, 1, figsize=(8, 7.5), sharex=True)
kick = {}
for cocontraction, color in ((0.02, "tab:blue"), (0.15, "tab:orange"), (0.3, "tab:green")):
    time, angle, flexing, extending, stiffness = run(cocontraction)
    before, after = angle[1990], angle[2000:2400]
    kick[cocontraction] = np.abs(after - before).max()
    axes[0].plot(time, angle, color=color, label=f"co-contraction {cocontraction:g}")
    axes[1].plot(time, flexing, color=color)
    axes[1].plot(time, extending, color=color, linestyle="--")
    axes[2].plot(time, stiffness, color=color)
axes[0].set(ylabel="elbow angle (degrees)", title="Effort from 0.3 s, a push at 2 s")
axes[0].legend()
axes[1].set(ylabel="activation", ylim=(0, 1))
axes[1].plot([], [], color="gray", label="biceps")
axes[1].plot([], [], color="gray", linestyle="--", label="triceps")
axes[1].legend(loc="upper right")
axes[2].set(ylabel="stiffness (N m / rad)", xlabel="time (s)")
for a in axes:
    a.grid(alpha=0.3)

path = sys.argv[1] if len(sys.argv) > 1 else "antagonists.png"
figure.tight_layout()
figure.savefig(path, dpi=110)
print(f"{path}: the push moves the arm by " + ", ".join(f"{k:.1f} degrees at {c:g}" for c, k in kick.items()))
