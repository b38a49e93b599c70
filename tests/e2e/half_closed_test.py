#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests clients that close their sending side and continue to read: over HTTP/1.1, HTTP/2, and TLS, where close_notify
precedes the socket's half-close."""

import pathlib
import socket
import ssl
import struct
import time

import h2_wire as h2
import wire
from cases import case, check, equal, main
from server import PATIENCE, Server, soon
from tls_wire import SecureServer

BODY = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"

# Bytes sent by the client, the expected statuses, and the end of all received bytes.
H1 = [
    (wire.request("/"), [200], b"ok\n"),
    (wire.request("/sleep/300"), [200], b"slept\n"),
    (wire.request("/late/300"), [200], b"last\n\r\n0\r\n\r\n"),
    (wire.request("/sleep/300") * 3 + wire.request("/"), [200, 200, 200, 200], b"ok\n"),
    (wire.request("/sleep/300") + b"GET / HT", [200], b"slept\n"),
    (wire.request("/download/3000000"), [200], b"\r\n0\r\n\r\n"),
    (wire.request("/big/3000000"), [200], b""),
    (BODY % b"/echo" + b"whole", [200], b"whole"),
    (BODY % b"/sleep/300" + b"whole", [200], b"slept\n"),
    (BODY % b"/echo" + b"part", [400], b"}\n"),
    (BODY % b"/count" + b"part", [400], b"}\n"),
    (BODY % b"/echo/pieces" + b"part", [200], b"part\r\n"),
]

# Bytes sent by the client; and of stream 1: the end of its body, whether the body is complete, and the code of a reset.
H2 = [
    (h2.head(1, "/sleep/300"), b"slept\n", True, None),
    (h2.head(1, "/late/300"), b"last\n", True, None),
    (h2.head(1, "/echo", "POST", False) + h2.frame(h2.DATA, h2.END_STREAM, 1, b"whole"), b"whole", True, None),
    (h2.head(1, "/echo", "POST", False) + h2.frame(h2.DATA, 0, 1, b"part"), b"", False, 8),
    (h2.head(1, "/count", "POST", False) + h2.frame(h2.DATA, 0, 1, b"part"), b"", False, 8),
    (h2.head(1, "/big/50000"), b"", True, None),
    (h2.head(1, "/big/500000"), b"", False, 8),  # larger than the window, which the client can no longer increase
]


def all_of(line):
    pieces = []
    while True:
        try:
            piece = line.recv(1 << 18)
        except (ssl.SSLError, ConnectionError):
            return b"".join(pieces)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def statuses(data):
    return [int(part[:3]) for part in data.split(b"HTTP/1.1 ")[1:]]


@case
def http1(backend):
    with Server(backend) as server:
        for sent, wanted, end in H1:
            with server.connect() as client:
                client.send(sent)
                client.half_close()
                came = client.rest()
                equal((statuses(came), came.endswith(end)), (wanted, True), f"{sent[:60]} {came[-60:]}")


@case
def http2(backend):
    with Server(backend) as server:
        for sent, end, whole, code in H2:
            with server.connect() as client:
                client.send(h2.begin() + sent)
                client.half_close()
                reader = h2.Reader()
                reader.take(client.rest())
                equal((reader.bodies.get(1, b"")[-len(end):] == end if end else True, 1 in reader.ended,
                       reader.resets.get(1)), (True, whole, code), repr(sent[:60]))


class Notices:
    """A TLS client on memory buffers. It can read after it has sent close_notify, which Python's TLS sockets cannot."""

    def __init__(self, server, alpn):
        context = server.trusting()
        context.set_alpn_protocols([alpn])
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.flush()
                self.incoming.write(self.socket.recv(1 << 16))
        self.flush()

    def flush(self):
        self.socket.sendall(self.outgoing.read())

    def ask(self, data, closes_socket):
        """Sends these bytes, closes the sending side, and returns everything received."""
        self.tls.write(data)
        try:
            self.tls.unwrap()
        except ssl.SSLWantReadError:
            pass
        self.flush()
        if closes_socket:
            self.socket.shutdown(socket.SHUT_WR)
        came = b""
        with self.socket:
            while data := self.socket.recv(1 << 18):
                self.incoming.write(data)
                came += data
        return came


@case
def over_tls(backend):
    # OpenSSL passes no data to a client that has sent close_notify, so the received bytes are counted before
    # decryption.
    with SecureServer(backend) as server:
        for alpn, sent, least in (("http/1.1", wire.request("/sleep/300"), 100),
                                  ("http/1.1", wire.request("/late/300"), 100),
                                  ("http/1.1", wire.request("/big/300000"), 300_000),
                                  ("h2", h2.begin() + h2.head(1, "/sleep/300"), 100),
                                  ("h2", h2.begin() + h2.head(1, "/big/50000"), 50_000)):
            for closes_socket in (False, True):
                came = Notices(server, alpn).ask(sent, closes_socket)
                check(len(came) > least, f"{alpn} {sent[:40]} {closes_socket}: {len(came)} bytes")
        for sent, end in ((wire.request("/sleep/300"), b"slept\n"), (wire.request("/late/300"), b"0\r\n\r\n")):
            with server.connect() as client:  # half-closes the socket without close_notify
                client.send(sent)
                socket.socket.shutdown(client.socket, socket.SHUT_WR)
                check(all_of(client.socket).endswith(end), f"{sent[:30]} over TLS")


# Bytes sent by clients that have received all their responses, so that nothing is left to do.
IDLE = [b"", wire.request("/"), wire.request("/") * 3, b"GET / HT", BODY % b"/echo" + b"whole", h2.begin(), h2.begin()
        + h2.head(1, "/"),
        h2.begin() + h2.head(1, "/")[:12], h2.begin()[:18], h2.begin() + h2.head(1, "/echo", "POST", False)
        + h2.frame(h2.DATA, 0, 1, b"part")]


def left_at_once(server, client, leave, what):
    descriptors = pathlib.Path(f"/proc/{server.process.pid}/fd")
    before = len(list(descriptors.iterdir()))
    leave(client)
    check(soon(lambda: len(list(descriptors.iterdir())) < before, 2), f"it stays open: {what}")
    client.socket.close()


@case
def idle_ones_are_closed_at_once(backend):
    ways = (lambda c: socket.socket.shutdown(c.socket, socket.SHUT_WR)), (lambda c: c.socket.close())
    with Server(backend) as plain, SecureServer(backend) as secure:
        for server in (plain, secure):
            for sent in IDLE:
                if server is secure and sent[:3] == b"PRI":
                    continue  # HTTP/2 must be negotiated by ALPN
                for number, leave in enumerate(ways):
                    client = server.connect()
                    client.send(sent)
                    time.sleep(0.1)
                    left_at_once(server, client, leave, f"{sent[:60]} {server is secure} {number}")


def reset(client):
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.socket.close()


@case
def one_that_is_gone_is_noticed(backend):
    with Server(backend, limits="rate_window=300,handler=600000") as server:
        for path in ("/sleep/600000", "/late/600000", "/events"):
            before = server.cancelled()
            client = server.connect()
            client.send(wire.request(path))
            client.half_close()
            time.sleep(0.2)
            equal(server.cancelled(), before, f"{path}: cancelled by a half-close")
            reset(client)
            check(soon(lambda: server.cancelled() == before + 1), f"{path}: continues after the client's reset")


if __name__ == "__main__":
    main()
