#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests profiles of a running server: its private listener sends them, and pprof and a decoder of our own read them."""

import concurrent.futures
import contextlib
import json
import socket
import struct
import sys
import time

import administration
import pprof
from cases import SANITIZED, case, check, equal, main, skip, unsanitized
from server import Server, soon
from wire import request

CPU = "/debug/pprof/profile"


def running(backend, *arguments, **options):
    return Server(backend, *arguments, program="blocked", admin=administration.LOOPBACK, **options)


def profile(server, path):
    answer = administration.get(server, path)
    equal(answer.status, 200, f"{path}: {answer.body[:200]}")
    equal(answer.field("content-type"), "application/octet-stream")
    equal(answer.field("cache-control"), "no-store")
    return answer.body


def current(server, path, wanted):
    """Returns a profile as soon as it has what is wanted: the server uses a profile again for a second."""
    kept = []

    def read():
        kept[:] = [pprof.Profile(profile(server, path))]
        return wanted(kept[0])

    soon(read)
    return kept[0]


def busy(server, path, seconds=1):
    """Returns a CPU profile of the server while it handles a request."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answer = pool.submit(server.get, path)
        taken = pool.submit(profile, server, f"{CPU}?seconds={seconds}")
        equal(answer.result().status, 200)
        return taken.result()


def shows_function(file, **labels):
    """Checks that a profile shows the busy function by its name, with most of the samples."""
    found = pprof.Profile(file)
    equal(found.types, [("samples", "count"), ("cpu", "nanoseconds")])
    equal([found.period, found.comments], [10_000_000, []])
    check(0.95e9 < found.duration < 5e9, f"a duration of {found.duration} ns")
    count = found.total(0, "burn_cpu_time", **labels)
    check(count >= 5, f"{count} samples of the busy function: {found.samples}")
    equal(found.total(1, "burn_cpu_time", **labels), count * 10_000_000)
    check(count > found.total(0) * 0.8, f"{count} of {found.total(0)} samples are in the busy function")
    program = [build_id for path, build_id in found.mappings if path.endswith("/blocked_server")]
    check(len(program) == 1 and len(program[0]) >= 16, f"mappings: {found.mappings}")


@unsanitized
@case
def a_profile_shows_functions_routes_and_threads(backend):
    with running(backend) as server:
        file = busy(server, "/burn/1500")
        shows_function(file, route="/burn/{ms}", thread="core 0")
        table = pprof.go_top(file)
        if table is None:
            return skip("go is not installed: `go tool pprof` does not read the profile")
        check("burn_cpu_time" in table and "Type: cpu" in table, table)
        table = pprof.go_top(file, "-tagfocus=route=/burn/{ms}", "-sample_index=samples")
        check("burn_cpu_time" in table, table)


@unsanitized
@case
def blocking_threads_are_in_the_profile(backend):
    with running(backend) as server:
        shows_function(busy(server, "/burn/blocking/1500"), thread="apus-blocking")


@unsanitized
@case
def profiles_work_in_the_sandbox(backend):
    with running(backend, "--sandbox", log="info,json") as server:
        check(soon(lambda: '"msg":"sandbox"' in server.errors()), "no sandbox: " + server.errors())
        shows_function(busy(server, "/burn/1500"), route="/burn/{ms}")


@case
def an_idle_server_has_an_empty_profile_and_no_timer_later(backend):
    with running(backend) as server:
        began = time.monotonic()
        found = pprof.Profile(profile(server, CPU + "?seconds=1"))
        check(0.9 < time.monotonic() - began < 10, "the duration")
        check(found.total(0) < 50, f"{found.total(0)} samples of an idle server")
        before = server.waits()
        time.sleep(0.5)
        check(server.waits() - before < 20, "the server wakes up after the profile")


@case
def only_one_profile_at_a_time(backend):
    with running(backend) as server, concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: administration.get(server, CPU + "?seconds=1"), range(20)))
        equal(sorted({a.status for a in answers}), [200, 409])
        equal(len([a for a in answers if a.status == 200]), 1, "profiles")
        refused = json.loads(next(a for a in answers if a.status == 409).body)
        equal(refused["detail"], "another CPU profile is being recorded")
        equal(administration.get(server, "/livez").status, 200)
        pprof.Profile(profile(server, CPU + "?seconds=1"))


@case
def a_client_that_resets_its_connection_ends_its_profile(backend):
    with running(backend) as server:
        with administration.wire.Wire(administration.address(server)) as client:
            client.send(request(CPU + "?seconds=60"))
            time.sleep(0.3)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        check(soon(lambda: administration.get(server, CPU + "?seconds=1").status == 200), "still records")


@case
def a_profile_does_not_delay_the_end_of_the_server(backend):
    with running(backend) as server, administration.wire.Wire(administration.address(server)) as client:
        client.send(request(CPU + "?seconds=60"))
        time.sleep(0.3)
        began = time.monotonic()
        equal(server.stop(), 0)
        check(time.monotonic() - began < 5, "the server waits for the profile")


@case
def invalid_durations_are_refused(backend):
    with running(backend) as server:
        for seconds in ("0", "61", "-1", "x", "", "1e9", "99999999999999999999"):
            equal(administration.get(server, f"{CPU}?seconds={seconds}").status, 422, seconds)


@case
def blocked_cores_are_in_the_block_profile(backend):
    with running(backend) as server:
        equal(pprof.Profile(profile(server, "/debug/pprof/block")).samples, [])
        for _ in range(2):
            server.get("/block/600")
        server.get("/blocking/1")
        found = current(server, "/debug/pprof/block", lambda p: p.total(0, "::block[", route="/block/{ms}") == 2)
        equal(found.types, [("contentions", "count"), ("delay", "nanoseconds")])
        equal(found.total(0, "::block[", route="/block/{ms}"), 2)
        delay = found.total(1, "::block[", route="/block/{ms}")
        check(1.1e9 < delay < 3e9, f"a delay of {delay} ns")
        equal(found.total(0, "apus::blocking: wait for a thread"), 1)
        table = pprof.go_top(profile(server, "/debug/pprof/block"))
        check(table is None or ("::block[" in table and "Type: delay" in table), table)


@unsanitized
@case
def held_memory_is_in_the_heap_profile(backend):
    with running(backend) as server:
        for count, held in ((1000, 65e6), (0, 0)):
            server.get(f"/hold/{count}")
            found = current(server, "/debug/pprof/heap", lambda p, least=held: (
                p.total(3, "allocate_blocks") >= 0.5 * least if least else p.total(3, "allocate_blocks") == 0))
            equal([t for t, _ in found.types], ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"])
            objects, size = found.total(2, "allocate_blocks"), found.total(3, "allocate_blocks")
            check(0.5 * held <= size <= 1.5 * held, f"{size} bytes are in use")
            check(0.5 * count <= objects <= 1.5 * count, f"{objects} blocks are in use")
            check(35e6 < found.total(1, "allocate_blocks") < 100e6, "allocated bytes")
            table = pprof.go_top(profile(server, "/debug/pprof/heap"), "-sample_index=alloc_space")
            check(table is None or "allocate_blocks" in table, table)
        for _ in range(10):  # deletions by the sampler itself are not sampled: they would wait for its lock
            for count in (1000, 0):
                equal(server.get(f"/hold/{count}").status, 200)


SCRAPED = ("/debug/pprof/heap", "/debug/pprof/block", "/debug/config", "/livez", "/readyz")


@case
def a_thousand_scrapes_do_not_delay_probes(backend):
    with running(backend) as server, contextlib.ExitStack() as open_connections:
        server.get("/hold/1000")
        clients = []
        for number in range(1000):
            path = SCRAPED[number % len(SCRAPED)]
            client = open_connections.enter_context(administration.wire.Wire(administration.address(server)))
            client.send(request(path))
            clients.append((path, client))
        slowest = 0
        for _ in range(20):
            began = time.monotonic()
            equal(administration.get(server, "/livez").status, 200)
            slowest = max(slowest, time.monotonic() - began)
        statuses, profiles = {}, set()
        for path, client in clients:
            answer = client.answer()
            statuses.setdefault(path, set()).add(answer.status)
            if path.endswith("/heap"):
                profiles.add(answer.body)
        print(f"slowest probe: {slowest:.3f} s", file=sys.stderr)
        # Sanitizers replace the functions that a heap profile samples.
        missing = {"/debug/config"} | ({"/debug/pprof/heap"} if SANITIZED else set())
        equal(statuses, {path: {404 if path in missing else 200} for path in SCRAPED})
        check(slowest < 10, f"a probe took {slowest} s")
        check(SANITIZED or len(profiles) <= 50, f"{len(profiles)} heap profiles for 200 requests")


@case
def programs_without_the_macro_have_no_heap_profile(backend):
    with administration.running(backend) as server:
        answer = administration.get(server, "/debug/pprof/heap")
        equal(answer.status, 404)
        check(b"APUS_PROFILE_HEAP" in answer.body, answer.body)


@case
def public_listeners_have_no_profiles(backend):
    with running(backend) as server:
        for path in (CPU, CPU + "?seconds=1", "/debug/pprof/block", "/debug/pprof/heap"):
            equal(server.get(path).status, 404, path)
    with Server(backend, program="blocked") as server:
        equal(server.get(CPU).status, 404)


if __name__ == "__main__":
    main()
