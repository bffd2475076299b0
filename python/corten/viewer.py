"""Windows: corten.viewer.launch(model, data) simulates in one, launch_passive(model, data) shows what a program does.

    with corten.viewer.launch_passive(model, data) as window:
        while window.is_running():
            corten.step(model, data)
            window.sync()

The window is a process of its own, the program `corten-view`: it is told the states through a socket and answers with what the user
does. Nothing of it runs in this process, and no step waits for it.
"""

import collections
import contextlib
import os
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from . import _core, _overlay
from ._core import forward, step
from ._functions import get_state, set_state
from ._objects import Data, Model
from ._overlay import image, line, rect, text
from ._render import _KINDS, Camera

_STATE, _CAMERA, _OPTION, _ITEMS, _OVERLAY, _HANDS, _KEYS = range(7)  # kinds of messages, in the upper four bits of their counts
_KIND_SHIFT = 28
_GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "skingroup", "flexgroup")
_NGROUP = 6

__all__ = ["Pull", "Window", "image", "launch", "launch_passive", "line", "rect", "text"]

Pull = collections.namedtuple("Pull", "body move turn point target quat")
Pull.__doc__ = """How the user holds a body: which, whether it is moved or turned, where it is held (in its frame), where that should be, how it should be turned."""


def _program():
    beside = Path(__file__).with_name("corten-program-view")
    if beside.exists():
        return beside
    raise RuntimeError("this package was built without the viewer (Debian packages libglfw3-dev, libimgui-dev; then install it again)")


def _has_more(stream, milliseconds):
    """Whether something can be read, now or soon."""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return bool(poll.poll(milliseconds))


