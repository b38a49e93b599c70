#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests metrics: of routes and of the program, both formats, hostile clients, many scrapes, the documentation and the
alert rules."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

import exposition
import http2_clients
import metric_messages
import wire
from administration import LOOPBACK, address, get, of_route, running, scrape
from cases import SANITIZED, case, check, equal, main, skip, unsanitized
from server import BUILD, PROGRAMS, Server, soon
from tls_wire import SecureServer
from wire import request

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PROGRAMS["monitored"] = BUILD / "bin/monitored"


@case
def routes_are_counted_by_pattern_method_and_status(backend):
    with running(backend, "--cores", "2") as server:
        for n in range(7):
            equal(server.get(f"/items/{n}").status, 200)
        equal(server.get("/items/x").status, 400)
        equal(server.get("/fail").status, 500)
        with server.connect() as client:
            client.send(request("/echo", "POST", body=b"x" * 1000))
            equal(len(client.answer().body), 1000)
        server.get("/sleep/30")
        equal(http2_clients.curl(f"http://127.0.0.1:{server.port}/items/9", None), (200, "9\n"))
        for openmetrics in (False, True):
            document = scrape(server, openmetrics)
            equal(of_route(document, "/items/{id}"), 8)
            equal(of_route(document, "/items/{id}", status="4xx"), 1)
            equal(of_route(document, "/fail", status="5xx"), 1)
            equal(document.value("http_server_request_duration_seconds_count", route="/items/{id}", method="GET"), 9)
            equal(document.value("http_server_request_body_bytes_total", route="/echo", method="POST"), 1000)
            equal(document.value("http_server_response_body_bytes_total", route="/echo", method="POST"), 1000)
            took = document.value("http_server_request_duration_seconds_sum", route="/sleep/{ms}", method="GET")
            check(0.03 <= took < 5, f"{took} s")


@case
def hostile_requests_create_no_series(backend):
    with running(backend) as server:
        before = set(scrape(server).samples)
        for n in range(50):
            for method in (f"M{n}", "GET", "DELETE"):
                with server.connect() as client:
                    client.send(request(f"/no/{n}/%ff%22%7d", method))
                    client.answer()
        with server.connect() as client:
            client.send(b"garbage\r\n\r\n")
            equal(client.answer().status, 400)
        with server.connect() as client:
            client.send(request("/items/1", "DELETE"))
            equal(client.answer().status, 405)
        with server.connect() as client:
            client.send(request("/orders/gold%22%0A", "POST", body=b""))
            equal(client.answer().status, 200)
        document = scrape(server)
        new = {key for key in set(document.samples) - before if key[0] != "http_server_requests_total"}
        equal(new, set(), "new series")
        equal(of_route(document, "unmatched", "other", "4xx"), 102)
        equal(of_route(document, "unmatched", "other", "5xx"), 50)
        equal(document.value("shop_orders_total", way="other"), 1)


@case
def the_programs_own_metrics_are_added_up_over_cores(backend):
    with running(backend, "--cores", "2") as server:
        for way in ("card", "card", "ca%22sh%0A%5C", "gold") * 4:
            with server.connect() as client:
                client.send(request(f"/orders/{way}", "POST", body=b""))
                equal(client.answer().status, 200)
        for openmetrics in (False, True):
            document = scrape(server, openmetrics)
            equal(document.series("shop_orders_total"),
                  {(("way", "card"),): 8, (("way", "ca\"sh\n\\"),): 4, (("way", "other"),): 4})
            equal(document.value("shop_waiting"), 24)
            equal(document.value("shop_newest"), 7)
            equal(document.series("shop_cost_euros_bucket"),
                  {(("le", "1.0"),): 0, (("le", "10.5"),): 16, (("le", "+Inf"),): 32})
            equal(document.value("shop_cost_euros_sum"), 16 * 210)
            equal(document.types["shop_orders_total"], "counter")


def idle_connections(server):
    return scrape(server).value("apus_connections", protocol="http1", state="idle")


