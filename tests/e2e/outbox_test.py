# SPDX-License-Identifier: Apache-2.0
"""Tests the outbox with receivers that fail, on nodes that are killed: no event is lost, and none is early.

A long run: python3 -B tests/e2e/outbox_test.py --orders 100000
"""
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import server
from administration import scrape
from cases import case, check, equal, main
from databases import ask, postgres_server
from event_receiver import Receiver
from nats_server import Nats
from redis_server import Redis
from restarted_databases import Postgres, Sqlite, wait_until

server.PROGRAMS["outbox"] = server.BUILD / "tests/outbox_server"
server.PROGRAMS["webhooks"] = server.BUILD / "bin/webhooks"
TABLES = "create table orders (number bigint primary key)"
ORDERS = int(sys.argv.pop(sys.argv.index("--orders") + 1)) if "--orders" in sys.argv else 1_000
if "--orders" in sys.argv:
    sys.argv.remove("--orders")
IN_REQUEST = 20
LAST = 9_000_000  # first number of the orders that are sent while no destination is reachable
ROLLED_BACK = 10_000_000  # first number of the orders that are never committed
PATIENCE = 90 + ORDERS / 20  # seconds


def until(condition, message):
    wait_until(condition, message, PATIENCE)


def post(url):
    """Returns the status of a POST; 0 if there is no response."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, b"", method="POST"), timeout=30) as response:
            return response.status
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0


def node(backend, database, receivers, redis=None, nats=None, attempts=1000, delivers="yes", **more):
    environment = {"DATABASE_URL": database.url, "ATTEMPTS": str(attempts), "DELIVERS": delivers,
                   "RECEIVERS": " ".join(f"{name} {each.url}" for name, each in receivers.items())}
    if redis:
        environment["REDIS_URL"] = redis.url
    if nats:
        environment["NATS_URL"] = nats.url
    return server.Server(backend, program="outbox", environment=environment, **more)


class Nodes:
    """Node processes, which are killed and started again."""

    def __init__(self, start, count):
        self.start = start
        self.all = [start() for _ in range(count)]

    def kill(self, of):
        of.process.kill()
        of.process.wait()
        of.process.stdout.close()

    def replace(self, index):
        self.kill(self.all[index])
        self.all[index] = self.start()

    def send(self, first):
        """Sends orders until a node has stored them. If an earlier attempt has stored them, the response is 409."""
        def stored():
            return post(f"{random.choice(self.all).urls[0]}/orders/{first}/{IN_REQUEST}") in (200, 204, 409)
        until(stored, lambda: f"no node has taken the orders: {[each.errors() for each in self.all]}")

    def stop(self):
        for each in self.all:
            self.kill(each)


def entries_of(redis, stream):
    """Returns the orders of the entries of a stream."""
    text = redis.cli("XRANGE", stream, "-", "+")
    return [int(found) for found in re.findall(r'^\{"order":(\d+)\}$', text, re.M)]


def in_order(orders, name):
    """Checks that the first deliveries of each key are in the order of the transactions."""
    for key in range(10):
        of_key = [each for each in orders if each % 10 == key]
        equal(of_key, sorted(of_key), f"{name}, key {key}")


def no_event_is_lost(backend, database, count):
    random.seed(1)
    # Each eleventh order is refused twice, and each fiftieth is processed although its response is too late.
    def plan(order, attempt):
        if order % 11 == 0 and attempt < 2:
            return 503
        return "slow" if order % 250 == 249 and attempt == 0 else 200

    with Redis() as redis, Nats() as nats, Receiver(plan) as receiver:
        nats.create_stream("ORDERS", "orders.>")
        nodes = Nodes(lambda: node(backend, database, {"shop": receiver}, redis, nats, log="error"), count)
        try:
            kills = 0
            for step, first in enumerate(range(0, ORDERS, IN_REQUEST)):
                nodes.send(first)
                if step % 5 == 0:
                    post(f"{nodes.all[0].urls[0]}/slow/{ROLLED_BACK + first}/1/false")
                if first % (ORDERS // 5) == 0:
                    nodes.replace(random.randrange(count))
                    kills += 1
                if first == ORDERS // 2:
                    receiver.refuse()
                    redis.stop()  # commands get no reply, and are executed later
                    nats.kill()
                    database.restart()
                    nodes.send(LAST)
                    until(lambda: database.rows("select count(*) from apus_jobs where errors <> ''")[0][0] > 10,
                          lambda: "no delivery has failed")
                    redis.resume()
                    nats.start()
                    receiver.listen()
            until(lambda: database.rows("select count(*) from apus_jobs") == [(0,)],
                  lambda: f"events remain: {database.rows('select count(*) from apus_jobs')}, "
                          f"{nodes.all[0].errors()!r}")
        finally:
            nodes.stop()
        wanted = [*range(ORDERS), *range(LAST, LAST + IN_REQUEST)]
        equal(sorted(receiver.orders()), wanted)
        added = list(dict.fromkeys(entries_of(redis, "orders")))
        equal(sorted(added), wanted)
        # The stream has dropped repeated messages.
        stored = [json.loads(data)["order"] for _, data in nats.messages("ORDERS")]
        equal(sorted(stored), wanted)
        for orders, name in ((receiver.orders(), "webhook"), (added, "stream"), (stored, "NATS")):
            in_order([each for each in orders if each < LAST], name)
            in_order([each for each in orders if each >= LAST], name)
        equal(len({each.id for each in receiver.received}), len(wanted))
        check(all(each.signed == "raw" for each in receiver.received), "a signature is wrong")
        repeated = len(receiver.received) - len(wanted)
        print(f"    {ORDERS} orders, {kills} nodes killed, 0 lost, 0 before the commit, {repeated} webhooks and "
              f"{len(entries_of(redis, 'orders')) - len(wanted)} entries repeated")


@case
def no_event_is_lost_in_postgres(backend):
    with postgres_server() as url:
        no_event_is_lost(backend, Postgres(url, TABLES), 3)


@case
def no_event_is_lost_in_sqlite(backend):
    with tempfile.TemporaryDirectory() as folder:
        no_event_is_lost(backend, Sqlite(folder, TABLES), 2)


# The action for the first attempts of each order, and the wanted number of attempts.
ACTIONS = {
    0: ([200], 1),
    1: ([500, 500], 3),
    2: ([410] * 9, 1),
    3: ([(429, ("Retry-After", "2"))], 2),
    4: (["hang"], 2),
    5: (["cut in the head"], 2),
    6: (["cut in the body"], 1),
    7: (["slow", "slow"], 3),
    8: ([500] * 99, 4),
    9: ([(302, ("Location", "/elsewhere"))], 2),
    10: (["endless body"], 1),
    11: (["slow body"], 1),
    12: ([(503, ("Retry-After", "soon"))], 2),
}


def every_failure_is_handled(backend, database):
    def plan(order, attempt):
        actions = ACTIONS.get(order, ([], 1))[0]
        return actions[attempt] if attempt < len(actions) else 200

    with Receiver(plan) as receiver, Receiver() as other:
        with node(backend, database, {"shop": receiver, "other": other}, attempts=4, admin="127.0.0.1:0",
                  log="error") as of:
            equal(post(f"{of.urls[0]}/orders/0/20"), 204)
            until(lambda: database.rows("select count(*) from apus_jobs where state <> 'dead'") == [(0,)],
                  lambda: f"events remain: {of.errors()}")
            for order, (_, attempts) in ACTIONS.items():
                equal(len(receiver.of(order)), attempts, f"attempts of order {order}")
                equal(len({each.id for each in receiver.of(order)}), 1, f"ids of order {order}")
            equal(sorted(receiver.orders()), list(range(20)))
            in_order(receiver.orders(), "shop")
            equal(sorted(other.orders()), list(range(20)))
            equal(len(other.received), 20)
            equal({each.signed for each in other.received}, {"coded"})
            # The other orders did not wait for the failing ones.
            last_failure = receiver.of(7)[-1].time
            check(all(receiver.of(order)[0].time < last_failure for order in (13, 15, 16)), "orders of other keys wait")
            first, second = (each.time for each in receiver.of(3))
            check(second - first >= 2, f"Retry-After was ignored: {second - first}")
            one = receiver.of(0)[0]
            equal((one.type, one.key, one.signed), ("order_placed", "customer%200", "raw"))
            check(re.fullmatch('"[0-9a-f]{32}"', one.id), one.id)
            metrics = scrape(of)
            count = "outbox_deliveries_total"
            equal(metrics.value(count, outbox="outbox", destination="shop", result="delivered"), 18)
            equal(metrics.value(count, outbox="outbox", destination="shop", result="failed"),
                  sum(attempts - 1 for _, attempts in ACTIONS.values()) + 2)
            equal(metrics.value("outbox_delay_seconds_count", outbox="outbox", destination="other"), 20)
        dead = errors_of(database)
        equal(sorted(dead), [2, 8])
        check("responded with 410" in dead[2] and dead[2].count("\n") == 1, dead[2])
        check(dead[8].count("responded with 500: done") == 4, dead[8])


def errors_of(database):
    """Returns the errors of dead letters by order."""
    if isinstance(database, Sqlite):
        rows = database.rows("select payload, errors from apus_jobs")
    else:
        query = "select json_agg(json_build_array(payload, errors)) from apus_jobs"
        rows = json.loads(subprocess.run(["psql", "-qAt", "-c", query, database.url], check=True, timeout=30,
                                         capture_output=True, text=True).stdout)
    return {json.loads(json.loads(payload)["body"])["order"]: errors for payload, errors in rows}


@case
def every_failure_is_handled_in_postgres(backend):
    with postgres_server() as url:
        every_failure_is_handled(backend, Postgres(url, TABLES))


@case
def every_failure_is_handled_in_sqlite(backend):
    with tempfile.TemporaryDirectory() as folder:
        every_failure_is_handled(backend, Sqlite(folder, TABLES))


@case
def nothing_is_delivered_before_the_commit(backend):
    with postgres_server() as url, Receiver() as receiver:
        database = Postgres(url, TABLES)
        with node(backend, database, {"shop": receiver}) as of:
            began = time.monotonic()
            equal(post(f"{of.urls[0]}/slow/100/1000/true"), 204)
            equal(post(f"{of.urls[0]}/slow/200/10/false"), 204)
            equal(post(f"{of.urls[0]}/orders/300/10"), 204)
            until(lambda: len(receiver.received) == 20, lambda: f"received {receiver.received}")
            check(all(each.time - began >= 1 for each in receiver.received), "an event was early")
            equal(sorted(receiver.orders()), [*range(100, 110), *range(300, 310)])


@case
def a_receiver_that_hangs_does_not_delay_other_destinations(backend):
    with postgres_server() as url, Receiver(lambda order, attempt: "hang") as hangs, Receiver() as works:
        database = Postgres(url, TABLES)
        with node(backend, database, {"hangs": hangs, "works": works}) as of:
            equal(post(f"{of.urls[0]}/orders/0/200"), 204)
            until(lambda: len(works.received) == 200, lambda: f"received {len(works.received)}")
            check(len(hangs.received) > 0, "nothing was sent to the other receiver")
        # The node has stopped within its drain time, although the receiver still hangs.
        equal(database.rows("select count(*) from apus_jobs where state = 'running'"), [(0,)])
        equal(database.rows("select count(*) from apus_jobs"), [(200,)])


@case
def a_node_that_stops_leaves_its_events_to_others(backend):
    with tempfile.TemporaryDirectory() as folder, Receiver() as receiver, Redis() as redis:
        database = Sqlite(folder, TABLES)
        with node(backend, database, {"shop": receiver}, redis, delivers="no") as of:
            equal(post(f"{of.urls[0]}/orders/0/50"), 204)
        equal(receiver.received, [])
        subscriber = subprocess.Popen(["redis-cli", "-s", redis.socket, "SUBSCRIBE", "orders"], text=True,
                                      stdout=subprocess.PIPE)
        try:
            until(lambda: redis.cli("PUBSUB", "NUMSUB", "orders").split()[-1] == "1", lambda: "no subscriber")
            with node(backend, database, {"shop": receiver}, redis):
                until(lambda: database.rows("select count(*) from apus_jobs") == [(0,)], lambda: "events remain")
        finally:
            subscriber.terminate()
            heard = [json.loads(line) for line in subscriber.communicate(timeout=30)[0].splitlines()
                     if line.startswith("{")]
        equal(len(receiver.received), 50)
        equal(sorted(entries_of(redis, "orders")), list(range(50)))
        equal(sorted(each["data"]["order"] for each in heard), list(range(50)))
        equal({each["type"] for each in heard}, {"order_placed"})
        equal({f'"{each["id"]}"' for each in heard}, {each.id for each in receiver.received})


def the_example_delivers_to_its_own_receiver(backend, database):
    port = Receiver().port
    at = f"http://127.0.0.1:{port}"
    with Redis() as redis, Nats() as nats, server.Server(
            backend, program="webhooks", log="info", listen=[f"127.0.0.1:{port}"],
            environment={"DATABASE_URL": database.url, "REDIS_URL": redis.url, "NATS_URL": nats.url,
                         "WEBHOOK_URL": f"{at}/billing"}) as of:
        nats.create_stream("ORDERS", "orders.>")
        equal(ask(f"{at}/orders", "POST", {"item": "", "customer": "ada"})[0], 422)
        equal(ask(f"{at}/orders", "POST", {"item": "tea", "customer": "ada"}),
              (201, {"id": 1, "item": "tea", "customer": "ada"}))
        equal(ask(f"{at}/orders", "POST", {"item": "figs", "customer": "ada"})[0], 201)
        until(lambda: redis.cli("XLEN", "orders") == "2" and of.errors().count('"billed"') == 2, of.errors)
        text = redis.cli("XRANGE", "orders", "-", "+")
        check('{"order":1,"item":"tea","customer":"ada"}' in text and "order_placed" in text, text)
        until(lambda: database.rows("select count(*) from apus_jobs") == [(0,)], of.errors)
        equal(sorted((b"Event-Key: ada" in headers, json.loads(data)["item"]) for headers, data in
                     nats.messages("ORDERS")), [(True, "figs"), (True, "tea")])


@case
def the_example_runs_with_postgres(backend):
    with postgres_server() as url:
        the_example_delivers_to_its_own_receiver(backend, Postgres(url, ""))


@case
def the_example_runs_with_sqlite(backend):
    with tempfile.TemporaryDirectory() as folder:
        the_example_delivers_to_its_own_receiver(backend, Sqlite(folder, ""))


if __name__ == "__main__":
    main()
