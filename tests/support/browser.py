"""Chromium without a screen: a page, its mouse, pictures of it. It is told what to do through two pipes (DevTools)."""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Page:
    """A page in a browser of its own: what scripts say and what one sees."""

    def __init__(self, to_browser, from_browser, width, height):
        self._to, self._from, self._rest, self._count = to_browser, from_browser, b"", 0
        self._session = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _read(self):
        while b"\0" not in self._rest:
            assert select.select([self._from], [], [], 120)[0], "the browser does not answer"
            more = os.read(self._from, 1 << 20)
            assert more, "the browser has gone"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _call(self, method, **words):
        self._count += 1
        message = {"id": self._count, "method": method, "params": words} | ({"sessionId": self._session} if self._session else {})
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self._to, text) :]
        while True:
            said = self._read()
            if said.get("id") == self._count:
                assert "error" not in said, said
                return said["result"]

    def open(self, address):
        """Load a page, and wait until it is there."""
        self._call("Page.navigate", url="about:blank")  # otherwise another #part of the same page is no load
        self._call("Page.navigate", url=address)
        while self._read().get("method") != "Page.loadEventFired":
            pass
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def ask(self, script):
        """The value of an expression."""
        said = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def drag(self, start, end):
        """Press the left button at a point, move, let go."""
        points = [(start[0] + (end[0] - start[0]) * i / 8, start[1] + (end[1] - start[1]) * i / 8) for i in range(9)]
        for kind, (x, y) in [("mousePressed", points[0]), *(("mouseMoved", p) for p in points), ("mouseReleased", points[-1])]:
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=int(kind != "mouseReleased"), clickCount=1)
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self, path):
        """What one sees, into a PNG file."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))
        return path


@contextlib.contextmanager
def page(folder, width, height):
    """A page of some size; the browser keeps what it must in the folder."""
    hear, to_browser = os.pipe()
    from_browser, tell = os.pipe()
    # the browser reads from 3 and writes to 4
    command = f'exec {find()} --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-gpu-sandbox --disable-dev-shm-usage \
      --hide-scrollbars --user-data-dir="{folder}" --remote-debugging-pipe 3<&{hear} 4>&{tell}'
    process = subprocess.Popen(["bash", "-c", command], pass_fds=[hear, tell], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(hear)
    os.close(tell)
    try:
        yield Page(to_browser, from_browser, width, height)
    finally:
        os.close(to_browser)
        process.terminate()
        process.wait()
        os.close(from_browser)
