# SPDX-License-Identifier: Apache-2.0
"""An OTLP receiver: an HTTP server that decodes exported spans and log records."""

import http.server
import socket
import struct
import threading
import time

from administration import LOOPBACK
from server import BUILD, PROGRAMS, Server, soon

PROGRAMS["tracing"] = BUILD / "tests/tracing_server"

KINDS = {1: "internal", 2: "server", 3: "client", 4: "producer", 5: "consumer"}


def fields_of(message):
    """Yields the number and the value of each field of a protobuf message. Values are numbers or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(tag & 7) or varint()
        piece = message[at:at + size]
        assert len(piece) == size, "a truncated message"
        at += size
        yield tag >> 3, int.from_bytes(piece, "little") if tag & 7 != 2 else piece


def value_of(message):
    for number, value in fields_of(message):
        if number == 1:
            return value.decode()  # must be UTF-8
        if number == 2:
            return bool(value)
        if number == 3:
            return value - (1 << 64) if value >> 63 else value
        return struct.unpack("<d", value.to_bytes(8, "little"))[0]
    return None


def attribute_of(message):
    pair = dict(fields_of(message))
    return pair[1].decode(), value_of(pair[2])


class Span:
    """A decoded span. Ids are hexadecimal, `parent` is empty for the first span of a trace."""

    def __init__(self, message, resource):
        self.resource, self.parent, self.state, self.failed, self.why = resource, "", "", False, ""
        self.attributes, self.events = {}, []
        for number, value in fields_of(message):
            if number == 1:
                self.trace = value.hex()
            elif number == 2:
                self.id = value.hex()
            elif number == 3:
                self.state = value.decode()
            elif number == 4:
                self.parent = value.hex()
            elif number == 5:
                self.name = value.decode()
            elif number == 6:
                self.kind = KINDS[value]
            elif number == 7:
                self.start = value
            elif number == 8:
                self.end = value
            elif number == 9:
                key, text = attribute_of(value)
                assert key not in self.attributes, f"duplicate attribute {key}"
                self.attributes[key] = text
            elif number == 11:
                self.events.append(dict(fields_of(value))[2].decode())
            elif number == 15:
                status = dict(fields_of(value))
                self.failed, self.why = status.get(3) == 2, status.get(2, b"").decode()

    def __repr__(self):
        return f"{self.kind} {self.name} {self.attributes}"


class Record:
    """A decoded log record. Ids are hexadecimal, and empty outside of traces."""

    def __init__(self, message, resource):
        self.resource, self.trace, self.span, self.attributes = resource, "", "", {}
        for number, value in fields_of(message):
            if number == 1:
                self.time = value
            elif number == 2:
                self.severity = value
            elif number == 3:
                self.level = value.decode()
            elif number == 5:
                self.body = value_of(value)
            elif number == 6:
                key, text = attribute_of(value)
                assert key not in self.attributes, f"duplicate attribute {key}"
                self.attributes[key] = text
            elif number == 9:
                self.trace = value.hex()
            elif number == 10:
                self.span = value.hex()

    def __repr__(self):
        return f"{self.level} {self.body} {self.attributes}"


def items_of(body, kind):
    """Yields the spans or log records of an export request. `kind`: Span or Record."""
    for _, of_resource in fields_of(body):
        resource = {}
        for number, part in fields_of(of_resource):
            if number == 1:
                resource = dict(attribute_of(value) for _, value in fields_of(part))
            else:
                yield from (kind(value, resource) for n, value in fields_of(part) if n == 2)


def misbehave(behaviour, to, ends):
    """Sends a response of a faulty collector: see Receiver. Returns early if the event `ends` is set."""
    if behaviour == "hang":
        ends.wait(60)
    elif behaviour == "cut":
        to.write(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n")
    elif behaviour == "slow":
        for byte in b"HTTP/1.1 200 OK\r\nx: ":
            to.write(bytes([byte]))
            if ends.wait(0.2):
                break
    elif behaviour == "lie":
        to.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n" + b"x" * 1_000_000)
    elif behaviour == "huge":
        to.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n")
        for _ in range(100):
            to.write(b"x" * 1_000_000)


class Receiver:
    """Receives spans and log records until the end of its `with` block. `answers`: the statuses of the first exports,
    then 200.

    `behaviour`: "hang" never responds; "cut" closes the connection after the head; "slow" sends the head byte by byte;
    "lie" sends less than its Content-Length; "huge" sends a body of 100 MB. `only`: the path to which this applies.
    `decode`: False keeps only the bodies of exports, so that decoding does not disturb a measured server.
    """

    def __init__(self, answers=(), behaviour="", retry_after=None, only="", decode=True):
        receiver = self
        self.spans, self.records, self.bodies, self.heads, self.others = [], [], [], [], []
        self.paths = []  # of other requests
        self.behaviour, self.statuses = behaviour, list(answers)
        self.ends = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                receiver.paths.append(self.path)
                receiver.others.append(dict((k.lower(), v) for k, v in self.headers.items()))
                self.answer(200)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.heads.append((self.path, dict((k.lower(), v) for k, v in self.headers.items())))
                if receiver.behaviour and self.path.startswith(only):
                    self.close_connection = True
                    return misbehave(receiver.behaviour, self.wfile, receiver.ends)
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                if status == 200:
                    if self.path == "/v1/logs":
                        receiver.records.extend(items_of(body, Record))
                    else:
                        receiver.bodies.append(body)
                        receiver.spans.extend(items_of(body, Span) if decode else ())
                self.answer(status)

            def answer(self, status):
                self.send_response(status)
                if retry_after and status != 200:
                    self.send_header("retry-after", retry_after)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            request_queue_size = 1024
            daemon_threads = True

            def handle_error(self, *_):
                pass  # the exporter has closed the connection

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.server.shutdown()
        self.server.server_close()

    def named(self, name, count=1):
        """Waits for this number of spans of this name, and returns them."""
        assert soon(lambda: len([s for s in self.spans if s.name == name]) >= count), f"no {name}: {self.spans}"
        return [s for s in self.spans if s.name == name]

    def recorded(self, body, count=1):
        """Waits for this number of log records with this body, and returns them."""
        assert soon(lambda: len([r for r in self.records if r.body == body]) >= count), f"no {body}: {self.records}"
        return [r for r in self.records if r.body == body]


def tracing(backend, to, *arguments, **options):
    """Starts the test server. `to`: a Receiver or a URL. `options`: TEST_ variables of tracing_server.cpp."""
    url = getattr(to, "url", to)
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "TEST_UPSTREAM": url,
                   **{"TEST_" + name.upper(): str(value) for name, value in options.items()}}
    return Server(backend, *arguments, program="tracing", environment=environment, admin=LOOPBACK, log="info")


def closed_port():
    """Returns the URL of a port at which no server listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}"


def seconds_of(function):
    """Returns the duration of a call."""
    began = time.monotonic()
    function()
    return time.monotonic() - began
