# SPDX-License-Identifier: Apache-2.0
"""A WebSocket client that sends given frames, and parses received frames strictly (RFC 6455, 5)."""

import base64
import hashlib
import os
import struct

import wire

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FINAL = 0x80


def frame(first, payload=b"", masked=True):
    """Returns the bytes of a frame; `first` is its first byte."""
    size = len(payload)
    length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 else \
        b"\x7f" + struct.pack(">Q", size)
    if not masked:
        return bytes([first]) + length + payload
    key = os.urandom(4)
    body = bytes(a ^ b for a, b in zip(payload, key * (size // 4 + 1)))
    return bytes([first, length[0] | 0x80]) + length[1:] + key + body


def close(code, reason=b""):
    return frame(FINAL | CLOSE, struct.pack(">H", code) + reason)


class Socket(wire.Wire):
    """Opens a WebSocket; `answer` is the server's response to the handshake."""

    def __init__(self, server, path, fields=()):
        super().__init__(("127.0.0.1", server.port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.send(wire.request(path, fields=[
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}",
            *fields]))
        self.answer = self.head()
        if self.answer.status == 101:
            proof = hashlib.sha1(key.encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
            if self.answer.field("sec-websocket-accept") != base64.b64encode(proof).decode():
                raise AssertionError(f"an invalid Sec-WebSocket-Accept in {self.answer}")

    def frame(self):
        """Returns the first byte of the next frame, and its payload."""
        first, size = self.exactly(2)
        if size & 0x80:
            raise AssertionError("a frame of the server is masked")
        if size == 126:
            size = struct.unpack(">H", self.exactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.exactly(8))[0]
        return first, self.exactly(size)

    def closed(self):
        """Returns the code of the Close frame, which must come next; the connection must then end."""
        first, payload = self.frame()
        if first != FINAL | CLOSE:
            raise AssertionError(f"{first:#x} {payload[:100]} in place of a Close frame")
        if self.rest():
            raise AssertionError("bytes after a Close frame")
        return struct.unpack(">H", payload[:2])[0] if payload else 1005
