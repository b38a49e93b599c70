#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests health probes: the private listener, checks, blocked cores, shutdown."""

import concurrent.futures
import os
import socket
import tempfile
import time

import exposition
import wire
from administration import LOOPBACK, address, get, health, running, scrape
from cases import case, check, equal, main
from redis_server import Redis
from server import BUILD, PROGRAMS, Server, soon
from wire import request

PROGRAMS["libraries"] = BUILD / "tests/libraries_server"


@case
def public_listeners_do_not_answer_and_the_private_one_has_nothing_else(backend):
    with running(backend) as server:
        for path in ("/livez", "/readyz", "/metrics"):
            equal(server.get(path).status, 404, path)
            equal(get(server, path).status, 200, path)
        for path in ("/", "/items/1", "/runs"):
            equal(get(server, path).status, 404, path)
        with wire.Wire(address(server)) as client:
            client.send(request("/metrics", "POST", body=b"x"))
            equal(client.answer().status, 405)
    with Server(backend, program="operations") as server:
        for path in ("/livez", "/readyz", "/metrics"):
            equal(server.get(path).status, 404, "without --admin " + path)


@case
def a_unix_socket_is_enough(backend):
    with tempfile.TemporaryDirectory() as folder, running(backend, admin=f"unix:{folder}/admin.sock") as server:
        equal(get(server, "/readyz").body, b"ready\n")


@case
def endpoints_answer_where_the_app_mounts_them(backend):
    environment = {"TEST_MOUNTED": "1"}
    with running(backend, "--cores", "2", admin=None, checks="slow", environment=environment) as server:
        equal(server.get("/livez").status, 404)
        for _ in range(8):  # on both cores
            equal(server.get("/internal/livez").body, b"live\n")
            check(server.get("/internal/readyz").body.startswith(b"ready\nslow passing 1"), "ready")
        exposition.parse(server.get("/internal/metrics").body, False)
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            statuses = list(pool.map(lambda _: server.get("/internal/metrics").status, range(200)))
        equal(set(statuses), {200})


@case
def a_wrong_address_is_an_error_of_the_start(backend):
    for where, why in (("https://127.0.0.1:0", "no TLS"), ("nonsense", "`nonsense`")):
        try:
            with running(backend, admin=where):
                raise AssertionError("the server serves")
        except AssertionError as error:
            check(why in str(error), f"{where}: {error}")


@case
def checks_that_pass_and_fail_are_named_with_their_reason(backend):
    with running(backend, "--cores", "2", checks="switched optional throwing disk full", log="info") as server:
        status, body = health(server)
        equal((status, body["status"], body["state"], body["reason"]), (503, "unready", "serving", "throwing"))
        found = {each["name"]: each for each in body["checks"]}
        equal({name: each["status"] for name, each in found.items()},
              {"switched": "passing", "optional": "failing", "throwing": "failing", "disk": "passing",
               "full": "failing"})
        check("bytes available" in found["full"]["reason"], found["full"])
        equal(found["optional"]["required"], False)
        check(all(each["duration_ms"] >= 0 and each["age_ms"] >= 0 for each in body["checks"]), body)
        equal(get(server, "/livez").body, b"live\n")
        document = scrape(server)
        equal(document.value("apus_health_check_passing", check="full"), 0)
        equal(document.value("apus_health_check_passing", check="disk"), 1)


@case
def a_failure_is_logged_once_and_its_cause_is_not_shown(backend):
    with running(backend, checks="switched", log="info") as server:
        equal(get(server, "/readyz").status, 200)
        server.connect().send(request("/switch/false", "POST"))
        check(soon(lambda: get(server, "/readyz").status == 503), "still ready")
        for _ in range(5):
            equal(get(server, "/readyz").body.split(b" ms", 1)[1], b": line one line two \"quoted\"\n")
        server.connect().send(request("/switch/true", "POST"))
        check(soon(lambda: get(server, "/readyz").status == 200), "still not ready")
        check(soon(lambda: "passes again" in server.errors()), server.errors())
        equal(server.errors().count("health check fails"), 1)
        check("the switch is off" in server.errors(), "the log has no cause")


@case
def a_hanging_check_is_cut_at_its_timeout(backend):
    with running(backend, checks="hanging") as server:
        began = time.monotonic()
        answer = get(server, "/readyz")
        equal(answer.status, 503)
        check(b"hanging failing" in answer.body and b"timeout after 300 ms" in answer.body, answer.body)
        check(time.monotonic() - began < 5, "it took too long")


