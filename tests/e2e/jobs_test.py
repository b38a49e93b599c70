# SPDX-License-Identifier: Apache-2.0
"""Tests jobs on several nodes that are killed: no order is lost, and each is charged exactly once.

A long run: python3 -B tests/e2e/jobs_test.py --orders 100000
"""
import random
import sys
import tempfile
import time
import urllib.error
import urllib.request

import server
from cases import case, check, equal, main
from databases import ask, postgres_server
from restarted_databases import Postgres, Sqlite, wait_until

server.PROGRAMS["jobs"] = server.BUILD / "tests/jobs_server"
server.PROGRAMS["receipts"] = server.BUILD / "bin/receipts"
TABLES = ("create table orders (number bigint primary key); create table charged (number bigint not null); "
          "create table printed (number bigint not null, job bigint not null)")
ORDERS = int(sys.argv.pop(sys.argv.index("--orders") + 1)) if "--orders" in sys.argv else 3_000
if "--orders" in sys.argv:
    sys.argv.remove("--orders")
IN_REQUEST = 100
PATIENCE = 60 + ORDERS / 100  # seconds


class Nodes:
    """Node processes, which are killed and started again."""

    def __init__(self, backend, url, count):
        self.backend, self.url = backend, url
        self.all = [self.start() for _ in range(count)]

    def start(self):
        return server.Server(self.backend, program="jobs", environment={"DATABASE_URL": self.url}, log="error")

    def replace(self, index):
        self.all[index].process.kill()
        self.all[index].process.wait()
        self.all[index].process.stdout.close()
        self.all[index] = self.start()

    def send(self, first):
        """Sends orders until a node has stored them. If an earlier attempt has stored them, the response is 409."""
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last:
            url = f"{random.choice(self.all).urls[0]}/orders/{first}/{IN_REQUEST}"
            try:
                urllib.request.urlopen(urllib.request.Request(url, b"", method="POST"), timeout=30).close()
                return
            except urllib.error.HTTPError as refused:
                if refused.code == 409:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError("no node has taken the orders")

    def stop(self):
        for each in self.all:
            each.process.kill()
            each.process.wait()
            each.process.stdout.close()


def until(condition, message):
    wait_until(condition, message, PATIENCE)


def nothing_is_lost(backend, database, count):
    random.seed(1)
    nodes = Nodes(backend, database.url, count)
    try:
        kills = 0
        for first in range(0, ORDERS, IN_REQUEST):
            nodes.send(first)
            if first % (ORDERS // 10) == 0:
                nodes.replace(random.randrange(count))
                kills += 1
            if first == ORDERS // 2 // IN_REQUEST * IN_REQUEST:
                database.restart()
        until(lambda: database.rows("select count(*) from apus_jobs") == [(0,)],
              lambda: f"jobs remain: {database.rows('select count(*) from apus_jobs')}, {nodes.all[0].errors()!r}")
        equal(database.rows("select count(*), count(distinct number) from charged"), [(ORDERS, ORDERS)])
        equal(database.rows("select count(distinct number), count(distinct job) from printed"), [(ORDERS, ORDERS)])
        printed = database.rows("select count(*) from printed")[0][0]
        print(f"    {ORDERS} orders, {kills} nodes killed, {printed - ORDERS} printed again")
    finally:
        nodes.stop()


@case
def no_order_is_lost_in_postgres(backend):
    with postgres_server() as url:
        nothing_is_lost(backend, Postgres(url, TABLES), 3)


@case
def no_order_is_lost_in_sqlite(backend):
    with tempfile.TemporaryDirectory() as folder:
        nothing_is_lost(backend, Sqlite(folder, TABLES), 2)


@case
def a_stopped_node_leaves_its_jobs_to_others(backend):
    with tempfile.TemporaryDirectory() as folder:
        database = Sqlite(folder, TABLES)
        with server.Server(backend, program="jobs", environment={"DATABASE_URL": database.url}) as one:
            urllib.request.urlopen(urllib.request.Request(f"{one.urls[0]}/orders/0/50", b"", method="POST"),
                                   timeout=30).close()
        equal(database.rows("select count(*) from apus_jobs_workers"), [(0,)])
        equal(database.rows("select count(*) from apus_jobs where state = 'running' or attempt > 0"), [(0,)])
        with server.Server(backend, program="jobs", environment={"DATABASE_URL": database.url}):
            until(lambda: database.rows("select count(*) from apus_jobs") == [(0,)], lambda: "jobs remain")
        equal(database.rows("select count(*), count(distinct number) from charged"), [(50, 50)])


@case
def a_node_without_tables_says_so(backend):
    with tempfile.TemporaryDirectory() as folder:
        database = Sqlite(folder, TABLES)
        of = server.Server(backend, program="jobs", environment={"DATABASE_URL": database.url, "APUS_PREPARE": "0"})
        until(lambda: "jobs cannot start" in of.errors(), of.errors)
        check("apus jobs schema" in of.errors(), of.errors())
        of.process.kill()
        of.process.wait()
        of.process.stdout.close()


def each_order_gets_its_receipt(backend, database):
    with server.Server(backend, program="receipts", environment={"DATABASE_URL": database.url}) as of:
        at = of.urls[0] + "/orders"
        equal(ask(at, "POST", {"item": "tea", "customer": "nobody"})[0], 422)
        status, order = ask(at, "POST", {"item": "tea", "customer": "ada@example.com"})
        equal((status, order), (201, {"id": 1, "item": "tea", "customer": "ada@example.com"}))
        equal(ask(at, "POST", {"item": "figs", "customer": "bob@example.org"})[0], 201)  # its mails fail
        equal([each["item"] for each in ask(at)[1]], ["tea", "figs"])
        until(lambda: database.rows("select receipts from orders where id = 1") == [(1,)], lambda: "no receipt")
        until(lambda: database.rows("select count(*) from apus_jobs where attempt > 0") == [(1,)],
              lambda: "the failed job is not kept")
    equal(database.rows("select receipts from orders order by id"), [(1,), (0,)])


@case
def receipts_are_sent_from_postgres(backend):
    with postgres_server() as url:
        each_order_gets_its_receipt(backend, Postgres(url, tables=""))


@case
def receipts_are_sent_from_sqlite(backend):
    with tempfile.TemporaryDirectory() as folder:
        each_order_gets_its_receipt(backend, Sqlite(folder, tables=""))


main()
