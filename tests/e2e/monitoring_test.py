#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests docs/monitoring with Prometheus: it scrapes a server, evaluates the alert rules, and one of them fires."""

import re
import shutil
import subprocess
import time

from administration import running
from cases import case, check, equal, main, skip
from prometheus import MONITORING, prometheus
from server import soon
from wire import request

RULES = MONITORING.parents[1] / "tests/e2e/alert_rules.yml"


@case
def prometheus_scrapes_a_server_and_evaluates_the_rules(backend):
    if not shutil.which("prometheus"):
        return skip("prometheus (Debian's package prometheus) is not installed")
    with running(backend, checks="slow optional") as server:
        with prometheus(server.admin.removeprefix("http://")) as of:
            check(soon(lambda: of.values('up{job="apus"}') == {(): 1}, 60), "the server is not scraped")
            for number in range(5):
                equal(server.get(f"/items/{number}").status, 200)
            wanted = {(("route", "/items/{id}"), ("status", "2xx")): 5}
            query = 'http_server_requests_total{route="/items/{id}",status="2xx"}'
            check(soon(lambda: of.values(query) == wanted, 60), f"requests: {of.values(query)}")
            rules = [rule for group in of.get("rules")["groups"] for rule in group["rules"]]
            names = re.findall(r"- alert: (\w+)", (MONITORING / "alerts.yml").read_text())
            equal(sorted(rule["name"] for rule in rules), sorted(names))

            def evaluated():
                found = [rule for group in of.get("rules")["groups"] for rule in group["rules"]]
                return all(rule["health"] == "ok" for rule in found)
            check(soon(evaluated, 60), f"rules: {of.get('rules')}")
            with server.connect() as client:
                client.send(request("/block/12000", "POST"))

                def fires():
                    found = {(a["labels"]["alertname"], a["labels"]["core"]) for a in of.get("alerts")["alerts"]
                             if a["state"] == "firing" and a["labels"]["alertname"] == "ApusCoreBlocked"}
                    return found == {("ApusCoreBlocked", "0")}
                check(soon(fires, 60), f"alerts: {of.get('alerts')}")
                equal(client.answer().status, 200)


@case
def quantiles_of_native_histograms_are_near_the_exact_ones(backend):
    if not shutil.which("prometheus"):
        return skip("prometheus (Debian's package prometheus) is not installed")
    rate = 'rate(http_server_request_duration_seconds{route="/sleep/{ms}"}[1m])'
    with running(backend) as server, server.connect() as client:
        target = server.admin.removeprefix("http://")
        with prometheus(target, "--enable-feature=native-histograms") as of:
            series = 'histogram_count(http_server_request_duration_seconds{route="/sleep/{ms}"})'
            check(soon(lambda: list(of.values(series).values()) == [0], 60), "no native histogram before requests")
            took = []
            for number in range(200):
                began = time.monotonic()
                equal(client.get(f"/sleep/{170 if number % 20 == 0 else 17}").status, 200)
                took.append(time.monotonic() - began)
            check(soon(lambda: list(of.values(series).values()) == [200], 60), f"requests: {of.values(series)}")
            width = 2 ** (1 / 8)  # of a bucket
            for quantile, slept in ((0.5, 0.017), (0.99, 0.17)):
                # The server measures at least the sleep, and at most what the client measures.
                exact = sorted(took)[int(quantile * len(took))]
                found, = of.values(f"histogram_quantile({quantile}, {rate})").values()
                check(slept / width <= found <= exact * width, f"quantile {quantile}: {found} s, client: {exact} s")
            total, = of.values('histogram_sum(http_server_request_duration_seconds{route="/sleep/{ms}"})').values()
            check(190 * 0.017 + 10 * 0.17 <= total <= sum(took), f"sum: {total} s, client: {sum(took)} s")
            slow = next(rule["query"] for group in of.get("rules")["groups"] for rule in group["rules"]
                        if rule["name"] == "ApusSlow").replace("> 1", "> 0.1")
            check(soon(lambda: (("route", "/sleep/{ms}"),) in of.values(slow), 60), f"the alert rule: {slow}")
            # Histograms of programs have fixed buckets only.
            check(of.values('shop_cost_euros_bucket{le="10.5"}'), "a histogram without native buckets")


@case
def each_alert_fires_in_its_unit_test(backend):
    del backend
    if not shutil.which("promtool"):
        return skip("promtool (Debian's package prometheus) is not installed")
    done = subprocess.run(["promtool", "test", "rules", RULES], capture_output=True, text=True, timeout=120,
                          check=False)
    equal(done.returncode, 0, done.stdout + done.stderr)
    names = set(re.findall(r"- alert: (\w+)", (MONITORING / "alerts.yml").read_text()))
    fired = set()
    for one in re.split(r"\n      - ", RULES.read_text()):
        if "exp_labels" in one:
            fired.update(re.findall(r"alertname: (\w+)", one))
    equal(fired, names)


if __name__ == "__main__":
    main()
