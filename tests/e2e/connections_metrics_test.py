#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests metrics of connections: their states."""

import contextlib
import socket

import h2_wire
from administration import LOOPBACK, running, scrape
from cases import case, check, equal, main
from server import soon
from tls_wire import SecureServer
from wire import request

UPGRADE = ["Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]


def states(server):
    """Returns the open connections by protocol and state, without those of which there are none."""
    found = scrape(server).series("apus_connections")
    return {tuple(value for _, value in labels): count for labels, count in found.items() if count}


def until(server, wanted):
    check(soon(lambda: states(server) == wanted), f"{states(server)}, wanted {wanted}")


@case
def connections_have_a_protocol_and_a_state(backend):
    with running(backend, "--cores", "2") as server, contextlib.ExitStack() as clients:
        until(server, {})
        first, second, third = (clients.enter_context(server.connect()) for _ in range(3))
        until(server, {("http1", "idle"): 3})
        first.send(request("/sleep/60000"))
        until(server, {("http1", "idle"): 2, ("http1", "active"): 1})
        second.send(request("/socket", fields=UPGRADE))
        equal(second.answer().status, 101)
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2})
        third.send(request("/items/1") * 3)  # pipelined
        equal([third.answer().status for _ in range(3)], [200] * 3)
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2})
        fourth, fifth = (clients.enter_context(server.connect()) for _ in range(2))
        for each in (fourth, fifth):
            each.send(h2_wire.begin())
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "idle"): 2})
        fourth.send(h2_wire.head(1, "/sleep/60000") + h2_wire.head(3, "/sleep/60000") + h2_wire.head(5, "/items/1"))
        fifth.send(h2_wire.head(1, "/items/1") + h2_wire.head(3, "/nothing") + h2_wire.head(5, "bad"))
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "active"): 1, ("http2", "idle"): 1})
        fourth.send(b"".join(h2_wire.frame(h2_wire.RST_STREAM, 0, n, b"\0\0\0\x08") for n in (1, 3)))
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "idle"): 2})
        fifth.send(h2_wire.head(7, "/sleep/60000"))
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "idle"): 1, ("http2", "active"): 1})
        for each in (first, second, third, fourth, fifth):
            each.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # resets on close
            each.socket.close()
        until(server, {})


@case
def a_handshake_is_a_state(backend):
    with SecureServer(backend, admin=LOOPBACK) as server:
        with contextlib.closing(socket.create_connection(("127.0.0.1", server.port))), server.connect() as client:
            until(server, {("unknown", "handshake"): 1, ("http1", "idle"): 1})
            equal(client.get("/").status > 0, True)
            until(server, {("unknown", "handshake"): 1, ("http1", "idle"): 1})
        until(server, {})


if __name__ == "__main__":
    main()