@case
def the_state_of_the_server_is_told(backend):
    with running(backend, "--cores", "2") as server:
        idle = [server.connect() for _ in range(5)]
        cancelled = server.connect()
        cancelled.send(request("/sleep/60000"))
        check(soon(lambda: scrape(server).value("apus_requests_in_flight") == 1), "not in flight")
        check(soon(lambda: idle_connections(server) == 5), "not connected")
        cancelled.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        cancelled.socket.close()
        check(soon(lambda: of_route(scrape(server), "/sleep/{ms}", status="cancelled") == 1), "not cancelled")
        equal(scrape(server).value("apus_requests_in_flight"), 0)
        for client in idle:
            client.socket.close()
        check(soon(lambda: idle_connections(server) == 0), "not closed")
        document = scrape(server)
        for name in ("process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds",
                     "process_max_fds", "process_start_time_seconds", "apus_memory_budget_bytes"):
            check(document.value(name) > 0, name)
        check(abs(document.value("process_start_time_seconds") - time.time()) < 60, "start time")
        equal(document.value("apus_ready"), 1)
        build = dict(next(iter(document.series("apus_build_info"))))
        equal(build["io"], backend)


@case
def refusals_are_distinguished_by_limit(backend):
    rejected = {"invalid": b"GET / HTTP/1.1\r\n\r\n",
                "head_too_large": b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"x" * 100_000 + b"\r\n\r\n",
                "body_too_large": b"POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999\r\n\r\n"}
    with Server(backend, program="limits", admin=LOOPBACK, limits="body=1000,connections=3") as server:
        for reason, bytes_of in rejected.items():
            before = scrape(server)
            with server.connect() as client:
                client.send(bytes_of)
                check(client.answer().status in (400, 413, 414, 431), reason)
            document = scrape(server)
            for other in rejected:
                name = "apus_requests_rejected_total"
                more = document.value(name, reason=other) - before.value(name, reason=other)
                equal(more, int(other == reason), f"{reason} {other}")
        open_now = [server.connect() for _ in range(3)]
        check(soon(lambda: idle_connections(server) == 3), "not open")
        with server.connect():
            check(soon(lambda: scrape(server).value("apus_connections_refused_total", limit="connections") == 1),
                  "not refused")
        equal(scrape(server).value("apus_connections_refused_total", limit="connections_per_address"), 0)
        for client in open_now:
            client.socket.close()


@case
def handshakes_in_progress_are_counted(backend):
    with SecureServer(backend, admin=LOOPBACK) as server:
        with contextlib.closing(socket.create_connection(("127.0.0.1", server.port))):
            check(soon(lambda: scrape(server).value("apus_tls_handshakes_in_progress") == 1), "no handshake")
        check(soon(lambda: scrape(server).value("apus_tls_handshakes_in_progress") == 0), "the handshake stays")
        equal(scrape(server).value("apus_tls_handshakes_total", outcome="failed"), 1)


@case
def many_routes_make_one_long_document(backend):
    with running(backend, environment={"TEST_ROUTES": "2000"}) as server:
        equal(server.get("/many/1999").status, 200)
        document = scrape(server)
        equal(of_route(document, "/many/1999"), 1)
        equal(len([1 for labels in document.series("http_server_request_duration_seconds_count")
                   if dict(labels)["route"].startswith("/many/")]), 2000)


