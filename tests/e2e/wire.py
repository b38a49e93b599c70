# SPDX-License-Identifier: Apache-2.0
"""An HTTP client that sends given bytes, and parses responses strictly."""

import re
import socket
import time

HEAD_END = b"\r\n\r\n"
STATUS_LINE = re.compile(rb"HTTP/1\.1 (\d{3}) [\x20-\x7e]*")
PATIENCE = 20  # timeout in seconds for responses that are immediate on an idle machine


class Closed(Exception):
    """The connection ended where a response was expected."""


class Answer:
    """A response. `fields` and `trailers` are lists of (name in lower case, value)."""

    def __init__(self, status, fields):
        self.status, self.fields, self.body, self.trailers = status, fields, b"", []

    def __repr__(self):
        return f"<{self.status} {self.fields} {self.body[:200]!r}>"

    def all(self, name):
        return [value for key, value in self.fields if key == name]

    def field(self, name):
        """Returns the value of a field that may occur at most once, or None."""
        values = self.all(name)
        if len(values) > 1:
            raise AssertionError(f"{name} occurs {len(values)} times in {self}")
        return values[0] if values else None

    @property
    def closes(self):
        return self.field("connection") == "close"


def request(path, method="GET", fields=(), body=None, version="1.1"):
    """Returns the bytes of a request."""
    lines = [f"{method} {path} HTTP/{version}", *([] if version == "1.0" else ["Host: localhost"]), *fields]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (body or b"")


def chunked(path, pieces, trailers=(), fields=()):
    """Returns the bytes of a POST with a chunked body of these pieces."""
    head = request(path, "POST", ["Transfer-Encoding: chunked", *fields])
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return head + chunks + b"0\r\n" + b"".join(line.encode() + b"\r\n" for line in trailers) + b"\r\n"


class Wire:
    """A connection. `address` is (host, port), or the path of a Unix socket."""

    def __init__(self, address, timeout=PATIENCE, receive_buffer=None):
        family = socket.AF_UNIX if isinstance(address,
                                              str) else socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(address)
        if family != socket.AF_UNIX:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def _more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise Closed(f"closed after {self.unread[:200]!r}")
        self.unread += data

    def take(self, size):
        """Returns this many bytes, or fewer if the connection ends."""
        pieces, missing = [self.unread[:size]], size - len(self.unread)
        self.unread = self.unread[size:]
        while missing > 0:
            piece = self.socket.recv(min(missing, 1 << 18))
            if not piece:
                break
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def exactly(self, size):
        data = self.take(size)
        if len(data) < size:
            raise Closed(f"closed after {len(data)} of {size} bytes")
        return data

    def until(self, end):
        """Returns all bytes up to and including `end`."""
        while end not in self.unread:
            self._more()
        at = self.unread.index(end) + len(end)
        data, self.unread = self.unread[:at], self.unread[at:]
        return data

    def head(self):
        """Returns the head of a response; does not read its body."""
        first, *lines = self.until(HEAD_END)[:-4].split(b"\r\n")
        match = STATUS_LINE.fullmatch(first)
        if not match:
            raise AssertionError(f"{first!r} is not a status line")
        return Answer(int(match.group(1)), _fields(lines))

    def answer(self, method="GET"):
        """Returns the next final or interim response with its body."""
        answer = self.head()
        if method == "HEAD" or answer.status < 200 or answer.status in (204, 304):
            return answer
        if answer.field("transfer-encoding") == "chunked":
            if answer.field("content-length") is not None:
                raise AssertionError(f"two framings in {answer}")
            self._chunks(answer)
        elif answer.field("content-length") is not None:
            answer.body = self.exactly(int(answer.field("content-length")))
        else:
            answer.body = self.rest()
        return answer

    def _chunks(self, answer):
        pieces = []
        while size := int(self.until(b"\r\n"), 16):
            pieces.append(self.exactly(size))
            if self.exactly(2) != b"\r\n":
                raise AssertionError("a chunk does not end in CRLF")
        answer.body = b"".join(pieces)
        while (line := self.until(b"\r\n")) != b"\r\n":
            answer.trailers += _fields([line[:-2]])

    def rest(self):
        """Returns all bytes up to the end of the connection."""
        pieces = [self.unread]
        self.unread = b""
        while piece := self.socket.recv(1 << 18):
            pieces.append(piece)
        return b"".join(pieces)

    def ended(self, seconds=PATIENCE):
        """Returns whether the server closes or resets the connection within these seconds. Received bytes are
        discarded."""
        end = time.monotonic() + seconds
        try:
            while (left := end - time.monotonic()) > 0:
                self.socket.settimeout(left)
                if not self.socket.recv(1 << 18):
                    return True
        except TimeoutError:
            pass
        except ConnectionError:
            return True
        return False

    def silent(self, seconds):
        """Returns whether nothing arrives and the connection stays open for these seconds."""
        self.socket.settimeout(seconds)
        try:
            return not self.unread and self.socket.recv(1, socket.MSG_PEEK) is None
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)

    def get(self, path, **options):
        self.send(request(path, **options))
        return self.answer(options.get("method", "GET"))

    def post(self, path, body, **options):
        self.send(request(path, "POST", body=body, **options))
        return self.answer()


def _fields(lines):
    parts = [line.decode("latin-1").split(":", 1) for line in lines]
    return [(name.lower(), value.strip(" \t")) for name, value in parts]
