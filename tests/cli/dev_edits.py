#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time from saving a file to the new response, and whether requests fail meanwhile.

usage: dev_edits.py TOOL SDK [--edits N] [--clients N] [--preset NAME] [--template NAME]

Creates a project, starts `apus dev` in it, and edits its source N times while two clients send requests
continuously. Prints the times and the clients' results. SDK is a folder in which Apus is installed. Exits with 1 if
a request failed.
"""
import argparse
import http.client
import os
import pathlib
import re
import signal
import socket
import statistics
import struct
import subprocess
import tempfile
import threading
import time

PATIENCE = 180


class Dev:
    """A project that `apus dev` serves."""

    def __init__(self, tool, sdk, folder, preset=None, template="empty"):
        self.env = env = os.environ | {"APUS_SDK": str(sdk), "HOME": str(folder), "APUS_LOG": "warn"}
        self.project = pathlib.Path(folder) / "shop"
        subprocess.run([tool, "-q", "new", str(self.project), "--no-git", "-t", template], env=env, check=True)
        with open(self.project / "apus.toml", "a") as manifest:
            manifest.write('[dev]\nwatch = ["src", ".words"]\nhosts = ["shop.test"]\n')
        self.source = self.project / "src/app.cpp"
        self.path = "/"
        if template != "empty":  # the other templates contain no text to edit
            self.path = "/hello"
            self.edit("    // apus: modules\n",
                      '    app.get("/hello", [] { return "Hello from shop!\\n"; });\n    // apus: modules\n')
        self.said, self.news = [], threading.Condition()
        words = [tool, "dev", "--port", "0"] + (["--preset", preset] if preset else [])
        self.process = subprocess.Popen(words, cwd=self.project, env=env, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.listen, daemon=True).start()
        self.port = int(re.search(r":(\d+)$", self.wait_for("Listening")).group(1))

    def listen(self):
        for line in self.process.stderr:
            with self.news:
                self.said.append(line.rstrip())
                self.news.notify_all()
        with self.news:
            self.said.append("it ended")
            self.news.notify_all()

    def wait_for(self, words, after=0):
        """Returns the first line, from index `after` on, that contains these words."""
        def found():
            return next((line for line in self.said[after:] if words in line or line == "it ended"), None)
        with self.news:
            line = self.news.wait_for(found, PATIENCE)
            if line is None or line == "it ended":
                raise AssertionError(f"no line has `{words}`:\n" + "\n".join(self.said))
            return line

    def ask(self, path=None, accept="*/*"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.connect()
        # Closes without TIME_WAIT: at four thousand connections per second, all ports would soon be in use, and
        # connecting would take more than a second.
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.request("GET", path or self.path, headers={"Accept": accept})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer, body

    def edit(self, old, new):
        """Replaces the file as editors do, and returns the time."""
        text = self.source.read_text()
        assert old in text, f"`{old}` is not in {self.source}"
        beside = self.source.with_name(".app.cpp.swp")
        beside.write_text(text.replace(old, new))
        beside.rename(self.source)
        return time.monotonic()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


class Load:
    """A client that sends requests continuously, each on a new connection."""

    def __init__(self, dev):
        self.dev, self.answered, self.failures, self.ends = dev, 0, [], False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.ends:
            try:
                answer, _ = self.dev.ask()
                if answer.status != 200:
                    raise ConnectionError(f"status {answer.status}")
                self.answered += 1
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))

    def end(self):
        self.ends = True
        self.thread.join()


def edits(dev, count, clients=2):
    """Returns the seconds that each edit took, and the results of the clients."""
    dev.wait_for("Serving")
    loads, times = [Load(dev) for _ in range(clients)], []
    for i in range(count):
        begin = dev.edit('"Hello' + (f" {i - 1}" if i else ""), f'"Hello {i}')
        while f"Hello {i} " not in dev.ask()[1]:
            if time.monotonic() - begin > PATIENCE:
                raise AssertionError("no new answer:\n" + "\n".join(dev.said))
            time.sleep(0.005)
        times.append(time.monotonic() - begin)
    for load in loads:
        load.end()
    return times, sum(load.answered for load in loads), [failure for load in loads for failure in load.failures]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("sdk")
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--preset")
    parser.add_argument("--template", default="empty")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apus-dev-") as folder:
        dev = Dev(os.path.abspath(given.tool), os.path.abspath(given.sdk), folder, given.preset, given.template)
        try:
            times, answered, failures = edits(dev, given.edits, given.clients)
        finally:
            dev.stop()
        told = sorted(int(ms) / 1000 for line in dev.said for ms in re.findall(r"Serving .* after (\d+) ms", line))[:-1]
    times.sort()
    print(f"{given.template}, {given.preset or 'the usual preset'}: {len(times)} edits: {times[0]:.2f} s at least, "
          f"{statistics.median(times):.2f} s in the middle, {times[-1]:.2f} s at most")
    print(f"of that, by the tool's own clock: {statistics.median(told):.2f} s in the middle, {told[-1]:.2f} s at most")
    print(f"{answered} requests answered meanwhile, {len(failures)} failed {failures[:3] if failures else ''}")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
