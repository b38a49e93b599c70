# SPDX-License-Identifier: Apache-2.0
"""Writes frames of HTTP/2 (RFC 9113, 4), complete or truncated, and parses the server's frames."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION, UNKNOWN = \
    0, 1, 2, 3, 4, 6, 7, 8, 9, 0x77
PRIORITY_UPDATE = 0x10  # RFC 9218, 7.1
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8
HEAD_SIZE = 9


def frame(kind, flags=0, stream=0, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def fields(*pairs):
    """Encodes fields as HPACK literals without indexing; names and values have up to 126 bytes."""
    return b"".join(b"\0" + bytes([len(n)]) + n.encode() + bytes([len(v)]) + v.encode() for n, v in pairs)


def head(stream, path, method="GET", ends=True, more=()):
    block = fields((":method", method), (":scheme", "http"), (":path", path), (":authority", "localhost"), *more)
    return frame(HEADERS, END_HEADERS | (END_STREAM if ends else 0), stream, block)


def websocket(stream, path):
    """Returns an extended CONNECT (RFC 8441)."""
    return head(stream, path, "CONNECT", False, [(":protocol", "websocket"), ("sec-websocket-version", "13")])


def begin(initial_window=65_535):
    """Returns the preface and a SETTINGS frame with this initial window for responses."""
    return PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, initial_window))


class Reader:
    """Receives and parses a server's frames, and keeps the results."""

    def __init__(self):
        self.unread, self.goaway, self.resets, self.bodies, self.ended, self.opened = b"", None, {}, {}, set(), set()

    def take(self, data):
        self.unread += data
        while len(self.unread) >= HEAD_SIZE:
            size = int.from_bytes(self.unread[:3], "big")
            if len(self.unread) < HEAD_SIZE + size:
                return
            kind, flags, stream = self.unread[3], self.unread[4], int.from_bytes(self.unread[5:9], "big")
            self._note(kind, flags, stream, self.unread[HEAD_SIZE:HEAD_SIZE + size])
            self.unread = self.unread[HEAD_SIZE + size:]

    def _note(self, kind, flags, stream, payload):
        if kind == GOAWAY:
            self.goaway = int.from_bytes(payload[4:8], "big")
        elif kind == RST_STREAM:
            self.resets[stream] = int.from_bytes(payload, "big")
        elif kind == DATA:
            self.bodies[stream] = self.bodies.get(stream, b"") + payload
        elif kind == HEADERS:
            self.opened.add(stream)
        if kind in (DATA, HEADERS) and flags & END_STREAM:
            self.ended.add(stream)
