"""A display that nobody looks at (Xvfb), and hands for its windows (xdotool)."""

import contextlib
import os
import shutil
import struct
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np


def missing():
    """What is not installed; empty when windows can be tested."""
    return [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]


class Display(str):
    """The name of a display, and what is on it."""

    def screen(self):
        """Its pixels: height x width x 3, from the file that Xvfb keeps (in the form of xwd)."""
        data = (Path(self.folder) / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">20I", data[:80])
        width, height, stride, colours = head[4], head[5], head[12], head[19]
        rows = np.frombuffer(data, np.uint8, height * stride, head[0] + 12 * colours).reshape(height, stride)
        return rows[:, : 4 * width].reshape(height, width, 4)[..., 2::-1].astype(int)


@contextlib.contextmanager
def display():
    """A Display."""
    reader, writer = os.pipe()
    with tempfile.TemporaryDirectory(prefix="corten-") as folder:
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-noreset", "-fbdir", folder]
        server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
        try:
            name = Display(":" + os.read(reader, 32).decode().strip())
            name.folder = folder
            yield name
        finally:
            server.terminate()
            server.wait()


class Hands:
    """Mouse and keys for the window of a process."""

    def __init__(self, name, process):
        self.env = {**os.environ, "DISPLAY": name}
        self.process = process
        self.until(lambda: self.do("search", "--onlyvisible", "--pid", process.pid) != "", "the window")
        self.window = self.do("search", "--onlyvisible", "--pid", process.pid).split()[0]
        self.until(lambda: self.do("windowfocus", self.window, "getwindowfocus") == self.window, "its focus")
        self.do("mousemove", 639, 479)  # the screen has the pointer in it: out of the way, where an earlier window may have left it
        time.sleep(0.5)

    def do(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.env, capture_output=True, text=True).stdout.strip()

    def until(self, done, what):
        deadline = time.time() + 30
        while not done():
            assert self.process.poll() is None, self.process.communicate()[1]
            assert time.time() < deadline, f"{what} did not come"
            time.sleep(0.1)

    def key(self, *keys):
        for key in keys:
            self.do("windowfocus", self.window, "key", key)
            time.sleep(0.1)
