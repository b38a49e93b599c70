#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests requests and responses: keep-alive, pipelining, versions, HEAD, Expect, errors."""

import email.utils
import time

import wire
from cases import case, check, equal, main
from server import Server, soon
from wire import chunked, request


@case
def keep_alive(backend):
    with Server(backend) as server, server.connect() as client:
        for number in range(50):
            answer = client.get(f"/query?{number}")
            equal((answer.status, answer.body), (200, b"%d\n" % number))
            equal(answer.field("connection"), None, "connection")


@case
def date_is_there_and_right(backend):
    with Server(backend) as server, server.connect() as client:
        seen = []
        for path in ("/", "/nowhere", "/fails", "/download/5"):
            date = client.get(path).field("date")
            check(date and date.endswith(" GMT"), f"{path}: the date is {date!r}")
            seen.append(email.utils.parsedate_to_datetime(date).timestamp())
        check(all(abs(s - time.time()) < 5 for s in seen), f"dates {seen} at {time.time()}")
        time.sleep(1.1)
        later = email.utils.parsedate_to_datetime(client.get("/").field("date")).timestamp()
        check(later > seen[0], "the date does not advance")


def pipeline(backend, size):
    with Server(backend) as server, server.connect() as client:
        client.send(b"".join(request(f"/query?{n}") for n in range(size)))
        equal([client.answer().body for _ in range(size)], [b"%d\n" % n for n in range(size)])
        check(client.silent(0.05), "more answers than requests")


@case
def pipeline_of_16(backend):
    pipeline(backend, 16)


@case
def pipeline_of_100(backend):
    pipeline(backend, 100)


@case
def pipeline_of_5000_to_a_client_that_reads_late(backend):
    with Server(backend) as server, server.connect() as client:
        client.socket.settimeout(20)
        requests = b"".join(request(f"/big/{n}") for n in range(0, 5000, 10))
        client.send(requests)
        time.sleep(0.3)
        equal([len(client.answer().body) for _ in range(500)], list(range(0, 5000, 10)))


MIXED = [
    (request("/"), 200, b"ok\n"),
    (request("/sleep/30"), 200, b"slept\n"),
    (request("/download/100000"), 200, bytes(n % 251 for n in range(100000))),
    (request("/nowhere"), 404, None),
    (request("/echo", "POST", body=b"body"), 200, b"body"),
    (chunked("/echo", [b"in ", b"two"]), 200, b"in two"),
    (chunked("/count", [b"x" * 1000] * 20), 200, b"20000\n"),
    (request("/ignored", "POST", body=b"y" * 5000), 200, b"not read\n"),
    (chunked("/trailers", [b"z"], ["X-Sum: 1"]), 200, b"X-Sum: 1\n"),
    (request("/fails"), 418, None),
    (request("/echo/pieces", "POST", body=b"w" * 70000), 200, b"w" * 70000),
    (request("/throws"), 500, None),
    (request("/nowhere", "POST", body=b"GET / HTTP/1.1\r\n\r\n"), 404, None),
    (request("/"), 200, b"ok\n"),
]


def check_mixed(client, times):
    for _ in range(times):
        for data, status, body in MIXED:
            answer = client.answer()
            equal(answer.status, status, repr(data[:40]))
            if body is not None:
                equal(answer.body, body, repr(data[:40]))


@case
def pipeline_of_all_kinds(backend):
    with Server(backend) as server, server.connect() as client:
        client.send(b"".join(data for data, _, _ in MIXED) * 3)
        check_mixed(client, 3)
        check(client.silent(0.05), "more answers than requests")


@case
def pipeline_of_all_kinds_in_small_pieces(backend):
    with Server(backend) as server, server.connect() as client:
        data = b"".join(data for data, _, _ in MIXED)
        for at in range(0, len(data), 997):
            client.send(data[at:at + 997])
            time.sleep(0.0005)
        check_mixed(client, 1)


@case
def head_has_the_fields_of_get(backend):
    with Server(backend) as server, server.connect() as client:
        for path in ("/", "/big/100000", "/download/100000", "/nowhere", "/sleep/1"):
            got = client.get(path)
            head = client.get(path, method="HEAD")
            equal(head.status, got.status, path)
            names = ("content-length", "content-type", "transfer-encoding")
            equal([head.field(n) for n in names], [got.field(n) for n in names], path)
        equal(client.get("/").body, b"ok\n", "the answer after HEAD")


