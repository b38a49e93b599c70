#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `/debug/requests` and the page `/debug`: requests in flight, slow and failed requests, spans, blocked cores,
hostile requests, many scrapes at once. Neither is served by public listeners or shows secrets."""

import json
import signal
import socket
import tempfile
import threading

import chromium
import http2_clients
import wire
from administration import LOOPBACK, address, get, running
from cases import case, check, equal, main, skip
from server import BUILD, PROGRAMS, Server, soon
from wire import request

PROGRAMS["tracing"] = BUILD / "tests/tracing_server"
PATHS = ("/debug/requests", "/debug", "/debug/page.css", "/debug/page.js")
SECRET = "s3cr3t-value"
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def report(server, timeout=wire.PATIENCE):
    answer = get(server, "/debug/requests", ["Accept: application/json"], timeout=timeout)
    equal((answer.status, answer.field("content-type"), answer.field("cache-control")),
          (200, "application/json", "no-store"))
    return json.loads(answer.body)


def text(server):
    answer = get(server, "/debug/requests")
    equal((answer.status, answer.field("content-type")), (200, "text/plain; charset=utf-8"))
    return answer.body.decode()


def reset(client):
    """Resets the connection: after an orderly end of the client's side, the server still responds."""
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.socket.close()


def of_route(document, route, method="GET"):
    found = [each for each in document["routes"] if (each["route"], each["method"]) == (route, method)]
    return found[0] if found else {"slowest": [], "failed": [], "rejected": []}


@case
def paths_do_not_show_bytes_of_other_connections(backend):
    """A response may be complete before the body of its request has arrived. Meanwhile, the buffer that contained the
    head may receive bytes of other clients."""
    target = "/none/" + "a" * 150
    with running(backend, "--access-log", log="info") as server:
        with wire.Wire(("127.0.0.1", server.port)) as slow, \
                wire.Wire(("127.0.0.1", server.port)) as other:
            slow.send(request(target, "POST", ["Content-Length: 5"]))
            equal(slow.answer().status, 404)
            for _ in range(1 if backend == "epoll" else 3000):  # the kernel uses other buffers first
                other.send(request("/items/7", fields=[f"Cookie: {SECRET}", f"Authorization: Bearer {SECRET}"]))
                other.answer()
            slow.send(b"12345" + request("/items/8"))
            slow.answer()
        check(soon(lambda: of_route(report(server), "unmatched", "other")["rejected"]), "the request is kept")
        kept = of_route(report(server), "unmatched", "other")["rejected"][0]
        equal((kept["method"], kept["path"]), ("POST", target))
        check(soon(lambda: target in server.errors()), "the request is in the access log")
        check(SECRET not in json.dumps(report(server)) + server.errors(), "secrets are neither kept nor logged")


@case
def public_listeners_do_not_answer(backend):
    with running(backend) as server:
        for path in PATHS:
            equal(server.get(path).status, 404, path)
            equal(get(server, path).status, 200, path)
            with wire.Wire(address(server)) as client:
                client.send(request(path, "POST", body=b"x"))
                equal(client.answer().status, 405)
    with Server(backend, program="operations") as server:
        for path in PATHS:
            equal(server.get(path).status, 404, "without --admin " + path)
    with tempfile.TemporaryDirectory() as folder, running(backend, admin=f"unix:{folder}/admin.sock") as server:
        equal(report(server)["in_flight"], [])


@case
def slow_and_failed_requests_are_listed_by_route(backend):
    with running(backend, "--cores", "2") as server:
        for n in range(20):
            equal(server.get(f"/sleep/{20 + n}").status, 200)
            equal(server.get(f"/fail?n={n}").status, 500)
            equal(server.get(f"/items/x{n}").status, 400)
            equal(server.get(f"/none/{n}").status, 404)
            equal(server.get(f"/items/{n}").status, 200)
        document = report(server)
        slow = of_route(document, "/sleep/{ms}")["slowest"]
        equal(len(slow), 8)
        check(all(one["duration_ms"] >= int(one["path"][7:]) - 1 for one in slow), slow)
        equal(slow, sorted(slow, key=lambda one: -one["duration_ms"]))
        equal({one["method"] for one in slow}, {"GET"})
        failed = of_route(document, "/fail")
        equal(len(failed["failed"]), 8)
        equal({(one["path"], one["status"]) for one in failed["failed"]}, {("/fail", 500)})
        equal({one["status"] for one in of_route(document, "/items/{id}")["rejected"]}, {400})
        equal({one["status"] for one in of_route(document, "unmatched", "other")["rejected"]}, {404})
        shown = text(server)
        for line in ("GET /fail", "  failed", "  rejected", "  slowest", "/sleep/39"):
            check(line in shown, f"{line} in {shown}")


