# SPDX-License-Identifier: Apache-2.0
"""Runs a server under one of the attacks of memory_attacks.py, while another process measures its response times."""

import contextlib
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import time

import wire
from memory_attacks import ATTACKS, Crowd
from server import Server
from tls_wire import SecureServer

MEBI = 1024 * 1024
PATIENCE = 20
KEPT = 16 * MEBI  # memory that a server may keep 10 s after an attack


def status(pid, name):
    """Returns VmRSS or VmHWM of a process, in bytes."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+) kB", text, re.M).group(1)) * 1024


def hurry(pid):
    """Gives a process priority over other processes of the machine, if permitted."""
    with contextlib.suppress(OSError):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(task.name), -18)


def ask_politely(port, size):
    """Sends one request after the other until standard input ends, every twentieth on a new connection. If `size` is 0,
    the requests are small, otherwise they have bodies of 1/4 to 4/4 of `size` bytes. Prints the seconds of each
    request, the number of failures, and the number of correct refusals (503 with Retry-After)."""
    taken, failed, refused, client = [], 0, 0, None
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        begun = time.monotonic()
        try:
            if client is None or len(taken) % 20 == 0:
                client = wire.Wire(("127.0.0.1", port))
            if not size:
                answer = client.get("/")
                if answer.status != 200:
                    failed += 1
                    print(f"a small request got {answer.status}: {answer.body}", file=sys.stderr)
            else:
                body = os.urandom(size // 4 * (1 + len(taken) % 4))
                answer = client.post("/echo", body)
                asks_again = answer.status == 503 and answer.field("retry-after") is not None
                refused += asks_again
                failed += not asks_again and (answer.status, answer.body) != (200, body)
                client = None if answer.closes else client
        except (OSError, wire.Closed) as error:
            print(f"a polite request failed after {time.monotonic() - begun:.3f} s: {error!r}", file=sys.stderr)
            failed, client = failed + 1, None
        taken.append(time.monotonic() - begun)
    print(json.dumps([taken, failed, refused]))


@contextlib.contextmanager
def polite_client(port, size=0):
    """Starts `ask_politely` in another process. Yields a function that ends the process and returns its output."""
    with subprocess.Popen([sys.executable, "-B", __file__, str(port), str(size)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        hurry(process.pid)
        try:
            yield lambda: json.loads(process.communicate(timeout=PATIENCE)[0])
        finally:
            process.kill()


class Result:
    """The result of one attack, in bytes and seconds."""

    def __init__(self, attack, backend, cores):
        self.attack, self.backend, self.cores = attack, backend, cores
        self.before = self.peak = self.after = self.closed = self.failed = self.refused = 0
        self.p99 = self.longest = 0.0


def run(attack, backend, count, budget, seconds, rest, limits="", size=0, kept=0, cores=1):
    """Runs `count` connections of this attack for `seconds` against a server with this budget in bytes. The server
    spreads connections evenly over its cores, so the polite client, which reconnects, uses all of them. The client
    sends bodies of up to `size` bytes. Afterwards the server's memory is read for `rest` seconds, or until it is at
    most `kept` bytes above the value before the attack."""
    kind = ATTACKS[attack]
    limits = ",".join(filter(None, [f"memory={budget}", limits]))
    if hasattr(kind, "secure"):
        made = SecureServer(backend, "--cores", str(cores), limits=limits,
                            listen=["http://127.0.0.1:0", "https://127.0.0.1:0"])
    else:
        made = Server(backend, "--cores", str(cores), limits=limits)
    result = Result(attack, backend, cores)
    with made as server:
        plain = next(int(u.rsplit(":", 1)[1]) for u in server.urls if u.startswith("http://127."))
        pid = server.process.pid
        hurry(pid)
        with polite_client(plain, size) as end:
            time.sleep(0.5)
            result.before = status(pid, "VmRSS")
            with Crowd(kind, server.port, count) as crowd:
                crowd.run(seconds)
                result.closed = crowd.closed
                result.connected = len(crowd.all)
                result.last = status(pid, "VmRSS")
            taken, result.failed, result.refused = end()
        result.peak = status(pid, "VmHWM")
        over = time.monotonic() + rest
        while time.monotonic() < over:
            time.sleep(0.25)
            result.after = status(pid, "VmRSS")
            if kept and result.after <= result.before + kept:
                break
        taken.sort()
        result.requests, result.longest = len(taken), taken[-1]
        result.p99 = taken[int(len(taken) * 0.99)]
    return result


if __name__ == "__main__":
    ask_politely(int(sys.argv[1]), int(sys.argv[2]))
