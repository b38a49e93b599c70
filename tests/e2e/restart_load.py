# SPDX-License-Identifier: Apache-2.0
"""Clients that send requests as fast as they get responses, each in its own process, and count lost requests.

A client opens a new connection only when the server has told it to: `Connection: close`, GOAWAY, or a Close frame
with 1012. A request that a GOAWAY excludes, or a message that is unanswered at a Close frame, is sent again, as the
protocols specify. Everything else is a failure: a refused connection, a reset, an end without notice, another status.
"""

import multiprocessing
import ssl
import struct
import time

import h2_wire
import sockets
import tls_wire
import wire

CONNECTIONS = 4  # of each HTTP/1.1 client
STREAMS = 8      # of each HTTP/2 client



class Result:
    """Requests and failures of a client, and its latencies in steps of 0.1 ms."""

    def __init__(self):
        self.requests, self.connections, self.failures, self.times = 0, 0, [], {}

    def count(self, seconds):
        self.requests += 1
        step = int(seconds * 10_000)
        self.times[step] = self.times.get(step, 0) + 1

    def add(self, other):
        self.requests += other.requests
        self.connections += other.connections
        self.failures += other.failures
        for step, n in other.times.items():
            self.times[step] = self.times.get(step, 0) + n

    def percentile(self, share):
        """Returns a latency in milliseconds."""
        left = share * sum(self.times.values())
        for step in sorted(self.times):
            left -= self.times[step]
            if left <= 0:
                return (step + 1) / 10
        return 0.0


def http1(port, ends, result, authorities):
    del authorities
    sent = wire.request("/")
    clients = [None] * CONNECTIONS
    while not ends.is_set():
        began = time.perf_counter()
        for i, client in enumerate(clients):
            if client is None:
                clients[i] = client = wire.Wire(("127.0.0.1", port))
                result.connections += 1
            client.send(sent)
        for i, client in enumerate(clients):
            answer = client.answer()
            if answer.status != 200 or answer.body != b"ok\n":
                raise AssertionError(f"response {answer}")
            result.count(time.perf_counter() - began)
            if answer.closes:
                client.socket.close()
                clients[i] = None


def pausing(port, ends, result, authorities):
    """Keeps connections idle between requests, for longer than a stopping server keeps idle connections open."""
    del authorities
    clients = [None] * 20
    while not ends.is_set():
        for i, client in enumerate(clients):
            result.connections += client is None
            clients[i] = client = client or wire.Wire(("127.0.0.1", port))
            began = time.perf_counter()
            client.send(wire.request("/"))
            answer = client.answer()
            result.count(time.perf_counter() - began)
            if answer.status != 200:
                raise AssertionError(f"response {answer}")
            if answer.closes:
                client.socket.close()
                clients[i] = None
        time.sleep(0.7)


def opening(port, ends, result, authorities):
    """Opens a connection for each request."""
    del authorities
    while not ends.is_set():
        began = time.perf_counter()
        with wire.Wire(("127.0.0.1", port)) as client:
            client.send(wire.request("/", fields=["Connection: close"]))
            if client.answer().status != 200:
                raise AssertionError("another status")
        result.connections += 1
        result.count(time.perf_counter() - began)


def secure_http2(port, ends, result, authorities):
    context = ssl.create_default_context(cafile=authorities)
    context.set_alpn_protocols(["h2"])
    excluded = 0
    while not ends.is_set():
        with tls_wire.SecureWire(("127.0.0.1", port), context, "localhost") as client:
            result.connections += 1
            excluded = _streams(client, ends, result, excluded)


def _streams(client, ends, result, again):
    """Sends requests until a GOAWAY. Returns the number of requests that it excludes. `again`: number to repeat."""
    client.send(h2_wire.begin())
    reader, stream = h2_wire.Reader(), 1
    while reader.goaway is None and not ends.is_set():
        sent = list(range(stream, stream + 2 * max(STREAMS, again), 2))
        stream, again, began = sent[-1] + 2, 0, time.perf_counter()
        client.send(b"".join(h2_wire.head(s, "/") for s in sent))
        missing = set(sent)
        while missing := {s for s in missing if s not in reader.ended}:
            excluded = {s for s in missing if reader.goaway is not None and s > reader.goaway}
            if excluded == missing:
                return len(excluded)
            data = client.socket.recv(1 << 16)
            if not data:
                raise wire.Closed(f"{len(missing)} streams are open; GOAWAY {reader.goaway}")
            reader.take(data)
            if reader.resets:
                raise AssertionError(f"streams reset: {reader.resets}")
        for s in sent:
            if reader.bodies.pop(s) != b"ok\n":
                raise AssertionError("another body")
            result.count(time.perf_counter() - began)
        client.send(h2_wire.frame(h2_wire.WINDOW_UPDATE, 0, 0, struct.pack(">I", 3 * len(sent))))
    return 0


def websocket(port, ends, result, authorities):
    del authorities
    number = 0
    while not ends.is_set():
        with sockets.Socket(_Place(port), "/ws") as client:
            result.connections += 1
            if client.answer.status != 101:
                raise AssertionError(f"response {client.answer}")
            number = _messages(client, ends, result, number)


class _Place:
    def __init__(self, port):
        self.port = port


def _messages(client, ends, result, number):
    while not ends.is_set():
        began, text = time.perf_counter(), b"%d" % number
        client.send(sockets.frame(sockets.FINAL | sockets.TEXT, text))
        first, payload = client.frame()
        if first == sockets.FINAL | sockets.CLOSE:
            code = struct.unpack(">H", payload[:2])[0]
            if code != 1012:
                raise AssertionError(f"closed with {code}")
            client.send(sockets.close(1012))
            return number  # sent again on the next connection
        if payload != text:
            raise AssertionError(f"message {payload!r} in place of {text!r}")
        number += 1
        result.count(time.perf_counter() - began)
    return number


KINDS = {"http1": http1, "pausing": pausing, "opening": opening, "http2": secure_http2, "websocket": websocket}


def _run(kind, port, ends, results, authorities):
    result = Result()
    try:
        KINDS[kind](port, ends, result, authorities)
    except Exception as error:
        result.failures.append(f"{kind}: request {result.requests + 1}: {error!r}")
    results.put((kind, result))


class Load:
    """Runs the clients {kind: (number of clients, port)}."""

    def __init__(self, clients, authorities=None):
        forking = multiprocessing.get_context("fork")
        self._ends, self._results = forking.Event(), forking.Queue()
        self._processes = [
            forking.Process(target=_run, args=(kind, port, self._ends, self._results, authorities), daemon=True)
            for kind, (n, port) in clients.items() for _ in range(n)]
        for process in self._processes:
            process.start()

    def end(self):
        """Stops the clients. Returns {kind: result}."""
        self._ends.set()
        results = {}
        for _ in self._processes:
            kind, result = self._results.get(timeout=60)
            results.setdefault(kind, Result()).add(result)
        for process in self._processes:
            process.join(10)
        return results
