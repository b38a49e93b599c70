# SPDX-License-Identifier: Apache-2.0
"""Runs one case of h1_cases.json on one connection, and records the sent bytes and the responses."""

import random
import re
import select
import socket
import time

STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?\r\n")
MORE, NONSENSE = "more", "nonsense"  # in place of a response: more bytes are expected, or the bytes are malformed


class Response:
    def __init__(self, status, fields, body, head):
        self.status, self.fields, self.body, self.head = status, fields, body, head

    def all(self, name):
        return [value for key, value in self.fields if key == name]


def parts_of(send):
    """Returns the steps of a case: bytes to send, and waits."""
    parts = []
    for part in [send] if isinstance(send, str) else send:
        if isinstance(part, str):
            data = part.encode("latin-1")
        elif "repeat" in part:
            data = part["repeat"].encode("latin-1") * part["times"]
        else:
            parts.append(part)
            continue
        if parts and isinstance(parts[-1], bytes):
            parts[-1] += data
        else:
            parts.append(data)
    return parts


def _chunked_body(rest):
    """Returns the chunked body at the front of these bytes and the bytes after it, or MORE or NONSENSE."""
    body = b""
    while True:
        line = rest.find(b"\r\n")
        if line < 0:
            return MORE
        if not re.fullmatch(rb"[0-9A-Fa-f]+", rest[:line]):
            return NONSENSE
        size = int(rest[:line], 16)
        if size == 0:
            end = rest.find(b"\r\n\r\n", line)
            return MORE if end < 0 else (body, rest[end + 4:])
        if len(rest) < line + 4 + size:
            return MORE
        body += rest[line + 2:line + 2 + size]
        rest = rest[line + 4 + size:]


def parse(data, method, ended):
    """Returns the response at the front of these bytes and the bytes after it, or MORE or NONSENSE."""
    if not data.startswith(b"HTTP/1."[:len(data)]):
        return NONSENSE
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return NONSENSE if ended else MORE
    head, rest = data[:end + 4], data[end + 4:]
    match = STATUS_LINE.match(head)
    lines = head[match.end():-4].split(b"\r\n") if match else [b"no status line"]
    lines = [line for line in lines if line]
    if not all(b":" in line for line in lines):
        return NONSENSE
    pairs = [line.decode("latin-1").split(":", 1) for line in lines]
    response = Response(int(match.group(1)), [(k.lower(), v.strip(" \t")) for k, v in pairs], b"", head)
    if response.status < 200 or response.status in (204, 304) or method == "HEAD":
        return response, rest
    fields = dict(response.fields)
    if "chunked" in fields.get("transfer-encoding", "").lower():
        framed = _chunked_body(rest)
        if isinstance(framed, str):
            return framed
        response.body, rest = framed
    elif "content-length" in fields:
        size = int(fields["content-length"])
        if len(rest) < size:
            return MORE
        response.body, rest = rest[:size], rest[size:]
    elif not ended:
        return MORE
    else:
        response.body, rest = rest, b""
    return response, rest


