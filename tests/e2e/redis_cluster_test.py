# SPDX-License-Identifier: Apache-2.0
"""Tests the examples `counters` and `shared_state` with a cluster of the distribution's Redis: three primaries, and a
replica of one of them."""
import concurrent.futures
import contextlib
import threading
import time

import feed_clients
import server
import shared_caches
import shared_processes as shared
import sockets
from cases import case, check, equal, main
from databases import PATIENCE, ask
from redis_fleet import Fleet, free_ports
from visits import check_load, counters, load, post_status, read_visits, serves_since

SLOTS = 16384


class Cluster(Fleet):
    """Three primaries. With `key`, also a replica of the primary that serves this key. `more`: lines for redis.conf."""

    def __init__(self, key=None, *more):
        super().__init__()
        self.more = more
        self.primaries = [self._add() for _ in range(3)]
        for number, one in enumerate(self.primaries):
            one.cli("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            one.cli("CLUSTER", "ADDSLOTSRANGE", number * SLOTS // 3, (number + 1) * SLOTS // 3 - 1)
        first = self.primaries[0]
        for other in self.primaries[1:]:
            self._meet(other)
        check(server.soon(lambda: all(self.healthy(one) for one in self.primaries)), "the cluster is not ready")
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{one.port}" for one in self.primaries)
        if key is None:
            return
        self.replica = self._add()
        self._meet(self.replica)
        owner = self.identity(self.owner(key))
        check(server.soon(lambda: owner in self.replica.cli("CLUSTER", "NODES")), "the replica knows no primary")
        check(server.soon(lambda: self.replica.cli("CLUSTER", "REPLICATE", owner) == "OK"), "not a replica")
        check(server.soon(lambda: self.replica.info("replication", "master_link_status") == "up"), "no replication")
        check(server.soon(lambda: self.identity(self.replica) in first.cli("CLUSTER", "SLOTS")), "replica unknown")

    @property
    def ports(self):
        """Ports of all nodes, also of those that are not in the URL."""
        return [node.port for node in self.nodes]

    def _add(self):
        port, bus = free_ports(2)
        made = self.add(port, "cluster-enabled yes", f"cluster-port {bus}", "cluster-node-timeout 1500",
                        *self.more)
        made.bus = bus
        return made

    def _meet(self, other):
        self.primaries[0].cli("CLUSTER", "MEET", "127.0.0.1", other.port, other.bus)

    @staticmethod
    def healthy(node):
        return "cluster_state:ok" in node.cli("CLUSTER", "INFO") and "cluster_known_nodes:3" in node.cli(
            "CLUSTER", "INFO")

    @staticmethod
    def identity(node):
        return node.cli("CLUSTER", "MYID")

    def slot(self, key):
        return int(self.primaries[0].cli("CLUSTER", "KEYSLOT", key))

    def owner(self, key):
        return self.primaries[self.slot(key) * 3 // SLOTS]

    def cli(self, key, *arguments):
        """Executes a command on the primary that serves the key at the start."""
        return self.owner(key).cli(*arguments)

    def move(self, slot, source, target):
        """Moves a slot, and all its keys one after the other."""
        target.cli("CLUSTER", "SETSLOT", slot, "IMPORTING", self.identity(source))
        source.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", self.identity(target))
        time.sleep(0.2)  # commands arrive while no key has been moved: those for missing keys get ASK
        while keys := source.cli("CLUSTER", "GETKEYSINSLOT", slot, 1):
            source.cli("MIGRATE", "127.0.0.1", target.port, keys, 0, 5000)
            time.sleep(0.05)
        time.sleep(0.2)  # all commands get ASK
        for one in (target, source, *self.primaries):
            one.cli("CLUSTER", "SETSLOT", slot, "NODE", self.identity(target))


@case
def the_routes_of_the_guide_work_on_a_cluster(backend):
    with Cluster() as of, counters(backend, of.url) as one:
        at = one.urls[0]
        equal(ask(f"{at}/pages/home/visits", "POST"), (200, {"page": "home", "visits": 1}))
        equal(ask(f"{at}/pages/home/visits", "POST"), (200, {"page": "home", "visits": 2}))
        equal(ask(f"{at}/pages"), (200, [{"page": "home", "visits": 2}]))
        for number in range(30):  # keys of all nodes
            equal(ask(f"{at}/profiles/{number}", "PUT", {"name": str(number), "interests": []})[0], 204)
            equal(ask(f"{at}/profiles/{number}")[1]["name"], str(number))
        check(all(int(node.cli("DBSIZE")) > 0 for node in of.primaries), "a node has no keys")
        for item in range(6):
            equal(ask(f"{at}/stock/{item}", "PUT", 1)[0], 204)
            equal([post_status(f"{at}/stock/{item}/take") for _ in range(2)], [200, 409])
        clients = [node.cli("CLIENT", "LIST").count("name=apus") for node in of.primaries]
        check(all(1 <= count <= 3 for count in clients), f"connections per node: {clients}")


@case
def a_slot_that_moves_while_clients_write_loses_no_visit(backend):
    with Cluster() as of, counters(backend, of.url, "--cores", "2") as one:
        slot, source = of.slot("visits"), of.owner("visits")
        target = next(node for node in of.primaries if node is not source)
        with load(one.urls[0]) as done:
            check(server.soon(lambda: serves_since(done, 0)), "no response")
            of.move(slot, source, target)
            at = time.monotonic()
            check(server.soon(lambda: serves_since(done, at)), f"no success: {done[-20:]}")
            of.move(slot, target, source)
        equal({status for _, _, status, _ in done}, {200})
        counted = sum(page["visits"] for page in ask(f"{one.urls[0]}/pages")[1])
        equal(counted, len(done), "visits")


@case
def a_primary_that_is_killed_under_load_is_replaced_by_its_replica(backend):
    with Cluster("visits") as of, counters(backend, of.url, connects=of.ports) as one:
        with load(one.urls[0]) as done:
            check(server.soon(lambda: serves_since(done, 0)), "no response")
            of.owner("visits").kill()
            check(server.soon(lambda: of.replica.info("replication", "role") == "master"), "no failover")
            at = time.monotonic()
            check(server.soon(lambda: serves_since(done, at)), f"no success: {done[-20:]}")
            check(server.soon(lambda: len(done) > 50 and all(one[2] == 200 for one in list(done)[-50:])),
                  f"{done[-50:]}")
        check_load(done, 10)
        # The process uses the new node also for other keys, and a process that starts now finds the cluster.
        with counters(backend, of.url, connects=of.ports) as other:
            equal(ask(f"{other.urls[0]}/pages/home/visits", "POST")[0], 200)


@case
def subscriptions_continue_on_another_node(backend):
    with Cluster() as of, counters(backend, of.url) as one:
        found = []
        reader = threading.Thread(target=read_visits, args=(one.port, found))
        reader.start()
        try:
            check(server.soon(lambda: ("all", "[]") in found), found)
            equal(ask(f"{one.urls[0]}/pages/one/visits", "POST")[0], 200)
            check(server.soon(lambda: ("visit", "one") in found), found)
            killed = next(node for node in of.primaries if "visits" in node.cli("PUBSUB", "CHANNELS"))
            killed.cli("CLIENT", "KILL", "TYPE", "pubsub")
            check(server.soon(lambda: len([e for e, _ in found[1:] if e == "all"]) == 2), found)
            equal(ask(f"{one.urls[0]}/pages/two/visits", "POST")[0], 200)
            check(server.soon(lambda: ("visit", "two") in found), found)
        finally:
            found[0].terminate()
            reader.join(PATIENCE)


@case
def processes_share_their_state_on_a_cluster(backend):
    with Cluster() as of, shared.processes(backend, of, 3) as all_of:
        equal(shared.statuses(all_of, "ann", 60), 20 * [200] + 40 * [429])
        first = shared.order(all_of[0], '"a"')
        equal((first.status, first.body), (201, b"order 1: tea\n"))
        again = shared.order(all_of[1], '"a"')
        equal((again.status, again.body, again.all("idempotent-replayed")), (201, first.body, ["true"]))

        with concurrent.futures.ThreadPoolExecutor(6) as clients:
            found = list(clients.map(lambda n: shared.report(all_of[n % 3]), range(6)))
        equal([answer.status for answer in found], 6 * [200])
        tokens = [int(token) for token in of.cli("reports", "LRANGE", "reports", "0", "-1").splitlines()]
        check(tokens == sorted(set(tokens)) and len(tokens) == 6, tokens)
        check(server.soon(lambda: sum(int(node.cli("PUBSUB", "NUMSUB", "rooms").split()[1])
                                      for node in of.primaries) == 3), "no subscription")
        with contextlib.ExitStack() as stack:
            members = [stack.enter_context(sockets.Socket(all_of[number % 3], "/rooms/hall")) for number in range(6)]
            for number, member in enumerate(members):
                shared.say(member, b"here %d" % number)
                shared.heard_until(member, b"here %d" % number)
            for number in range(3):
                check(server.soon(lambda number=number: shared.reaches(members[number], members[(number + 1) % 3])),
                      "messages do not reach other processes")
            shared.each_hears_each_once(members, b"said")


@case
def a_node_that_does_not_respond_delays_no_room_of_other_nodes(backend):
    with Cluster(None, "cluster-require-full-coverage no") as of, feed_clients.rooms(backend, of) as one:
        names = {}  # per node: rooms
        for number in range(60):
            names.setdefault(of.owner(f"feed:{number}").port, []).append(str(number))
        first = {port: feed_clients.followers([one.port], 1, last="0-0", room=all_of[0])[0]
                 for port, all_of in names.items()}
        stopped = next(node for node in of.primaries if "feed" not in node.cli("PUBSUB", "CHANNELS"))
        healthy = [port for port in names if port != stopped.port]
        stopped.stop()
        begin = time.monotonic()
        blind = [feed_clients.Follower([one.port], room=name) for name in names[stopped.port][:10]]
        expected = {port: [] for port in healthy}
        for number in range(10):
            for port in healthy:
                name = names[port][number]
                reader = feed_clients.followers([one.port], 1, last="0-0", room=name)[0]
                check(feed_clients.publish(one, "new", room=name) != "", "stored")
                check(reader.has_seen(["new"]), reader.seen)
                check(feed_clients.publish(one, str(number), room=names[port][0]) != "", "stored")
                expected[port] += (["new"] if number == 0 else []) + [str(number)]
                check(first[port].has_seen(expected[port]), first[port].seen)
        # Each call to the stopped node takes five seconds, and there would be at least ten.
        check(time.monotonic() - begin < 40, "rooms of other nodes were delayed")
        stopped.resume()
        for each in [first[stopped.port], *blind]:
            check(server.soon(lambda each=each: feed_clients.publish(one, "after", room=each.room) and
                              each.seen[-1:] == ["after"]), each.seen)


def check_seen(seen, stored):
    """Each stored event has arrived, and none twice, except after the event `reload`. Attempts to end may repeat."""
    check(set(stored) <= set(seen), f"missing: {sorted(set(stored) - set(seen))}, seen: {seen}")
    part = []
    for each in [*seen, "reload"]:
        if each == "reload":
            check(len(part) == len(set(part)), f"twice: {part}")
            part = []
        elif each != "end":
            part.append(each)


@case
def a_rolling_restart_during_a_failover_loses_no_event_of_a_room(backend):
    with Cluster("feed:tea") as of, contextlib.ExitStack() as all_of:
        nodes = [all_of.enter_context(feed_clients.rooms(backend, of)) for _ in range(3)]
        ports = [node.port for node in nodes]
        check(server.soon(lambda: feed_clients.publish(nodes[0], "0") != ""), "Redis is reachable")
        clients = feed_clients.followers(ports, 6, last="0-0")
        number = 0
        for restarted in range(3):
            stopping = None
            for step in range(60):
                if step == 10:
                    stopping = threading.Thread(target=nodes[restarted].stop, daemon=True)
                    stopping.start()
                if step == 20 and restarted == 1:
                    of.owner("feed:tea").kill()
                number += 1
                feed_clients.publish(nodes[(restarted + 1 + step % 2) % 3], str(number))
            stopping.join()
            nodes[restarted] = all_of.enter_context(feed_clients.rooms(backend, of))
            ports[restarted] = nodes[restarted].port
        check(server.soon(lambda: feed_clients.publish(nodes[0], "end") != ""), "the replica serves the room")
        for each in clients:
            check(server.soon(lambda each=each: each.seen[-1:] == ["end"]), each.seen)
        stored = feed_clients.Follower(ports, last="0-0")
        check(server.soon(lambda: stored.seen[-1:] == ["end"]), stored.seen)
        check(len(stored.seen) > 100 and "reload" not in stored.seen, stored.seen)
        for each in clients:
            check_seen(each.seen, stored.seen)


@case
def processes_share_cached_responses_whose_keys_are_on_one_node(backend):
    with Cluster() as cluster, shared_caches.processes(backend, cluster.url) as all_of:
        owner = cluster.owner("{responses}:clock")
        equal(shared_caches.get(all_of[0], "a"), "a run 1")
        check(server.soon(lambda: owner.cli("KEYS", "{responses}:r:*")), "not stored")
        equal([shared_caches.get(of, "a") for of in all_of], 3 * ["a run 1"])
        equal(shared_caches.send(all_of[1], "/drop/page-a", "POST"), 204)
        for of in all_of:
            check(server.soon(lambda of=of: shared_caches.get(of, "a") != "a run 1"), "the dropped page stays")
        for one in cluster.primaries:
            keys = one.cli("KEYS", "*").split()
            check(all(key.startswith("{responses}:") for key in keys) and bool(keys) == (one is owner), f"{keys}")


if __name__ == "__main__":
    main()
