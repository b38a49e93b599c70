# SPDX-License-Identifier: Apache-2.0
"""Runs the distribution's Redis for tests."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

import server
from cases import check
from databases import PATIENCE


class Redis:
    """A Redis server without files, on a Unix socket. `more`: further command-line options. A context manager."""

    def __init__(self, *more):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.socket, self.more = self.folder / "redis.sock", more
        self.url = f"unix:{self.socket}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no", "--dir",
             self.folder, *self.more], stdout=subprocess.DEVNULL)
        check(server.soon(self._accepts), "redis-server does not start")

    def _accepts(self):
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
            return client.connect_ex(os.fspath(self.socket)) == 0

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops the process: Redis does not respond until `resume`."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def cli(self, *arguments):
        done = subprocess.run(["redis-cli", "-s", self.socket, *arguments], capture_output=True, text=True, check=True,
                              timeout=PATIENCE)
        return done.stdout.strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder)
