# SPDX-License-Identifier: Apache-2.0
"""Starts processes whose response caches have a second level on Redis, and sends requests to them."""
import contextlib

import server
import wire
from administration import LOOPBACK, scrape
from cases import equal
from server import Server

server.PROGRAMS["libraries"] = server.BUILD / "tests/libraries_server"
SEARCHES, WRITES = "apus_response_cache_store_searches_total", "apus_response_cache_store_writes_total"


@contextlib.contextmanager
def processes(backend, url, count=3, cores=2, timeout=5_000):
    """Starts processes. `timeout`: of the store, long enough for a machine with other load."""
    environment = {"REDIS_URL": url, "STORE_TIMEOUT": str(timeout)}
    with contextlib.ExitStack() as all_of:
        yield [all_of.enter_context(Server(backend, "--cores", str(cores), program="libraries", admin=LOOPBACK,
                                           environment=environment)) for _ in range(count)]


def get(of, path, fields=()):
    answer = of.get(f"/shared/{path}", fields=list(fields))
    equal(answer.status, 200, path)
    return answer.body.decode()


def send(of, path, method):
    with of.connect() as client:
        client.send(wire.request(path, method, body=b""))
        return client.answer(method).status


def runs(all_of):
    return sum(int(of.get("/runs").body) for of in all_of)


def count(of, name, result):
    return scrape(of).value(name, result=result)
