#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests traces of jobs, Redis, WebSockets, middleware and periodic work, and logs over OTLP, with real databases."""

import json
import pathlib
import tempfile

import redis_server
from administration import scrape
from cases import case, check, equal, main
from databases import ask, postgres_server
from otlp_receiver import Receiver, closed_port, seconds_of, tracing
from server import soon
from sockets import FINAL, Socket, TEXT, close, frame

LOST = "the last traces or logs were not exported"


def jobs_are_traced(backend, database):
    with Receiver() as to, tracing(backend, to, database=database, logs=1) as server:
        url = server.urls[0]
        equal(ask(f"{url}/letters/13", "POST")[0], 200)
        first, second = sorted(to.named("process letter", 2), key=lambda s: s.attributes["apus.job.attempt"])
        root, = to.named("POST /letters/{number}")
        sent, = to.named("send letter")
        equal((sent.parent, sent.kind), (root.id, "producer"))
        for each in (first, second):
            equal((each.trace, each.parent, each.kind), (root.trace, sent.id, "consumer"))
            equal(each.attributes["messaging.message.id"], sent.attributes["messaging.message.id"])
        equal((first.failed, first.why, first.attributes["error.type"]), (True, "no paper", "503"))
        equal(second.failed, False)
        prints = {s.id: s for s in to.named("print", 2)}
        equal({s.parent for s in prints.values()}, {first.id, second.id})
        asked = [s for s in to.named("GET", 2) if s.attributes["url.full"].endswith("/printer")]
        equal({s.parent for s in asked}, set(prints))
        headers = [h["traceparent"] for h, path in zip(to.others, to.paths) if path == "/printer"]
        equal(sorted(headers), sorted(f"00-{root.trace}-{s.id}-01" for s in asked))
        records = to.recorded("printing", 2) + to.recorded("job failed")
        equal({r.trace for r in records}, {root.trace})
        check({r.span for r in to.recorded("printing", 2)} == set(prints), "span ids of records")
        failed, = to.recorded("job failed")
        equal((failed.level, failed.attributes["job"], failed.attributes["attempt"]), ("WARN", "letter", 1))
        text = str([s.attributes for s in to.spans] + [r.attributes for r in to.records])
        check("hidden" not in text, "secrets")


@case
def jobs_in_sqlite_continue_the_trace(backend):
    with tempfile.TemporaryDirectory() as folder:
        jobs_are_traced(backend, f"sqlite:{pathlib.Path(folder) / 'jobs.db'}")


@case
def jobs_in_postgres_continue_the_trace(backend):
    with postgres_server() as url:
        jobs_are_traced(backend, url)


@case
def redis_commands_have_spans(backend):
    with redis_server.Redis() as redis, Receiver() as to, tracing(backend, to, redis=redis.url) as server:
        equal(server.get("/redis").status, 200)
        root, = to.named("GET /redis")
        spans = {name: to.named(name)[0] for name in ("SET", "PIPELINE", "LPUSH")}
        for name, one in spans.items():
            equal((one.parent, one.kind, one.attributes["db.system.name"]), (root.id, "client", "redis"))
            check("hidden" not in str(one.attributes), name)
        equal(spans["PIPELINE"].attributes["db.operation.batch.size"], 2)
        equal((spans["LPUSH"].failed, spans["LPUSH"].attributes["error.type"]), (True, "WRONGTYPE"))
        redis.kill()
        server.get("/redis")
        check(soon(lambda: [s for s in to.spans if s.name == "SET" and s.failed]), to.spans)
        failed, = (s for s in to.spans if s.name == "SET" and s.failed)
        check(failed.attributes["error.type"] in ("unreachable", "timeout"), failed)


@case
def websocket_sessions_have_spans(backend):
    with Receiver() as to, tracing(backend, to) as server:
        with Socket(server, "/echo") as client:
            for text in (b"hello", b"you"):
                client.send(frame(FINAL | TEXT, text))
                equal(client.frame(), (FINAL | TEXT, text))
            client.send(close(4000))
            session, = to.named("websocket")
        root, = to.named("GET /echo")
        equal(session.parent, root.id)
        equal({s.parent for s in to.named("echo", 2)}, {session.id})
        equal({key: value for key, value in session.attributes.items() if key.startswith("apus.websocket")},
              {"apus.websocket.messages_received": 2, "apus.websocket.bytes_received": 8,
               "apus.websocket.messages_sent": 2, "apus.websocket.bytes_sent": 8, "apus.websocket.close_code": 4000})
        equal(session.failed, False)
        with Socket(server, "/echo") as client:
            client.send(frame(FINAL | TEXT, b"\xff"))
            check(soon(lambda: len(to.named("websocket", 1)) == 2), to.spans)
        equal([s.attributes.get("error.type") for s in to.named("websocket", 2)], [None, "1007"])


