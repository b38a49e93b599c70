#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests slow, broken and hostile handshakes: each ends, and the next client is served."""

import functools
import os
import resource
import socket
import ssl
import time

import wire
from cases import SANITIZED, case, check, equal, main, unsanitized
from server import soon
from tls_wire import SecureServer

ALERT, HANDSHAKE = 21, 22
PROTOCOL_VERSION, HANDSHAKE_FAILURE = 70, 40


def record(kind, payload, version=0x0301):
    return bytes([kind]) + version.to_bytes(2, "big") + len(payload).to_bytes(2, "big") + payload


@functools.cache
def client_hello():
    """Returns the first bytes that a TLS client sends."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    try:
        context.wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def old_hello(version):
    """Returns a ClientHello without extensions that offers at most this version."""
    body = version.to_bytes(2, "big") + os.urandom(32) + b"\0" + b"\x00\x06\xc0\x14\x00\x2f\x00\x05" + b"\x01\x00"
    return record(HANDSHAKE, b"\x01" + len(body).to_bytes(3, "big") + body, min(version, 0x0301))


# Bytes that are not the beginning of a handshake, and handshakes that fail.
RUBBISH = [
    record(HANDSHAKE, b"\x01\xff\xff\xff\xff"),
    record(HANDSHAKE, b"\x01\x02\x00\x00" + b"\0" * 16000) * 9,  # a ClientHello of 128 KiB
    b"\x16\x03\x01\xff\xff" + b"\xff" * 70_000,
    b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10" + b"\0" * 37,  # the beginning of an SSL 2.0 handshake
    client_hello()[:-1] + b"\x17\x03\x03\x00\x05hello",
    client_hello() + record(23, b"\0" * 40, 0x0303),
    client_hello() + client_hello(),
    client_hello() + record(ALERT, b"\x02\x28"),
    record(ALERT, b"\x01\x5a") * 2000,
    record(HANDSHAKE, b"") * 200,
    record(20, b"\x01"),
    b"SSH-2.0-OpenSSH_9.2\r\n",
    b"\0" * 5000,
    os.urandom(300),
]


def sends(server, data):
    """Returns a client that has sent these bytes, as far as the server accepted them."""
    client = wire.Wire(("127.0.0.1", server.port))
    try:
        client.send(data)
    except ConnectionError:
        pass
    return client


def beneath(client):
    """Returns the same connection without its TLS layer."""
    bare = wire.Wire.__new__(wire.Wire)
    bare.socket, bare.unread = socket.socket(fileno=os.dup(client.socket.fileno())), b""
    return bare


@case
def what_is_no_handshake_ends(backend):
    with SecureServer(backend, limits="handshake=60000") as server:
        for rubbish in RUBBISH:
            with sends(server, rubbish) as client:
                check(client.ended(10), f"{rubbish[:20]!r} of {len(rubbish)} bytes do not end the connection")
        equal(server.get("/").status, 200)


@case
def http_on_a_port_of_https_is_told_so(backend):
    with SecureServer(backend) as server:
        for method, path in (("GET", "/"), ("POST", "/echo"), ("DELETE", "/"), ("PRI", "*")):
            with wire.Wire(("127.0.0.1", server.port)) as client:
                client.send(wire.request(path, method))
                answer = client.answer()
                equal((answer.status, answer.field("content-type")), (400, "application/problem+json"), method)
                check(client.ended(10), "it stays open")


@case
def old_versions_get_an_alert_that_says_so(backend):
    with SecureServer(backend) as server:
        for version in (0x0300, 0x0301, 0x0302):
            with sends(server, old_hello(version)) as client:
                kind, *_, level, why = client.exactly(7)
                equal((kind, level, why), (ALERT, 2, PROTOCOL_VERSION if version > 0x0300 else HANDSHAKE_FAILURE),
                      hex(version))
                check(client.ended(10), "it stays open")
        with sends(server, old_hello(0x0009)) as client:
            check(client.ended(10), "the server accepts version 0.9")


@case
def a_handshake_that_takes_too_long_is_cut(backend):
    with SecureServer(backend, limits="hello=300,handshake=400") as server:
        hello = client_hello()
        for client in [sends(server, beginning) for beginning in (b"", hello[:1], hello[:100], hello)]:
            with client:
                check(client.ended(10), "the connection stays open")
        with wire.Wire(("127.0.0.1", server.port)) as client:  # single bytes do not extend the timeout
            given = 0
            while not client.ended(0.05):
                check(given < 60, "each byte extends the timeout")
                try:
                    client.send(hello[given:given + 1])
                except ConnectionError:
                    break
                given += 1
        with server.connect() as late:
            equal(late.get("/").status, 200)
            check(not late.ended(0.6), "the deadline applies after the handshake")
            late.socket.settimeout(wire.PATIENCE)
            equal(late.get("/").status, 200)


@case
def silence_ends_sooner_than_a_handshake_that_has_begun(backend):
    with SecureServer(backend, limits="hello=300,handshake=60000") as server:
        with sends(server, client_hello()[:1]) as begun, sends(server, b"") as silent:
            check(silent.ended(10), "a silent connection stays open")
            check(not begun.ended(0.6), "a handshake in progress is aborted")


@case
def handshakes_in_progress_are_bounded_and_the_oldest_gives_way(backend):
    with SecureServer(backend, limits="handshakes=20,handshake=60000") as server:
        waiting = []
        for count in range(60):
            waiting.append(sends(server, client_hello()[:100]))
            if count >= 20:
                check(waiting[count - 20].ended(10), f"handshake {count - 20} continues after {count}")
        check(not any(client.ended(0.01) for client in waiting[-20:]), "one of the newest was closed")
        for _ in range(30):
            check(not server.refuses(), "a client that completes its handshake is refused")
        for client in waiting:
            client.socket.close()


@case
def honest_clients_get_in_among_those_that_hold_on(backend):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    longest = 10 if SANITIZED else 1
    with SecureServer(backend, limits="hello=60000,handshake=60000") as server:
        for beginning in (b"", client_hello()[:100], client_hello()):
            held = [sends(server, beginning) for _ in range(1200)]  # limits::handshakes is 1,000
            check(not server.refuses(), "the first client is refused")  # waits until all handshakes have begun
            waits = []
            for _ in range(30):
                began = time.monotonic()
                with server.connect() as client:
                    equal(client.get("/").status, 200)
                waits.append(time.monotonic() - began)
            check(max(waits) < longest, f"{max(waits):.2f} s beside connections that have sent {len(beginning)} bytes")
            for client in held:
                client.socket.close()


@unsanitized
@case
def half_handshakes_cost_little_and_give_way(backend):
    with SecureServer(backend, limits="handshakes=500,handshake=1500") as server:
        equal(server.get("/").status, 200)
        before = server.resident()
        waiting = [sends(server, client_hello()) for _ in range(500)]
        check(server.resident() < before + (64 << 20), "half a handshake takes more than 128 KB")
        check(all(client.ended() for client in waiting), "some connections stay open")
        for client in waiting:
            client.socket.close()
        check(soon(lambda: not server.refuses()), "new clients are still refused")


@case
def broken_records_end_a_connection_and_no_other(backend):
    broken = (b"\x17\x03\x03\x00\x20" + b"x" * 32, b"\x17\x03\x03\xff\xff", b"\x17\x03\x03\x41\x01" + b"x" * 16641,
              b"GET / HTTP/1.1\r\n\r\n",
              client_hello())  # a second handshake on the connection
    with SecureServer(backend) as server, server.connect() as other:
        for _, context in server.each_version():
            for garbage in broken:
                with server.connect(context) as client:
                    client.get("/")
                    with beneath(client) as bare:
                        bare.send(garbage)
                        check(bare.ended(10), f"{garbage[:10]!r} does not end the connection")
                equal(other.get("/").status, 200)


if __name__ == "__main__":
    main()
