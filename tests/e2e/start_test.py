#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests how a server starts: its listeners, its options, and its messages when it cannot start."""

import os
import pathlib
import re
import socket
import tempfile

import wire
from cases import case, check, equal, main
from server import Server, ended


def one_sentence(text, *words):
    """Checks that an error is one line that contains these words."""
    lines = text.splitlines()
    equal(len(lines), 1, f"lines of {text!r}")
    check(lines[0].startswith("error: ") and all(word in lines[0] for word in words), f"the message is {text!r}")


@case
def several_listeners_at_once(backend):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/app.sock"
        with Server(backend, "--cores", "2", listen=["127.0.0.1:0", "[::1]:0", f"unix:{path}"]) as server:
            v4, v6, unix = server.urls
            check(re.fullmatch(r"http://127\.0\.0\.1:\d+", v4), v4)
            check(re.fullmatch(r"http://\[::1\]:\d+", v6), v6)
            equal(unix, f"unix:{path}")
            for address, peer in ((("127.0.0.1", server.port), b"127.0.0.1\n"),
                                  (("::1", int(v6.rsplit(":", 1)[1])), b"::1\n"), (path, b"unix\n")):
                for _ in range(4):
                    with wire.Wire(address) as client:
                        equal(client.get("/peer").body, peer)
        check(not os.path.exists(path), "the Unix socket still exists")


@case
def a_unix_socket_left_by_a_crash_is_taken_over(backend):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/app.sock"
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(path)
        with Server(backend, listen=[f"unix:{path}"]), wire.Wire(path) as client:
            equal(client.get("/").body, b"ok\n")


@case
def a_port_in_use(backend):
    with Server(backend) as server:
        status, output, errors = ended("limits", "--port", str(server.port), APUS_IO=backend, APUS_LOG="warn")
        equal((status, output), (1, ""))
        one_sentence(errors, str(server.port), "in use")
        equal(server.get("/").status, 200, "the first server's answer")


@case
def a_unix_socket_in_use(backend):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/app.sock"
        with Server(backend, listen=[f"unix:{path}"]), wire.Wire(path) as client:
            status, _, errors = ended("limits", "--listen", f"unix:{path}", APUS_IO=backend, APUS_LOG="warn")
            equal(status, 1)
            one_sentence(errors, path)
            equal(client.get("/").body, b"ok\n", "the first server's answer")


@case
def an_address_of_another_machine(backend):
    status, _, errors = ended("limits", "--host", "192.0.2.1", "--port", "0", APUS_IO=backend, APUS_LOG="warn")
    equal(status, 1)
    one_sentence(errors, "192.0.2.1")


@case
def mistakes_in_options(backend):
    for arguments, words in ((["--prot", "80"], ["--prot"]), (["--port", "http"], ["--port", "http"]),
                             (["--port", "65536"], ["65535"]), (["--port"], ["--port"]),
                             (["--drain=soon"], ["--drain", "soon"]), (["8080"], ["8080"])):
        status, output, errors = ended("limits", *arguments, APUS_IO=backend)
        equal((status, output), (2, ""), repr(arguments))
        one_sentence(errors.split("\n\n")[0], *words)
        check("--help" in errors, "no hint")


@case
def help_is_shown(backend):
    status, output, errors = ended("limits", "--help", APUS_IO=backend)
    equal((status, errors), (0, ""))
    for option in ("--host", "--port", "--listen", "--cores", "--drain", "--access-log", "APUS_IO", "APUS_LOG"):
        check(option in output, f"{option} is not in --help")


@case
def a_backend_that_is_none(backend):
    status, _, errors = ended("limits", "--port", "0", APUS_IO=backend + "x", APUS_LOG="warn")
    equal(status, 1)
    one_sentence(errors, "APUS_IO")


@case
def options_with_equals(backend):
    with Server(backend, "--drain=5", "--cores=2") as server:
        threads = len(list(pathlib.Path(f"/proc/{server.process.pid}/task").iterdir()))
        check(threads >= 3, f"{threads} threads for two cores")
        equal(server.get("/").status, 200)


if __name__ == "__main__":
    main()
