# SPDX-License-Identifier: Apache-2.0
"""Tests the example `shared_state` in several processes, with the distribution's Redis."""
import concurrent.futures
import contextlib
import time

import server
import sockets
import wire
from cases import case, check, equal, main
from redis_server import Redis
from shared_processes import each_hears_each_once, heard_until, order, processes, reaches, report, say, search, statuses


def shares(redis, all_of):
    """Returns whether a request to each process changes a bucket in Redis."""
    redis.cli("FLUSHALL")
    for number, of in enumerate(all_of):
        search(of, f"user of {number}")
    return redis.cli("DBSIZE") == str(len(all_of))


@case
def exactly_as_many_requests_pass_as_the_limit_allows_in_all_processes_together(backend):
    with Redis() as redis, processes(backend, redis) as both:
        equal(statuses(both, "ann", 80), 20 * [200] + 60 * [429])
        first = search(both[0], "ben")
        equal((first.status, first.all("ratelimit")), (200, ['"search";r=19;t=180']))
        second = search(both[1], "ben")
        equal((second.status, second.all("ratelimit")), (200, ['"search";r=18;t=360']))
        equal(search(both[1], "ann").all("retry-after"), ["180"])
        keys = redis.cli("KEYS", "*").splitlines()
        check(len(keys) == 2 and all(key.startswith("rate:") and len(key) == 48 for key in keys), keys)
        check(3500 < int(redis.cli("TTL", max(keys, key=lambda key: int(redis.cli("TTL", key))))) <= 3600, "expiry")


@case
def without_a_redis_each_process_counts_for_itself_and_the_shared_limit_comes_back(backend):
    with Redis() as redis, processes(backend, redis) as both:
        equal(search(both[0], "ann").status, 200)
        redis.kill()
        equal(statuses(both, "ann", 60), 40 * [200] + 20 * [429])
        for of in both:
            equal(of.errors().count("rate limit: the store failed"), 1, of.errors())
        redis.start()
        check(server.soon(lambda: shares(redis, both)), "a process does not use Redis again")
        equal(statuses(both, "cid", 50), 20 * [200] + 30 * [429])


@case
def a_redis_that_does_not_respond_delays_one_request_per_second(backend):
    with Redis() as redis, processes(backend, redis, 1) as (one,):
        equal(search(one, "ann").status, 200)
        redis.stop()
        try:
            began = time.monotonic()
            equal(statuses([one], "ann", 30), 20 * [200] + 10 * [429])
            check(time.monotonic() - began < 3, "requests wait for Redis")
        finally:
            redis.resume()
        check(server.soon(lambda: shares(redis, [one])), "the process does not use Redis again")


@case
def a_redis_that_refuses_scripts_counts_as_one_that_fails(backend):
    with Redis("--user", "default", "on", "nopass", "~*", "&*", "+@all", "-evalsha", "-eval") as redis, \
            processes(backend, redis, 1) as (one,):
        equal(statuses([one], "ann", 30), 20 * [200] + 10 * [429])
        check("NOPERM" in one.errors(), one.errors())


@case
def a_repeated_order_is_executed_once_in_all_processes_together(backend):
    with Redis() as redis, processes(backend, redis) as both:
        first = order(both[0], '"a"')
        equal((first.status, first.body), (201, b"order 1: tea\n"))
        again = order(both[1], '"a"')
        equal((again.status, again.body, again.all("idempotent-replayed"), again.all("location")),
              (201, first.body, ["true"], ["/orders/1"]))
        equal(order(both[1], '"a"', "milk").status, 422)
        equal(order(both[1], "").status, 400)
        with concurrent.futures.ThreadPoolExecutor(8) as clients:
            found = sorted(clients.map(lambda n: order(both[n % 2], '"b"').status, range(8)))
        equal(found, [201] + 7 * [409])
        equal(order(both[0], '"b"').body, b"order 2: tea\n")
        equal(redis.cli("GET", "orders"), "2")


