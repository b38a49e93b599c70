#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests streamed bodies in both directions: bytes, trailers, memory, upgrades, clients that disconnect."""

import os
import socket
import threading
import time

import wire
from cases import case, check, equal, main, unsanitized
from server import Server, soon
from wire import chunked, request

MIB = 1 << 20


def pattern(size):
    """Returns the content of a download of this size."""
    whole = bytes(range(251))
    return (whole * (size // 251 + 1))[:size]


@case
def a_streamed_answer(backend):
    with Server(backend) as server:
        for size in (0, 1, 16384, 16385, 300_000):
            with server.connect() as client:
                answer = client.get(f"/download/{size}")
                equal((answer.field("transfer-encoding"), answer.body == pattern(size)), ("chunked", True),
                      f"{size} bytes")
                equal(client.get("/").status, 200)
            with server.connect() as old:
                answer = old.get(f"/download/{size}", version="1.0", fields=["Connection: keep-alive"])
                equal((answer.field("transfer-encoding"), answer.field("content-length")), (None, None))
                equal(answer.body == pattern(size), True, f"{size} bytes to HTTP/1.0")


@case
def a_streamed_answer_that_fails_looks_cut(backend):
    with Server(backend) as server, server.connect() as client:
        client.send(request("/broken"))
        try:
            check(not client.rest().endswith(b"0\r\n\r\n"), "the answer looks whole")
        except ConnectionResetError:
            pass
        equal(server.get("/").status, 200)


@case
def trailers(backend):
    with Server(backend) as server, server.connect() as client:
        answer = client.get("/trailers")
        equal((answer.body, answer.trailers), (b"body\n", [("x-sum", "42")]))
        client.send(chunked("/trailers", [b"a", b"b" * 5000], ["X-First: 1", "X-Second:  two "]))
        equal(client.answer().body, b"X-First: 1\nX-Second: two\n")
        old = server.get("/trailers", version="1.0")
        equal((old.body, old.trailers), (b"body\n", []))


def echoed(server, path, framed, size):
    body = os.urandom(size)
    data = request(path, "POST", body=body)
    if framed:
        data = chunked(path, [body[at:at + 70_001] for at in range(0, size, 70_001)])
    with server.connect() as client:
        sender = threading.Thread(target=client.send, args=(data,))
        sender.start()
        answer = client.answer()
        sender.join()
        equal((answer.status, answer.body == body), (200, True), f"{path} of {size} bytes")
        equal(client.get("/").status, 200)


@case
def big_bodies_both_ways(backend):
    with Server(backend) as server:
        for path in ("/echo/huge", "/echo/pieces"):
            for framed in (False, True):
                echoed(server, path, framed, 20_000_000)


@unsanitized
@case
def memory_while_a_handler_reads_slowly(backend):
    with Server(backend) as server, server.connect(timeout=60) as client:
        # Makes the server allocate the memory that it keeps for reuse, so that this memory is not measured below.
        equal(client.post("/count", b"x" * MIB).body, b"%d\n" % MIB)
        before, most, size = server.resident(), 0, 200 * MIB
        client.send(request("/count/slowly", "POST", [f"Content-Length: {size}"]))
        for _ in range(200):
            client.send(b"x" * MIB)
            most = max(most, server.resident())
        equal(client.answer().body, b"%d\n" % size)
        check(most - before < 8 * MIB, f"the memory grew by {(most - before) / MIB:.1f} MiB")


@unsanitized
@case
def memory_while_a_client_does_not_read(backend):
    with Server(backend, limits="drain_rate=0") as server:
        server.get("/download/1000000")
        before = server.resident()
        with server.connect(receive_buffer=4096) as client:
            client.send(request("/download/1000000000"))
            client.head()
            time.sleep(1)
            grown = server.resident() - before
            check(grown < 8 * MIB, f"the memory grew by {grown / MIB:.1f} MiB")
            equal(server.get("/").status, 200)
        check(soon(lambda: server.cancelled() == 1), "the handler continues without its client")


@case
def a_client_that_leaves_without_a_reset_binds_its_handler_no_longer_than_others(backend):
    with Server(backend, limits="handler=700") as server:
        client = server.connect()
        client.send(request("/sleep/60000"))
        time.sleep(0.1)
        client.socket.close()  # looks like a half-close to the server
        time.sleep(0.1)
        equal(server.cancelled(), 0, "cancelled although the client may still read")
        check(soon(lambda: server.cancelled() == 1, 5), "not cancelled by the deadline")
        with server.connect() as client:
            client.send(request("/download/1000000000"))
            client.head()
        check(soon(lambda: server.cancelled() == 2, 5), "not cancelled by a failed write")


@case
def a_client_that_resets_cancels_its_handler(backend):
    with Server(backend) as server:
        client = server.connect()
        client.send(request("/sleep/60000"))
        time.sleep(0.1)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.socket.close()
        check(soon(lambda: server.cancelled() == 1, 1), "not cancelled within 1 s")


@case
def an_upload_that_breaks_off(backend):
    with Server(backend) as server:
        for path in ("/count", "/echo", "/echo/pieces"):
            with server.connect() as client:
                client.send(request(path, "POST", ["Content-Length: 1000"]) + b"half")
                time.sleep(0.05)
        equal(server.get("/").status, 200)


ASKS = ["Connection: Upgrade", "Upgrade: echo"]


@case
def upgrade(backend):
    with Server(backend) as server, server.connect() as client:
        client.send(request("/upgrade", fields=ASKS) + b"early")
        head = client.answer()
        equal((head.status, head.field("upgrade").lower(), head.field("connection").lower()), (101, "echo", "upgrade"))
        equal(client.exactly(13), b"welcome\nearly")
        for size in (1, 1000, 300_000):
            data = os.urandom(size)
            sender = threading.Thread(target=client.send, args=(data,))
            sender.start()
            equal(client.exactly(size) == data, True, f"{size} bytes echoed")
            sender.join()
        client.send(b"bye\n")
        equal(client.rest(), b"goodbye\n")


@case
def upgrade_that_the_client_half_closes(backend):
    with Server(backend) as server, server.connect() as client:
        client.send(request("/upgrade", fields=ASKS))
        equal(client.answer().status, 101)
        client.send(b"data")
        equal(client.exactly(12), b"welcome\ndata")
        client.half_close()
        equal(client.rest(), b"goodbye\n")


@case
def upgrade_that_is_not_asked_for(backend):
    with Server(backend) as server, server.connect() as client:
        for fields in ([], ["Upgrade: echo"], ["Connection: Upgrade", "Upgrade: other"]):
            answer = client.get("/upgrade", fields=fields)
            equal((answer.status, answer.field("upgrade")), (426, "echo"), repr(fields))
        equal(client.get("/", fields=ASKS).status, 200, "a path without an upgrade")


if __name__ == "__main__":
    main()
