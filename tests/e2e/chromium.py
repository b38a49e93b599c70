# SPDX-License-Identifier: Apache-2.0
"""Controls a page in the distribution's headless Chromium, with the DevTools protocol over two pipes."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

import server

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--remote-debugging-pipe"]


def is_there():
    return shutil.which("chromium") is not None


class Chromium:
    """A context manager, which removes the browser's profile at the end."""

    def __init__(self, *flags):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._number, self._unread = 0, b""
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4, so both pipe ends must first be moved away from these
        # numbers.
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (to_browser, from_browser)]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec chromium "$@" 3<&{ends[0]} 4>&{ends[1]} {ends[0]}<&- {ends[1]}>&-', "chromium",
             *FLAGS, *flags,
             f"--user-data-dir={self._folder.name}", "about:blank"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, pass_fds=ends)
        for fd in (to_browser, from_browser, *ends):
            os.close(fd)
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, 9)
        self.process.wait()
        os.close(self._write)
        os.close(self._read)
        self._folder.cleanup()

    def open(self, url):
        """Opens a page, and waits until it has loaded."""
        self._ask("Page.navigate", self._session, url=url)
        if not server.soon(lambda: self.run(f"location.href.startsWith({json.dumps(url)}) && document.readyState == "
                                            f"'complete'")):
            raise AssertionError(f"Chromium does not load {url}")

    def run(self, script):
        """Returns the value of a JavaScript expression; if it is a promise, waits for its result."""
        done = self._ask("Runtime.evaluate", self._session, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise AssertionError(f"{script}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def _ask(self, method, session=None, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters} | ({"sessionId": session} if session
                                                                                  else {})
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + server.PATIENCE
        while time.monotonic() < end:
            answer = self._message()
            if answer.get("id") != self._number:
                continue  # an event, not the response to the command
            if "error" in answer:
                raise AssertionError(f"{method}: {answer['error']}")
            return answer["result"]
        raise AssertionError(f"Chromium does not respond to {method}")

    def _message(self):
        while b"\0" not in self._unread:
            more = os.read(self._read, 65536)
            if not more:
                raise AssertionError("Chromium has ended")
            self._unread += more
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)
