# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/compared.md: the Apus programs must pass the checks that the programs of other frameworks
pass."""

import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/compared"))

import expected
import server
from cases import case, main
from databases import postgres_server

PROGRAMS = ("hello", "todos", "login", "dashboard")
server.PROGRAMS.update({f"compared_{name}": server.BUILD / f"bin/compared_{name}"
                        for name in [*PROGRAMS, "gateway", "crud"]})


@case
def programs_answer_as_described(backend):
    for name in PROGRAMS:
        with server.Server(backend, program=f"compared_{name}") as of:
            getattr(expected, name)(of.port)


@case
def notes_are_in_a_table(backend):
    with tempfile.TemporaryDirectory() as folder:
        with server.Server(backend, program="compared_crud",
                           environment={"DATABASE_URL": f"sqlite:{folder}/notes.db"}) as of:
            expected.crud(of.port)
    with postgres_server() as url:
        with server.Server(backend, program="compared_crud", environment={"DATABASE_URL": url}) as of:
            expected.crud(of.port)


@case
def a_logout_makes_copies_of_the_cookie_invalid(backend):
    with server.Server(backend, program="compared_login") as of:
        assert expected.revoked(of.port)


@case
def a_gateway_survives_its_upstream(backend):
    with expected.upstream() as upstream:
        environment = {"UPSTREAM": f"http://127.0.0.1:{upstream.server_port}"}
        with server.Server(backend, program="compared_gateway", log="error", environment=environment.items()) as of:
            expected.gateway(of.port, upstream)


if __name__ == "__main__":
    main()