def memory_of(server):
    """Returns the largest resident memory of the server so far, in MiB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


@unsanitized
@case
def a_route_takes_at_most_64_kib_per_core(backend):
    used = {}
    for routes in (0, 2000):
        with running(backend, environment={"TEST_ROUTES": str(routes)}) as server:
            with server.connect() as client:
                for n in range(routes):
                    client.send(request(f"/many/{n}"))
                    equal(client.answer().status, 200)
            scrape(server)
            scrape(server, openmetrics=True)
            metric_messages.scrape(server)
            used[routes] = memory_of(server)
    # Includes the router's memory for the route, and its part of the documents.
    per_route = (used[2000] - used[0]) * 1024 / 2000
    print(f"{backend}: {per_route:.1f} KiB per route")
    check(per_route <= 64, f"{per_route} KiB per route")


@case
def a_thousand_scrapes_of_many_routes_share_one_document(backend):
    with running(backend, descriptors=8192, environment={"TEST_ROUTES": "2000"}) as server:
        size = len(get(server, "/metrics").body)
        check(size > 3_000_000, f"{size} bytes")
        before = memory_of(server)
        clients = [wire.Wire(address(server), timeout=120) for _ in range(1000)]
        for client in clients:
            client.send(request("/metrics"))
        equal(get(server, "/livez", timeout=120).status, 200)  # while the scrapes are answered
        equal(server.get("/items/1").status, 200)
        more = memory_of(server) - before
        for number, client in enumerate(clients, 1):
            if number % 20:  # leaves in the middle; others still get theirs
                equal(client.head().status, 200)
            else:
                answer = client.answer()
                equal(answer.status, 200)
                check(len(answer.body) > 3_000_000, f"{len(answer.body)} bytes")
            client.socket.close()
        exposition.parse(answer.body, False)
        # Without sharing, the documents of all scrapes would take gigabytes.
        check(more < 400 or SANITIZED, f"{more} MiB")


@case
def scrapes_at_the_same_time_get_the_same_document(backend):
    with running(backend) as server, wire.Wire(address(server)) as client:
        client.send(request("/metrics") + request("/metrics"))
        first, second = client.answer(), client.answer()
        equal(first.body, second.body)
        before = exposition.parse(first.body, False).value("process_cpu_seconds_total")
        check(soon(lambda: scrape(server).value("process_cpu_seconds_total") > before), "the document stays old")


@case
def a_thousand_scrapes_at_once(backend):
    with running(backend, descriptors=8192) as server:
        clients = [wire.Wire(address(server), timeout=60) for _ in range(1000)]
        for client in clients:
            client.send(request("/metrics"))
        with server.connect() as user:  # the app responds meanwhile
            equal(user.get("/").status, 200)
        for client in clients:
            answer = client.answer()
            equal(answer.status, 200)
            exposition.parse(answer.body, False) if client is clients[-1] else None
            client.socket.close()
        check(soon(lambda: len(os.listdir(f"/proc/{server.process.pid}/fd")) < 100), "descriptors remain")


@case
def the_example_does_what_its_guides_say(backend):
    with Server(backend, "--readiness-grace", "0", program="monitored", admin=LOOPBACK) as server:
        lines = get(server, "/readyz").body.decode().splitlines()
        equal([re.sub(r" [0-9.]+ ms$", "", line) for line in lines],
              ["ready", "database passing", "disk passing", "clock passing"])
        equal(server.get("/readyz").status, 404)
        with server.connect() as client:
            client.send(request("/orders/card/12.5", "POST", body=b""))
            equal(client.answer().body, b"accepted\n")
        document = scrape(server)
        equal(document.value("shop_orders_total", payment="card"), 1)
        equal(document.value("shop_order_euros_bucket", le="50.0"), 1)


@case
def promtool_accepts_the_metrics_and_the_rules(backend):
    if not shutil.which("promtool"):
        return skip("promtool (Debian's package prometheus) is not installed; the parser in exposition.py checks alone")
    with running(backend, checks="slow optional") as server:
        get(server, "/readyz")
        done = subprocess.run(["promtool", "check", "metrics"], input=get(server, "/metrics").body, capture_output=True,
                              timeout=60, check=False)
        # promtool prints advice about names and help texts to standard error, which is ignored.
        equal((done.returncode, done.stdout), (0, b""), done.stderr.decode())
    done = subprocess.run(["promtool", "check", "rules", DOCS / "monitoring/alerts.yml"], capture_output=True,
                          timeout=60, check=False)
    equal(done.returncode, 0, done.stdout.decode() + done.stderr.decode())


if __name__ == "__main__":
    main()
