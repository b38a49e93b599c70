# SPDX-License-Identifier: Apache-2.0
"""Starts the example `counters`, and sends requests to it."""
import concurrent.futures
import contextlib
import subprocess
import threading
import time

import server
from cases import check
from databases import PATIENCE, ask

server.PROGRAMS.update({name: server.BUILD / "bin" / name for name in ("counters", "shared_sessions")})


def counters(backend, redis, *options, connects=(), **environment):
    return server.Server(backend, *options, program="counters", environment={"REDIS_URL": redis, **environment},
                         connects=connects)


def post_status(url):
    """Returns the status of the response to a POST without a body."""
    done = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST", "--max-time", "10",
                           url], capture_output=True, text=True, check=True, timeout=20)
    return int(done.stdout)


def read_visits(port, found):
    """Reads (event, data) pairs of the stream until it ends."""
    with subprocess.Popen(["curl", "-sN", "--max-time", str(server.PATIENCE), f"http://127.0.0.1:{port}/pages/visits"],
                          stdout=subprocess.PIPE, text=True) as client:
        found.append(client)
        event = ""
        for line in client.stdout:
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data":
                found.append((event, value))


@contextlib.contextmanager
def load(url, clients=8):
    """Sends POST requests from several clients. Yields a list of (begin, end, status, page number)."""
    done, stop = [], threading.Event()

    def visit(number):
        while not stop.is_set():
            began = time.monotonic()
            status = ask(f"{url}/pages/page{number}/visits", "POST")[0]
            done.append((began, time.monotonic(), status, number))

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        running = [pool.submit(visit, number) for number in range(clients)]
        try:
            yield done
        finally:
            stop.set()
        for one in running:
            one.result(PATIENCE)


def serves_since(done, moment):
    return any(began > moment and status == 200 for began, _, status, _ in list(done))


def check_load(done, deadline):
    """No request takes longer than its deadline, and failures are errors that clients understand."""
    check({status for _, _, status, _ in done} <= {200, 503, 504}, {status for _, _, status, _ in done})
    longest = max(end - began for began, end, _, _ in done)
    check(longest < deadline, f"a request took {longest} s")
