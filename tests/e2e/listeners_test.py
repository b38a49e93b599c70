#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests listeners that accept only one version of HTTP: which clients they serve, and how they respond to others."""

import pathlib
import shutil
import ssl
import subprocess
import tempfile

import h2_wire
import wire
from cases import case, check, equal, main, skip
from server import Server, ended
from tls_wire import SecureServer, SecureWire

H2 = h2_wire.begin() + h2_wire.head(1, "/")


def ports(server):
    return [int(url.rsplit(":", 1)[1]) for url in server.urls]


def by_http2(client):
    """Returns the body of the server's HTTP/2 response to a GET of /."""
    client.send(H2)
    reader = h2_wire.Reader()
    while 1 not in reader.ended and reader.goaway is None:
        if not (data := client.socket.recv(1 << 16)):
            break
        reader.take(data)
    return reader.bodies.get(1)


def says_to(address, data):
    with wire.Wire(address) as client:
        client.send(data)
        return client.rest()


def clear(port):
    return wire.Wire(("127.0.0.1", port))


@case
def in_clear_text(backend):
    with Server(backend, listen=["127.0.0.1:0", "127.0.0.1:0,h2c", "http://127.0.0.1:0,http/1.1",
                                 "127.0.0.1:0,http/1.1,h2c"]) as server:
        every, newer, older, both = ports(server)
        for port in (every, newer, both):
            with clear(port) as client:
                equal(by_http2(client), b"ok\n", str(port))
        for port in (every, older, both):
            with clear(port) as client:
                equal(client.get("/").body, b"ok\n", str(port))
        for ask in (wire.request("/"), wire.request("/", version="1.0"),
                    wire.request("/echo", "POST", body=b"x" * 100_000)):
            with clear(newer) as client:
                client.send(ask)
                answer = client.answer()
                equal((answer.status, answer.closes), (505, True), "HTTP/1.1 on a listener for HTTP/2")
        with clear(older) as client:
            client.send(H2)
            equal(client.answer().status, 505, "HTTP/2 on a listener for HTTP/1.1")
        reader = h2_wire.Reader()
        reader.take(says_to(("127.0.0.1", newer), b"INVALID\r\n\r\n"))
        equal((reader.goaway, reader.opened), (1, set()))


@case
def curl_in_clear_text(backend):
    with Server(backend, listen=["127.0.0.1:0,h2c", "127.0.0.1:0,http/1.1"]) as server:
        newer, older = ports(server)

        def curl(port, *words):
            done = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code} %{http_version}", *words,
                                   f"http://127.0.0.1:{port}/"],
                                  capture_output=True, text=True, timeout=60, check=False)
            return done.stdout

        equal(curl(newer, "--http2-prior-knowledge"), "200 2")
        equal(curl(newer), "505 1.1")
        equal(curl(newer, "--http2"), "505 1.1", "Upgrade: h2c is ignored")
        equal(curl(older), "200 1.1")
        equal(curl(older, "--http2"), "200 1.1", "an Upgrade, which is ignored")
        equal(curl(older, "--http2-prior-knowledge").split()[0], "000")


