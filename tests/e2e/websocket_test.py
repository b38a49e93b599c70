#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests WebSockets: frames split at any point, protocol violations, rooms across cores, a server that stops."""

import json

import cases
import server
from cases import case, check, equal
from server import Server, soon
from sockets import BINARY, CLOSE, FINAL, PING, PONG, Socket, TEXT, close, frame
from tls_wire import SecureServer

for name in ("echo", "chat", "calling"):
    server.PROGRAMS[name] = server.BUILD / "bin" / name

EURO = "\u20ac".encode()
WHOLE = FINAL | TEXT

# Cases of sections 1 to 7 of the Autobahn test suite: the bytes that the client sends, then the frames or the close
# code that it receives.
ECHOED = [
    [frame(WHOLE, b"x" * size), (WHOLE, b"x" * size)] for size in (0, 1, 125, 126, 127, 65535, 65536, 300_000)
] + [
    [frame(FINAL | BINARY, bytes(range(256))), (FINAL | BINARY, bytes(range(256)))],
    [frame(FINAL | PING, b"p" * 125), (FINAL | PONG, b"p" * 125)],
    [frame(FINAL | PONG, b"") + frame(WHOLE, b"a"), (WHOLE, b"a")],
    [frame(TEXT, b"a") + frame(FINAL | PING) + frame(0, EURO[:1]) + frame(FINAL, EURO[1:]), (FINAL | PONG, b""),
     (WHOLE, b"a" + EURO)],
    [b"".join(frame(WHOLE, b"%d" % i) for i in range(100)), *((WHOLE, b"%d" % i) for i in range(100))],
]
REFUSED = [
    (1002, frame(WHOLE, b"a", masked=False)), (1002, frame(0xc1, b"a")), (1002, frame(0x91, b"a")),
    (1002, frame(0x83, b"a")),
    (1002, frame(0x8b)), (1002, frame(PING)), (1002, frame(FINAL | PING, b"p" * 126)), (1002, frame(FINAL, b"a")),
    (1002, frame(TEXT, b"a") + frame(WHOLE, b"b")), (1002, frame(FINAL | CLOSE, b"a")), (1002, close(999)),
    (1002, close(1006)),
    (1002, b"\x81\xfe\x00\x01aaaa"), (1007, frame(WHOLE, b"\xff")), (1007, frame(TEXT, EURO[:2]) + frame(FINAL, b"a")),
    (1007, close(1000, b"\xff")), (1009, frame(FINAL | BINARY, b"x" * 1_100_000)[:1000]),
    (1000, close(1000)), (3999, close(3999, b"why")), (1005, frame(FINAL | CLOSE)),
]


@case
def messages_come_back(backend):
    with Server(backend, program="echo") as here, Socket(here, "/ws") as client:
        equal(client.answer.status, 101)
        for sent, *wanted in ECHOED:
            client.send(sent)
            for each in wanted:
                equal(client.frame(), each)
        client.send(close(1000))
        equal(client.closed(), 1000)


@case
def messages_byte_by_byte(backend):
    with Server(backend, program="echo") as here, Socket(here, "/ws") as client:
        for sent, *wanted in ECHOED:
            if len(sent) > 300:
                continue
            for at in range(len(sent)):
                client.send(sent[at:at + 1])
            for each in wanted:
                equal(client.frame(), each)


@case
def what_breaks_the_protocol_is_closed_with_a_code(backend):
    with Server(backend, program="echo") as here:
        for code, sent in REFUSED:
            with Socket(here, "/ws") as client:
                client.send(sent)
                equal(client.closed(), code, repr(sent[:40]))


@case
def pages_of_others_may_not_connect(backend):
    with Server(backend, program="echo") as here:
        for origin, status in (("http://localhost", 101), ("https://evil.example", 403), ("null", 403)):
            with Socket(here, "/ws", [f"Origin: {origin}"]) as client:
                equal(client.answer.status, status, origin)
        equal(here.get("/ws").status, 426)


@case
def rooms_span_cores(backend):
    with Server(backend, "--cores", "2", program="chat") as here:
        members = [Socket(here, "/chat/hall") for _ in range(20)]
        other = Socket(here, "/chat/cellar")
        # A member that receives its own message has joined the room. Then a member sends a message to all members, on
        # both cores.
        for number, member in enumerate(members):
            member.send(frame(WHOLE, b"%d is here" % number))
            while member.frame() != (WHOLE, b"%d is here" % number):
                pass
        members[7].send(frame(WHOLE, b"hello all"))
        for member in members:
            while member.frame() != (WHOLE, b"hello all"):
                pass
        other.send(frame(WHOLE, b"alone"))
        equal(other.frame(), (WHOLE, b"alone"))
        for client in (*members, other):
            client.socket.close()


@case
def a_client_of_ours_over_tls(backend):
    with SecureServer(backend) as there:
        asks = {"ECHO": f"wss://localhost:{there.port}/ws", "AUTHORITIES": str(there.authority.file)}
        with Server(backend, program="calling", environment=asks) as here:
            equal((here.get("/ask/hello").status, here.get("/ask/" + "x" * 5000).body), (200, b"x" * 5000))
        with Server(backend, program="calling", environment=asks | {"AUTHORITIES": ""}, log="warn,json") as here:
            answer = here.get("/ask/hello")
            equal((answer.status, b"certificate" in answer.body), (502, False))
            check(soon(here.errors), "the cause is not logged")
            record = json.loads(here.errors())
            equal([record[key] for key in ("msg", "status", "method", "target", "route")],
                  ["request failed", 502, "GET", "/ask/hello", "/ask/{text}"])
            check("certificate is not trusted" in record["reason"], f"the reason: {record['reason']}")


@case
def a_server_that_stops_says_so(backend):
    with Server(backend, program="echo") as here, Socket(here, "/ws") as client:
        client.send(frame(WHOLE, b"a"))
        equal(client.frame(), (WHOLE, b"a"))
        here.signal()
        first, payload = client.frame()
        equal((first, payload[:2]), (FINAL | CLOSE, b"\x03\xe9"))
        client.send(close(1001))
        equal(client.rest(), b"")
        equal(here.wait(), 0)
        check(not here.errors().strip(), here.errors())


if __name__ == "__main__":
    cases.main()
