"""A display that nobody looks at (Xvfb), and hands for its windows (xdotool)."""

import contextlib
import os
import shutil
import subprocess
import time


def missing():
    """What is not installed; empty when windows can be tested."""
    return [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]


@contextlib.contextmanager
def display():
    """The name of a display."""
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-noreset"], pass_fds=[writer], stderr=subprocess.DEVNULL)
    try:
        yield ":" + os.read(reader, 32).decode().strip()
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
