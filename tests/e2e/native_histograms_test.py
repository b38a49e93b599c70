#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests metrics in the protobuf format of Prometheus, native histograms, and the choice of the format."""

import math

import metric_messages
from administration import get, running, scrape
from cases import case, check, equal, main
from metric_messages import PROTOBUF
from wire import request

OPENMETRICS, TEXT = "application/openmetrics-text", "text/plain"
DURATIONS = "http_server_request_duration_seconds"


def native_of(document, route, method="GET"):
    return document.natives[DURATIONS, (("method", method), ("route", route))]


@case
def all_formats_have_the_same_series(backend):
    with running(backend, "--cores", "2", checks="slow optional") as server:
        get(server, "/readyz")
        for n in range(7):
            equal(server.get(f"/items/{n}").status, 200)
        for way in ("card", "ca%22sh%0A%5C", "gold"):
            with server.connect() as client:
                client.send(request(f"/orders/{way}", "POST", body=b""))
                equal(client.answer().status, 200)
        messages, text = metric_messages.scrape(server), scrape(server)
        equal(set(messages.samples), set(text.samples))
        equal(messages.types, text.types)
        for key, value in text.samples.items():
            if key[0].startswith(("http_server_", "shop_")):
                equal(messages.samples[key], value, key)
        natives = {name for name, _ in messages.natives}
        equal(natives, {DURATIONS})


@case
def native_buckets_hold_the_durations(backend):
    with running(backend, "--cores", "2") as server:
        empty = native_of(metric_messages.scrape(server), "/sleep/{ms}")
        equal((empty.schema, empty.zero_threshold, empty.zeros, empty.buckets), (3, 2 ** -20, 0, {}))
        for milliseconds in (1, 1, 30, 30, 30, 300):
            server.get(f"/sleep/{milliseconds}")
        document = metric_messages.scrape(server)
        native = native_of(document, "/sleep/{ms}")
        equal(native.total(), 6)
        lowest = sum(native.bounds(index)[0] * count for index, count in native.buckets.items())
        highest = sum(native.bounds(index)[1] * count for index, count in native.buckets.items())
        total = document.value(f"{DURATIONS}_sum", route="/sleep/{ms}", method="GET")
        check(lowest <= total <= highest, f"{lowest} <= {total} <= {highest}")
        check(highest < lowest * 1.0906, "buckets are at most 9.06 % wide")
        # No request is faster than its sleep, so at most as many are below each of these times.
        for seconds, at_most in ((0.001, 0), (0.03, 2), (0.3, 5)):
            index = math.ceil(8 * math.log2(seconds)) - 1
            below = sum(count for at, count in native.buckets.items() if at <= index)
            check(below <= at_most, f"{below} requests below {seconds} s: {native.buckets}")


@case
def many_requests_while_the_counts_are_read(backend):
    with running(backend) as server, server.connect() as client:
        for n in range(20):
            client.send(request("/items/1") * 200)
            answer = get(server, "/metrics", [f"Accept: {PROTOBUF}"])
            metric_messages.parse(answer.body)  # fails if the counts of buckets differ
            equal({client.answer().status for _ in range(200)}, {200}, n)
        document = metric_messages.scrape(server)
        equal(native_of(document, "/items/{id}").total(), 4000)
        equal(document.value(f"{DURATIONS}_count", route="/items/{id}", method="GET"), 4000)


@case
def the_highest_weight_selects_the_format(backend):
    rows = [
        # Prometheus 2.42 and 3.5, with native histograms
        (f"{PROTOBUF},application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
         "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", PROTOBUF),
        (f"{PROTOBUF};q=0.6,application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
         "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
         "text/plain;version=0.0.4;q=0.2,*/*;q=0.1", PROTOBUF),
        # Prometheus 3.5 without
        ("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
         "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
         "text/plain;version=0.0.4;q=0.2,*/*;q=0.1", OPENMETRICS),
        (f"{PROTOBUF};escaping=underscores", PROTOBUF),
        (f"{PROTOBUF};q=0.2, {OPENMETRICS};q=0.3, {TEXT};q=0.1", OPENMETRICS),
        (f"{PROTOBUF};q=0.2, {OPENMETRICS};q=0.3, {TEXT}", TEXT),
        (f"{PROTOBUF};q=0, */*", TEXT),
        (f"{PROTOBUF};q=0", TEXT),
        (f"{OPENMETRICS};q=0.001", OPENMETRICS),
        (f"{OPENMETRICS}, {TEXT}", OPENMETRICS),
        (PROTOBUF.replace("delimited", "text"), TEXT),
        (PROTOBUF.replace("delimited", "compact-text") + f", {OPENMETRICS};q=0.1", OPENMETRICS),
        (PROTOBUF.replace("MetricFamily", "Other"), TEXT),
        ('application/vnd.google.protobuf;proto="io.prometheus.client.MetricFamily";encoding="delimited"', PROTOBUF),
        ("*/*", TEXT), ("application/*", TEXT), ("application/json", TEXT), ("", TEXT),
    ]
    with running(backend) as server:
        for accept, wanted in rows:
            answer = get(server, "/metrics", [f"Accept: {accept}"])
            equal(answer.field("content-type").split(";")[0], wanted.split(";")[0], accept)
            equal(answer.field("vary"), "Accept")


if __name__ == "__main__":
    main()
