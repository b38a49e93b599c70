#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests HTTP/2 and HTTP/1.1 on one port: clients of other projects, h2spec if installed, and stopping."""

import os
import pathlib
import re
import shutil
import subprocess

import h2_wire
import http2_clients
import wire
from cases import case, check, equal, main, skip
from server import BUILD, PROGRAMS, Server
from tls_wire import SecureServer

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])

# Cases that h2spec --strict may report as failed, the first only without TLS; docs/http2.md gives the reasons.
PREFACE_IN_CLEAR = "Sends invalid connection preface"
ARGUED = {"Sends PRIORITY frame that depend on itself"}


@case
def clients_get_what_they_ask_for(backend):
    with Server(backend) as server:
        base = f"http://127.0.0.1:{server.port}"
        for client in http2_clients.CLIENTS:
            first = client(base + "/", None)
            if first is None:
                skip(f"the client {client.__name__} is not installed")
                continue
            equal(first, (200, "ok\n"), client.__name__)
            equal(client(base + "/echo", "x" * 60_000), (200, "x" * 60_000), client.__name__ + " with a body")
            status, body = client(base + "/download/300000", None)
            equal((status, len(body.encode("latin-1", "replace"))), (200, len(body)), client.__name__
                  + " with a streamed body")
            check(len(body) >= 100_000, f"{client.__name__} got only {len(body)} bytes")
        equal(server.get("/").status, 200, "HTTP/1.1 on the same port")


@case
def a_program_without_it_needs_no_library_and_says_what_it_speaks(backend):
    linked = subprocess.run(["ldd", PROGRAMS["smallest"]], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"lib([a-z_+0-9]+)\.so", linked))
    check("nghttp2" not in names, linked)
    # With APUS_JOIN, one object file contains a whole folder, and so needs all dependencies of the folder.
    if "APUS_JOIN:BOOL=ON" not in (BUILD / "CMakeCache.txt").read_text():
        equal(names - {"c", "m", "gcc_s", "stdc++", "uring"}, set(), "libraries that hello world needs")
    with Server(backend, program="smallest") as server:
        equal(server.get("/").status, 200)
        with server.connect() as client:
            client.send(PREFACE)
            equal(client.head().status, 505)


@case
def what_curl_sends_and_sees(backend):
    with Server(backend) as server:
        base = f"http://127.0.0.1:{server.port}"

        def curl(*words, body=b""):
            return subprocess.run(["curl", "-sS", "--http2-prior-knowledge", *words], input=body, capture_output=True,
                                  timeout=60, check=False)

        equal(curl("-I", base + "/").stdout.split(b"\r\n")[0], b"HTTP/2 200 ", "HEAD")
        equal(curl(base + "/trailers", "-o", "/dev/null", "-D", "-").stdout.lower().count(b"x-sum: 42"), 1, "trailers")
        equal(curl("-H", "Expect: 100-continue", "-d", "abc", base + "/echo").stdout, b"abc", "100-continue")
        equal(curl("--data-binary", "@/dev/stdin", base + "/count", body=b"x" * 3_000_000).stdout, b"3000000\n",
              "an upload")
        equal(curl("--data-binary", "@/dev/stdin", base + "/echo", "-w", "%{http_code}", "-o", "/dev/null",
                   body=b"x" * 2_000_000).stdout, b"413", "too large")
        check(curl(base + "/broken").returncode != 0, "curl accepts a truncated body as complete")


@case
def a_server_that_stops_answers_what_is_under_way(backend):
    with Server(backend) as server:
        url = f"http://127.0.0.1:{server.port}/patient/400"
        words = ["curl", "-sS", "-v", "--http2-prior-knowledge", url]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asking:
            for line in asking.stderr:
                if line.startswith(b"> GET"):
                    break
            server.get("/")  # once this request is answered, the previous request has been received
            server.signal()
            out, _ = asking.communicate(timeout=60)
            equal(out, b"slept\n", "the request in flight")
        equal(server.wait(), 0, "the server's status")


def h2spec():
    return shutil.which("h2spec") or shutil.which("h2spec", path=str(pathlib.Path.home() / "go/bin"))


def every_case_passes(port, *more):
    """Runs h2spec --strict; all cases must pass, except those listed above. Returns False if h2spec is not
    installed."""
    program = h2spec()
    if not program or os.environ.get("APUS_SANITIZE"):
        skip("h2spec is not installed" if not program
             else "builds with sanitizers respond too slowly for h2spec")
        return
    words = [program, "-h", "127.0.0.1", "-p", str(port), "-P", "/sleep/20", "-o", "2", "-S", *more]
    text = subprocess.run(words, stdout=subprocess.PIPE, timeout=300, check=False).stdout.decode()
    failed = set(re.findall(r"\S \d+: (.*)", text.partition("Failures:")[2]))
    argued = ARGUED if "-t" in more else ARGUED | {PREFACE_IN_CLEAR}
    check(failed <= argued, f"h2spec: {failed - argued}")
    check(re.search(r"^14\d tests, 14\d passed", text, re.M), text[-300:])


@case
def h2spec_passes(backend):
    with Server(backend) as server:
        every_case_passes(server.port)


@case
def h2spec_passes_over_tls(backend):
    with SecureServer(backend) as server:
        every_case_passes(server.port, "-t", "-k")


@case
def by_alpn(backend):
    with SecureServer(backend) as server:
        curl = ["curl", "-sS", "--cacert", server.authority.file, "--resolve", f"localhost:{server.port}:127.0.0.1",
                "-w", "%{http_version}"]
        url = f"https://localhost:{server.port}"
        said = subprocess.run([*curl, url + "/tls"], capture_output=True, text=True, timeout=60, check=False)
        equal(said.stdout, "https TLSv1.3 localhost\n2", "curl")
        said = subprocess.run([*curl, "--data-binary", "@-", url + "/echo"], input="x" * 500_000, capture_output=True,
                              text=True, timeout=60, check=False)
        equal(said.stdout == "x" * 500_000 + "2", True, "a body both ways")
        said = subprocess.run([*curl, "--http1.1", url + "/"], capture_output=True, text=True, timeout=60, check=False)
        equal(said.stdout, "ok\n1.1", "curl --http1.1")
        with server.connect() as client:  # a client that offers only http/1.1
            client.send(PREFACE)
            equal(client.answer().status, 505, "a preface after HTTP/1.1 was negotiated")
        context = server.trusting()
        context.set_alpn_protocols(["h2", "http/1.1"])
        with server.connect(context) as client:
            equal(client.socket.selected_alpn_protocol(), "h2")
            client.send(wire.request("/"))
            reader = h2_wire.Reader()
            reader.take(client.rest())
            equal((reader.goaway, reader.opened), (1, set()), "HTTP/1.1 after HTTP/2 was negotiated")


if __name__ == "__main__":
    main()
