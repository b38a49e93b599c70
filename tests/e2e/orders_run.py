#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends orders through jobs and the outbox of three nodes, under faults. Not part of the test suite.

python3 -B tests/e2e/orders_run.py [--orders 100000] [--ticks 100] [--backend uring] [--seed 1]

Each order adds a job in its transaction. The job's transaction charges the order, and publishes an event to a webhook
and to a Redis stream. Meanwhile nodes, PostgreSQL and Redis are killed, and networks are cut. Afterwards each order
must be charged once and be delivered, and no event of an uncommitted order may be delivered. Then, three nodes run a
schedule with a tick every two seconds, and a node is killed at each tick: each tick must add one job.
"""
import argparse
import contextlib
import itertools
import json
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import server
from faulty_databases import Postgres, Proxy
from redis_server import Redis

server.PROGRAMS["orders"] = server.BUILD / "tests/orders_server"
TABLES = ("create table orders (number bigint primary key); create table attempted (number bigint not null); "
          "create table charged (number bigint not null); create table ticked (job bigint not null)")
NODES, IN_REQUEST, SENDERS = 3, 50, 4
SLOW, ROLLED_BACK = 10_000_000, 20_000_000  # first numbers of the orders of these kinds
SLOW_COMMIT = 700  # milliseconds
PAUSE = 2.0  # seconds between faults
PATIENCE = 120  # seconds without progress
# The nodes see this clock. Every two seconds a minute begins: each minute has its last two seconds only. So the
# schedule `* * * * *` has a tick every two seconds.
FAST_CLOCK = """create schema fast; create function fast.clock_timestamp() returns timestamptz language sql as $$
    select to_timestamp(floor(s / 2) * 60 + 58 + s - floor(s / 2) * 2) from
    (select extract(epoch from pg_catalog.clock_timestamp())) as now (s) $$;
    alter database postgres set search_path = fast, pg_catalog, public"""


class Nodes:
    """Node processes, each with its own network to PostgreSQL."""

    def __init__(self, backend, database, environment, count=NODES):
        self.backend, self.environment = backend, environment
        self.networks = [Proxy(database.socket) for _ in range(count)]
        self.all = [self.start(index) for index in range(count)]

    def start(self, index):
        url = f"postgres://apus@127.0.0.1:{self.networks[index].port}/postgres?sslmode=disable"
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return server.Server(self.backend, program="orders", log="off",
                                     environment={"DATABASE_URL": url, **self.environment})
            except AssertionError:  # the database is not reachable
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def kill(self, index):
        of = self.all[index]
        of.process.kill()
        of.process.wait()
        of.process.stdout.close()

    def replace(self, index):
        self.kill(index)
        self.all[index] = self.start(index)

    def stop(self):
        for index, network in enumerate(self.networks):
            self.kill(index)
            network.close()


def post(url):
    """Returns the status of a POST; 0 if there is no response."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, b"", method="POST"), timeout=10) as response:
            return response.status
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0


class Load:
    """Threads that send orders to nodes until a node has stored them."""

    def __init__(self, nodes, orders, seed):
        self.nodes, self.random = nodes, random.Random(seed)
        self.firsts, self.lock, self.slow = iter(range(0, orders, IN_REQUEST)), threading.Lock(), {}
        self.threads = [threading.Thread(target=self._send, daemon=True) for _ in range(SENDERS)]
        self.threads.append(threading.Thread(target=self._send_unusual, daemon=True))
        self.ends = False
        for each in self.threads:
            each.start()

    def url(self):
        return self.random.choice(self.nodes.all).urls[0] + "/orders"

    def _send(self):
        while True:
            with self.lock:
                first = next(self.firsts, None)
            if first is None:
                return
            # After a lost response, the next attempt finds that the orders are stored.
            while post(f"{self.url()}/{first}/{IN_REQUEST}/0") not in (200, 204, 409):
                time.sleep(0.05)

    def _send_unusual(self):
        """Sends transactions that commit late, and transactions that are rolled back."""
        for number in itertools.count():
            if self.ends:
                return
            post(f"{self.url()}/{ROLLED_BACK + number * 10}/10/-100")
            begun = time.monotonic()
            if post(f"{self.url()}/{SLOW + number * 10}/10/{SLOW_COMMIT}") in (200, 204):
                self.slow[SLOW + number * 10] = begun + SLOW_COMMIT / 1000
            time.sleep(0.2)

    def sends(self):
        return any(each.is_alive() for each in self.threads[:SENDERS])

    def stop(self):
        self.ends = True
        for each in self.threads:
            each.join(60)


class Faults:
    """The faults, one after the other, each for a random node."""

    def __init__(self, nodes, database, redis, redis_network, receiver, seed):
        self.random, self.counts = random.Random(seed), {}
        self.all = itertools.cycle([
            ("node killed", lambda at: nodes.replace(at)),
            ("PostgreSQL killed", lambda at: (database.kill(), time.sleep(0.3), database.start())),
            ("Redis killed", lambda at: (redis.kill(), time.sleep(0.3), redis.start())),
            ("node cut off PostgreSQL, silent", lambda at: self.cut(nodes.networks[at], "silent", 4)),
            ("connections to PostgreSQL reset", lambda at: self.cut(nodes.networks[at], "reset", 0.5)),
            ("nodes cut off Redis, silent", lambda at: self.cut(redis_network, "silent", 3)),
            ("connections to Redis reset", lambda at: self.cut(redis_network, "reset", 0.5)),
            ("receiver stopped", lambda at: self.pause(receiver, 2)),
        ])

    def cut(self, network, mode, seconds):
        network.set(mode)
        time.sleep(seconds)
        network.set("forward")

    def pause(self, of, seconds):
        of.signal(signal.SIGSTOP)
        time.sleep(seconds)
        of.signal(signal.SIGCONT)

    def next(self):
        name, cause = next(self.all)
        cause(self.random.randrange(NODES))
        self.counts[name] = self.counts.get(name, 0) + 1


