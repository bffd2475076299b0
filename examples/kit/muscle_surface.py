"""Force of a muscle by length and velocity, and its balance with an elastic tendon. Needs Matplotlib.

python muscle_surface.py [picture.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from corten import kit

muscle = kit.muscle_preset("soleus")
rest = muscle.slack_length + muscle.optimal_length * np.cos(muscle.pennation)

# normalised fibre lengths and velocities, as lengths and velocities of the whole
way = np.linspace(-0.5, 0.6, 81)
speed = np.linspace(-1, 1, 81)
length = rest + way[:, None] * muscle.optimal_length
velocity = speed[None, :] * muscle.optimal_length * muscle.max_velocity
force = kit.muscle_rigid(muscle, length, velocity, 1.0)["force"] / muscle.max_force

figure = plt.figure(figsize=(11, 4.6))
axes = figure.add_subplot(1, 2, 1, projection="3d")
x, y = np.meshgrid(way, speed, indexing="ij")
axes.plot_surface(x, y, force, cmap="viridis", rcount=80, ccount=80, linewidth=0)
axes.set(xlabel="stretch / optimal length", ylabel="velocity / max velocity", title="Soleus, fully active, rigid tendon")
axes.text2D(0.02, 0.9, "force / max force", transform=axes.transAxes)
axes.view_init(28, -125)

axes = figure.add_subplot(1, 2, 2)
stretch = np.linspace(-0.5, 0.9, 281)
for activation in (0, 0.25, 0.5, 0.75, 1):
    balance = kit.muscle_equilibrium(muscle, rest + stretch * muscle.optimal_length, activation)
    axes.plot(stretch, balance["force"] / muscle.max_force, label=f"activation {activation:g}")
axes.set(xlabel="stretch / optimal length", ylabel="force / max force", title="At rest, elastic tendon", xlim=(-0.5, 0.9), ylim=(0, 1.2))
axes.grid(alpha=0.3)
axes.legend()

path = sys.argv[1] if len(sys.argv) > 1 else "muscle_surface.png"
figure.tight_layout()
figure.savefig(path, dpi=110)
print(f"{path}: at most {force.max():.3f} of the maximal force")
