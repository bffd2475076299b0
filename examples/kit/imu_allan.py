"""Allan deviation of a simulated gyroscope beside its parameters. Needs Matplotlib.

python imu_allan.py [picture.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from corten import kit

RATE, HOURS = 100.0, 4.0
N, K, B, T = 2e-4, 4e-6, 3e-5, 100.0  # rad/s/sqrt(Hz), rad/s sqrt(Hz), rad/s, s

gyro = kit.sensor_default(3, 1 / RATE)
gyro.seed = 1
gyro.density[:3] = N
gyro.walk[:3] = K
gyro.wander[:3] = B
gyro.wander_time[:3] = T
count = int(RATE * 3600 * HOURS)
samples = kit.sensor_read(gyro, kit.sensor_reset(gyro), np.zeros((count, 3)))

averages = np.unique(np.round(np.logspace(0, np.log10(count / 8), 50)).astype(int))
tau = averages / RATE
deviation = np.array([[kit.allan(samples[:, axis], m, 1 / RATE) for m in averages] for axis in range(3)])

white, walk = N / np.sqrt(tau), K * np.sqrt(tau / 3)
e = np.exp(-tau / T)
wander = B * np.sqrt(2 * T / tau * (1 - T / (2 * tau) * (3 - 4 * e + e * e)))
expected = np.sqrt(white**2 + walk**2 + wander**2)

figure, axes = plt.subplots(figsize=(8, 5.2))
for axis, name in enumerate("xyz"):
    axes.loglog(tau, deviation[axis], marker=".", linewidth=0.8, label=f"gyroscope {name}")
axes.loglog(tau, expected, "k", linewidth=1.5, label="all parameters together")
for line, name, at in ((white, "white noise", -4), (wander, "wandering bias", -9), (walk, "random walk", -18)):
    axes.loglog(tau, line, "--", color="gray", linewidth=0.8)
    axes.annotate(name, (tau[at], line[at]), (4, -10 if name == "random walk" else 4), textcoords="offset points", fontsize=8, color="gray")
axes.set(xlabel="averaging time (s)", ylabel="Allan deviation (rad/s)", ylim=(expected.min() / 8, expected.max() * 2))
axes.set_title(f"A gyroscope at rest for {HOURS:g} hours")
axes.grid(alpha=0.3, which="both")
axes.legend()

path = sys.argv[1] if len(sys.argv) > 1 else "imu_allan.png"
figure.tight_layout()
figure.savefig(path, dpi=110)
short = tau <= 100
print(f"{path}: up to 100 s within {100 * np.abs(deviation / expected - 1)[:, short].max():.1f} % of the parameters")