@case
def h2spec_finds_nothing_to_say_of_the_preface(backend):
    program = shutil.which("h2spec") or shutil.which("h2spec", path=str(pathlib.Path.home() / "go/bin"))
    if not program:
        return skip("h2spec is not installed")
    with Server(backend, listen=["127.0.0.1:0,h2c"]) as server:
        words = [program, "-h", "127.0.0.1", "-p", str(ports(server)[0]), "-P", "/sleep/20", "-o", "5", "-S",
                 "http2/3.5"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        check("2 tests, 2 passed" in done.stdout, done.stdout[-500:])


@case
def unix_sockets(backend):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.sock"
        with Server(backend, listen=[f"unix:{path},h2c"]) as server:
            equal(server.urls, [f"unix:{path}"])
            with wire.Wire(path) as client:
                equal(by_http2(client), b"ok\n")
            with wire.Wire(path) as client:
                equal(client.get("/").status, 505)


@case
def behind_proxy_headers(backend):
    with Server(backend, "--listen-proxied", "127.0.0.1:0,h2c", "--proxy", "127.0.0.1") as server:
        port = int(server._url().rsplit(":", 1)[1])
        for pieces in ([b"PROXY TCP4 192.0.2.7 198.51.100.2 5555 443\r\n"],
                       [b"PROXY TCP4 192.0.2.7", b" 198.51.100.2 5555 443\r\n"]):
            with clear(port) as client:
                for piece in pieces:
                    client.send(piece)
                equal(by_http2(client), b"ok\n")
        with clear(port) as client:
            client.send(pieces[0] + pieces[1])
            equal(client.get("/").status, 505)
        equal(server.get("/").status, 200)


@case
def over_tls(backend):
    with SecureServer(backend, "--cores", "2", listen=["https://127.0.0.1:0", "https://127.0.0.1:0,h2",
                                                       "https://127.0.0.1:0,http/1.1"]) as server:
        every, newer, older = ports(server)

        for offers, what in ((["h2", "http/1.1"], ("h2", "h2", "http/1.1")), (["h2"], ("h2", "h2", "refused")),
                             (["http/1.1"], ("http/1.1", "refused", "http/1.1"))):
            equal(tuple(_agreed(server, port, offers) for port in (every, newer, older)), what, str(offers))
        for port in (every, newer):
            with _connected(server, port, ["h2"]) as client:
                equal(by_http2(client), b"ok\n")
        with _connected(server, older, ["h2", "http/1.1"]) as client:
            equal(client.get("/").body, b"ok\n")
        with _connected(server, newer, None) as client:  # this client does not negotiate a protocol by ALPN
            equal(client.get("/").status, 505)
        with _connected(server, newer, None) as client:
            equal(by_http2(client), b"ok\n")
        with _connected(server, older, None) as client:
            client.send(H2)
            equal(client.answer().status, 505)
        # A TLS session of one listener can be resumed at another listener, which negotiates its own protocol.
        context = server.trusting()
        with SecureWire(("127.0.0.1", older), context, "localhost") as client:
            client.get("/")
            session = client.socket.session
        with SecureWire(("127.0.0.1", every), context, "localhost", session) as client:
            equal((client.socket.session_reused, client.get("/").status), (True, 200))
        server.port = newer
        check(server.refuses(context), "a listener for HTTP/2 accepts http/1.1 with a session of another listener")


def _connected(server, port, offers):
    """Connects a client that offers these protocols by ALPN, or that does not use ALPN if `offers` is None."""
    context = server.trusting() if offers else ssl.create_default_context(cafile=server.authority.file)
    if offers:
        context.set_alpn_protocols(offers)
    return SecureWire(("127.0.0.1", port), context, "localhost")


def _agreed(server, port, offers):
    try:
        with _connected(server, port, offers) as client:
            return client.socket.selected_alpn_protocol()
    except (OSError, wire.Closed):
        return "refused"


@case
def what_cannot_be_is_said_at_the_start(backend):
    def said(*words, program="limits"):
        status, _, errors = ended(program, *words, APUS_IO=backend)
        equal(status, 1)
        return errors.strip()

    equal(said("--listen", "127.0.0.1:0,h3"),
          "error: cannot listen on `127.0.0.1:0,h3`: unknown protocol after a comma: expected http/1.1, h2 or h2c")
    equal(said("--listen", "127.0.0.1:0,h2"),
          "error: cannot listen on `127.0.0.1:0,h2`: h2 requires https://; without TLS use h2c")
    equal(said("--listen", "127.0.0.1:0,h2c", program="smallest"),
          "error: cannot listen on `127.0.0.1:0,h2c`: this program has no HTTP/2: link it with `apus::apus`")


if __name__ == "__main__":
    main()
