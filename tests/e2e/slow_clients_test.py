#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests clients that stall within a message, send too slowly, or send too much: over HTTP/1.1, HTTP/2 and WebSocket,
with and without TLS. Each gets a response where possible, its connection is closed, and its memory is released."""

import concurrent.futures
import os
import pathlib
import ssl
import time

import h1_exchange
import h2_wire as h2
import sockets
import wire
from cases import SANITIZED, case, check, equal, main
from conformance_test import CASES
from h1_grading import PASS, grade
from server import PATIENCE, Server, soon
from slow_cases import H1, H2, LONG_HEAD, WEBSOCKET
from tls_wire import SecureServer

# Milliseconds and counts. Sanitizers slow the server, so that on a busy machine it needs 600 ms to read 20 KB.
UNIT = 400 if SANITIZED else 200
LIMITS = (f"head={3 * UNIT},idle={6 * UNIT},handler={8 * UNIT},rate_window={2 * UNIT},body=200000,h2_streams=5,"
          "h2_resets=30,h2_control_frames=100")
LONGEST = 30  # timeout in seconds, with the default limits

UPGRADE = wire.request("/ws/hasty", fields=["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="])


class Line:
    """The client of a case: sends the bytes of the case, and returns everything received."""

    def __init__(self, server, alpn):
        if isinstance(server, SecureServer):
            context = server.trusting()
            context.set_alpn_protocols([alpn])
            self.socket = server.connect(context).socket
        else:
            self.socket = server.connect(receive_buffer=65_536).socket
        self.socket.settimeout(0.1)
        self.ended = False

    def send(self, data):
        """Sends as much as the server accepts. Errors are ignored."""
        try:
            self.socket.settimeout(1)
            self.socket.sendall(data)
        except (TimeoutError, OSError):
            pass
        self.socket.settimeout(0.1)

    def more(self):
        try:
            data = self.socket.recv(1 << 16)
            self.ended = not data
            return data
        except (TimeoutError, ssl.SSLWantReadError):
            return b""
        except OSError:
            self.ended = True
            return b""

    def cut_off(self, drip, reads):
        """Returns everything received until the server closes the connection, which it must do."""
        came, began, next_drip, drips = [], time.monotonic(), 0, 0
        while not self.ended:
            check(time.monotonic() - began < PATIENCE, f"not disconnected; received {b''.join(came)[:100]}")
            if reads:
                came.append(self.more())
            else:
                time.sleep(0.1)
                self.ended = self.gone()
            if drip and not self.ended and time.monotonic() >= next_drip:
                self.send(drip(drips, b"".join(came)) if callable(drip) else drip)
                drips += 1
                next_drip = time.monotonic() + 0.1
        self.socket.close()
        return b"".join(came)

    def gone(self):
        """Returns whether the server has reset the connection, according to the kernel."""
        state = self.socket.getsockopt(6, 11, 1)[0]  # IPPROTO_TCP, TCP_INFO
        return state not in (1, 8)  # established, or half-closed by the server


def seen_by_h1(data):
    return " ".join(part.split(b" ", 1)[0].decode() for part in data.split(b"HTTP/1.1 ")[1:])


def seen_by_h2(data):
    reader = h2.Reader()
    reader.take(data)
    said = []
    for status in (408, 503):
        if b'"status":%d' % status in reader.bodies.get(1, b""):
            said.append(str(status))
    if 1 in reader.resets:
        said.append(f"reset {reader.resets[1]}")
    elif 1 in reader.ended:
        said.append("ended")
    if reader.goaway is not None:
        said.append(f"goaway {reader.goaway}")
    return " ".join(said)


def seen_by_websocket(data):
    frames = data
    while len(frames) >= 2:
        size, at = frames[1], 2
        if size == 126:
            size, at = int.from_bytes(frames[2:4], "big"), 4
        elif size == 127:
            size, at = int.from_bytes(frames[2:10], "big"), 10
        if frames[0] & 15 == sockets.CLOSE:
            return str(int.from_bytes(frames[at:at + 2], "big"))
        frames = frames[at + size:]
    return ""


def over_h1(server, one):
    _, first, drip, reads, _ = one
    line = Line(server, "http/1.1")
    line.send(first)
    return seen_by_h1(line.cut_off(drip, reads))


def over_h2(server, one):
    _, first, drip, reads, _ = one
    line = Line(server, "h2")
    line.send(first)
    return seen_by_h2(line.cut_off(drip, reads))


def websocket_over_h1(server, one):
    _, first, drip, reads, _ = one
    line = Line(server, "http/1.1")
    line.send(UPGRADE)
    came = b""
    while b"\r\n\r\n" not in came and not line.ended:
        came += line.more()
    line.send(first)
    return seen_by_websocket(came.partition(b"\r\n\r\n")[2] + line.cut_off(drip, reads))


def websocket_over_h2(server, one):
    _, first, drip, reads, _ = one
    line = Line(server, "h2")

    def in_data(data):
        return b"".join(h2.frame(h2.DATA, 0, 1, data[at:at + 16_000]) for at in range(0, len(data), 16_000))

    line.send(h2.begin(1 << 20) + h2.websocket(1, "/ws/hasty") + in_data(first[:60_000]))
    reader = h2.Reader()
    reader.take(line.cut_off(in_data(drip), reads))
    return seen_by_websocket(reader.bodies.get(1, b""))


def descriptors(server):
    return len(os.listdir(pathlib.Path(f"/proc/{server.process.pid}/fd")))


def each_is_cut_off(backend, secure, play, table):
    """Runs all cases at once."""
    with (SecureServer if secure else Server)(backend, limits=LIMITS) as server:
        with server.connect() as client:
            equal(client.get("/").status, 200)
        before = descriptors(server)
        with concurrent.futures.ThreadPoolExecutor(len(table)) as pool:
            played = [(one, pool.submit(play, server, one)) for one in table]
        wrong = []
        for one, outcome in played:
            try:
                seen = outcome.result()
                if one[4] is not None and seen != one[4]:
                    wrong.append(f"{one[0]}: seen {seen!r}, not {one[4]!r}")
            except AssertionError as error:
                wrong.append(f"{one[0]}: {error}")
        check(not wrong, "\n".join(wrong))
        check(soon(lambda: descriptors(server) <= before), f"{descriptors(server)} descriptors, and {before} before")
        with server.connect() as client:
            equal(client.get("/").status, 200, "the next client")


@case
def http1(backend):
    each_is_cut_off(backend, False, over_h1, H1)


@case
def http1_over_tls(backend):
    each_is_cut_off(backend, True, over_h1, H1)


@case
def http2(backend):
    each_is_cut_off(backend, False, over_h2, H2)


@case
def http2_over_tls(backend):
    each_is_cut_off(backend, True, over_h2, H2)


@case
def websocket(backend):
    each_is_cut_off(backend, False, websocket_over_h1, WEBSOCKET)


@case
def websocket_over_tls(backend):
    each_is_cut_off(backend, True, websocket_over_h1, WEBSOCKET)


@case
def websocket_over_http2(backend):
    each_is_cut_off(backend, False, websocket_over_h2, WEBSOCKET)


@case
def websocket_over_http2_and_tls(backend):
    each_is_cut_off(backend, True, websocket_over_h2, WEBSOCKET)


@case
def by_the_default_limits(backend):
    """Runs one case of each kind at once."""
    slow = [(over_h1, H1[1]), (over_h1, H1[5]), (over_h2, H2[0]), (over_h2, ("half a head", h2.begin() + LONG_HEAD[:11],
                                                                             b"", True, "goaway 11"))]
    with Server(backend) as server:
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(slow)) as pool:
            played = [(one, pool.submit(play, server, one)) for play, one in slow]
        for one, outcome in played:
            equal(outcome.result(), one[4], one[0])
        check(time.monotonic() - began < LONGEST, "the connections were closed too late")


@case
def slow_cases_of_the_file(backend):
    for slow in (c for c in CASES if c.get("slow")):
        with Server(backend, program="conformance") as server:
            exchange = h1_exchange.Exchange(("127.0.0.1", server.port), slow)
            exchange.play_slowly(LONGEST)
            verdict, reason = grade(exchange)
            exchange.close()
            equal((verdict, reason), (PASS, None), slow["id"])


if __name__ == "__main__":
    main(at_once=6)
