# SPDX-License-Identifier: Apache-2.0
"""Tests the metrics of libraries with real servers: SQL on both engines, Redis, NATS, jobs, the HTTP client,
middleware."""

import contextlib
import http.server
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time

import administration
import databases
import metric_messages
import server
from administration import LOOPBACK, scrape
from cases import case, check, equal, main, skip
from databases import ask
from nats_server import Nats
from prometheus import prometheus
from redis_server import Redis
from server import Server, soon
from tls_wire import SecureServer
from wire import request

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
server.PROGRAMS["libraries"] = server.BUILD / "tests/libraries_server"


@contextlib.contextmanager
def sqlite_file():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "shop.db"
        with contextlib.closing(sqlite3.connect(file)) as made:
            made.execute("create table item (id integer)")
        yield f"sqlite:{file}", "shop.db", "sqlite"


@contextlib.contextmanager
def postgres():
    with databases.postgres_server() as url:
        socket = url.partition("host=")[2]
        subprocess.run([databases.BINARIES / "psql", "-h", socket, "-U", "apus", "postgres", "-qc",
                        "create table item (id bigint)"], check=True, timeout=60)
        yield url, "postgres", "postgres"


@contextlib.contextmanager
def running(backend, *arguments, **environment):
    with Server(backend, *arguments, program="libraries", admin=LOOPBACK, environment=environment) as of:
        yield of


def post(of, path):
    """Returns the status, in which 204 is 200."""
    status = ask(f"{of.urls[0]}{path}", "POST")[0]
    return 200 if status == 204 else status


def until(of, name, wanted, **labels):
    """Waits until the series has the value."""
    check(soon(lambda: scrape(of).value(name, **labels) == wanted),
          f"{name} {labels}: {scrape(of).value(name, **labels)}, wanted {wanted}")


@case
def a_program_without_libraries_has_no_series_of_them(backend):
    with Server(backend, program="operations", admin=LOOPBACK) as of:
        of.get("/")
        names = {name for name, _ in scrape(of).samples}
        equal({name for name in names if name.startswith(("apus_sql", "apus_redis", "apus_jobs", "apus_client",
                                                          "apus_response_cache", "apus_rate", "apus_idempotency"))},
              set())


@case
def statements_are_counted_by_database_and_outcome(backend):
    for engine in (sqlite_file, postgres):
        with engine() as (url, name, kind), running(backend, "--cores", "2", DATABASE_URL=url) as of:
            names = {"database": name, "engine": kind}
            before = scrape(of)
            equal(before.value("apus_sql_statements_total", outcome="failed", **names), 0, "before statements")
            for _ in range(5):
                equal(post(of, "/sql/good"), 200)
            for _ in range(3):
                equal(post(of, "/sql/bad"), 500)
            equal(post(of, "/sql/transaction"), 200)
            document = scrape(of)
            done = document.value("apus_sql_statements_total", outcome="succeeded", **names)
            check(done >= 5 + 3, f"{kind}: {done} statements")  # begin, insert and commit; and those of jobs
            equal(document.value("apus_sql_statements_total", outcome="failed", **names), 3)
            check(document.value("apus_sql_statement_duration_seconds_count", **names) >= done + 3, "durations")
            check(document.value("apus_sql_statements_in_flight", **names) < 5, "in flight")
            equal(document.types["apus_sql_statement_duration_seconds"], "histogram")


@case
def connections_waits_and_retries_of_postgresql(backend):
    with postgres() as (url, _, _), running(backend, DATABASE_URL=url) as of:
        equal(post(of, "/sql/conflict"), 200)
        document = scrape(of)
        names = {"database": "postgres", "engine": "postgres"}
        equal(document.value("apus_sql_transaction_retries_total", **names), 2)
        equal(document.value("apus_sql_statements_total", outcome="conflict", **names), 2)
        # More transactions than connections: 4 of the program's pool. Jobs have a pool of their own.
        with contextlib.ExitStack() as clients:
            held = [clients.enter_context(of.connect()) for _ in range(8)]
            for each in held:
                each.send(request("/sql/hold", "POST", body=b""))
            until(of, "apus_sql_waiting", 4, database="postgres")
            check(scrape(of).value("apus_sql_connections", database="postgres", state="in_use") >= 4, "four are used")
            post(of, "/release")
            equal([each.answer().status for each in held], [204] * 8)
        until(of, "apus_sql_waiting", 0, database="postgres")
        check(soon(lambda: scrape(of).value("apus_sql_connections", database="postgres", state="idle") >= 4), "idle")
        opened = scrape(of).value("apus_sql_connections_opened_total", database="postgres")
        subprocess.run([databases.BINARIES / "psql", "-h", url.partition("host=")[2], "-U", "apus", "postgres", "-qc",
                        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and "
                        "usename = 'apus'"], check=True, timeout=60, stdout=subprocess.DEVNULL)
        check(soon(lambda: scrape(of).value("apus_sql_connections_closed_total", database="postgres") >= 4), "closed")
        check(soon(lambda: post(of, "/sql/good") == 200), "connects again")
        check(scrape(of).value("apus_sql_connections_opened_total", database="postgres") > opened, "opened")