@case
def orders_fail_while_redis_is_away_and_are_executed_afterwards(backend):
    with Redis() as redis, processes(backend, redis, 1) as (one,):
        equal(order(one, "a").status, 201)
        redis.kill()
        equal(order(one, "b").status, 503)
        redis.start()
        check(server.soon(lambda: order(one, "c").status == 201), "orders fail")
        # Redis is killed while the order is handled. The order gets no number, so it fails, and its response is not
        # stored.
        with concurrent.futures.ThreadPoolExecutor(1) as clients:
            waiting = clients.submit(order, one, "d")
            check(server.soon(lambda: redis.cli("DBSIZE") == "3"), "the key is not claimed")
            redis.kill()
            equal(waiting.result(server.PATIENCE).status, 503)
        redis.start()
        check(server.soon(lambda: order(one, "d").status == 201), "the order is not executed")


@case
def values_of_others_under_our_keys_execute_nothing(backend):
    with Redis() as redis, processes(backend, redis, 1) as (one,):
        equal(order(one, "a").status, 201)
        key = redis.cli("KEYS", "idempotency:*")
        redis.cli("SET", key, "of another version")
        equal(order(one, "a").status, 409)
        redis.cli("DEL", key)
        redis.cli("LPUSH", key, "item")
        equal(order(one, "a").status, 500)
        equal(redis.cli("GET", "orders"), "1")


@case
def one_process_at_a_time_holds_a_lock_and_tokens_increase(backend):
    with Redis() as redis, processes(backend, redis, 3) as all_of:
        with concurrent.futures.ThreadPoolExecutor(9) as clients:
            began = time.monotonic()
            found = list(clients.map(lambda n: report(all_of[n % 3]), range(9)))
        equal([answer.status for answer in found], 9 * [200])
        check(time.monotonic() - began >= 0.9, "two processes held the lock at the same time")
        tokens = [int(token) for token in redis.cli("LRANGE", "reports", "0", "-1").splitlines()]
        check(tokens == sorted(set(tokens)) and len(tokens) == 9, tokens)
        equal(sorted(int(answer.body) for answer in found), tokens)
        equal(redis.cli("EXISTS", "lock:report"), "0")


@case
def a_changed_catalog_replaces_the_cached_page_of_all_processes(backend):
    def catalog(of):
        answer = of.get("/catalog")
        return answer.body, bool(answer.all("age"))

    def change(of, text):
        with of.connect() as client:
            client.send(wire.request("/catalog", "PUT", body=text))
            return client.answer("PUT").status

    with Redis() as redis, processes(backend, redis, 3) as all_of:
        wanted = redis.cli("PUBSUB", "NUMSUB", "cache-tags").split()
        check(server.soon(lambda: redis.cli("PUBSUB", "NUMSUB", "cache-tags").split()[1] == "3"), f"{wanted}")
        for text in (b"tea\n", b"milk\n"):
            equal(change(all_of[0], text), 204)
            for of in all_of:
                check(server.soon(lambda of=of, text=text: catalog(of) == (text, True)), "the old page stays")
        redis.kill()
        equal(change(all_of[0], b"bread\n"), 503)
        redis.start()
        redis.cli("SET", "catalog", "bread\n")
        for of in all_of:
            check(server.soon(lambda of=of: catalog(of)[0] == b"bread\n"), "the old page stays after an outage")


@case
def messages_to_a_room_reach_each_client_of_three_processes_once(backend):
    with Redis() as redis, processes(backend, redis, 3) as all_of:
        check(server.soon(lambda: redis.cli("PUBSUB", "NUMSUB", "rooms").split() == ["rooms", "3"]), "no subscription")
        with contextlib.ExitStack() as stack:
            members = []
            for number in range(30):
                member = stack.enter_context(sockets.Socket(all_of[number % 3], "/rooms/hall"))
                # A member that receives its own message has joined the room.
                say(member, b"here %d" % number)
                heard_until(member, b"here %d" % number)
                members.append(member)
            each_hears_each_once(members, b"first")
            redis.kill()
            say(members[0], b"alone")
            for member in members[::3]:
                heard_until(member, b"alone")
            check(server.soon(lambda: "messages reach this process only" in all_of[0].errors()), "no warning")
            redis.start()
            check(server.soon(lambda: redis.cli("PUBSUB", "NUMSUB", "rooms").split() == ["rooms", "3"]),
                  "not subscribed")
            # Each process publishes again.
            for number in range(3):
                check(server.soon(lambda number=number: reaches(members[number], members[(number + 1) % 3])),
                      "not published again")
            each_hears_each_once(members, b"second")
            for of in all_of:
                check(of.errors().count("messages reach this process only") <= 1, of.errors())


if __name__ == "__main__":
    main()