@case
def requests_in_flight_are_listed_with_their_age(backend):
    with running(backend, "--cores", "2") as server:
        with server.connect() as sleeping, server.connect() as sending:
            sleeping.send(request(f"/sleep/60000?token={SECRET}"))
            sending.send(request("/echo", "POST", body=b"x" * 100)[:-50])
            check(soon(lambda: len(report(server)["in_flight"]) == 2), report(server))
            found = {one["route"]: one for one in report(server)["in_flight"]}
            equal({(one["method"], one["path"], one["state"]) for one in found.values()},
                  {("GET", "/sleep/60000", "handling"), ("POST", "/echo", "receiving")})
            check(soon(lambda: all(one["age_ms"] > 50 for one in report(server)["in_flight"])), "age")
            equal(report(server)["in_flight_count"], 2)
            check("handling  GET /sleep/60000" in text(server), text(server))
            reset(sleeping)
            reset(sending)
        check(soon(lambda: report(server)["in_flight"] == []), "not ended")
        cancelled = of_route(report(server), "/sleep/{ms}")["slowest"]
        equal([(one["path"], one["status"]) for one in cancelled], [("/sleep/60000", 0)])
        done = threading.Thread(target=http2_clients.curl, args=(f"http://127.0.0.1:{server.port}/sleep/2000", None))
        done.start()
        check(soon(lambda: [one["path"] for one in report(server)["in_flight"]] == ["/sleep/2000"]), "HTTP/2")
        done.join()


@case
def a_blocked_core_is_named_with_its_request(backend):
    with running(backend, "--cores", "1") as server:
        with server.connect() as client:
            client.send(request("/block/3000", "POST", body=b""))
            check(soon(lambda: not report(server)["cores"][0]["answered"]), "the core answers")
            document = report(server)
            equal([(one["state"], one["route"], one["path"]) for one in document["in_flight"]],
                  [("blocking", "/block/{ms}", "/block/3000")])
            check(document["cores"][0]["busy_ms"] > 100, document)
            check("core 0 does not answer" in text(server), text(server))
            equal(client.answer().status, 200)
        check(soon(lambda: report(server)["cores"][0]["answered"]), "the core does not answer")
        slow, = of_route(report(server), "/block/{ms}", "POST")["slowest"]
        equal((slow["path"], slow["status"]), ("/block/3000", 200))
        check(slow["duration_ms"] >= 2990, slow)


@case
def secrets_and_hostile_bytes_are_not_shown(backend):
    with running(backend, "--access-log", log="info") as server:
        with server.connect() as client:
            client.send(request(f"/fail?password={SECRET}", "GET",
                                [f"Authorization: Bearer {SECRET}", f"Cookie: a={SECRET}"], SECRET.encode()))
            equal(client.answer().status, 500)
        with server.connect() as client:
            client.send(request("/none/%1b[31m\xff\xfe\"<script>" + "x" * 4000, "M" * 60))
            check(client.answer().status >= 400, "refused")
        with server.connect() as client:
            client.send(b"GET /none/\xff\xc3\x28 HTTP/1.1\r\nHost: x\r\n\r\n")
            check(client.answer().status >= 400, "refused")
        failed, = of_route(report(server), "/fail")["failed"]
        equal((failed["path"], failed["address"]), ("/fail", "127.0.0.1"))
        raw = get(server, "/debug/requests", ["Accept: application/json"]).body
        for body in (raw, text(server).encode()):
            check(SECRET.encode() not in body, "a secret is shown")
            check(all(byte >= 32 or byte == 10 for byte in body), "control characters")
            body.decode()
            check(len(body) < 5000, "a long path is not truncated")
    with running(backend) as server:
        server.get("/fail")
        equal("address" in of_route(report(server), "/fail")["failed"][0], False, "an address without an access log")