@case
def jobs_are_counted_by_queue_and_outcome(backend):
    for engine in (sqlite_file, postgres):
        with engine() as (url, _, _), running(backend, DATABASE_URL=url) as of:
            for what in ("good", "good", "good", "bad"):
                equal(post(of, f"/jobs/{what}"), 200)
            until(of, "apus_jobs_ended_total", 3, queue="mails", outcome="completed")
            until(of, "apus_jobs_ended_total", 1, queue="mails", outcome="retried")
            until(of, "apus_jobs_ended_total", 1, queue="mails", outcome="dead_letter")
            document = scrape(of)
            equal(document.value("apus_jobs_started_total", queue="mails"), 5)
            equal(document.value("apus_jobs_running", queue="mails"), 0)
            equal(document.value("apus_jobs_duration_seconds_count", queue="mails"), 5)
            equal(document.value("apus_jobs_delay_seconds_count", queue="mails"), 5)
            delay = document.value("apus_jobs_delay_seconds_sum", queue="mails")
            check(0 <= delay < 300, f"{delay} s")


@case
def commands_of_redis_are_counted(backend):
    with Redis() as redis, running(backend, REDIS_URL=redis.url) as of:
        names = {"server": os.fspath(redis.socket)}
        equal(scrape(of).value("apus_redis_commands_total", outcome="succeeded", **names), 0)
        equal(post(of, "/redis/set/text"), 200)
        for _ in range(4):
            equal(of.get("/redis/get").body, b"text")
        document = scrape(of)
        equal(document.value("apus_redis_commands_total", outcome="succeeded", **names), 2)  # SET, and the first GET
        equal(document.value("apus_redis_cache_requests_total", result="hit", **names), 3)
        equal(document.value("apus_redis_cache_requests_total", result="miss", **names), 1)
        equal(document.value("apus_redis_cache_entries", **names), 1)
        check(document.value("apus_redis_cache_bytes", **names) > 100, "bytes")
        equal(document.value("apus_redis_connections", **names), 1)
        equal(document.value("apus_redis_command_duration_seconds_count", **names), 2)
        equal(post(of, "/redis/bad"), 500)
        document = scrape(of)
        equal(document.value("apus_redis_commands_total", outcome="failed", **names), 1)
        equal(document.value("apus_redis_cache_entries", **names), 0, "INCR removes the key")
        equal(of.get("/redis/get").body, b"text")
        equal(scrape(of).value("apus_redis_cache_entries", **names), 1)
        redis.kill()
        until(of, "apus_redis_connections", 0, **names)
        equal(scrape(of).value("apus_redis_connections_lost_total", **names), 1)
        equal(scrape(of).value("apus_redis_cache_entries", **names), 0)
        check(post(of, "/redis/set/again") in (503, 504), "Redis is gone")
        document = scrape(of)
        equal(document.value("apus_redis_commands_total", outcome="unavailable", **names), 1)
        check(document.value("apus_redis_connections_failed_total", **names) > 0, "failed attempts")
        redis.start()
        check(soon(lambda: post(of, "/redis/set/again") == 200), "connects again")
        equal(scrape(of).value("apus_redis_connections_opened_total", **names), 2)


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers with the status in the path; 202 after 40 ms."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):  # pylint: disable=invalid-name
        status = int(self.path[1:])
        if status == 202:
            time.sleep(0.04)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def upstream_server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream) as of:
        threading.Thread(target=of.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{of.server_port}"
        of.shutdown()


@case
def requests_of_the_http_client_are_counted(backend):
    with upstream_server() as upstream, running(backend, UPSTREAM=upstream) as of:
        for status in (200, 200, 404, 500):
            of.get(f"/client/{status}")
        document = scrape(of)
        counts = {dict(labels)["outcome"]: value for labels, value in
                  document.series("apus_client_requests_total").items() if dict(labels)["client"] == "billing"}
        equal(counts, {"2xx": 2, "3xx": 0, "4xx": 1, "5xx": 1, "failed": 0, "timeout": 0, "rejected": 0,
                       "cancelled": 0})
        equal(document.value("apus_client_connections", client="billing"), 1)
        equal(document.value("apus_client_connections_idle", client="billing"), 1)
        equal(document.value("apus_client_request_duration_seconds_count", client="billing"), 4)


@case
def calls_of_a_pool_of_threads_are_counted(backend):
    with running(backend, "--cores", "2") as of:
        for _ in range(3):
            equal(of.get("/pooled").status, 200)
        document = scrape(of)
        equal(document.value("apus_blocking_pool_calls_total", pool="images"), 3)
        equal(document.value("apus_blocking_pool_in_flight", pool="images"), 0)
        check(document.value("apus_blocking_pool_wait_seconds_total", pool="images") > 0, "waits")
        equal(document.value("apus_blocking_pool_refused_total", pool="images"), 0)


@case
def middleware_is_counted(backend):
    with running(backend, "--cores", "2") as of:
        for path in ("1", "1", "1", "2"):
            equal(of.get(f"/cached/{path}").status, 200)
        equal([of.get("/limited/rate").status for _ in range(12)].count(429) >= 8, True)  # the limit is per core
        equal(of.get("/orders").status, 405)
        for key, status in (('"a"', 200), ('"a"', 200), ('"b"', 200)):
            with of.connect() as client:
                client.send(request("/orders", "POST", fields=[f"Idempotency-Key: {key}"], body=b""))
                equal(client.answer().status, status)
        document = scrape(of)
        results = {dict(labels)["result"]: value
                   for labels, value in document.series("apus_response_cache_requests_total").items()}
        equal(sum(results.values()), 4)
        check(results["hit"] >= 1 and results["miss"] >= 2, results)  # each core has its own cache
        equal(document.value("apus_response_cache_entries"), results["miss"])
        check(document.value("apus_response_cache_bytes") > 400, "bytes")
        check(document.series("apus_rate_limit_refused_total")[(("name", "searches"),)] >= 8, "refusals")
        equal(document.value("apus_idempotency_requests_total", result="new"), 2)
        equal(document.value("apus_idempotency_requests_total", result="replayed"), 1)
    with running(backend) as of, of.connect() as first, of.connect() as second:
        first.send(request("/crowded"))
        check(soon(lambda: scrape(of).value("apus_requests_in_flight") == 1), "not in flight")
        second.send(request("/crowded"))
        equal(second.answer().status, 503)
        post(of, "/release")
        equal(first.answer().status, 204)
        equal(scrape(of).value("apus_concurrency_limit_refused_total", reason="queue_full"), 1)


@case
def messages_requests_and_connections_of_nats_are_counted(backend):
    with Nats() as bus, running(backend, NATS_URL=bus.url) as of:
        bus.create_stream("stored", "shop.stored")
        server_name = {"server": f"127.0.0.1:{bus.port}"}
        for path, status in (("publish", 200), ("publish", 200), ("stream", 200), ("request", 503)):
            equal(post(of, f"/nats/{path}"), status, path)
        document = scrape(of)
        equal(document.value("apus_nats_published_messages_total", **server_name), 4)
        for outcome, count in (("succeeded", 1), ("refused", 1), ("timeout", 0), ("unavailable", 0)):
            equal(document.value("apus_nats_requests_total", outcome=outcome, **server_name), count, outcome)
        equal(document.value("apus_nats_request_duration_seconds_count", **server_name), 2)
        equal(document.value("apus_nats_connections", **server_name), 1)
        bus.kill()
        until(of, "apus_nats_connections_lost_total", 1, **server_name)
        until(of, "apus_nats_connections", 0, **server_name)


@case
def histograms_of_libraries_have_native_buckets(backend):
    with postgres() as (url, _, _), Redis() as redis, Nats() as bus, upstream_server() as upstream, \
            running(backend, DATABASE_URL=url, REDIS_URL=redis.url, NATS_URL=bus.url, UPSTREAM=upstream) as of:
        before = metric_messages.scrape(of)
        equal(before.natives["apus_nats_request_duration_seconds", (("server", f"127.0.0.1:{bus.port}"),)].total(), 0)
        for path in ("/sql/good", "/redis/set/text", "/nats/request", "/jobs/good"):
            post(of, path)
        for status in (200, 202, 404):
            of.get(f"/client/{status}")
        until(of, "apus_jobs_ended_total", 1, queue="mails", outcome="completed")
        document = metric_messages.scrape(of)  # fails if the counts of fixed and native buckets differ
        used = {name for (name, _), native in document.natives.items() if native.total()}
        equal({name for name in used if name.startswith("apus_")},
              {"apus_sql_statement_duration_seconds", "apus_redis_command_duration_seconds",
               "apus_nats_request_duration_seconds", "apus_jobs_duration_seconds", "apus_jobs_delay_seconds",
               "apus_client_request_duration_seconds"})
        native = document.natives["apus_client_request_duration_seconds", (("client", "billing"),)]
        equal(native.total(), 3)
        slow = [index for index in native.buckets if native.bounds(index)[1] >= 0.04]
        check(slow, f"the request of 40 ms: {native.buckets}")


@case
def prometheus_reads_native_histograms_of_libraries(backend):
    if not shutil.which("prometheus"):
        return skip("prometheus (Debian's package prometheus) is not installed")
    with upstream_server() as upstream, sqlite_file() as (url, _, _), \
            running(backend, UPSTREAM=upstream, DATABASE_URL=url) as of, \
            prometheus(of.admin.removeprefix("http://"), "--enable-feature=native-histograms") as reader:
        counted = "histogram_count(apus_client_request_duration_seconds)"
        client = (("client", "billing"),)
        of.get("/client/200")
        check(soon(lambda: reader.values(counted) == {client: 1}, 60), f"a request: {reader.values(counted)}")
        took = []
        for _ in range(40):
            began = time.monotonic()
            of.get("/client/202")
            took.append(time.monotonic() - began)
            equal(post(of, "/sql/good"), 200)
        check(soon(lambda: reader.values(counted) == {client: 41}, 60), f"requests: {reader.values(counted)}")
        statements = 'histogram_count(apus_sql_statement_duration_seconds{engine="sqlite"})'
        check(soon(lambda: sum(reader.values(statements).values()) >= 40, 60), "statements")
        total, = reader.values("histogram_sum(apus_client_request_duration_seconds)").values()
        check(40 * 0.039 <= total <= sum(took) + 1, f"sum: {total} s, client: {sum(took)} s")
        query = "histogram_quantile(0.5, rate(apus_client_request_duration_seconds[1m]))"
        width = 2 ** (1 / 8)  # of a bucket
        median, = reader.values(query).values()
        late = next(rule["query"] for group in reader.get("rules")["groups"] for rule in group["rules"]
                    if rule["name"] == "ApusJobsLate").replace("> 5", ">= 0")
        equal(post(of, "/jobs/good"), 200)
        check(soon(lambda: (("queue", "mails"),) in reader.values(late), 60), f"the alert rule: {late}")
        check(0.039 / width <= median <= sorted(took)[20] * width, f"median: {median} s, client: {sorted(took)[20]} s")


def names_of_all_metrics(backend):
    """Returns the names of the metrics of a program that uses all libraries."""
    with postgres() as (url, _, _), Redis() as redis, Nats() as bus, upstream_server() as upstream, \
            running(backend, DATABASE_URL=url, REDIS_URL=redis.url, NATS_URL=bus.url, UPSTREAM=upstream) as of:
        for path in ("/cached/1", "/shared/1", "/client/200", *3 * ("/limited/rate",), "/pooled"):
            of.get(path)
        with of.connect() as client, of.connect() as refused:
            client.send(request("/orders", "POST", fields=['Idempotency-Key: "a"'], body=b""))
            equal(client.answer().status, 200)
            client.send(request("/crowded"))
            until(of, "apus_requests_in_flight", 1)
            refused.send(request("/crowded"))
            equal(refused.answer().status, 503)
            post(of, "/release")
        names = {name for name, _ in scrape(of).samples}
    with administration.running(backend, checks="slow") as of:
        administration.get(of, "/readyz")
        names |= {name for name, _ in scrape(of).samples}
    with SecureServer(backend, admin=LOOPBACK) as of:
        names |= {name for name, _ in scrape(of).samples}
    return names


@case
def documents_and_alert_rules_name_metrics_that_exist(backend):
    names = names_of_all_metrics(backend)
    guide = (DOCS / "metrics.md").read_text()
    for file in (DOCS / "monitoring/alerts.yml", DOCS / "metrics.md"):
        used = set(re.findall(r"\b(?:apus|http_server)_[a-z0-9_]*[a-z0-9]\b", file.read_text()))
        used.discard("apus_configuration_reloads_total")  # of programs with apus::config: configuration_test.py
        missing = {name for name in used if not any(known.startswith(name) for known in names)}
        equal(missing, set(), file.name)
    rows = "".join(line for line in guide.splitlines() if line.startswith("|"))
    for name in names:
        family = re.sub(r"_(bucket|sum|count)$", "", name)
        own = family.startswith(("apus_health_check_", "apus_blocking_", "process_", "shop_"))
        check(own or f"`{family}`" in rows, f"docs/metrics.md has no row for {family}")


if __name__ == "__main__":
    main()
