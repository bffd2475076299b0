"""What programs want logged: MjLogConfig and its topics. Warnings are Python's, and are not written to a file."""

import sys
import time

from ._enums import mjtLogTopic


class MjLogMessage:
    """A message and where it comes from."""

    def __init__(self):
        self.level = self.topic = self.line = 0
        self.subject, self.body, self.func, self.file, self.timestamp = "", "", "", "", False


class MjLogConfig:
    """Where messages about topics go, and which topics: bits 1 << (mjtLogTopic - 1). set() makes it the one that holds."""

    def __init__(self):
        self.logto_console = self.logto_file = True
        self.logfile, self.topics = "MUJOCO_LOG.TXT", 0

    @staticmethod
    def get():
        """A copy of the one that holds."""
        copy = MjLogConfig()
        copy.__dict__.update(_current.__dict__)
        return copy

    def set(self):
        """Let it hold."""
        _current.__dict__.update(self.__dict__)


_current = MjLogConfig()


def _wants(topic):
    return bool(_current.topics >> (int(topic) - 1) & 1)


def _write(text):
    if _current.logto_console:
        print(text, file=sys.stderr)
    if _current.logto_file:
        with open(_current.logfile, "a") as file:
            file.write(f"{time.strftime('%c')}\n{text}\n\n")


class timed:
    """Around a compilation: says how long it took where a program has asked for that."""

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, kind, error, trace):
        if kind is None and _wants(mjtLogTopic.mjTOPIC_TIME_CMP):
            _write(f"compile time: {1000 * (time.perf_counter() - self.start):.3f} ms")


__all__ = ["MjLogConfig", "MjLogMessage"]
