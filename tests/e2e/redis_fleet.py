# SPDX-License-Identifier: Apache-2.0
"""Runs several servers of the distribution's Redis for tests, on ports of 127.0.0.1."""
import contextlib
import pathlib
import shutil
import socket
import subprocess
import tempfile

from redis_server import RedisProcess


def free_ports(count, most=65535):
    """Returns different free ports, at most `most`. They stay free only as long as no other program takes them."""
    with contextlib.ExitStack() as probes:
        found = []
        while len(found) < count:
            probe = probes.enter_context(socket.socket())
            probe.bind(("127.0.0.1", 0))
            if probe.getsockname()[1] <= most:
                found.append(probe.getsockname()[1])
        return found


class Node(RedisProcess):
    """A Redis server or sentinel with a configuration file, on a port of 127.0.0.1."""

    def __init__(self, folder, port, *more, sentinel=()):
        self.port = port
        self.folder = pathlib.Path(folder) / str(port)
        self.folder.mkdir()
        self.file = self.folder / "redis.conf"
        storage = [] if sentinel else ["save \"\"", "appendonly no"]
        self.file.write_text("\n".join([f"port {port}", "bind 127.0.0.1", f"dir {self.folder}", *storage, *more,
                                        *sentinel]) + "\n")
        super().__init__([self.file, *(["--sentinel"] if sentinel else [])], socket.AF_INET, ("127.0.0.1", port),
                         ["-p", str(port)])

    def info(self, section, name):
        """Returns a value of INFO; "" if there is none, or if a sentinel that demotes the server kills the client."""
        try:
            text = self.cli("INFO", section)
        except subprocess.CalledProcessError:
            return ""
        return dict(line.split(":", 1) for line in text.splitlines() if ":" in line).get(name, "").strip()


class Fleet:
    """Servers in one folder. A context manager, which kills them."""

    def __init__(self):
        self.folder, self.nodes = tempfile.mkdtemp(), []

    def add(self, port, *more, **options):
        self.nodes.append(Node(self.folder, port, *more, **options))
        return self.nodes[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.kill()
        shutil.rmtree(self.folder)
