"""Sensors: what they would measure, and their errors."""

import numpy as np

from ._records import REAL, Record, array, call, checked, public, reals
from ._rigid import Pose, Rigid, Twist, Wrench


class Sensor(Record):
    """Errors of a sensor; sensor_default() makes one without any."""

    __slots__ = ()


class SensorState(Record):
    """What a sensor remembers; sensor_reset() makes one."""

    __slots__ = ("_history",)  # samples on their way

    def __init__(self, **fields):
        self._history = np.zeros(0, REAL)
        super().__init__(**fields)

    def copy(self):
        """Another one that goes on in the same way."""
        out = super().copy()
        out._history = self._history.copy()
        return out


def sensor_default(count, timestep):
    """A sensor without errors."""
    out = Sensor()
    call("sensor_default", np.array([count], np.int32), reals(timestep), out)
    return out


def sensor_check(sensor):
    """Raise corten.Error where a number makes no sense."""
    call("sensor_check", checked(sensor, Sensor, "sensor"))


def sensor_reset(sensor):
    """The state at the beginning."""
    out = SensorState()
    call("sensor_reset", checked(sensor, Sensor, "sensor"), out)
    out._history = np.zeros((sensor.delay + 1) * sensor.count, REAL)
    return out


def sensor_read(sensor, state, truth):
    """A sample of `count` numbers, or one for each row of `truth`; the state goes on."""
    truth = array(truth)
    out = np.zeros_like(truth)
    call("sensor_read", checked(sensor, Sensor, "sensor"), checked(state, SensorState, "state"), truth, state._history, out)
    return out


def imu(body, acceleration, gravity=(0, 0, -9.81), mount=None):
    """What an IMU feels: acceleration less gravity (3), angular velocity (3), in its own axes."""
    out = np.zeros(6, REAL)
    call(
        "imu",
        checked(body, Rigid, "body"),
        checked(acceleration, Twist, "acceleration"),
        array(gravity, (3,), "gravity"),
        checked(mount or Pose(), Pose, "mount"),
        out,
    )
    return out


def force_torque(wrench, mount=None):
    """What a force and torque sensor feels: force, then torque."""
    out = np.zeros(6, REAL)
    call("force_torque", checked(wrench, Wrench, "wrench"), checked(mount or Pose(), Pose, "mount"), out)
    return out


def touch(force, area, on=0.0, off=0.0, touched=False):
    """Total force, pressure and whether the pad is touched; hand `touched` back with the next call."""
    switch, out = np.array([touched], np.int32), np.zeros(3, REAL)
    call("touch", array(force).reshape(-1), reals(area, on, off), switch, out)
    return out[0].item(), out[1].item(), bool(switch[0])


def rangefinder(distance, least, most):
    """What a rangefinder says; -1: nothing there."""
    out = reals(0)
    call("rangefinder", reals(distance, least, most), out)
    return out.item()


def magnetometer(body, field, mount=None):
    """What a magnetometer feels of a field in the world."""
    out = np.zeros(3, REAL)
    call("magnetometer", checked(body, Pose, "body"), array(field, (3,), "field"), checked(mount or Pose(), Pose, "mount"), out)
    return out


def allan(samples, m, timestep):
    """Overlapping Allan deviation for averages over `m` samples."""
    samples, out = array(samples), reals(0)
    call("allan", samples, np.array([m], np.int32), reals(timestep), np.zeros(samples.size + 1), out)
    return out.item()


__all__ = public(globals())
