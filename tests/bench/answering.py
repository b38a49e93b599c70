# SPDX-License-Identifier: Apache-2.0
"""Small scripted servers for tests of `load`, and `load` as a process."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import unittest

BUILD = pathlib.Path(os.environ.get("APUS_BUILD", "build/dev")).resolve()
LOAD = BUILD / "bench/load"

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


@contextlib.contextmanager
def serving(talk):
    """Returns the port of a server. `talk(socket, number)` runs in a thread for each connection."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        def accept():
            for number in range(1_000_000):
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=talk_to, args=(peer, number), daemon=True).start()

        def talk_to(peer, number):
            with peer, contextlib.suppress(OSError, StopIteration):
                talk(peer, number)

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def heads(peer):
    """Yields the heads of received requests, which must have no bodies."""
    data = b""
    while True:
        while b"\r\n\r\n" not in data:
            more = peer.recv(65536)
            if not more:
                return
            data += more
        head, data = data.split(b"\r\n\r\n", 1)
        yield head


def always(answer):
    """Returns a server that sends `answer` (bytes, or a list of pieces sent one by one) to each request."""
    pieces = [answer] if isinstance(answer, bytes) else answer

    def talk(peer, _):
        for _ in heads(peer):
            for piece in pieces:
                peer.sendall(piece)
    return talk


class Case(unittest.TestCase):
    def fine(self, report, least=10):
        """Fails if `load` had errors or fewer than `least` responses."""
        self.assertEqual((report["errors"], report["error_kinds"], report["first_error"]), (0, {}, None))
        self.assertGreaterEqual(report["requests"], least)
        self.assertEqual(report["percentiles"][-1], [100, report["latency"]["max"]])
        values = [value for _, value in report["percentiles"]]
        self.assertEqual(values, sorted(values))

    def of(self, talk, *words, **more):
        with serving(talk) as port:
            return load(port, *words, **more)


def main():
    """Runs the test cases of a program; exits with 77 if `load` is not built."""
    if not LOAD.exists():
        print(f"skipped: {LOAD} is not built")
        sys.exit(77)
    unittest.main()


def command(port, *words, seconds=0.2):
    return [LOAD, "--port", str(port), "--seconds", str(seconds), *map(str, words)]


def load(port, *words, seconds=0.2, status=0):
    """Runs `load` and returns its report."""
    run = subprocess.run(command(port, *words, seconds=seconds), capture_output=True, text=True, timeout=60)
    if run.returncode != status:
        raise AssertionError(f"load ended with {run.returncode}: {run.stdout} {run.stderr}")
    return json.loads(run.stdout)
