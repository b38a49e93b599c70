# SPDX-License-Identifier: Apache-2.0
"""Runs the distribution's NATS server for tests, and talks to it in its own protocol."""
import base64
import contextlib
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile

import server
from cases import check
from databases import PATIENCE


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nats:
    """A NATS server with JetStream on a port of 127.0.0.1. `more`: lines of its configuration. A context manager."""

    def __init__(self, more=""):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._file = self.folder / "conf"
        settings = f'listen: 127.0.0.1:{self.port}\njetstream {{ store_dir: "{self.folder}/store" }}\n{more}\n'
        self._file.write_text(settings, encoding="utf-8")
        self.start()

    def start(self):
        self.process = subprocess.Popen(["/usr/sbin/nats-server", "-c", self._file, "-l", self.folder / "log"])
        check(server.soon(self.accepts), "nats-server does not start")

    def accepts(self):
        with contextlib.closing(socket.socket()) as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self):
        self.process.kill()
        self.process.wait()

    def request(self, subject, payload=b""):
        """Returns the payload of the response, without TLS and users."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as client:
            file = client.makefile("rb")
            file.readline()
            client.sendall(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB answer 1\r\n'
                           b"PUB %s answer %d\r\n%s\r\n" % (subject.encode(), len(payload), payload))
            while True:
                words = file.readline().split()
                if words and words[0] == b"MSG":
                    return file.read(int(words[-1]))
                if not words or words[0] in (b"HMSG", b"-ERR"):
                    raise OSError(f"no response: {words}")

    def create_stream(self, name, subject):
        made = json.loads(self.request(f"$JS.API.STREAM.CREATE.{name}",
                                       json.dumps({"name": name, "subjects": [subject]}).encode()))
        check("error" not in made, made)

    def messages(self, name):
        """Returns the messages of a stream: headers as bytes, and payload."""
        info = json.loads(self.request(f"$JS.API.STREAM.INFO.{name}"))
        check("error" not in info, info)
        found = []
        for number in range(1, info["state"]["last_seq"] + 1):
            got = json.loads(self.request(f"$JS.API.STREAM.MSG.GET.{name}", json.dumps({"seq": number}).encode()))
            message = got["message"]
            found.append((base64.b64decode(message.get("hdrs", "")), base64.b64decode(message.get("data", ""))))
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder)