@case
def probes_share_one_run(backend):
    with running(backend, "--cores", "2", checks="slow hanging") as server:
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            answers = list(pool.map(lambda _: get(server, "/readyz").status, range(256)))
        equal(set(answers), {503})
        runs, most = map(int, server.get("/runs").body.split())
        check(most <= 2, f"{most} runs of two checks at once")
        check(runs < 60, f"{runs} runs for 256 probes")


@case
def a_blocked_core_is_no_reason_to_wait(backend):
    with running(backend, checks="slow") as server, server.connect() as client:
        equal(get(server, "/livez").status, 200)
        client.send(request("/block/4000", "POST"))
        check(soon(lambda: get(server, "/livez").status == 503), "still live")
        check(b"core 0 is blocked for" in get(server, "/livez").body, "no reason")
        check(scrape(server).value("apus_core_busy_seconds", core="0") >= 0.5, "not busy")
        began = time.monotonic()
        answer = get(server, "/readyz")
        late = b"the core that runs the check does not answer" in answer.body
        check(late or time.monotonic() - began > 1, answer.body)
        equal(client.answer().status, 200)
        check(soon(lambda: get(server, "/livez").status == 200), "not live again")
        check(soon(lambda: get(server, "/readyz").status == 200), "not ready again")


@case
def a_check_of_redis_follows_its_server(backend):
    with Redis() as redis, Server(backend, program="libraries", admin=LOOPBACK,
                                  environment={"REDIS_URL": redis.url}) as server:
        def status():
            answer, document = health(server)
            one, = document["checks"]
            return answer, one["name"], one["status"], one.get("reason", "")
        equal(status(), (200, "redis", "passing", ""))
        redis.stop()
        equal(status(), (503, "redis", "failing", "timeout after 500 ms"))
        redis.resume()
        check(soon(lambda: status() == (200, "redis", "passing", "")), status())
        redis.kill()
        code, _, _, why = status()
        equal(code, 503)
        check("Redis" in why or why.startswith("timeout"), why)
        check(os.fspath(redis.socket) not in why, f"the address is shown to probes: {why}")
        redis.start()
        check(soon(lambda: status() == (200, "redis", "passing", "")), status())
        redis.cli("config", "set", "requirepass", "secret")
        redis.cli("-a", "secret", "client", "kill", "type", "normal")
        check(soon(lambda: status()[0] == 503), status())


@case
def liveness_has_its_own_checks(backend):
    with running(backend, checks="living switched") as server:
        equal(get(server, "/livez").body[:14], b"live\nliving pa")
        with server.connect() as client:
            client.send(request("/switch/false", "POST"))
            equal(client.answer().status, 200)
        answer = get(server, "/livez")
        equal((answer.status, answer.body[:17]), (503, b"not live: living\n"))
        check(b"switched" not in answer.body, "a check of readiness only")


@case
def readiness_ends_before_draining_and_a_second_signal_ends_the_grace(backend):
    with running(backend, "--readiness-grace", "60") as server, wire.Wire(address(server)) as probe:
        probe.send(request("/readyz"))
        equal(probe.answer().status, 200)
        server.signal()

        def unready():
            probe.send(request("/readyz"))
            answer = probe.answer()
            return answer.status == 503 and answer.body == b"not ready: draining\n"

        check(soon(unready), "still ready")
        for _ in range(3):
            answer = server.get("/")  # a new connection
            equal((answer.status, answer.closes), (200, False))
        equal(get(server, "/livez").status, 200)
        with server.connect() as client:
            client.send(request("/sleep/1500"))
            check(soon(lambda: scrape(server).value("apus_requests_in_flight") == 1), "not in flight")
            server.signal()
            check(soon(lambda: refused(server.port)), "the server still accepts")
            unready()  # the private listener answers while the server drains
            equal(client.answer().status, 200)
        equal(server.wait(), 0, "exit status")


def refused(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) != 0


@case
def without_a_grace_the_server_stops_at_once(backend):
    with running(backend) as server, wire.Wire(address(server)) as probe:
        probe.send(request("/livez"))
        equal(probe.answer().status, 200)
        began = time.monotonic()
        equal(server.stop(), 0)
        check(time.monotonic() - began < 5, "an idle scraper delays the stop")


if __name__ == "__main__":
    main()
