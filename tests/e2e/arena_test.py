#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends the requests of the public benchmark that examples/arena implements, each to the port that the benchmark
uses, and checks the responses."""

import contextlib
import gzip
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import tempfile
import time

import cases
import h2_wire
import server
import wire
from cases import case, check, equal
from server import Server, ended
from sockets import FINAL, TEXT, Socket, frame
from tls_wire import SecureWire

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "examples/arena/dataset.json"
ITEMS = json.loads(DATA.read_text())
server.PROGRAMS["arena"] = server.BUILD / "bin/arena"

TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml",
         "json": "application/json",
         "webp": "image/webp", "woff2": "font/woff2"}
FILES = ["analytics.js", "app.js", "helpers.js", "router.js", "vendor.js", "components.css", "layout.css", "reset.css",
         "theme.css",
         "utilities.css", "header.html", "footer.html", "icon-sprite.svg", "logo.svg", "manifest.json", "hero.webp",
         "thumb1.webp",
         "thumb2.webp", "bold.woff2", "regular.woff2"]
COUNTS = [(1, 3), (5, 7), (10, 2), (15, 5), (25, 4), (40, 8), (50, 6)]


class Arena(Server):
    """The program on free ports in place of 8080, 8081, 8082 and 8443, with files named as in the benchmark."""

    def __init__(self, backend):
        self._folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self._folder.name)
        shutil.copy(DATA, folder)
        (folder / "static").mkdir()
        self.files = {}
        for name in FILES:
            self.files[name] = {"": os.urandom(2000) + name.encode() * 500}
            # The .gz and .br files contain other bytes than the compressed original, so that the response shows which
            # file was sent.
            if not name.endswith(("webp", "woff2")):
                self.files[name] |= {".br": b"br of " + name.encode(), ".gz": gzip.compress(name.encode())}
            for ending, data in self.files[name].items():
                (folder / "static" / (name + ending)).write_bytes(data)
        super().__init__(backend, program="arena", environment={"DATA": str(folder)}, listen=[
            "http://127.0.0.1:0", "https://127.0.0.1:0,http/1.1", "http://127.0.0.1:0,h2c", "https://127.0.0.1:0"])
        self.clear, self.http1_tls, self.h2c, self.tls = (int(url.rsplit(":", 1)[1]) for url in self.urls)

    def __exit__(self, *why):
        super().__exit__(*why)
        self._folder.cleanup()

    def connect_tls(self, port, offers=("http/1.1",)):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(list(offers))
        return SecureWire(("127.0.0.1", port), context, "localhost")

    def both(self):
        """Returns an HTTP/1.1 connection without TLS, and one with TLS."""
        return [self.connect(), self.connect_tls(self.http1_tls)]

    def by_http2(self, path, *words, secure, body=None):
        """Returns the fields and the body that curl receives over HTTP/2."""
        how, base = (["--http2", "--insecure"],
                     f"https://127.0.0.1:{self.tls}") if secure else (["--http2-prior-knowledge"],
                                                                      f"http://127.0.0.1:{self.h2c}")
        done = subprocess.run(["curl", "-sS", "-D", "-", *how, *words,
                               *(["--data-binary", "@-"] if body is not None else []), base + path],
                              input=body, capture_output=True, timeout=60, check=False)
        head, _, got = done.stdout.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        equal(lines[0].strip(), "HTTP/2 200", path + done.stderr.decode())
        return dict(line.split(": ", 1) for line in lines[1:]), got


def items(count, m):
    made = [{**item, "total": item["price"] * item["quantity"] * m} for item in ITEMS[:count]]
    return {"items": made, "count": count}


def is_text(answer, text):
    equal((answer.status, answer.body.decode()), (200, text))
    check(answer.field("content-type").startswith("text/plain"), f"{answer} is not plain text")


@case
def baseline_and_latency(backend):
    with Arena(backend) as of:
        for connection in of.both():
            with connection as client:
                is_text(client.get("/baseline11?a=13&b=42"), "55")
                is_text(client.post("/baseline11?a=13&b=42", b"20"), "75")
                for pieces in ([b"20"], [b"2", b"0"]):
                    client.send(wire.chunked("/baseline11?a=13&b=42", pieces))
                    is_text(client.answer(), "75")


@case
def short_lived_and_pipelined(backend):
    with Arena(backend) as of:
        for _ in range(20):
            with of.connect() as client:
                for n in range(10):
                    is_text(client.get(f"/baseline11?a={n}&b=1"), str(n + 1))
        with of.connect() as client:
            for _ in range(20):
                client.send(wire.request("/pipeline") * 16)
                for _ in range(16):
                    is_text(client.answer(), "ok")


@case
def json_clear_and_over_tls(backend):
    with Arena(backend) as of:
        for connection in of.both():
            with connection as client:
                for count, m in COUNTS:
                    answer = client.get(f"/json/{count}?m={m}")
                    equal((answer.status, answer.field("content-type"), answer.field("content-encoding")),
                          (200, "application/json", None))
                    equal(json.loads(answer.body), items(count, m))


@case
def json_compressed_as_negotiated(backend):
    with Arena(backend) as of, of.connect() as client:
        for count, m in COUNTS[-3:]:
            answer = client.get(f"/json/{count}?m={m}", fields=["Accept-Encoding: gzip, br"])
            check(answer.field("content-encoding") in ("gzip", "br"), str(answer))
            check(len(answer.body) < len(client.get(f"/json/{count}?m={m}").body) / 2, "not compressed")
            answer = client.get(f"/json/{count}?m={m}", fields=["Accept-Encoding: gzip"])
            equal((answer.field("content-encoding"), json.loads(gzip.decompress(answer.body))),
                  ("gzip", items(count, m)))


@case
def uploads(backend):
    with Arena(backend) as of:
        for connection in of.both():
            with connection as client:
                for size in (500_000, 2_000_000, 20_000_000):
                    is_text(client.post("/upload", bytes(size)), str(size))
                client.send(wire.chunked("/upload", [bytes(100_000)] * 7))
                is_text(client.answer(), "700000")


@case
def files_in_clear_and_over_tls(backend):
    with Arena(backend) as of:
        equal(len(of.files), 20)
        for connection in of.both():
            with connection as client:
                for name, kinds in of.files.items():
                    media = TYPES[name.rsplit(".", 1)[1]]
                    for accepted, ending in (("br;q=1, gzip;q=0.8", ".br"), ("gzip", ".gz"), ("identity", "")):
                        answer = client.get("/static/" + name, fields=[f"Accept-Encoding: {accepted}"])
                        wanted = kinds.get(ending, kinds[""])
                        equal((answer.status, answer.body == wanted), (200, True), f"{name}, {accepted}")
                        coding = {".br": "br", ".gz": "gzip"}.get(ending) if ending in kinds else None
                        equal((answer.field("content-type").split(";")[0], answer.field("content-encoding")),
                              (media, coding), name)


@case
def files_and_json_over_http2(backend):
    with Arena(backend) as of:
        for secure in (False, True):
            for name in ("vendor.js", "hero.webp"):
                fields, body = of.by_http2("/static/" + name, "-H", "Accept-Encoding: br;q=1, gzip;q=0.8",
                                           secure=secure)
                equal((body == of.files[name].get(".br", of.files[name][""]), fields.get("content-encoding")),
                      (True, "br" if name.endswith("js") else None))
            for count, m in COUNTS:
                equal(json.loads(of.by_http2(f"/json/{count}?m={m}", secure=secure)[1]), items(count, m))
            equal(of.by_http2("/baseline2?a=1&b=1", secure=secure)[1], b"2")
            equal(of.by_http2("/upload", "-H", "Expect:", secure=secure, body=bytes(500_000))[1], b"500000")


@case
def a_hundred_streams(backend):
    with Arena(backend) as of, contextlib.ExitStack() as stack:
        for client in (wire.Wire(("127.0.0.1", of.h2c)), of.connect_tls(of.tls, ["h2"])):
            stack.enter_context(client)
            streams = range(1, 201, 2)
            client.send(h2_wire.begin() + b"".join(h2_wire.head(n, f"/baseline2?a={n}&b=1") for n in streams))
            reader = h2_wire.Reader()
            while len(reader.ended) < len(streams):
                reader.take(client.socket.recv(1 << 18))
            equal(reader.bodies, {n: b"%d" % (n + 1) for n in streams})


@case
def each_port_speaks_what_it_is_for(backend):
    with Arena(backend) as of:
        with wire.Wire(("127.0.0.1", of.h2c)) as client:
            equal(client.get("/baseline2?a=1&b=1").status, 505, "HTTP/1.1 on the port for HTTP/2")
        for port, agreed in ((of.http1_tls, "http/1.1"), (of.tls, "h2")):
            with of.connect_tls(port, ["h2", "http/1.1"]) as client:
                equal(client.socket.selected_alpn_protocol(), agreed)


@case
def websocket_echo(backend):
    with Arena(backend) as of:
        for _ in range(3):
            with Socket(of, "/ws") as client:
                equal(client.answer.status, 101)
                client.send(b"".join(frame(FINAL | TEXT, b"message %d" % n) for n in range(16)))
                for n in range(16):
                    equal(client.frame(), (FINAL | TEXT, b"message %d" % n))
        for _ in range(10):  # the server closes each connection after 10 messages
            with Socket(of, "/ws") as client:
                for n in range(10):
                    client.send(frame(FINAL | TEXT, b"%d" % n))
                    equal(client.frame(), (FINAL | TEXT, b"%d" % n))


@case
def delays_hold_no_thread(backend):
    with Arena(backend) as of, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(of.connect()) for _ in range(200)]
        begin = time.monotonic()
        for client in clients:
            client.send(wire.request("/delay/400"))
        for client in clients:
            is_text(client.answer(), "400")
        took = time.monotonic() - begin
        check(0.4 <= took < 20, f"200 waits of 0.4 s took {took} s")  # would take 80 s if each wait blocked a thread
        is_text(clients[0].get("/delay/10"), "10")


@case
def echo_over_tls(backend):
    with Arena(backend) as of:
        for connection in of.both():
            with connection as client:
                for size in (0, 1, 10_240, 102_400):
                    data = os.urandom(size)
                    answer = client.post("/echo", data)
                    equal((answer.status, answer.body == data), (200, True), str(size))
                    pieces = [data[at:at + 7000] for at in range(0, size, 7000)]
                    client.send(wire.chunked("/echo", pieces))
                    equal(client.answer().body == data, True, f"{size} in chunks")


@case
def missing_data_is_named(backend):
    with tempfile.TemporaryDirectory() as elsewhere:
        status, _, errors = ended("arena", "--listen", "https://127.0.0.1:0", "--cores", "1", APUS_IO=backend,
                                  DATA=elsewhere)
        equal(status, 1)
        for named in (elsewhere + "/dataset.json", "No such file or directory", "set DATA to the folder"):
            check(named in errors, f"`{named}` is not in {errors}")


@case
def its_own_ports_are_those_of_the_benchmark(_backend):
    main = (ROOT / "examples/arena/main.cpp").read_text()
    equal(re.findall(r'"(https?)://127\.0\.0\.1:(\d+)([^"]*)"', main),
          [("http", "8080", ""), ("https", "8081", ",http/1.1"), ("http", "8082", ",h2c"), ("https", "8443", "")])


if __name__ == "__main__":
    cases.main()
