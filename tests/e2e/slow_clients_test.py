#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests clients that stall within a message, send too slowly, or send too much: over HTTP/1.1, HTTP/2 and WebSocket,
with and without TLS. Each gets a response where possible, its connection is closed, and its memory is released."""

import concurrent.futures
import os
import pathlib
import ssl
import struct
import time

import h1_exchange
import h2_wire as h2
import sockets
import wire
from cases import case, check, equal, main
from conformance_test import CASES
from h1_grading import PASS, grade
from server import PATIENCE, Server, soon
from tls_wire import SecureServer

LIMITS = "head=600,idle=1200,handler=1600,rate_window=400,body=200000,h2_streams=5,h2_resets=30,h2_control_frames=100"
LONGEST = 30  # timeout in seconds, with the default limits

GET = wire.request("/")
POST = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
CHUNKED = b"POST /count HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
UPGRADE = wire.request("/ws/hasty", fields=["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="])

# Name, bytes sent at once, bytes sent ten times per second, whether the client reads, and the expected result.
H1 = [
    ("nothing", b"", b"", True, ""),
    ("half a request line", b"GET / HT", b"", True, "408"),
    ("half a head", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"", True, "408"),
    ("a head field by field", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Drip: 1\r\n", True, "408"),
    ("a head byte by byte", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: ", b"x", True, "408"),
    ("half a body", POST + b"half", b"", True, "408"),
    ("a body byte by byte", POST, b"x", True, "408"),
    ("half a size line", CHUNKED + b"10", b"", True, "408"),
    ("half a chunk", CHUNKED + b"10\r\nabc", b"", True, "408"),
    ("an end of a chunk that is cut", CHUNKED + b"3\r\nabc\r", b"", True, "408"),
    ("half a trailer section", CHUNKED + b"0\r\nX-Sum: ", b"", True, "408"),
    ("a body of extensions", CHUNKED + (b"1;" + b"x" * 200 + b"\r\na\r\n") * 100, b"", True, "400"),
    ("silence after an answer", GET, b"", True, "200"),
    ("half a head behind an answer", GET + b"GET /", b"", True, "200 408"),
    ("a body for a handler that does not read it",
     b"POST /ignored HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc", b"x", True, "200"),
    ("a large answer that is not read", wire.request("/big/30000000"), b"", False, None),
    ("a streamed answer that is not read", wire.request("/download/30000000"), b"", False, None),
    ("answers that are not read, and more requests", wire.request("/big/20000") * 1000, POST + b"x" * 100, False, None),
]


def cuts(whole):
    """Returns positions at which to cut a frame: in its head, after it, in its payload, and before its last byte."""
    return sorted({1, 8, 9, 9 + (len(whole) - 9) // 2, len(whole) - 1} & set(range(1, len(whole))))


LONG_HEAD = h2.head(1, "/", more=[("x-long", "x" * 100)])
READING = h2.head(1, "/count", "POST", False)
FRAMES = [
    ("HEADERS", b"", LONG_HEAD),
    ("HEADERS without END_HEADERS", b"", LONG_HEAD[:4] + b"\1" + LONG_HEAD[5:]),
    ("CONTINUATION", h2.frame(h2.HEADERS, h2.END_STREAM, 1, LONG_HEAD[9:20]),
     h2.frame(h2.CONTINUATION, h2.END_HEADERS, 1, LONG_HEAD[20:])),
    ("DATA", READING, h2.frame(h2.DATA, 0, 1, b"d" * 100)),
    ("DATA with padding", READING, h2.frame(h2.DATA, h2.PADDED, 1, b"\x14" + b"d" * 20 + b"\0" * 20)),
    ("DATA of a body that is not read", h2.head(1, "/ignored", "POST", False), h2.frame(h2.DATA, 0, 1, b"d" * 100)),
    ("trailers", READING, h2.frame(h2.HEADERS, 5, 1, h2.fields(("x-sum", "1" * 50)))),
    ("SETTINGS", b"", h2.frame(h2.SETTINGS, 0, 0, struct.pack(">HI", 3, 10))),
    ("PING", b"", h2.frame(h2.PING, 0, 0, b"12345678")),
    ("WINDOW_UPDATE", b"", h2.frame(h2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 5000))),
    ("RST_STREAM", READING, h2.frame(h2.RST_STREAM, 0, 1, struct.pack(">I", 8))),
    ("PRIORITY", b"", h2.frame(h2.PRIORITY, 0, 1, b"\0" * 5)),
    ("GOAWAY", b"", h2.frame(h2.GOAWAY, 0, 0, b"\0" * 8 + b"reason")),
    ("an unknown frame", b"", h2.frame(h2.UNKNOWN, 0, 0, b"u" * 50)),
]

# Expected results: "goaway N", "reset N" of stream 1, the status of its problem document, "ended" for a complete
# response. None: any.
H2 = [
    ("nothing behind the preface", h2.begin(), b"", True, "goaway 0"),
    ("half a preface", h2.PREFACE[:12], b"", True, None),
    ("a whole body that stops", h2.begin() + h2.head(1, "/echo", "POST", False) + h2.frame(h2.DATA, 0, 1, b"abc"), b"",
     True, "408 reset 0 goaway 0"),
    ("a body byte by byte", h2.begin() + READING, h2.frame(h2.DATA, 0, 1, b"x"), True, None),
    ("a request that goes on behind its answer", h2.begin() + h2.head(1, "/ignored", "POST", False),
     h2.frame(h2.DATA, 0, 1, b"x"), True, None),
    ("an answer without a window", h2.begin(0) + h2.head(1, "/big/50000"), b"", True, "reset 8 goaway 0"),
    ("a streamed answer without a window", h2.begin(0) + h2.head(1, "/download/50000"), b"", True, "reset 8 goaway 0"),
    ("a handler that waits too long", h2.begin() + h2.head(1, "/sleep/60000"), b"", True, "503 ended goaway 0"),
    ("an unknown frame byte by byte", h2.begin() + h2.frame(h2.UNKNOWN, 0, 0, b"u" * 5000)[:20], b"u", True,
     "goaway 11"),
    ("a head byte by byte", h2.begin() + LONG_HEAD[:20], b"x", True, None),
    ("answers that are not read", h2.begin(1 << 30) + h2.frame(h2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1 << 30))
     + h2.head(1, "/big/30000000"), b"", False, None),
    ("PING", h2.begin() + h2.frame(h2.PING, 0, 0, b"12345678") * 150, b"", True, "goaway 11"),
    ("empty DATA", h2.begin() + READING + h2.frame(h2.DATA, 0, 1) * 150, b"", True, "goaway 11"),
    ("streams that are begun and reset", h2.begin() + b"".join(
        h2.head(n * 2 + 1, "/sleep/60000") + h2.frame(h2.RST_STREAM, 0, n * 2 + 1, b"\0\0\0\x08") for n in range(100)),
     b"", True, "goaway 11"),
    ("more streams than allowed", h2.begin() + h2.frame(h2.SETTINGS, h2.ACK)
     + b"".join(h2.head(n * 2 + 1, "/sleep/60000") for n in range(100)), b"", True, "goaway 11"),
    *((f"{name}, {cut} of its {len(whole)} bytes", h2.begin() + first + whole[:cut], b"", True, None) for name, first,
      whole in FRAMES for cut in cuts(whole)),
]

MESSAGE = sockets.frame(sockets.FINAL | sockets.BINARY, b"m" * 100_000)
PING = sockets.frame(sockets.FINAL | sockets.PING, b"p" * 100)

# Expected result: the code of the Close frame, or "" if there is none.
WEBSOCKET = [
    ("nothing", b"", b"", True, ""),
    *((f"a message, {cut} bytes of it", MESSAGE[:cut], b"", True, "1008")
      for cut in (1, 2, 9, 10, 13, 14, 15, 50_000, len(MESSAGE) - 1)),
    *((f"a ping, {cut} bytes of it", PING[:cut], b"", True, "1008") for cut in (1, 5, 50)),
    ("a message byte by byte", MESSAGE[:50_000], b"m", True, "1008"),
    ("frames without bytes", sockets.frame(sockets.TEXT, b"be"), sockets.frame(0, b""), True, "1008"),
    ("pings between the frames of a message", sockets.frame(sockets.TEXT, b"be"),
     sockets.frame(sockets.FINAL | sockets.PING, b""), True, "1008"),
    ("a Close frame that is cut", sockets.close(1000)[:4], b"", True, "1008"),
    ("echoes that are not read", MESSAGE * 40, MESSAGE, False, None),
]


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
        came, began, next_drip = [], time.monotonic(), 0
        while not self.ended:
            check(time.monotonic() - began < PATIENCE, f"not disconnected; received {b''.join(came)[:100]}")
            if reads:
                came.append(self.more())
            else:
                time.sleep(0.1)
                self.ended = self.gone()
            if drip and not self.ended and time.monotonic() >= next_drip:
                self.send(drip)
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
