#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the HTTP client as users run it: the gateway example between curl and Python's HTTP server."""

import http.server
import os
import subprocess
import threading
import time

import server
from cases import case, check, equal, main

server.PROGRAMS["gateway"] = server.BUILD / "bin" / "gateway"
LARGE = 20_000_000


class Upstream(http.server.BaseHTTPRequestHandler):
    """Echoes bodies, and reports the received request."""
    protocol_version = "HTTP/1.1"

    def answer(self, body, *fields, status=200):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        if self.path == "/large":
            self.answer(b"x" * LARGE)
        elif self.path == "/moved":
            self.answer(b"", ("Location", "/elsewhere"), status=302)
        elif self.path == "/hangs-up":
            self.close_connection = True
        else:
            self.answer(f"{self.path} {self.headers.get('X-Mine')}".encode(), ("Content-Type", "text/x-test"),
                        ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"))

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers["Content-Length"]))
        whole = b""
        while size := int(self.rfile.readline(), 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def do_POST(self):
        self.answer(self.body())

    def log_message(self, *_):
        pass


upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
upstream.daemon_threads = True
upstream.handle_error = lambda *_: None  # suppresses tracebacks for connections that the client has closed
GATEWAY = {"program": "gateway", "environment": {"UPSTREAM": f"http://127.0.0.1:{upstream.server_port}"}}


def curl(of, path, *options, stdin=None):
    done = subprocess.run(["curl", "-sS", "-i", "--max-time", "60", "-H", "Expect:", *options, of.urls[0] + path],
                          input=stdin, capture_output=True, timeout=90)
    check(done.returncode == 0, f"curl {path}: {done.stderr.decode()}")
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode().lower(), body


@case
def passes_requests_and_answers_on(backend):
    with server.Server(backend, **GATEWAY) as gateway:
        for _ in range(3):
            status, head, body = curl(gateway, "/api/a/b?c=d", "-H", "X-Mine: yes")
            equal((status, body), (200, b"/a/b?c=d yes"))
            check("content-type: text/x-test" in head and "set-cookie: a=1" in head and "set-cookie: b=2" in head, head)
        equal(curl(gateway, "", "--request-target", "http://a.example/api/a/b?c=/api/")[2], b"/a/b?c=/api/ None")
        equal(curl(gateway, "/api/a", "-H", "X-Mine: yes", "-H", "Connection: close, x-mine")[2], b"/a None")
        equal(curl(gateway, "/api/moved")[0], 302)
        equal(curl(gateway, "/api/hangs-up")[0], 502)


@case
def streams_large_bodies_both_ways(backend):
    with server.Server(backend, **GATEWAY) as gateway:
        began = time.monotonic()
        equal(len(curl(gateway, "/api/large")[2]), LARGE)
        check(time.monotonic() - began < 3, "the end of a stream waits for some other event")
        body = os.urandom(900_000)
        # In HTTP/2, a request with a body needs neither Content-Length nor Transfer-Encoding.
        newer = ["--http2-prior-knowledge"]
        for options in ([], ["-H", "Transfer-Encoding: chunked"], newer, [*newer, "-H", "Content-Length:"]):
            status, _, echoed = curl(gateway, "/api/echo", "--data-binary", "@-", *options, stdin=body)
            equal((status, echoed == body), (200, True), repr(options))


@case
def a_client_that_leaves_takes_its_request_along(backend):
    with server.Server(backend, **GATEWAY) as gateway:
        for _ in range(3):
            left = gateway.connect()
            left.send(b"GET /api/large HTTP/1.1\r\nhost: a\r\n\r\n")
            left.socket.recv(1000)
            left.socket.close()
        equal(curl(gateway, "/api/x")[0], 200)


if __name__ == "__main__":
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    main()
