#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that each client gets the whole response of its last request, and no reset, whatever it sends behind the
request and however it closes. short_connections_run.py does the same with clients of other projects, and more
connections."""

import short_connections_run
from cases import SANITIZED, case, check, equal, main
from server import Server
from tls_wire import SecureServer
from wire import request

LARGE = 3_000_000  # bytes: more than the kernel can send before the client reads


@case
def nothing_sent_behind_the_last_request_destroys_its_response(backend):
    with Server(backend, program="conformance") as server:
        equal(short_connections_run.python(f"http://127.0.0.1:{server.port}", 800 if SANITIZED else 4000), [])


def reads_a_large_response(server, path, end):
    """Sends more when the response has begun."""
    with server.connect(receive_buffer=65536) as client:
        client.send(request(f"/{path}/{LARGE}", fields=["Connection: close"]))
        answer = client.head()
        client.send(b"x")
        equal(answer.status, 200)
        body = client.rest()
        check(len(body) >= LARGE and body.endswith(end), f"{path}: {len(body)} bytes, then {body[-5:]}")


@case
def nothing_sent_during_a_large_response_destroys_it(backend):
    for kind in (Server, SecureServer):
        with kind(backend) as server:
            for _ in range(5):
                reads_a_large_response(server, "big", b"")
                reads_a_large_response(server, "download", b"\r\n0\r\n\r\n")


if __name__ == "__main__":
    main()
