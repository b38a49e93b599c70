#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests traces with a collector: parents and children, clients, upstreams, SQL, sampling, hostile fields, many
requests, and collectors that do not respond, refuse connections or send invalid responses."""

import contextlib
import json
import subprocess

import http2_clients
import metric_messages
from administration import scrape
from cases import case, check, equal, main, skip
from otlp_receiver import Receiver, closed_port, seconds_of, tracing
from server import BUILD, PROGRAMS, PYTHON_TOOLS, Server, soon
from wire import request

PROGRAMS.update(traced=BUILD / "bin/traced")
PACKAGES = PYTHON_TOOLS / "bin/python"  # has opentelemetry-proto and protobuf
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"


def get(server, path, *fields):
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    with server.connect() as client:
        client.send(f"GET {path} HTTP/1.1\r\nhost: shop.example:80\r\n{lines}\r\n".encode("latin-1"))
        return client.answer()


def count(server, name):
    return scrape(server).value(f"apus_trace_spans_{name}_total")


@case
def the_example_traces_its_requests(backend):
    with Receiver() as to, Server(backend, program="traced",
                                  environment={"OTEL_EXPORTER_OTLP_ENDPOINT": to.url}) as server:
        equal(server.get("/orders/4").body, b"12 EUR\n")
        price, = to.named("price")
        root, = to.named("GET /orders/{id}")
        equal((price.parent, price.trace, price.attributes), (root.id, root.trace, {"order.id": 4}))
        equal(root.resource["service.name"], "shop")
        check(price.end - price.start >= 5_000_000, "the span lasts across co_await")
        url = f"http://127.0.0.1:{server.port}/orders/5"
        equal(http2_clients.curl(url, None), (200, "15 EUR\n"))
        equal(sorted(s.attributes["url.path"] for s in to.named("GET /orders/{id}", 2)), ["/orders/4", "/orders/5"])


@case
def buckets_of_durations_have_exemplars(backend):
    with Receiver() as to, tracing(backend, to) as server:
        get(server, "/orders/7", ("traceparent", PARENT))
        get(server, "/orders/7")
        known = {each.trace for each in to.named("GET /orders/{id}", 2)}
        for document in (scrape(server, openmetrics=True), metric_messages.scrape(server)):
            found = {labels: of for (name, labels), of in document.exemplars.items()
                     if name == "http_server_request_duration_seconds_bucket"}
            check(found, "no exemplars")
            check(all(of["trace_id"] in known for of in found.values()), f"{found}, {known}")
            equal({dict(labels)["route"] for labels in found}, {"/orders/{id}"})
        equal(scrape(server).exemplars, {}, "the text format has none")


@case
def spans_have_their_parents(backend):
    with Receiver() as to, tracing(backend, to, "--cores", "2") as server:
        answer = get(server, "/orders/7?q=1", ("traceparent", PARENT), ("tracestate", "a=1"),
                     ("baggage", "user=7"), ("user-agent", "gr\xfcn"))
        equal((answer.status, answer.body), (200, b"42\n"))
        root, = to.named("GET /orders/{id}")
        names = {s.name: s for s in to.spans}
        equal(sorted(names), ["GET", "GET /orders/{id}", "ask", "left", "price", "right", "select"])
        check(all(s.trace == TRACE and s.state == "a=1" for s in to.spans), "one trace")
        equal({name: s.parent for name, s in names.items()},
              {"GET /orders/{id}": SPAN, "price": root.id, "select": names["price"].id, "ask": names["price"].id,
               "GET": names["ask"].id, "left": names["price"].id, "right": names["price"].id})
        for name, one in names.items():
            check(root.start <= one.start <= one.end <= root.end, f"times of {name}")
        attributes = dict(root.attributes)
        check(attributes.pop("client.address") == "127.0.0.1", "client.address")
        equal(attributes, {"http.request.method": "GET", "url.path": "/orders/7", "url.query": "q=1",
                           "url.scheme": "http", "server.address": "shop.example", "user_agent.original": "gr\ufffdn",
                           "http.route": "/orders/{id}", "http.response.status_code": 200,
                           "http.response.body.size": 3})
        equal(names["select"].attributes, {"db.system.name": "sqlite", "db.query.text": "select $1 + 35",
                                           "db.response.returned_rows": 1})
        equal(names["GET"].attributes["url.full"], to.url + "/seen")
        equal([names[n].kind for n in ("GET", "select", "price")], ["client", "client", "internal"])
        equal(names["ask"].events, ["asking"])
        seen, = to.others
        equal((seen["traceparent"], seen["tracestate"], seen["baggage"]),
              (f"00-{TRACE}-{names['GET'].id}-01", "a=1", "user=7"))
        path, head = to.heads[0]
        equal((path, head["content-type"], head["x-token"]), ("/v1/traces", "application/x-protobuf", "secret"))
        equal(root.resource["deployment.environment.name"], "e2e")


@case
def the_published_package_decodes_exports(backend):
    if not PACKAGES.exists():
        return skip("opentelemetry-proto is not installed in build/python-tools")
    with Receiver() as to, tracing(backend, to) as server:
        get(server, "/orders/7", ("user-agent", "\xff"))
        get(server, "/fail")
        to.named("GET /fail")
        to.named("GET /orders/{id}")
        bodies = list(to.bodies)
    program = """if True:
        import sys
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
        body = sys.stdin.buffer.read()
        message = ExportTraceServiceRequest.FromString(body)
        assert message.SerializeToString() == body, "not the bytes of the package"
        print(sum(len(s.spans) for r in message.resource_spans for s in r.scope_spans))"""
    decoded = sum(int(subprocess.run([PACKAGES, "-c", program], input=body, check=True, capture_output=True).stdout)
                  for body in bodies)
    equal(decoded, 8)


@case
def logs_and_problem_documents_name_the_trace(backend):
    with Receiver() as to, tracing(backend, to, "--access-log") as server:
        trace = get(server, "/log").body.decode().strip()
        failed = get(server, "/fail", ("traceparent", PARENT))
        equal(json.loads(failed.body), {"status": 500, "title": "Internal Server Error", "trace_id": TRACE})
        equal("trace_id" in json.loads(get(server, "/none").body), False)
        root, = to.named("GET /fail")
        equal((root.failed, root.why, root.attributes["error.type"]), (True, "the disk is full", "500"))
        check(soon(lambda: server.errors().count('"trace_id"') >= 5), server.errors())
        records = [json.loads(line) for line in server.errors().splitlines()]
        noted, = (one for one in records if one["msg"] == "noted")
        equal((noted["trace_id"], len(noted["span_id"])), (trace, 16))
        for message, target in (("request failed", "/fail"), ("request", "/fail"), ("request", "/log")):
            one, = (r for r in records if (r["msg"], r.get("target")) == (message, target))
            equal(one["trace_id"], TRACE if target == "/fail" else trace)


@case
def hostile_fields_begin_new_traces(backend):
    bad = ["", "0", "00", "00-" + TRACE, f"ff-{TRACE}-{SPAN}-01", f"00-{'0' * 32}-{SPAN}-01",
           f"00-{TRACE}-{'0' * 16}-01", f"00-{TRACE}-{SPAN}-01-x", PARENT.upper(), PARENT + "," + PARENT,
           "x" * 4000, "\xff" * 55, "-" * 55, f"00-{TRACE}-{SPAN}-zz"]
    with Receiver() as to, tracing(backend, to) as server:
        for value in bad:
            equal(get(server, "/hello", ("traceparent", value)).status, 200)
        equal(get(server, "/hello", ("traceparent", PARENT), ("traceparent", PARENT)).status, 200)
        for state in ("a" * 5000, "a=1," * 1000, "=,=", "\xff=1", "a=1,a=2"):
            equal(get(server, "/hello", ("traceparent", PARENT), ("tracestate", state), ("baggage", state)).status, 200)
        spans = to.named("GET /hello", len(bad) + 6)
        equal(sum(s.trace == TRACE for s in spans), 5)
        equal({s.state for s in spans}, {""})


@case
def sampling_keeps_its_share(backend):
    with Receiver() as to, tracing(backend, to, sample=0.2, keep_errors=1) as server:
        with server.connect() as client:
            for _ in range(1000):
                client.send(request("/hello"))
                equal(client.answer().status, 200)
            for _ in range(10):
                client.send(request("/fail"))
                client.answer()
        equal(get(server, "/sleep/1", ("traceparent", PARENT)).status, 200)
        to.named("GET /fail", 10)
        to.named("GET /sleep/{ms}")
        kept = len([s for s in to.spans if s.name == "GET /hello"])
        check(120 <= kept <= 280, f"{kept} of 1000")
        get(server, "/sleep/1", ("traceparent", PARENT[:-1] + "0"))
        equal(len(to.named("GET /sleep/{ms}")), 1)


@case
def slow_or_failed_requests_are_kept(backend):
    kept = {"GET /fail": dict(keep_errors=1), "GET /sleep/{ms}": dict(keep_slower_ms=1000)}
    for name, options in kept.items():
        with Receiver() as to, tracing(backend, to, sample=0, **options) as server:
            for path in ("/sleep/3000", "/fail", "/hello", "/hello"):
                get(server, path)
            spans = to.named(name)
            if name != "GET /fail":
                check(spans[0].end - spans[0].start >= 2_900_000_000, f"duration {spans[0].end - spans[0].start}")
            equal(server.stop(), 0)  # exports all spans
            equal([s.name for s in to.spans if s.kind == "server" and s.name != name and
                   (s.name != "GET /hello" or s.end - s.start < 1_000_000_000)], [])


@case
def concurrent_requests_have_traces_of_their_own(backend):
    with Receiver() as to, tracing(backend, to, "--cores", "2") as server:
        ids = set()
        with contextlib.ExitStack() as open_clients:
            clients = [open_clients.enter_context(server.connect()) for _ in range(1000)]
            for client in clients:
                client.send(request("/sleep/100"))
            for client in clients:
                answer = client.answer()
                equal(answer.status, 200)
                ids.add(answer.body.decode().strip())
        equal(len(ids), 1000)
        equal({s.trace for s in to.named("GET /sleep/{ms}", 1000)}, ids)
        check(soon(lambda: count(server, "exported") == 1000), "exported")
        equal((count(server, "dropped"), count(server, "failed")), (0, 0))


@case
def bad_collectors_delay_no_request_and_no_shutdown(backend):
    for behaviour in ("hang", "cut", "slow", "lie", "refuse"):
        with Receiver(behaviour=behaviour) as to:
            url = closed_port() if behaviour == "refuse" else to.url
            with tracing(backend, url, queue=65536, timeout_ms=60_000, flush_ms=500) as server:
                for _ in range(3):
                    equal(get(server, "/hello").status, 200)
                    equal(get(server, "/many/1000").status, 200)
                    if behaviour != "refuse":
                        check(soon(lambda: to.heads), "an export")
                check(soon(lambda: count(server, "dropped") > 0), f"{behaviour}: the queue is limited")
                took = seconds_of(lambda: equal(get(server, "/hello").status, 200))
                check(took < 5, f"{behaviour}: a request took {took} s")
                took = seconds_of(lambda: equal(server.stop(), 0))
                check(took < 10, f"{behaviour}: the stop took {took} s")


@case
def the_drain_deadline_is_kept(backend):
    with Receiver(behaviour="hang") as to:
        with tracing(backend, to, "--drain", "1", timeout_ms=60_000, flush_ms=60_000) as server:
            get(server, "/hello")
            check(soon(lambda: to.heads), "an export")
            took = seconds_of(lambda: equal(server.stop(), 0))
            check(took < 10, f"the stop took {took} s")


@case
def remaining_spans_are_sent_when_the_server_stops(backend):
    with Receiver(answers=[503], retry_after="0") as to, tracing(backend, to) as server:
        equal(get(server, "/many/2000").status, 200)
        to.named("one", 1)  # after the repeated export
        equal(get(server, "/many/100").status, 200)
        equal(server.stop(), 0)
        equal(len(to.named("one", 2100)), 2100)
        equal(len(to.named("GET /many/{count}", 2)), 2)


@case
def without_tracing_no_collector_is_asked(backend):
    with Receiver() as to, tracing(backend, to, tracing=0) as server:
        equal(get(server, "/log", ("traceparent", PARENT)).body, b"\n")
        equal(get(server, "/orders/7", ("traceparent", PARENT)).status, 200)
        equal("trace_id" in json.loads(get(server, "/fail").body), False)
        equal([key for key in scrape(server).samples if key[0].startswith("apus_trace")], [])
        seen, = to.others
        equal(("traceparent" in seen, "trace_id" in server.errors(), to.heads), (False, False, []))


if __name__ == "__main__":
    main()