class Connection:
    """A connection that receives while it sends, so that a reset never discards an early response."""

    def __init__(self, address):
        self.buffer, self.total, self.ended = b"", 0, False
        self.socket = socket.create_connection(address, 10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)

    def listen(self, seconds):
        """Receives available bytes, after waiting for them for at most this time."""
        if self.ended or not select.select([self.socket], [], [], max(0, seconds))[0]:
            return
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.ended = not data
        data = self.opened(data)
        self.buffer += data
        self.total += len(data)

    def opened(self, data):
        """Parses bytes received from the socket."""
        return data

    def half_close(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.listen(0)  # the server has closed the connection first

    def send(self, data):
        """Sends bytes. Returns whether all of them could be sent."""
        view, end = memoryview(data), time.monotonic() + 15
        while view and not self.ended and time.monotonic() < end:
            readable, writable, _ = select.select([self.socket], [self.socket], [], 1)
            if readable:
                self.listen(0)
            if writable and not self.ended:
                try:
                    view = view[self.socket.send(view[:1 << 16]):]
                except BlockingIOError:
                    continue
                except OSError:
                    self.listen(0.2)
                    self.ended = True
        return not view


class Exchange:
    """Runs a case on a connection to `address`, or on the connection that the function `address` returns. Stores the
    responses in `final` and `interim`; sets `nonsense` to bytes that are not a response."""

    def __init__(self, address, case):
        self.case, self.expected = case, case["expect"]
        self.parts = parts_of(case["send"])
        self.sent = b"".join(p for p in self.parts if isinstance(p, bytes))
        self.outcomes = [self.expected, *case.get("also_ok", [])]
        self.wanted = max(len(o.get("statuses", [0])) if isinstance(o, dict) else 1 for o in self.outcomes)
        self.methods = self._methods()
        self.final, self.interim, self.nonsense = [], [], None
        self.connection = address() if callable(address) else Connection(address)

    def _methods(self):
        told = self.expected.get("methods") if isinstance(self.expected, dict) else None
        if told or self.wanted > 1:
            return told or re.findall(r"(?:^|\n)(GET|HEAD|POST) ", self.sent.decode("latin-1"))
        return [self.sent[:4096].lstrip(b"\r\n").split(b" ")[0].decode("latin-1")]

    @property
    def http10(self):
        return b"HTTP/1.0\r\n" in self.sent[:4096].lstrip(b"\r\n")

    @property
    def ended(self):
        return self.connection.ended

    def look(self, seconds=0):
        """Receives for at most this time, and parses the received responses."""
        self.connection.listen(seconds)
        while self.connection.buffer and self.nonsense is None:
            method = self.methods[min(len(self.final), len(self.methods) - 1)] if self.methods else ""
            parsed = parse(self.connection.buffer, method, self.ended)
            if parsed == MORE:
                return
            if parsed == NONSENSE:
                self.nonsense = self.connection.buffer[:60]
                return
            response, self.connection.buffer = parsed
            (self.interim if response.status < 200 and response.status != 101 else self.final).append(response)

    def look_until(self, good, seconds):
        end = time.monotonic() + seconds
        self.look()
        while not good() and not self.ended and self.nonsense is None and time.monotonic() < end:
            self.look(min(0.25, end - time.monotonic()))

    def _send(self, data, mode, cut):
        if mode == "split":
            self.connection.send(data[:cut])
            time.sleep(0.002)
            self.connection.send(data[cut:])
        elif mode == "bytes":
            for at in range(min(len(data), 400)):
                self.look()
                if self.ended or self.nonsense is not None or not self.connection.send(data[at:at + 1]):
                    return
                if at % 4 == 0:
                    time.sleep(0.0002)
            self.connection.send(data[400:])
        elif mode == "records":
            self.connection.send_in_records(data, random.Random(self.case["id"]))
        else:
            self.connection.send(data)

    def play(self, mode, cut=0, patience=3.0):
        """Sends the case in this mode, and waits for the result that the case expects."""
        for part in self.parts:
            if isinstance(part, dict):
                self.look_until(lambda: self.interim or self.final, part["ms"] / 1000)
            else:
                self._send(part, mode, cut)
        if self.case.get("shutdown") and not self.ended:
            self.connection.half_close()
        if any(isinstance(o, dict) and o.get("wait") for o in self.outcomes):
            patience = self.case.get("wait_ms", 0) / 1000
        self.look_until(lambda: len(self.final) >= self.wanted, patience)

    def play_slowly(self, patience):
        """Sends the case, then its drip once per second, until the server closes the connection."""
        self.play("whole", patience=0)
        end = time.monotonic() + patience
        while not self.ended and time.monotonic() < end:
            self.look_until(lambda: False, min(1, end - time.monotonic()))
            if self.case.get("drip"):
                self.connection.send(self.case["drip"].encode())

    def close(self):
        self.connection.socket.close()