class Window:
    """A window that shows a Data: `launch_passive` opens one."""

    def __init__(self, model, data, *, width=1280, height=800, title=None, panels=True, key_callback=None):
        if not isinstance(model, Model) or not isinstance(data, Data):
            raise TypeError("a window shows a corten.Model and a corten.Data")
        self.model, self.data = model, data
        self.paused, self.speed = False, 1.0  # what the user wants
        self.steps = 0  # single steps that were asked for; who takes them sets it back
        self.changed = False  # the user has changed the state; who looks sets it back
        self._folder = tempfile.TemporaryDirectory(prefix="corten-")
        self._socket, self._bytes = None, b""
        self._lock, self._inbox, self._keys = threading.Lock(), collections.deque(), collections.deque()  # what has been read
        self._hands = None  # numbers, as the window has them
        self._camera = self._option = None  # numbers, as the window has them
        self._news = {}  # what it shall have, by kind of message
        folder = Path(self._folder.name)
        (folder / "model.ctb").write_bytes(model.to_bytes())
        command = [_program(), folder / "model.ctb", "--listen", folder / "socket", "--width", str(width), "--height", str(height)]
        command += ["--title", title] if title else []
        command += [] if panels else ["--bare"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE)
        self._connect(folder / "socket")
        self._news = {_CAMERA: b"", _OPTION: b"", _HANDS: b""}  # no numbers: a question
        if key_callback is not None:
            self._news[_KEYS] = b""
        self.sync()
        self._wait_for_view()
        if key_callback is not None:
            threading.Thread(target=self._listen, args=(key_callback,), name="corten window", daemon=True).start()

    def _connect(self, path):
        deadline = time.monotonic() + 30
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                self._socket = socket.socket(socket.AF_UNIX)
                self._socket.connect(str(path))
                self._socket.sendall(b"CTVIEW1\n")
                return
            except OSError:
                self._socket.close()
                self._socket = None
                time.sleep(0.02)
        raise RuntimeError(self._end() or "the window did not open")

    def _wait_for_view(self):
        """The window tells its camera and what it shows."""
        deadline = time.monotonic() + 10
        while self.is_running() and None in (self._camera, self._option, self._hands) and time.monotonic() < deadline:
            try:
                self._read()
                self._take_messages()
                time.sleep(0.005)
            except OSError:
                self._drop()
        if None in (self._camera, self._option, self._hands):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)  # one that gives up after it has answered says why
            raise RuntimeError(self._end() or "the window did not answer")

    @property
    def camera(self):
        """The Camera, as the program or the user has set it; one that is set is taken over by the next sync()."""
        kind, number, x, y, z, distance, azimuth, elevation = self._camera
        return Camera(_KINDS[int(kind)], int(number), (x, y, z), distance, azimuth, elevation)

    @camera.setter
    def camera(self, camera):
        self._camera = [float(x) for x in camera._tuple()]
        self._news[_CAMERA] = np.array(self._camera).tobytes()

    @property
    def selected(self):
        """The body that is selected, 0 for none."""
        return int(self._option[-1])

    def show(self, *names):
        """Show more from the next sync on: "contactforce", "joint", "frame:body", "label:geom", "geomgroup:3", ..."""
        for name in names:
            self._set(name, 1)

    def hide(self, *names):
        """Show less from the next sync on: "shadow", "static", "geomgroup:0", ..."""
        for name in names:
            self._set(name, 0)

    def _set(self, name, on):
        option = list(self._option)
        first, _, rest = name.partition(":")
        many = len(_core.show_names)
        if name in _core.show_names:
            option[_core.show_names.index(name)] = on
        elif first in _GROUPS and rest.isdecimal() and int(rest) < _NGROUP:
            option[many + _NGROUP * _GROUPS.index(first) + int(rest)] = on
        elif first == "frame" and rest in _core.frame_names:
            option[-3] = _core.frame_names.index(rest) if on else 0
        elif first == "label" and rest in _core.label_names:
            option[-2] = _core.label_names.index(rest) if on else 0
        else:
            raise ValueError(f"there is no {name!r} to show; there are {', '.join(_core.show_names)}, frame:, label:, geomgroup:")
        self._send_option(option)

    def _send_option(self, numbers):
        self._option = [float(x) for x in numbers]
        self._news[_OPTION] = np.array(self._option).tobytes()

    def _send_items(self, items):
        """Shapes of the program, as bytes of ctItem."""
        self._news[_ITEMS] = items + bytes(-len(items) % 8)

    def set_overlay(self, things):
        """Draw over the picture from the next sync on, below panels: what rect(), line(), text() and image() of this module give.

        Places are pixels to the right and down from `anchor`, a point of the window (0 0 its upper left corner, 1 1 its lower right one), or
        with `inside` of the part of it that panels leave free. All together may have 32 MB.
        """
        self._news[_OVERLAY] = _overlay.join(things)

    @property
    def area(self):
        """The part of the window that panels leave free: left, top, width and height, pixels."""
        return tuple(int(x) for x in self._hands[:4])

    @property
    def pull(self):
        """How the user holds a body with the mouse, as of the last sync: a Pull, or None. Its force is in `xfrc_applied` already."""
        body, move, turn, *rest = self._hands[4:]
        return Pull(int(body), bool(move), bool(turn), tuple(rest[:3]), tuple(rest[3:6]), tuple(rest[6:])) if body else None

    def is_running(self):
        """Whether the window is open."""
        return self._socket is not None and self._process.poll() is None

    def sync(self):
        """Show the data as it is, then take over what the user did: controls, joints, pushes (`xfrc_applied`), a reset.

        Positions must be current. Does nothing once the window is closed.
        """
        if not self.is_running():
            return
        state = np.asarray(get_state(self.model, self.data), dtype=np.float64)
        try:
            self._socket.settimeout(5)  # the window reads all the time, unless it hangs
            for kind, numbers in self._news.items():
                self._socket.sendall(struct.pack("=I", len(numbers) // 8 | kind << _KIND_SHIFT) + numbers)
            self._news = {}
            self._socket.sendall(struct.pack("=I", state.size) + state.tobytes())
            self._read()
        except OSError:
            self._drop()
        self._take_messages()

    def _read(self):
        """Read what has come, without waiting: keys aside, the rest for the next sync."""
        with self._lock:
            open_ = self._socket
            while open_ is not None and _has_more(open_, 0):
                more = open_.recv(1 << 16)
                if not more:
                    raise OSError("the window is closed")
                self._bytes += more
            while len(self._bytes) >= 4:
                kind, count = divmod(struct.unpack_from("=I", self._bytes)[0], 1 << _KIND_SHIFT)
                if len(self._bytes) < 4 + 8 * count:
                    break
                numbers = np.frombuffer(self._bytes, np.float64, count, 4)
                self._bytes = self._bytes[4 + 8 * count :]
                if kind == _KEYS:
                    self._keys.extend(numbers.astype(int).tolist())
                else:
                    self._inbox.append((kind, numbers))

    def _take_messages(self):
        while self._inbox:
            self._take_message(*self._inbox.popleft())

    def _listen(self, key_callback):
        """A thread's work: tell keys as they are pressed, also while the program does not sync."""
        while self.is_running():
            try:
                _has_more(self._socket, 50)
                self._read()
            except (AttributeError, OSError, TypeError, ValueError):  # it was closed meanwhile
                return
            while self._keys:
                try:
                    key_callback(self._keys.popleft())
                except Exception:  # of the program: said as threads say it, and the next key is told
                    threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))

    def _take_message(self, kind, numbers):
        if kind == _STATE:
            self.paused, self.speed = bool(numbers[0]), float(numbers[1])
            self.steps += int(numbers[2])
            if len(numbers) > 3:
                self._take(numbers[3::2].astype(int), numbers[4::2])
        # what the program has just set goes before what the window had
        elif kind == _CAMERA and _CAMERA not in self._news:
            self._camera = numbers.tolist()
        elif kind == _OPTION and _OPTION not in self._news:
            self._option = numbers.tolist()
        elif kind == _HANDS:
            self._hands = numbers.tolist()

    def _take(self, where, values):
        state = get_state(self.model, self.data)
        state[where] = values
        set_state(self.model, self.data, state)
        self.changed = True

    def _drop(self):
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _end(self):
        """End the process; gives what it said."""
        self._drop()
        if self._process.poll() is None:
            self._process.terminate()
        said = self._process.communicate()[1].decode(errors="replace").strip()
        self._folder.cleanup()
        return said.removeprefix("corten view: ")

    def close(self):
        """Close the window."""
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __repr__(self):
        return f"<corten.viewer.Window {'open' if self.is_running() else 'closed'}>"


def launch_passive(model, data, **options):
    """Open a window for a program that steps by itself: a Window, whose sync() shows the data.

    `key_callback(code)` is called for every key that is pressed, as GLFW numbers them, by a thread of its own.
    """
    return Window(model, data, **options)


def launch(model, data=None, **options):
    """Simulate in a window until it is closed, in real time or as the user wants. `data` goes along; returns it."""
    data = Data(model) if data is None else data
    forward(model, data)
    with Window(model, data, **options) as window:
        began, simulated, speed = time.monotonic(), data.time, 1.0
        while window.is_running():
            frame = time.monotonic() + 1 / 60
            window.sync()
            late = (time.monotonic() - began) * speed - (data.time - simulated)
            if window.paused or window.changed or window.speed != speed or abs(late) > 0.1 * max(speed, 1):
                began, simulated, speed = time.monotonic(), data.time, window.speed
            if window.paused:
                if window.steps:
                    step(model, data, nstep=window.steps)
                if window.steps or window.changed:
                    forward(model, data)
            else:
                while time.monotonic() < frame and data.time - simulated + model.opt.timestep <= (frame - began) * speed:
                    step(model, data)
            window.steps, window.changed = 0, False
            time.sleep(max(0, frame - time.monotonic()))
    return data