@case
def middleware_has_spans_if_wanted(backend):
    for wanted in (0, 1):
        with Receiver() as to, tracing(backend, to, middleware=wanted) as server:
            equal(server.get("/sleep/1").status, 200)
            root, = to.named("GET /sleep/{ms}")
            if not wanted:
                equal([s.name for s in to.spans], ["GET /sleep/{ms}"])
                continue
            named, = to.named("named")
            lambda_, = to.named("middleware")
            handler, = to.named("handler")
            equal((named.parent, lambda_.parent, handler.parent), (root.id, named.id, lambda_.id))


@case
def periodic_work_begins_traces(backend):
    with Receiver() as to, tracing(backend, to, periodic=1, middleware=1):
        asked, = to.named("GET")
        equal((asked.parent, asked.attributes["url.full"]), ("", to.url + "/periodic"))
        equal(to.others[0]["traceparent"], f"00-{asked.trace}-{asked.id}-01")
    with Receiver() as to, tracing(backend, to, periodic=1, sample=0):
        check(soon(lambda: to.others), "a request")
        check(to.others[0]["traceparent"].endswith("-00"), to.others)


@case
def logs_are_exported_with_their_trace(backend):
    with Receiver() as to, tracing(backend, to, "--access-log", logs=1) as server:
        trace = server.get("/log").body.decode().strip()
        equal(server.get("/blocking").status, 200)
        noted, = to.recorded("noted")
        root, = to.named("GET /log")
        equal((noted.trace, noted.span, noted.level, noted.severity), (trace, root.id, "WARN", 13))
        equal((noted.attributes, noted.resource["service.name"]),
              ({"method": "GET", "route": "/log"}, "test"))
        thread, = to.recorded("from a thread")
        equal(thread.level, "WARN")
        accessed = [r for r in to.recorded("request", 2) if r.attributes["target"] == "/log"]
        equal([(r.trace, r.attributes["status"]) for r in accessed], [(trace, 200)])
        path, head = next(each for each in to.heads if each[0] == "/v1/logs")
        equal(head["x-token"], "secret")
        check("secret" not in str([r.attributes for r in to.records]), "the token")
        check(soon(lambda: scrape(server).value("apus_log_records_exported_total") >= 4), "exported")
        equal(scrape(server).value("apus_log_records_export_dropped_total"), 0)
        check(soon(lambda: "noted" in server.errors()), "the log itself")


@case
def bad_collectors_of_logs_delay_no_request_and_no_shutdown(backend):
    for behaviour in ("hang", "cut", "slow", "lie", "huge", "refuse"):
        with Receiver(behaviour=behaviour) as to:
            url = closed_port() if behaviour == "refuse" else to.url
            with tracing(backend, url, logs=1, sample=0, queue=65536, timeout_ms=60_000, flush_ms=500) as server:
                for _ in range(3):
                    equal(server.get("/logs/1000").status, 200)
                    if behaviour != "refuse":
                        check(soon(lambda: to.heads), "an export")
                check(soon(lambda: scrape(server).value("apus_log_records_export_dropped_total") > 0), behaviour)
                took = seconds_of(lambda: equal(server.get("/hello").status, 200))
                check(took < 5, f"{behaviour}: a request took {took} s")
                rss = next(int(line.split()[1]) for line in
                           pathlib.Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
                           if line.startswith("VmRSS"))
                check(rss < 200_000, f"{behaviour}: {rss} KiB")
                took = seconds_of(lambda: equal(server.stop(), 0))
                check(took < 10, f"{behaviour}: the stop took {took} s")


@case
def a_bad_collector_of_logs_delays_no_traces(backend):
    with Receiver(behaviour="hang", only="/v1/logs") as to, tracing(backend, to, logs=1) as server:
        equal(server.get("/log").status, 200)
        to.named("GET /log")
        check(soon(lambda: any(path == "/v1/logs" for path, _ in to.heads)), "an export of logs")
        equal(to.records, [])


@case
def remaining_records_are_sent_when_the_server_stops(backend):
    with Receiver() as to, tracing(backend, to, logs=1, interval_ms=60_000) as server:
        equal(server.get("/logs/20").status, 200)
        equal(server.stop(), 0)
        equal(len(to.recorded("many", 20)), 20)
        check(LOST not in server.errors(), server.errors())


@case
def lost_records_are_counted_when_the_server_stops(backend):
    with tracing(backend, closed_port(), logs=1, interval_ms=60_000) as server:
        equal(server.get("/logs/20").status, 200)
        equal(server.stop(), 0)
        line, = (each for each in server.errors().splitlines() if LOST in each)
        lost = json.loads(line)
        check(lost["log_records"] >= 20 and lost["spans"] >= 1, line)


if __name__ == "__main__":
    main()