@case
def options(backend):
    with Server(backend) as server, server.connect() as client:
        answer = client.get("/echo", method="OPTIONS")
        check(answer.status in (200, 204), f"{answer}")
        equal(sorted(answer.field("allow").split(", ")), ["OPTIONS", "POST"])
        check(client.get("*", method="OPTIONS").status in (200, 204), "OPTIONS *")
        wrong = client.get("/", method="DELETE")
        equal((wrong.status, sorted(wrong.field("allow").split(", "))), (405, ["GET", "HEAD", "OPTIONS"]))
        equal(client.get("/", method="BREW").status in (405, 501), True)


@case
def absolute_form(backend):
    with Server(backend) as server, server.connect() as client:
        equal(client.get("http://example.org/query?a=1").body, b"a=1\n")
        equal(client.get("http://example.org").body, b"ok\n")


@case
def http_1_0(backend):
    with Server(backend) as server:
        with server.connect() as client:
            answer = client.get("/", version="1.0")
            equal((answer.status, answer.body), (200, b"ok\n"))
            check(client.ended(), "open after HTTP/1.0 without keep-alive")
        with server.connect() as client:
            for _ in range(3):
                answer = client.get("/", version="1.0", fields=["Connection: keep-alive"])
                equal((answer.status, answer.field("connection")), (200, "keep-alive"))


@case
def connection_close(backend):
    with Server(backend) as server, server.connect() as client:
        answer = client.get("/", fields=["Connection: close"])
        equal((answer.status, answer.closes), (200, True))
        check(client.ended(), "open after `Connection: close`")


@case
def expect_continue_when_the_body_is_wanted(backend):
    with Server(backend) as server:
        for path, answer in (("/echo", b"body"), ("/count", b"4\n"), ("/echo/pieces", b"body")):
            with server.connect() as client:
                client.send(request(path, "POST", ["Expect: 100-continue", "Content-Length: 4"]))
                equal(client.answer().status, 100, path)
                client.send(b"body")
                final = client.answer()
                equal((final.status, final.body), (200, answer), path)
                equal(client.get("/").status, 200, f"the request after {path}")


@case
def expect_continue_with_the_body_at_once(backend):
    with Server(backend) as server, server.connect() as client:
        client.send(request("/echo", "POST", ["Expect: 100-continue"], body=b"body"))
        answer = client.answer()
        answer = client.answer() if answer.status == 100 else answer
        equal((answer.status, answer.body), (200, b"body"))


@case
def expect_continue_when_the_body_is_not_wanted(backend):
    with Server(backend, limits="body=1000") as server:
        for path, size, status in (("/nowhere", 4, 404), ("/ignored", 4, 200), ("/echo", 5000, 413), ("/", 4, 405)):
            with server.connect() as client:
                client.send(request(path, "POST", ["Expect: 100-continue", f"Content-Length: {size}"]))
                answer = client.answer()
                equal((answer.status, answer.closes), (status, True), path)
                check(client.ended(), f"{path}: open, although a body may follow")


@case
def errors_are_problem_documents(backend):
    with Server(backend) as server, server.connect() as client:
        for path, status in (("/fails", 418), ("/nowhere", 404), ("/throws", 500), ("/sleep/abc", 400)):
            answer = client.get(path)
            equal((answer.status, answer.field("content-type")), (status, "application/problem+json"), path)
            check(b"secret" not in answer.body, "the response contains a secret")
        check(soon(lambda: "a secret" in server.errors()), "the exception of a handler is not in the log")


@case
def half_close_after_a_request(backend):
    with Server(backend) as server:
        for path, size, times in (("/", 3, 3), ("/big/3000000", 3_000_000, 1)):
            with server.connect() as client:
                client.send(request(path) * times)
                client.half_close()
                equal([len(client.answer().body) for _ in range(times)], [size] * times, path)
                check(client.ended(), "open after the client's end")


@case
def peer(backend):
    with Server(backend, listen=["127.0.0.1:0", "[::1]:0"]) as server:
        equal(server.get("/peer").body, b"127.0.0.1\n")
        with wire.Wire(("::1", int(server.urls[1].rsplit(":", 1)[1]))) as client:
            equal(client.get("/peer").body, b"::1\n")


@case
def many_connections_at_once(backend):
    with Server(backend, "--cores", "2") as server:
        clients = [server.connect() for _ in range(300)]
        for number, client in enumerate(clients):
            client.send(request(f"/query?{number}"))
        equal([client.answer().body for client in clients], [b"%d\n" % n for n in range(300)])
        for client in clients:
            client.socket.close()


if __name__ == "__main__":
    main()
