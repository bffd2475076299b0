"""Functions of the user, one of each kind for all models, as there."""

import ctypes

from . import _steps
from ._structs import set_callback, set_clock

# kind there: kind of corten.Model.set_callbacks
_KINDS = {
    "act_dyn": "dyn",
    "act_gain": "gain",
    "act_bias": "bias",
    "control": "control",
    "passive": "passive",
    "contactfilter": "contact_filter",
    "sensor": "sensor",
}
_set = {}


def _per_sensor(function):
    """From a function that fills all sensors of a stage to one that gives the numbers of a sensor."""

    def numbers(m, d, id):
        stage, kinds = m.sensor_needstage[id], m.sensor_type
        user = [i for i in range(m.nsensor) if kinds[i] == _USER and m.sensor_needstage[i] == stage]
        if id == user[0]:
            function(m, d, int(stage))
        begin = m.sensor_adr[id]
        return d.sensordata[begin : begin + m.sensor_dim[id]]

    return numbers


def _per_actuator(function):
    """From a function whose answer is one rate, and which writes several into d.act_dot itself."""

    def rates(m, d, id):
        rate, begin, n = function(m, d, id), m.actuator_actadr[id], m.actuator_actnum[id]
        return rate if n == 1 else d.act_dot[begin : begin + n]

    return rates


def _user_sensor():
    from ._enums import mjtSensor

    return int(mjtSensor.mjSENS_USER)


_USER = _user_sensor()


# what our callbacks answer otherwise
_SHAPES = {"sensor": _per_sensor, "act_dyn": _per_actuator}


def _callable(function):
    if function is not None and not callable(function):
        raise TypeError("callback is not an Optional[Callable]")
    return function


def is_of_c(function):
    """Whether it is a function of C, by ctypes."""
    return isinstance(function, ctypes._CFuncPtr)


def _with_addresses(function):
    """A function of C is called with the addresses of model and data."""
    return lambda m, d, *more: function(m._address, d._address, *more)


def _make(kind, name):
    def setter(function):
        _set[kind] = _callable(function)
        called = _with_addresses(function) if is_of_c(function) else function
        if function is not None and kind in _SHAPES:
            called = _SHAPES[kind](called)
        set_callback(name, called)

    def getter():
        return _set.get(kind)

    setter.__name__, getter.__name__ = f"set_mjcb_{kind}", f"get_mjcb_{kind}"
    setter.__doc__, getter.__doc__ = f"Set the {kind} callback, None for none.", f"The {kind} callback."
    return {setter.__name__: setter, getter.__name__: getter}


for _kind, _name in _KINDS.items():
    globals().update(_make(_kind, _name))


def set_mjcb_time(function):
    """A function that timers read, None for the clock of the system."""
    _set["time"] = _callable(function)
    if function is None:
        _steps._clock_errors = None
        set_clock(None)
        return
    errors = _steps._clock_errors = []

    def clock():
        try:
            now = function()
            if isinstance(now, bool) or not hasattr(now, "__float__"):
                raise TypeError("mjcb_time callback did not return a number")
            return float(now)
        except BaseException as error:  # it comes out when the call is over
            errors.append(error)
            return 0.0

    set_clock(clock)


def get_mjcb_time():
    """The function that timers read, None for the clock of the system."""
    return _set.get("time")


def set_mju_user_warning(function):
    """A function of the text of a warning, None for Python's warnings."""
    _set["warning"] = _callable(function)
    # one of C takes bytes
    _steps.hear_warnings((lambda text: function(text.encode())) if is_of_c(function) else function)


def get_mju_user_warning():
    """The function of warnings."""
    return _set.get("warning")


def reset():
    """Remove all."""
    for kind in _KINDS:
        globals()[f"set_mjcb_{kind}"](None)
    set_mju_user_warning(None)
    set_mjcb_time(None)


__all__ = [name for name in globals() if name.startswith(("set_mj", "get_mj"))]
