#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a server behind nginx and HAProxy, with the configurations of docs/behind-a-proxy.md: the client's address,
WebSockets, and restarts of the server under load."""

import contextlib
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import sockets
from cases import case, check, equal, main, skip
from restart_load import Load
from restarting import Restarting
from server import BUILD, PROGRAMS, Server, soon
from wire import request

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/behind-a-proxy.md"
PROGRAMS["proxied"] = BUILD / "bin/proxied"


def text_of(name):
    """Returns a configuration of the guide."""
    found = re.search(rf"<!-- tested as {re.escape(name)} by .*? -->\n```text\n(.*?)```", GUIDE.read_text(), re.S)
    return found.group(1)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def running(words, ports):
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
        try:
            def accepts(port):
                with socket.socket() as client:
                    return client.connect_ex(("127.0.0.1", port)) == 0
            if not soon(lambda: process.poll() is not None or all(map(accepts, ports))) or process.poll() is not None:
                log.seek(0)
                raise AssertionError(f"not started: {log.read().decode()}")
            yield
        finally:
            process.terminate()
            process.wait(30)


@contextlib.contextmanager
def nginx(upstream):
    """Runs nginx; yields its port. Only the ports, and what needs root, differ from the guide."""
    port = free_port()
    text = text_of("nginx.conf").replace("listen 80;", f"listen 127.0.0.1:{port};")
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{upstream}")
    with tempfile.TemporaryDirectory() as folder:
        paths = "".join(f"    {kind}_temp_path {folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        text = text.replace("http {\n", f"http {{\n    access_log off;\n{paths}")
        file = pathlib.Path(folder) / "nginx.conf"
        file.write_text(f"daemon off;\nmaster_process off;\npid {folder}/pid;\n{text}")
        with running(["nginx", "-p", folder, "-e", f"{folder}/errors", "-c", str(file)], [port]):
            yield port


@contextlib.contextmanager
def haproxy(http1, http2, proxied):
    """Runs HAProxy; yields its ports: of HTTP/1.1, HTTP/2 and bytes with a PROXY header. Only the ports differ."""
    ports = [free_port() for _ in range(3)]
    text = text_of("haproxy.cfg")
    for public, port in zip((80, 82, 81), ports):
        text = text.replace(f"bind :{public}\n", f"bind 127.0.0.1:{port}\n")
    for example, port in zip((8080, 8082, 8081), (http1, http2, proxied)):
        text = text.replace(f"127.0.0.1:{example}", f"127.0.0.1:{port}")
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write(text)
        file.flush()
        with running(["haproxy", "-db", "-f", file.name], ports):
            yield ports


def get(port, *fields, source="127.0.0.1"):
    with socket.create_connection(("127.0.0.1", port), 30, (source, 0)) as client:
        client.sendall(request("/", fields=[*fields, "Connection: close"]))
        return b"".join(iter(lambda: client.recv(65536), b"")).decode()


def shows_clients(port):
    """The example trusts 127.0.0.1, so 127.0.0.2 is a client, whose fields are not used."""
    check("You are 203.0.113.7 and came by http." in get(port, "X-Forwarded-For: 203.0.113.7"), "the client's address")
    forged = get(port, "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https", source="127.0.0.2")
    check("You are 127.0.0.2 and came by http." in forged, forged)


@case
def clients_behind_nginx_are_known(backend):
    if not shutil.which("nginx"):
        return skip("nginx is not installed")
    with Server(backend, program="proxied") as server, nginx(server.port) as port:
        shows_clients(port)


@case
def clients_behind_haproxy_are_known(backend):
    if not shutil.which("haproxy"):
        return skip("haproxy is not installed")
    where = ["127.0.0.1:0", "127.0.0.1:0,h2c"]
    proxied = free_port()
    with Server(backend, "--listen-proxied", f"127.0.0.1:{proxied}", "--proxy", "127.0.0.1", program="proxied",
                listen=where) as server:
        of_http2 = int(server.urls[1].rsplit(":", 1)[1])
        with haproxy(server.port, of_http2, proxied) as (http1, http2, tcp):
            shows_clients(http1)
            shows_clients(http2)
            answer = get(tcp, "X-Forwarded-For: 203.0.113.7", source="127.0.0.2")
            check("You are 127.0.0.2 and came by http." in answer, answer)


class _Place:
    def __init__(self, port):
        self.port = port


def echoes(port, *texts):
    with sockets.Socket(_Place(port), "/ws") as client:
        equal(client.answer.status, 101)
        for text in texts:
            client.send(sockets.frame(sockets.FINAL | sockets.TEXT, text))
            equal(client.frame(), (sockets.FINAL | sockets.TEXT, text))


def restarts_lose_nothing(running, ports, kinds):
    """Restarts the server twice, while clients send requests to each of the proxy's ports."""
    load = Load({kind: (1, port) for kind, port in kinds.items()})
    for _ in range(2):
        time.sleep(0.7)
        running.restart()
    time.sleep(1)
    results = load.end()
    print({kind: (r.requests, r.connections) for kind, r in results.items()}, file=sys.stderr)
    equal([f for r in results.values() for f in r.failures], [])
    check(all(r.requests > 20 for r in results.values()), "no load")
    for port in ports:
        echoes(port, b"after", b"the restarts")


@case
def restarts_behind_nginx_lose_nothing(backend):
    if not shutil.which("nginx"):
        return skip("nginx is not installed")
    with Restarting(backend) as running_server, nginx(running_server.ports[0]) as port:
        echoes(port, b"one", b"x" * 70_000)
        restarts_lose_nothing(running_server, [port], {kind: port for kind in ("http1", "opening", "websocket")})


@case
def restarts_behind_haproxy_lose_nothing(backend):
    if not shutil.which("haproxy"):
        return skip("haproxy is not installed")
    proxied = free_port()
    listen = ("127.0.0.1:0", "127.0.0.1:0,h2c")
    arguments = ["--listen-proxied", f"127.0.0.1:{proxied}", "--proxy", "127.0.0.1"]
    with Restarting(backend, listen, arguments=arguments) as running_server:
        with haproxy(*running_server.ports[:2], proxied) as (http1, http2, tcp):
            echoes(http1, b"one", b"x" * 70_000)
            echoes(tcp, b"one", b"x" * 70_000)
            restarts_lose_nothing(running_server, [http1, tcp], {"http1": http1, "opening": http2, "websocket": tcp})


if __name__ == "__main__":
    main(at_once=2)