@case
def traced_requests_have_their_spans(backend):
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "TEST_UPSTREAM": "http://127.0.0.1:9"}
    with Server(backend, program="tracing", admin=LOOPBACK, environment=environment, log="error") as server:
        with server.connect() as client:
            client.send(request("/orders/7", fields=[f"traceparent: 00-{TRACE}-{SPAN}-01"]))
            client.answer()
        found = of_route(report(server), "/orders/{id}")
        one = (found["slowest"] + found["failed"])[0]
        equal(one["trace_id"], TRACE)
        spans = {span["name"]: span for span in one["spans"]}
        root = spans["GET /orders/{id}"]
        equal((root["parent"], spans["price"]["parent"], spans["select"]["parent"]),
              (SPAN, root["id"], spans["price"]["id"]))
        check(root["duration_ms"] >= spans["price"]["duration_ms"], one)
        check("select" in text(server), text(server))
        server.get("/fail")
        check(soon(lambda: of_route(report(server), "/fail")["failed"]), "reports are at most 100 ms old")
        equal([span["name"] for span in of_route(report(server), "/fail")["failed"][0]["spans"]], ["GET /fail"])


@case
def the_page_shows_them_in_a_browser(backend):
    if not chromium.is_there():
        return skip("chromium is not installed")
    with running(backend, "--cores", "2") as server, server.connect() as sleeping:
        for path in ("/fail?secret", "/items/x1", "/none/%3Cimg%20src=x%3E", "/sleep/30", "/items/1"):
            server.get(path)
        sleeping.send(request("/sleep/60000"))
        with chromium.Chromium("--window-size=400,900") as page:
            page.open(server.admin + "/debug")
            shown = lambda name: page.run(f"document.getElementById('{name}').innerText")
            check(soon(lambda: "GET /sleep/60000" in shown("in_flight")), page.run("document.body.innerText"))
            for name, texts in {"build": ["0.1.0", backend, "2 cores"], "slowest": ["GET /sleep/30"],
                                "failed": ["GET /fail", "500"], "rejected": ["/items/x1", "%3Cimg%20src=x%3E", "404"],
                                "routes": ["/items/{id}", "unmatched"], "tiles": ["serving", "uptime"]}.items():
                for each in texts:
                    check(each in shown(name), f"{each} in {shown(name)}")
            equal(page.run("[bytes(1023.4 * 1024), bytes(1024 ** 2), duration(999.7), duration(4.25)].join()"),
                  "1023 KiB,1.00 MiB,1000 ms,4.25 ms")
            check(page.run("place('cores').scrollWidth <= place('cores').clientWidth"), "a phone must scroll cores")
            check("secret" not in page.run("document.body.innerText"), "a query is shown")
            equal(page.run("document.getElementById('trouble').hidden"), True)
            server.process.send_signal(signal.SIGSTOP)
            check(soon(lambda: "No current data" in shown("trouble")), "an error of the server is not shown")
            server.process.send_signal(signal.SIGCONT)
            check(soon(lambda: page.run("document.getElementById('trouble').hidden")), "the page does not recover")
        reset(sleeping)


@case
def floods_of_failures_use_bounded_memory(backend):
    with running(backend) as server:
        with server.connect() as client:
            for n in range(3000):
                client.send(request(f"/none/{n}"))
                equal(client.answer().status, 404)
        found = of_route(report(server), "unmatched", "other")
        equal(len(found["rejected"]), 8)
        check(len(found["slowest"]) <= 8, found)


@case
def a_thousand_scrapes_at_once(backend):
    with running(backend, "--cores", "2") as server:
        server.get("/fail")
        with server.connect() as sleeping:
            sleeping.send(request("/sleep/60000"))
            check(soon(lambda: report(server)["in_flight"]), "not in flight")
            clients = [wire.Wire(address(server), timeout=60) for _ in range(1000)]
            for client in clients:
                client.send(request("/debug/requests", fields=["Accept: application/json"]))
            for n, client in enumerate(clients):
                document = json.loads(client.answer().body)
                equal(len(of_route(document, "/fail")["failed"]), 1, n)
                equal(len(document["in_flight"]), 1, n)
            equal(server.get("/items/3").body, b"3\n")
            for client in clients:
                client.socket.close()
            reset(sleeping)


if __name__ == "__main__":
    main()
