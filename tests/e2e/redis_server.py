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


class RedisProcess:
    """A process of redis-server. `command`: its arguments. `address`: where it listens. `options`: of redis-cli."""

    def __init__(self, command, family, address, options):
        self._command, self._family, self._address, self._options = command, family, address, options
        self.start()

    def start(self):
        self.process = subprocess.Popen(["redis-server", *self._command], stdout=subprocess.DEVNULL)
        check(server.soon(self.accepts), "redis-server does not start")

    def accepts(self):
        with contextlib.closing(socket.socket(self._family)) as client:
            return client.connect_ex(self._address) == 0

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops the process: Redis does not respond until `resume`."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def cli(self, *arguments):
        done = subprocess.run(["redis-cli", *self._options, *map(str, arguments)], capture_output=True, text=True,
                              check=True, timeout=PATIENCE)
        return done.stdout.strip()


class Redis(RedisProcess):
    """A Redis server without files, on a Unix socket. `more`: further command-line options. A context manager."""

    def __init__(self, *more):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.socket = self.folder / "redis.sock"
        self.url = f"unix:{self.socket}"
        super().__init__(["--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no", "--dir",
                          self.folder, *more], socket.AF_UNIX, os.fspath(self.socket), ["-s", self.socket])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder)
