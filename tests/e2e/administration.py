# SPDX-License-Identifier: Apache-2.0
"""Sends health probes and metrics scrapes to the administration of a server."""

import contextlib
import json
import time

import exposition
import wire
from cases import equal
from server import Server
from wire import request

LOOPBACK = "127.0.0.1:0"
OPENMETRICS = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1"


@contextlib.contextmanager
def running(backend, *arguments, checks="", admin=LOOPBACK, environment=(), **options):
    given = dict(environment, TEST_CHECKS=checks)
    with Server(backend, *arguments, program="operations", admin=admin, environment=given, **options) as server:
        yield server


def address(server):
    if server.admin.startswith("unix:"):
        return server.admin[len("unix:"):]
    return "127.0.0.1", int(server.admin.rsplit(":", 1)[1])


def get(server, path, fields=(), timeout=wire.PATIENCE):
    with wire.Wire(address(server), timeout=timeout) as client:
        client.send(request(path, fields=fields))
        return client.answer()


def health(server, path="/readyz"):
    answer = get(server, path, ["Accept: application/json"])
    equal(answer.field("content-type"), "application/json")
    return answer.status, json.loads(answer.body)


def scrape(server, openmetrics=False):
    """Returns the current metrics. Waits until the server renders them again, at most 100 ms after the last scrape."""
    last = getattr(server, "last_scrape", 0)
    time.sleep(max(last + 0.12 - time.monotonic(), 0))
    answer = get(server, "/metrics", [f"Accept: {OPENMETRICS}"] if openmetrics else [])
    equal(answer.status, 200)
    wanted = "application/openmetrics-text; version=1.0.0" if openmetrics else "text/plain; version=0.0.4"
    equal(answer.field("content-type"), wanted + "; charset=utf-8")
    equal(answer.field("cache-control"), "no-store")
    server.last_scrape = time.monotonic()
    return exposition.parse(answer.body, openmetrics)


def of_route(document, route, method="GET", status="2xx"):
    return document.value("http_server_requests_total", route=route, method=method, status=status)
