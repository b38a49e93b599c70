#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a server without memory (decision 26): wherever an allocation fails, the server continues and serves correctly
afterwards, or ends at once by SIGABRT with a record in its log. The server never hangs, and never ends otherwise."""

import contextlib
import json
import resource
import signal
import subprocess

import h2_wire as h2
import wire
from cases import case, check, equal, main, unsanitized
from server import BUILD, PROGRAMS, Server
from sockets import BINARY, FINAL, frame
from tls_wire import SecureServer

PROGRAMS["starved"] = BUILD / "tests/starved_server"
PATIENCE = 10  # seconds until a connection counts as forgotten; the server's own deadlines are 1.5 s
BODY = bytes(range(256)) * 250
OPENING = wire.request("/room", fields=["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="])

HTTP1 = wire.request("/wait") + wire.request("/echo", "POST", body=BODY) + wire.request("/parts")
HTTP2 = h2.begin(1 << 20) + h2.head(1, "/wait") + h2.head(3, "/echo", "POST", False) + b"".join(
    h2.frame(h2.DATA, h2.END_STREAM if at == 48_000 else 0, 3, BODY[at:at + 16_000])
    for at in range(0, len(BODY), 16_000)) + h2.head(5, "/parts") + h2.head(7, "/")
WEBSOCKET = OPENING + 2 * frame(FINAL | BINARY, BODY[:30_000])

TRANSPORTS = {"http1": (Server, HTTP1), "http2": (Server, HTTP2), "websocket": (Server, WEBSOCKET),
              "tls": (SecureServer, HTTP1)}
FAILING = [*range(24), *range(24, 200, 11)]  # numbers of allocations that succeed


def start(kind, backend):
    if kind is Server:
        return Server(backend, program="starved", log="info,json")
    return SecureServer(backend, program="starved", log="info,json",
                        listen=["http://127.0.0.1:0", "https://127.0.0.1:0"])


def plain(server):
    """Returns the port without TLS."""
    return next(int(u.rsplit(":", 1)[1]) for u in server.urls if u.startswith("http://"))


def tell(server, path):
    """Sends a request without TLS. Returns the response, or None if the server ends."""
    with contextlib.suppress(OSError, wire.Closed), wire.Wire(("127.0.0.1", plain(server)), PATIENCE) as client:
        return client.get(path)


def attack(server, sent):
    """Sends bytes, and reads until the server closes the connection."""
    with contextlib.suppress(OSError), server.connect(timeout=PATIENCE) as client:
        with contextlib.suppress(OSError):
            client.send(sent)
            client.half_close()
        check(client.ended(PATIENCE), "the server did not close the connection")


def has_ended(server):
    """Returns whether the server has ended. If so, checks its exit status and its log."""
    try:
        status = server.process.wait(0.1)
    except subprocess.TimeoutExpired:
        return False
    server.ends_by_itself = True
    equal(status, -signal.SIGABRT, f"exit status, {server.errors()}")
    reasons = "std::bad_alloc", "out of memory"  # messages of the C++ runtime and of glibc
    check(any(reason in server.errors() for reason in reasons), f"the reason is missing: {server.errors()}")
    records = [json.loads(line) for line in server.errors().splitlines() if line.startswith("{")]
    equal([r.get("signal") for r in records if r["msg"] == "the process crashed"], ["SIGABRT"], server.errors())
    return True


def starve(backend, transport, how):
    kind, sent = TRANSPORTS[transport]
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    rounds = FAILING[::3] if kind is SecureServer else list(FAILING)  # a start takes longer with TLS
    while rounds:
        with start(kind, backend) as server:
            while rounds and not has_ended(server):
                after = rounds.pop(0)
                if tell(server, f"/lack/{after}/{how}"):
                    attack(server, sent)
                answer = tell(server, "/enough")
                if not has_ended(server):
                    check(answer and answer.status == 200, f"{after}: {answer} afterwards, {server.errors()}")
                    attack(server, sent)


@unsanitized
@case
def a_limit_of_address_space(backend):
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with start(Server, backend) as server, contextlib.ExitStack() as clients:
        equal(server.get("/ceiling").body, b"set\n")
        # Bodies that do not end: 200 MB, which the default budget of memory permits.
        for _ in range(200):
            with contextlib.suppress(OSError):
                client = clients.enter_context(server.connect(timeout=1))
                client.send(wire.request("/echo", "POST", ["Content-Length: 1000000"]) + bytes(999_000))
            if has_ended(server):
                break
        attack(server, HTTP1)
        if not has_ended(server):
            check(server.get("/").status == 200, "no response")


def add(transport, how):
    def of_transport(backend):
        starve(backend, transport, how)

    of_transport.__name__ = f"{transport}_{how}"
    unsanitized(case(of_transport))


for name in TRANSPORTS:
    for way in ("once", "ever"):
        add(name, way)


if __name__ == "__main__":
    main()
