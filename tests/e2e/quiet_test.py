#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that an idle server uses no CPU time, and that an unread log delays no request."""

import json
import os
import time

from cases import SANITIZED, case, check, equal, main, skip
from server import Server, soon
from wire import request


# ThreadSanitizer has its own thread, which wakes up periodically.
WATCHED = os.environ.get("APUS_SANITIZE") != "thread"


@case
def idle_connections_cost_no_wake_ups(backend):
    if not WATCHED:
        return skip("ThreadSanitizer's own thread wakes up")
    with Server(backend) as server:
        clients = [server.connect() for _ in range(100)]
        for client in clients:
            equal(client.get("/").status, 200)
        time.sleep(1.5)  # enough time for the server's work after a response
        before = server.waits()
        time.sleep(2)
        woken = server.waits() - before
        check(woken <= 6, f"{woken} wake-ups in 2 s without work")
        equal(clients[50].get("/").status, 200)
        for client in clients:
            client.socket.close()


@case
def a_server_without_clients_sleeps(backend):
    if not WATCHED:
        return skip("ThreadSanitizer's own thread wakes up")
    with Server(backend, "--cores", "2") as server:
        time.sleep(1)  # the watchdog checks twice more after the last event
        before = server.waits()
        time.sleep(1.5)
        equal(server.waits() - before, 0, "wake-ups without a client")


@case
def access_log(backend):
    with Server(backend, "--access-log", log="info,json") as server:
        with server.connect() as client:
            client.get("/query?a=1")
            client.post("/echo", b"body")
            client.get("/nowhere")

        def requests():
            lines = [json.loads(line) for line in server.errors().splitlines()]
            return [[r[k] for k in ("method", "target", "status", "bytes", "peer")] for r in lines
                    if r["msg"] == "request"]

        check(soon(lambda: len(requests()) == 3), f"the log: {server.errors()}")
        first, second, third = requests()
        equal(first, ["GET", "/query?a=1", 200, 4, "127.0.0.1"])
        equal(second, ["POST", "/echo", 200, 4, "127.0.0.1"])
        equal(third[:3], ["GET", "/nowhere", 404])


@case
def a_log_pipe_that_nobody_reads(backend):
    reader, writer = os.pipe()
    with Server(backend, "--access-log", log="info", stderr=writer) as server:
        os.close(writer)
        with server.connect() as client:
            longest = 0
            for _ in range(200):  # 4,000 lines do not fit in a pipe
                began = time.monotonic()
                client.send(request("/query?" + "x" * 200) * 20)
                equal([client.answer().status for _ in range(20)], [200] * 20)
                longest = max(longest, time.monotonic() - began)
        check(longest < 2, f"20 requests took {longest:.1f} s")
        began = time.monotonic()
        equal(server.stop(), 0, "exit status")
        took = time.monotonic() - began
        check(took < 1 + (5 if SANITIZED else 0.7), f"the stop took {took:.1f} s; the last records may take one second")
    os.close(reader)


@case
def a_log_pipe_that_is_closed(backend):
    reader, writer = os.pipe()
    with Server(backend, "--access-log", log="info", stderr=writer) as server:
        os.close(writer)
        os.close(reader)
        for _ in range(20):
            equal(server.get("/").status, 200)
            time.sleep(0.01)


if __name__ == "__main__":
    main()
