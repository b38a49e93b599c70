#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Broadcasts to thousands of clients of one node, and of three nodes with Redis. Not part of the test suite.

python3 -B tests/e2e/broadcasts_run.py [--clients 10000] [--messages 30] [--rounds 5] [--kinds events websocket]
    [--backends uring epoll] [--time-slices] [--restart]

Prints the CPU time of all node processes per delivered message, as the median of interleaved rounds: of one node, of
one node with Redis, and of three nodes with Redis. All nodes run on the first processor, with a real-time priority: so
they do not interrupt each other, as on machines of their own, unless --time-slices is given. Redis and the clients run
on the last processor. Fails if three nodes need more than 1.2 times the CPU time of one node without Redis, or if a
client does not get each message once. With --restart, restarts each of the three nodes while messages are sent, and
fails if a client that resumes has not got each message once.
"""
import argparse
import contextlib
import http.client
import multiprocessing
import os
import pathlib
import statistics
import sys
import threading
import time

from crowd import Crowd, text_of
from feed_clients import rooms
from redis_server import Redis

FIRST, LAST = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
MOST = 1.2
SETUPS = {"one node": (1, False), "one node with Redis": (1, True), "three nodes with Redis": (3, True)}
PER_SECOND = 3  # messages during restarts


def tasks(process):
    return pathlib.Path(f"/proc/{process.pid}/task").iterdir()


def pin(process, cpu, real_time=False):
    for task in tasks(process):
        os.sched_setaffinity(int(task.name), {cpu})
        if real_time:
            os.sched_setscheduler(int(task.name), os.SCHED_FIFO, os.sched_param(1))


def seconds_of(process):
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks(process)) / 1e9


class Publisher:
    """Sends messages to one node after the other."""

    def __init__(self, ports):
        self.ports, self.next = ports, 0

    def send(self, skipped=None):
        node = self.next % len(self.ports)
        if node == skipped:
            node = (node + 1) % len(self.ports)
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.ports[node], timeout=20)) as client:
            client.request("POST", "/rooms/tea", text_of(self.next).encode())
            answer = client.getresponse()
            if answer.status != 200:
                raise AssertionError(f"refused: {answer.status} {answer.read()!r}")
            answer.read()
        self.next += 1


class Running:
    """Nodes with their clients."""

    def __init__(self, stack, backend, kind, setup, clients, real_time=False):
        nodes, shared = setup
        self.redis = stack.enter_context(Redis()) if shared else None
        if self.redis:
            pin(self.redis.process, LAST)
        self.start = lambda: stack.enter_context(rooms(backend, self.redis, cores=1))
        self.nodes = [self.start() for _ in range(nodes)]
        for node in self.nodes:
            pin(node.process, FIRST, real_time)
        self.ports = [node.port for node in self.nodes]
        self.publisher = Publisher(self.ports)
        self.crowd = stack.enter_context(contextlib.closing(Crowd(kind, self.ports)))
        self.crowd.join(clients)
        self.times, self.broker_times = [], []
        self.broadcast(2)  # warms up

    def broadcast(self, count):
        for _ in range(count):
            self.publisher.send()
            wanted = self.publisher.next * len(self.crowd.members)
            self.crowd.wait(lambda: self.crowd.delivered >= wanted, "a message does not arrive", sleep=0)

    def seconds(self):
        return sum(seconds_of(node.process) for node in self.nodes)

    def measure(self, count):
        """Adds the CPU times per delivered message, in microseconds."""
        delivered = count * len(self.crowd.members)
        before, of_redis = self.seconds(), seconds_of(self.redis.process) if self.redis else 0
        self.broadcast(count)
        self.times.append((self.seconds() - before) / delivered * 1e6)
        if self.redis:
            self.broker_times.append((seconds_of(self.redis.process) - of_redis) / delivered * 1e6)


def serve(pipe, *setup):
    """Runs nodes and clients in a process of their own, since a process may not have descriptors for all clients."""
    with contextlib.ExitStack() as stack:
        running = Running(stack, *setup)
        pipe.send(None)
        crowd = running.crowd

        def next_count():
            while not pipe.poll():
                crowd.turn(0.1)  # answers pings
            return pipe.recv()

        while (count := next_count()) != 0:
            running.measure(count)
            pipe.send(None)
        pipe.send((running.times, running.broker_times, crowd.delivered,
                   crowd.lost + crowd.repeated + crowd.gaps + crowd.reconnected))


class Remote:
    """A process that calls `serve`."""

    def __init__(self, *setup):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(other, *setup))
        self.process.start()
        other.close()
        self.pipe.recv()

    def call(self, count):
        self.pipe.send(count)
        return self.pipe.recv()

    def close(self):
        self.pipe.close()
        self.process.join()


def compare(backend, kind, options):
    with contextlib.ExitStack() as stack:
        running = {name: stack.enter_context(contextlib.closing(Remote(backend, kind, setup, options.clients,
                                                                     not options.time_slices)))
                   for name, setup in SETUPS.items()}
        for number in range(options.rounds):
            for each in running.values() if number % 2 else reversed(running.values()):
                each.call(options.messages)
        results = {name: each.call(0) for name, each in running.items()}
    good, alone = True, results["one node"][0]
    for name, (times, broker_times, delivered, wrong) in results.items():
        ratio = statistics.median(time / one for time, one in zip(times, alone))
        good = good and wrong == 0 and ratio <= MOST
        broker = f"{statistics.median(broker_times):.3f}" if broker_times else ""
        print(f"| {kind}, {backend} | {name} | {statistics.median(times):.2f} | {ratio:.2f} | {broker} | {delivered:,} "
              f"| {wrong} |", flush=True)
    return good


def restart(backend, kind, options):
    with contextlib.ExitStack() as stack:
        running = Running(stack, backend, kind, (3, True), options.clients)
        crowd, publisher = running.crowd, running.publisher

        def go_on(true, skipped, message):
            end = time.monotonic() + 60
            due = time.monotonic()
            while not true():
                if time.monotonic() > end:
                    raise AssertionError(message)
                if time.monotonic() >= due:
                    publisher.send(skipped)
                    due += 1 / PER_SECOND
                crowd.turn(0.02)

        for index in range(3):
            node, before = running.nodes[index], crowd.reconnected
            stopping = threading.Thread(target=node.stop, daemon=True)
            stopping.start()
            go_on(lambda: not stopping.is_alive(), index, "the node does not stop")
            running.nodes[index] = running.start()
            pin(running.nodes[index].process, FIRST)
            running.ports[index] = running.nodes[index].port
            last = publisher.next + PER_SECOND
            go_on(lambda: publisher.next > last and all(each.accepted for each in crowd.members), None,
                  "clients are not connected")
            print(f"    node {index + 1} restarted: {crowd.reconnected - before} clients reconnected, "
                  f"{publisher.next} messages sent", flush=True)
        crowd.wait(lambda: crowd.have_got(publisher.next - 1), "a message does not arrive")
        crowd.close()
        delivered = publisher.next * len(crowd.members)
        print(f"{kind}, {backend}: {len(crowd.members):,} clients, {publisher.next} messages, {delivered:,} delivered, "
              f"{crowd.reconnected:,} reconnected: {crowd.lost} lost, {crowd.repeated} repeated, {crowd.gaps} gaps",
              flush=True)
        return crowd.lost + crowd.repeated + crowd.gaps == 0


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--clients", type=int, default=10_000)
    given.add_argument("--messages", type=int, default=30)
    given.add_argument("--rounds", type=int, default=5)
    given.add_argument("--kinds", nargs="*", choices=["events", "websocket"], default=["events", "websocket"])
    given.add_argument("--backends", nargs="*", choices=["uring", "epoll"], default=["uring", "epoll"])
    given.add_argument("--time-slices", action="store_true")
    given.add_argument("--restart", action="store_true")
    given = given.parse_args()
    os.sched_setaffinity(0, {LAST})
    if not given.restart:
        print("| Clients | Nodes | CPU time per delivered message (us) | Ratio | of Redis (us) | Delivered | Wrong |")
        print("|---|---|---|---|---|---|---|")
    run = restart if given.restart else compare
    return 0 if all([run(backend, kind, given) for kind in given.kinds for backend in given.backends]) else 1


if __name__ == "__main__":
    sys.exit(main())
