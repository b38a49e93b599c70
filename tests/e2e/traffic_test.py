# SPDX-License-Identifier: Apache-2.0
"""Tests the traffic middleware of the examples `traffic` and `cache` on several cores."""

import concurrent.futures
import time

import server
from cases import case, check, equal, main

server.PROGRAMS["cache"] = server.BUILD / "bin" / "cache"
server.PROGRAMS["traffic"] = server.BUILD / "bin" / "traffic"


def running(backend, *arguments):
    return server.Server(backend, *arguments, program="traffic")


@case
def a_rate_limit_made_outside_holds_for_all_cores(backend):
    with running(backend, "--cores", "2") as of:
        statuses = [of.get("/").status for _ in range(140)]  # one connection per request, so that both cores get some
        allowed = statuses.count(200)
        check(100 <= allowed <= 120, f"{allowed} requests passed a bucket of 100 that gains 10 per second")
        equal(statuses.count(429), len(statuses) - allowed)


@case
def clients_are_told_by_their_keys(backend):
    with running(backend, "--cores", "1") as of:
        told = [of.get("/api/time", fields=[f"X-Api-Key: key-{n}"]).all("ratelimit")[0] for n in (1, 1, 2)]
        equal(told, ['"api";r=99;t=1', '"api";r=98;t=2', '"api";r=99;t=1'])
        equal(of.get("/api/time").status, 401)


@case
def what_takes_too_long_is_504_and_the_connection_stays(backend):
    with running(backend) as of, of.connect() as client:
        equal(client.get("/weather").status, 504)
        equal(client.get("/").body, b"hello\n")


@case
def more_than_are_worked_on_wait_and_more_than_wait_are_refused(backend):
    with running(backend) as of:
        with concurrent.futures.ThreadPoolExecutor(14) as together:
            statuses = sorted(together.map(lambda _: of.get("/reports").status, range(14)))
        equal(statuses[:12], [200] * 12)
        # On a busy machine, requests may arrive after a token was added.
        check(set(statuses[12:]) <= {200, 503}, statuses)


@case
def one_run_answers_many_and_a_cache_of_all_cores_keeps_it(backend):
    with server.Server(backend, "--cores", "2", program="cache") as of:
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(10) as together:
            bodies = list(together.map(lambda _: of.get("/news").body, range(30)))
        equal(bodies, [b"nothing new\n"] * 30)
        check(time.monotonic() - begin < 3, "30 requests for a page of 300 ms, 10 at a time, ran one after the other")
        check(of.get("/news").field("age") is not None, "the response was not cached")
        equal(of.get("/me").field("age"), None)


if __name__ == "__main__":
    main()
