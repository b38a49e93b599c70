#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the example `rooms`: clients that reconnect, in one process, and in several with the distribution's Redis."""

import contextlib
import http.client
import threading

import server
from cases import case, check, equal, main
from redis_server import Redis
from server import Server

server.PROGRAMS["rooms"] = server.BUILD / "bin" / "rooms"


def rooms(backend, redis=None):
    return Server(backend, "--cores", "2", "--drain", "5", program="rooms",
                  environment={"REDIS_URL": redis.url} if redis else {})


def publish(of, data, room="tea"):
    """Returns the id of the event."""
    with of.connect() as client:
        answer = client.post(f"/rooms/{room}", data.encode())
    equal(answer.status, 200)
    return answer.body.decode()


class Follower:
    """A client that reads events in a thread, and reconnects to the next process after a lost connection, as a browser
    does."""

    def __init__(self, ports, last="", room="tea"):
        self.ports, self.last, self.room = ports, last, room
        self.seen, self.connections, self.socket, self.ends = [], 0, None, False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        number = 0
        while not self.ends:
            number += 1
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.read(self.ports[number % len(self.ports)])

    def read(self, port):
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=server.PATIENCE)
        client.request("GET", f"/rooms/{self.room}/events", headers={"Last-Event-ID": self.last} if self.last else {})
        self.socket = client.sock
        answer = client.getresponse()
        equal(answer.status, 200)
        fields = {}
        for line in answer:
            line = line.decode().rstrip("\n")
            if line.startswith("retry"):
                self.connections += 1
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
                continue
            if "data" in fields or fields.get("event") == "reload":
                self.seen.append(fields.get("event") or fields["data"])
            self.last = fields.get("id", self.last)
            fields = {}

    def disconnect(self):
        """Ends the connection; the client reconnects."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(2)

    def has_seen(self, wanted):
        return server.soon(lambda: self.seen == wanted)


def followers(of, count, **options):
    made = [Follower(of, **options) for _ in range(count)]
    check(server.soon(lambda: all(each.connections for each in made)), "the followers are connected")
    return made


@case
def clients_that_reconnect_get_each_event_once(backend):
    with rooms(backend) as one:
        first = followers([one.port], 4, last=publish(one, "begin"))
        other = followers([one.port], 1, room="other")
        expected = []
        for number in range(200):
            if number % 20 == 10:
                first[number // 20 % 4].disconnect()
            expected.append(str(number))
            publish(one, expected[-1])
        for each in first:
            check(each.has_seen(expected), each.seen)
        equal(other[0].seen, [])
        unknown = followers([one.port], 1, last="5-5")[0]
        check(server.soon(lambda: unknown.seen[-1:] == ["199"]), unknown.seen)
        equal(unknown.seen[0], "reload")


@case
def a_rolling_restart_loses_no_event_for_clients_that_resume(backend):
    with Redis() as redis, contextlib.ExitStack() as all_of:
        nodes = [all_of.enter_context(rooms(backend, redis)) for _ in range(3)]
        ports = [node.port for node in nodes]
        begin = publish(nodes[0], "begin")
        clients = followers(ports, 12, last=begin)
        expected = []
        for restarted in range(3):
            for number in range(restarted * 100, restarted * 100 + 100):
                if number % 100 == 30:
                    threading.Thread(target=nodes[restarted].stop, daemon=True).start()
                expected.append(str(number))
                publish(nodes[(restarted + 1 + number % 2) % 3], expected[-1])
            nodes[restarted].stop()
            nodes[restarted] = all_of.enter_context(rooms(backend, redis))
            ports[restarted] = nodes[restarted].port
        for each in clients:
            check(each.has_seen(expected), each.seen)
        check(sum(each.connections for each in clients) > len(clients), "clients have reconnected")


@case
def a_lost_redis_leaves_the_rooms_of_each_process(backend):
    with Redis() as redis, rooms(backend, redis) as one, rooms(backend, redis) as other:
        here, there = followers([one.port], 1)[0], followers([other.port], 1)[0]
        check(server.soon(lambda: publish(one, "begin") and "begin" in here.seen and "begin" in there.seen), "begins")
        redis.kill()
        check(server.soon(lambda: publish(one, "alone") == "" and here.seen[-1] == "alone"), here.seen)
        check("alone" not in there.seen, there.seen)
        redis.start()
        check(server.soon(lambda: publish(one, "again") and there.seen[-1] == "again"), there.seen)
        check("reload" in there.seen, there.seen)


if __name__ == "__main__":
    main()