def fetch(of, path):
    with urllib.request.urlopen(of.urls[0] + path, timeout=60) as response:
        return json.load(response)


def jobs_left(database):
    try:
        return int(database.run("select count(*) from apus_jobs"))
    except subprocess.CalledProcessError:  # the database was killed
        return -1


def run_orders(options, stack):
    database = Postgres(("-F", "-c", "max_connections=200"))
    stack.callback(database.remove)
    database.run(TABLES)
    redis = stack.enter_context(Redis("--appendonly", "yes", "--appendfsync", "always"))
    redis_network = stack.enter_context(contextlib.closing(Proxy(str(redis.socket))))
    receiver = stack.enter_context(server.Server(options.backend, program="orders", log="off"))
    nodes = Nodes(options.backend, database, {"REDIS_URL": f"redis://127.0.0.1:{redis_network.port}",
                                              "RECEIVER": receiver.urls[0] + "/events"})
    stack.callback(nodes.stop)
    begun, load = time.monotonic(), Load(nodes, options.orders, options.seed)
    faults = Faults(nodes, database, redis, redis_network, receiver, options.seed)
    seen, seen_at = 0, begun
    while load.sends() or fetch(receiver, "/count") < options.orders:
        time.sleep(PAUSE)
        faults.next()
        if (count := fetch(receiver, "/count")) > seen:
            seen, seen_at = count, time.monotonic()
        print(f"    {time.monotonic() - begun:5.0f} s: {count} orders delivered, {sum(faults.counts.values())} faults",
              file=sys.stderr, flush=True)
        if time.monotonic() - seen_at > PATIENCE:
            raise AssertionError("no order is delivered")
    load.stop()
    end = time.monotonic() + PATIENCE
    while (left := jobs_left(database)) != 0 and time.monotonic() < end:
        time.sleep(0.2)
    print(f"{options.orders} orders, {options.backend}: {time.monotonic() - begun:.0f} s; "
          + ", ".join(f"{count} x {name}" for name, count in faults.counts.items()))
    return check_orders(options.orders, database, redis, fetch(receiver, "/received"), load.slow, left)


def check_orders(count, database, redis, received, slow, left):
    stored = {int(each) for each in database.run("select number from orders").split()}
    charged = [int(each) for each in database.run("select number from charged").split()]
    attempts = int(database.run("select count(*) from attempted"))
    added = [int(each) for each in redis.cli("EVAL", "local out = {} for _, e in ipairs(redis.call('XRANGE', 'orders', "
                                             "'-', '+')) do for i, v in ipairs(e[2]) do local n = "
                                             "string.match(v, '^{\"order\":(%d+)}$') if n then out[#out + 1] = n end "
                                             "end end return table.concat(out, ' ')", 0).split()]
    webhooks = {each["order"]: each for each in received}
    results = {
        "orders lost": len(set(range(count)) - stored),
        "charges lost": len(stored - set(charged)),
        "charged twice": len(charged) - len(set(charged)),
        "webhooks lost": len(stored - webhooks.keys()),
        "stream entries lost": len(stored - set(added)),
        "of orders that were not committed": len((set(charged) | webhooks.keys() | set(added)) - stored),
        "delivered before the commit": sum(webhooks[order]["first"] / 1e6 < earliest for order, earliest in slow.items()
                                           if order in webhooks),
        "jobs left": left,
    }
    print(f"{len(stored)} orders stored, of which {len(slow) * 10} committed late: "
          + ", ".join(f"{number} {name}" for name, number in results.items()))
    print(f"repeated: {attempts - len(charged)} attempts of jobs, "
          f"{sum(each['count'] for each in received) - len(received)} webhooks, {len(added) - len(set(added))} entries")
    return not any(results.values())


def run_ticks(options, stack):
    database = Postgres()
    stack.callback(database.remove)
    database.run(TABLES)
    database.run(FAST_CLOCK)
    nodes = Nodes(options.backend, database, {"TICKS": "yes"})
    stack.callback(nodes.stop)
    chance = random.Random(options.seed)

    def next_tick():
        """Waits for the next tick, and up to 30 ms longer."""
        now = time.time()
        time.sleep(2 - now % 2 + chance.random() * 0.03)

    next_tick()
    for number in range(options.ticks):
        next_tick()
        nodes.replace(number % NODES)
    end = time.monotonic() + PATIENCE
    while jobs_left(database) != 0 and time.monotonic() < end:
        time.sleep(0.1)
    ticks = [int(each) for each in database.run("select tick / 60000 from apus_jobs_ticks order by tick").split()]
    jobs = [int(each) for each in database.run("select job from ticked").split()]
    missed = ticks[-1] - ticks[0] + 1 - len(ticks)
    first = 1  # the tick before the first start is stored without a job
    print(f"{len(ticks) - first} ticks, {options.ticks} nodes killed at ticks: {missed} missed, {len(jobs)} jobs "
          f"completed, {len(jobs) - len(set(jobs))} twice")
    return missed == 0 and len(jobs) == len(set(jobs)) == len(ticks) - first and len(ticks) > options.ticks


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--orders", type=int, default=100_000)
    given.add_argument("--ticks", type=int, default=100)
    given.add_argument("--backend", default="uring")
    given.add_argument("--seed", type=int, default=1)
    given = given.parse_args()
    good = True
    for run, size in ((run_orders, given.orders), (run_ticks, given.ticks)):
        with contextlib.ExitStack() as stack:
            good = (size == 0 or run(given, stack)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
