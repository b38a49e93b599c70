#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests every limit of apus::limits: input just within a limit passes, input beyond it gets the response that
limits.hpp documents, and the next client is served without delay."""

import time

import wire
from cases import case, check, equal, main
from server import Server, soon
from wire import request

SMALL = "request_line=256,fields=8,field_bytes=1024,body=1000"


def served(server):
    """Checks that another client gets a response within 5 s."""
    began = time.monotonic()
    equal(server.get("/").status, 200, "the next client's status")
    check(time.monotonic() - began < 5, "the next client had to wait")


def refused(server, data, status):
    """Checks that these bytes get a response with this status, and that the connection is closed."""
    with server.connect() as client:
        client.send(data)
        answer = client.answer()
        equal(answer.status, status, repr(data[:60]))
        check(answer.closes, f"no `Connection: close` in {answer}")
        equal(answer.field("content-type"), "application/problem+json")
        check(client.ended(), f"the connection stays open after {status}")
    served(server)


def taken(server, data, body=None):
    """Checks that these bytes get a 200, and that the connection stays open."""
    with server.connect() as client:
        client.send(data)
        answer = client.answer()
        equal(answer.status, 200, repr(data[:60]))
        if body is not None:
            equal(answer.body, body)
        equal(client.get("/").status, 200, "the next request's status")


@case
def request_line(backend):
    with Server(backend, limits=SMALL) as server:
        around = len(b"GET /query? HTTP/1.1\r\n")
        taken(server, request("/query?" + "x" * (256 - around)), b"x" * (256 - around) + b"\n")
        refused(server, request("/query?" + "x" * (257 - around)), 414)
        refused(server, b"GET /" + b"x" * 300, 414)


@case
def fields(backend):
    with Server(backend, limits=SMALL) as server:
        taken(server, request("/", fields=[f"x-{n}: 1" for n in range(7)]))  # one more field is Host
        refused(server, request("/", fields=[f"x-{n}: 1" for n in range(8)]), 431)


@case
def field_bytes(backend):
    with Server(backend, limits=SMALL) as server:
        around = len(b"Host: localhost\r\nx: \r\n")
        taken(server, request("/", fields=["x: " + "y" * (1024 - around)]))
        refused(server, request("/", fields=["x: " + "y" * (1024 + 2 + 1 - around)]), 431)
        refused(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nx: " + b"y" * 1100, 431)


@case
def trailer_fields(backend):
    with Server(backend, limits=SMALL) as server:
        eight = [f"x-{n}: 1" for n in range(8)]
        taken(server, wire.chunked("/trailers", [b"body"], eight), "".join(f"{line}\n" for line in eight).encode())
        refused(server, wire.chunked("/trailers", [b"body"], eight + ["x-8: 1"]), 431)


@case
def body(backend):
    with Server(backend, limits=SMALL) as server:
        for path, answer in (("/echo", b"b" * 1000), ("/count/little", b"1000\n")):
            taken(server, request(path, "POST", body=b"b" * 1000), answer)
            taken(server, wire.chunked(path, [b"b" * 500, b"b" * 500]), answer)
            refused(server, request(path, "POST", body=b"b" * 1001), 413)
            refused(server, wire.chunked(path, [b"b" * 500, b"b" * 501]), 413)
        refused(server, request("/echo", "POST", ["Expect: 100-continue", "Content-Length: 1001"]), 413)


@case
def body_of_one_route(backend):
    with Server(backend, limits=SMALL) as server:
        taken(server, request("/echo/wide", "POST", body=b"b" * 5000), b"b" * 5000)
        refused(server, request("/echo/wide", "POST", body=b"b" * 5001), 413)
        refused(server, wire.chunked("/echo/wide", [b"b" * 4000, b"b" * 1001]), 413)


@case
def time_for_the_head(backend):
    with Server(backend, limits="head=500") as server, server.connect() as client:
        began = time.monotonic()
        client.send(b"GET / HTTP/1.1\r\n")
        time.sleep(0.2)
        client.send(b"Host: localhost\r\n")
        answer = client.answer()
        seconds = time.monotonic() - began
        equal(answer.status, 408)
        check(0.45 <= seconds < 5, f"408 after {seconds:.2f} s of 0.5")
        check(client.ended(), "open after 408")
        served(server)


@case
def deferred_connections(backend):
    """The kernel delays the accept of a silent connection by about a second. Then the deadline of heads applies."""
    with Server(backend, "--defer-accept", limits="head=500") as server, server.connect() as silent:
        began = time.monotonic()
        served(server)
        with server.connect() as slow:
            slow.send(b"GET / HT")
            equal(slow.answer().status, 408)
            check(slow.ended(), "open after a 408")
        check(silent.ended(), "a silent connection stays open")
        check(time.monotonic() - began < 5, "the silent connection was closed late")


@case
def time_for_the_head_is_enough(backend):
    with Server(backend, limits="head=3000") as server, server.connect() as client:
        for byte in request("/"):
            client.send(bytes([byte]))
            time.sleep(0.005)
        equal(client.answer().status, 200)


@case
def idle(backend):
    with Server(backend, limits="idle=1500") as server, server.connect() as client:
        for _ in range(4):
            began = time.monotonic()
            equal(client.get("/").status, 200)
            time.sleep(0.4)
        check(client.ended(), "the connection was not closed")
        check(1.45 <= time.monotonic() - began < 6, f"closed after {time.monotonic() - began:.2f} s of 1.5")
        served(server)


@case
def handler(backend):
    with Server(backend, limits="handler=500") as server, server.connect() as client:
        equal(client.get("/sleep/100").status, 200)
        began = time.monotonic()
        answer = client.get("/sleep/60000")
        equal(answer.status, 503)
        check(0.45 <= time.monotonic() - began < 5, f"503 after {time.monotonic() - began:.2f} s of 0.5")
        check(client.ended(), "open after 503")
        equal(server.cancelled(), 1, "cancelled handlers")
        served(server)


@case
def handler_of_one_route(backend):
    with Server(backend, limits="handler=500") as server, server.connect() as client:
        equal(client.get("/patient/1200").status, 200)
        equal(client.get("/hasty/10").status, 200)
        equal(client.get("/hasty/60000").status, 503)


def _push(client, rate, seconds):
    """Sends this many bytes per second. Returns the response, if one arrives before the end."""
    for _ in range(int(seconds * 20)):
        client.send(b"b" * (rate // 20))
        client.socket.settimeout(0.05)
        try:
            return client.answer()
        except TimeoutError:
            continue
    return None


@case
def body_rate(backend):
    limits = "body_rate=1000,rate_window=500"
    with Server(backend, limits=limits) as server:
        for path in ("/echo", "/count"):
            with server.connect() as client:
                client.send(request(path, "POST", ["Content-Length: 100000"]))
                answer = _push(client, 200, 5)
                check(answer and answer.status == 408, f"{path}: {answer} for a slow body")
                check(client.ended(), "open after 408")
            with server.connect() as client:
                client.send(request(path, "POST", ["Content-Length: 20000"]))
                answer = _push(client, 8000, 10)
                check(answer and answer.status == 200, f"{path}: {answer} for a body in time")
            served(server)


@case
def body_rate_of_one_route(backend):
    with Server(backend, limits="body_rate=1000,rate_window=500") as server, server.connect() as client:
        client.send(request("/echo/patient", "POST", ["Content-Length: 200"]))
        answer = _push(client, 100, 5)
        check(answer and answer.status == 200, f"{answer} for a slow body that the route permits")


@case
def body_rate_asks_nothing_while_the_handler_rests(backend):
    with Server(backend, limits="body_rate=1000,rate_window=200") as server, server.connect() as client:
        client.send(request("/ignored", "POST", body=b"b" * 100))
        equal(client.answer().status, 200)
        equal(client.get("/sleep/700").status, 200, "a handler that works after the body has arrived")


@case
def drain_rate(backend):
    limits = "drain_rate=50000,rate_window=500"
    with Server(backend, limits=limits) as server:
        for path in ("/big/30000000", "/download/30000000"):
            with server.connect(receive_buffer=4096) as client:
                client.send(request(path))
                began = time.monotonic()
                client.head()
                time.sleep(2.5)  # the client reads nothing more
                try:
                    check(len(client.rest()) < 30_000_000, f"{path}: the whole body arrived")
                except ConnectionResetError:
                    pass
                check(time.monotonic() - began < 15, f"{path}: the connection ended late")
            served(server)
        check(soon(lambda: server.cancelled() == 1), "the handler that writes was not cancelled")


@case
def drain_rate_that_is_enough(backend):
    with Server(backend, limits="drain_rate=50000,rate_window=500") as server:
        for path in ("/big/3000000", "/download/3000000"):
            with server.connect(receive_buffer=65536) as client:
                client.send(request(path))
                answer = client.head()
                size = 0
                while size < 3_000_000 and answer.status == 200:
                    got = len(client.take(100_000))
                    check(got, f"{path}: cut after {size} bytes")
                    size += got
                    time.sleep(0.05)


@case
def connections(backend):
    with Server(backend, limits="connections=20") as server:
        clients = [server.connect() for _ in range(20)]
        for client in clients:
            equal(client.get("/").status, 200)
        with server.connect() as late:
            check(late.ended(), "the 21st connection stays open")
        equal(clients[0].get("/").status, 200, "a connection within the limit")
        clients.pop().socket.close()
        check(soon(lambda: _is_served(server)), "no place after one was left")
        for client in clients:
            client.socket.close()


def _is_served(server):
    try:
        return server.get("/").status == 200
    except (wire.Closed, ConnectionError):
        return False


@case
def connections_per_address(backend):
    listen = ["127.0.0.1:0", "[::1]:0"]
    with Server(backend, limits="connections_per_address=10", listen=listen) as server:
        clients = [server.connect() for _ in range(10)]
        for client in clients:
            equal(client.get("/").status, 200)
        with server.connect() as late:
            check(late.ended(), "the 11th connection of an address stays open")
        with wire.Wire(("::1", int(server.urls[1].rsplit(":", 1)[1]))) as other:
            equal(other.get("/").status, 200, "another address")
        clients.pop().socket.close()
        check(soon(lambda: _is_served(server)), "no place after one was left")
        for client in clients:
            client.socket.close()


@case
def requests_per_connection(backend):
    with Server(backend, limits="requests_per_connection=5") as server, server.connect() as client:
        for number in range(1, 6):
            answer = client.get("/")
            equal((answer.status, answer.closes), (200, number == 5), f"request {number}")
        check(client.ended(), "open after the last request")
        with server.connect() as pipelining:
            pipelining.send(request("/") * 8)
            equal([pipelining.answer().status for _ in range(5)], [200] * 5)
            check(pipelining.ended(), "open after the last request")


if __name__ == "__main__":
    main()
