# SPDX-License-Identifier: Apache-2.0
"""A minimal client for checks of responses: HTTP/1.1 with Content-Length and chunks, and WebSocket."""
import base64
import hashlib
import os
import socket
import ssl
import struct

SECONDS = 10
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3
TEXT, CLOSE = 1, 8


class WrongAnswer(Exception):
    """An unexpected response; the text describes it."""


class Connection:
    """One connection. Bytes that are received after a response are kept for the next response."""

    def __init__(self, port, tls=False):
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.set_alpn_protocols(["http/1.1"])
            self.socket = context.wrap_socket(self.socket)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise WrongAnswer("the connection ended within a response")
        self.buffer += piece

    def until(self, mark):
        while mark not in self.buffer:
            self.more()
        taken, _, self.buffer = self.buffer.partition(mark)
        return taken

    def exactly(self, count):
        pieces, have = [self.buffer], len(self.buffer)
        while have < count:
            piece = self.socket.recv(min(1 << 20, count - have))
            if not piece:
                raise WrongAnswer(f"the connection ended after {have} of {count} bytes of body")
            pieces.append(piece)
            have += len(piece)
        whole = b"".join(pieces)
        self.buffer = whole[count:]
        return whole[:count]

    def ended(self):
        """Returns whether the peer closes the connection within the timeout."""
        try:
            return self.buffer == b"" and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except OSError:
            return False

    def head(self):
        lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        version, _, rest = lines[0].partition(" ")
        if version not in ("HTTP/1.1", "HTTP/1.0") or not rest[:3].isdigit():
            raise WrongAnswer(f"not an HTTP/1.1 status line: `{lines[0][:80]}`")
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.strip().lower()] = value.strip()
        return int(rest[:3]), fields

    def answer(self):
        """Returns (status, header fields, body) of the next response."""
        status, fields = self.head()
        if "chunked" in fields.get("transfer-encoding", "").lower():
            return status, fields, self.chunks()
        if "content-length" in fields:
            return status, fields, self.exactly(int(fields["content-length"]))
        return status, fields, self.rest()

    def chunks(self):
        body = []
        while size := int(self.until(b"\r\n").split(b";")[0], 16):
            body.append(self.exactly(size))
            self.until(b"\r\n")
        while self.until(b"\r\n"):
            pass
        return b"".join(body)

    def rest(self):
        pieces = [self.buffer]
        while piece := self.socket.recv(1 << 18):
            pieces.append(piece)
        self.buffer = b""
        return b"".join(pieces)

    def upgrade(self, path):
        """Upgrades the connection to a WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        self.send((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        status, fields = self.head()
        if status != 101:
            raise WrongAnswer(f"GET {path} with Upgrade: websocket has status {status} instead of 101")
        proof = base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest()).decode()
        if fields.get("sec-websocket-accept") != proof:
            raise WrongAnswer(f"GET {path}: Sec-WebSocket-Accept does not match the key")

    def send_message(self, data, opcode=TEXT):
        mask = os.urandom(4)
        head = bytes([0x80 | opcode])
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        else:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(data))
        self.send(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def message(self):
        """Returns the payload of the next frame, which must be a whole message."""
        first, second = self.exactly(2)
        length = second & 127
        if length == 126:
            length, = struct.unpack(">H", self.exactly(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.exactly(8))
        payload = self.exactly(length)
        if first & 0x8f != 0x80 | TEXT:
            raise WrongAnswer(f"got a frame that begins with {first:#x} instead of a complete text message")
        return payload


def request(method, target, body=None, chunked=False, close=False, fields=()):
    """Returns the bytes of a request."""
    head = f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if close:
        head += "Connection: close\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in fields)
    if body is None:
        return (head + "\r\n").encode()
    head += "Content-Type: application/octet-stream\r\n"
    if not chunked:
        return (head + f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    framed = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
    return (head + "Transfer-Encoding: chunked\r\n\r\n").encode() + framed + b"0\r\n\r\n"
