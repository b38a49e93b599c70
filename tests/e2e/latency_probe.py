# SPDX-License-Identifier: Apache-2.0
"""Measures response times of servers from a process of its own, so that the work of the test does not delay it.

usage: latency_probe.py PORT... < PIPE
Sends a request to each port in turn until standard input ends, and prints the seconds of each request, by port.
"""

import contextlib
import json
import select
import subprocess
import sys
import time

import wire

PATIENCE = 60


def measure(ports):
    clients = {port: wire.Wire(("127.0.0.1", port)) for port in ports}
    for client in clients.values():
        client.get("/")
    print("ready", flush=True)
    taken = {port: [] for port in ports}
    while not select.select([sys.stdin], [], [], 0.001)[0]:
        for port, client in clients.items():
            began = time.monotonic()
            client.get("/")
            taken[port].append(time.monotonic() - began)
    print(json.dumps(list(taken.values())))


@contextlib.contextmanager
def probe(*ports):
    """Starts the measurement. Yields a function that ends it and returns the seconds of the requests of each port."""
    with subprocess.Popen([sys.executable, "-B", __file__, *map(str, ports)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout.readline() != "ready\n":
                raise AssertionError("the servers do not answer")
            yield lambda: json.loads(process.communicate(timeout=PATIENCE)[0])
        finally:
            process.kill()


def p99(taken):
    return sorted(taken)[int(len(taken) * 0.99)]


if __name__ == "__main__":
    measure([int(word) for word in sys.argv[1:]])
