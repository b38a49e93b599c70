#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the example `rooms`: clients that reconnect, in one process, and in several with the distribution's Redis."""

import contextlib
import threading
import time

import databases
import server
from cases import case, check, equal, main
from crowd import Crowd, text_of
from feed_clients import followers, publish, rooms
from redis_server import Redis
from restarted_databases import Postgres


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
def tasks_of_websockets_end_with_their_sessions(backend):
    with rooms(backend) as one, contextlib.closing(Crowd("websocket", [one.port])) as crowd:
        crowd.join(2)
        publish(one, text_of(0))
        crowd.wait(lambda: crowd.have_got(0), "the message does not arrive")
        crowd.leave(crowd.members.pop())
        begun = time.monotonic()
        one.signal()  # no more events are published
        while crowd.members[0].closed_with is None and time.monotonic() < begun + 20:
            crowd.turn(0.05, reconnects=False)
        equal(crowd.members[0].closed_with, 1001)
        equal(one.wait(), 0)
        check(time.monotonic() - begun < 2, "the server waits for tasks of closed sessions")


def roll(backend, broker):
    """Restarts three processes one after the other while events are published."""
    with contextlib.ExitStack() as all_of:
        nodes = [all_of.enter_context(rooms(backend, broker)) for _ in range(3)]
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
            nodes[restarted] = all_of.enter_context(rooms(backend, broker))
            ports[restarted] = nodes[restarted].port
        for each in clients:
            check(each.has_seen(expected), each.seen)
        check(sum(each.connections for each in clients) > len(clients), "clients have reconnected")


@case
def a_rolling_restart_loses_no_event_for_clients_that_resume(backend):
    with Redis() as redis:
        roll(backend, redis)


@case
def a_rolling_restart_on_postgresql_loses_no_event_for_clients_that_resume(backend):
    with databases.postgres_server() as url:
        roll(backend, Postgres(url, ""))


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


@case
def a_postgresql_that_restarts_loses_no_event_with_an_id(backend):
    with databases.postgres_server() as url, contextlib.ExitStack() as all_of:
        database = Postgres(url, "")
        nodes = [all_of.enter_context(rooms(backend, database)) for _ in range(3)]
        begin = publish(nodes[0], "begin")
        clients = [followers([node.port], 1, last=begin)[0] for node in nodes]
        stored = []
        for number in range(60):
            if number % 20 == 10:
                database.restart()
            text = str(number)
            if publish(nodes[number % 3], text):
                stored.append(text)
        check(server.soon(lambda: publish(nodes[0], "end") != ""), "events are stored again")
        for each in clients:
            check(server.soon(lambda each=each: each.seen[-1:] == ["end"]), each.seen)
            equal([text for text in each.seen if text in stored], stored)
            check("reload" not in each.seen, each.seen)
        late = followers([nodes[2].port], 1, last=begin)[0]
        check(late.has_seen([*stored, *["end"] * clients[1].seen.count("end")]), late.seen)


if __name__ == "__main__":
    main()
