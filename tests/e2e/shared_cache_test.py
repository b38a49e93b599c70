# SPDX-License-Identifier: Apache-2.0
"""Tests the second level of response caches in three processes, with the distribution's Redis."""
import concurrent.futures
import contextlib
import os
import socket
import threading
import time

from cases import case, check, equal, main
from faulty_databases import Proxy
from redis_server import Redis
from server import soon
from shared_caches import SEARCHES, WRITES, count, get, processes, runs, send


def entries(redis):
    return redis.cli("KEYS", "{responses}:r:*").split()


def stored(redis, number):
    check(soon(lambda: len(entries(redis)) == number), f"{entries(redis)}, not {number} responses")


def subscribed(redis, number):
    check(soon(lambda: redis.cli("PUBSUB", "NUMSUB", "cache-tags").split()[1] == str(number)), "no subscription")


@case
def three_processes_share_responses_and_a_new_process_too(backend):
    with Redis() as redis, processes(backend, redis.url) as all_of:
        subscribed(redis, 3)
        equal(get(all_of[0], "a"), "a run 1")
        stored(redis, 1)
        for of in all_of:
            for _ in range(4):
                equal(get(of, "a"), "a run 1")
        equal(runs(all_of), 1)
        equal([count(of, SEARCHES, "hit") for of in all_of], [0, 1, 1])
        equal([count(of, WRITES, "stored") for of in all_of], [1, 0, 0])
        check(590 < int(redis.cli("TTL", entries(redis)[0])) <= 600, "lifetime")
        answer = all_of[1].get("/shared/a", fields=['If-None-Match: "1"'])
        equal((answer.status, len(answer.all("age"))), (304, 1))
        with processes(backend, redis.url, 1) as (new,):
            equal(get(new, "a"), "a run 1")
            equal(runs([new]), 0)


@case
def requests_that_wait_ask_redis_once_per_core(backend):
    with Redis() as redis, processes(backend, redis.url, cores=1) as all_of, \
            concurrent.futures.ThreadPoolExecutor(30) as clients:
        subscribed(redis, 3)
        bodies = list(clients.map(lambda n: get(all_of[n % 3], "slow/a"), range(30)))
        equal(set(bodies), {"a run 1"})
        equal([runs([of]) for of in all_of], [1, 1, 1])
        equal([count(of, SEARCHES, "miss") for of in all_of], [1, 1, 1])


@case
def changes_reach_the_memory_of_all_processes_and_redis(backend):
    with Redis() as redis, processes(backend, redis.url) as all_of:
        subscribed(redis, 3)
        for tag, wanted in (("page-a", 2), ("pages", 3), ("unknown", 3)):
            for of in all_of:
                get(of, "a")
            equal(send(all_of[1], f"/drop/{tag}", "POST"), 204)
            check(soon(lambda: {get(of, "a") for of in all_of} == {get(all_of[0], "a")}), f"{tag}: the pages differ")
            for of in all_of:
                for _ in range(3):
                    equal(get(of, "a"), get(all_of[0], "a"))
            check(runs(all_of) >= wanted, f"{tag}: the page is not produced again")
        before = runs(all_of)
        equal(send(all_of[0], "/shared/a", "PUT"), 204)
        equal(get(all_of[0], "a"), get(all_of[0], "a"))
        equal(runs(all_of), before + 1)
        get(all_of[0], "b")
        stored(redis, 2)
        equal(send(all_of[1], "/shared/b", "PUT"), 204)  # a process that does not have the page in memory
        before = runs(all_of)
        get(all_of[2], "b")
        equal(runs(all_of), before + 1)


@case
def responses_for_one_client_are_never_on_redis(backend):
    with Redis() as redis, processes(backend, redis.url, 2) as (one, other):
        subscribed(redis, 2)
        for path, fields in (("a", ["Authorization: Bearer x"]), ("cookie/a", ()), ("large/200001", ())):
            first = [get(one, path, fields) for _ in range(2)]
            check(first[0] != first[1] or "Authorization" in str(fields), f"{path} is stored")
            get(other, path, fields)
        get(one, "language/a", ["Accept-Language: de"])
        stored(redis, 2)  # the fields, and the response
        equal(get(other, "language/a", ["Accept-Language: de"]), get(one, "language/a", ["Accept-Language: de"]))
        before = runs([other])
        get(other, "language/a", ["Accept-Language: en"])
        equal(runs([other]), before + 1)


@case
def without_redis_each_process_caches_alone_and_shares_again_afterwards(backend):
    with Redis() as redis, processes(backend, redis.url) as all_of:
        subscribed(redis, 3)
        get(all_of[0], "a")
        stored(redis, 1)
        redis.kill()
        before = runs(all_of)
        for of in all_of:
            equal(len({get(of, "new") for _ in range(5)}), 1)
        equal(runs(all_of), before + 3)
        equal(send(all_of[0], "/drop/pages", "POST"), 503)
        for of in all_of:
            check(soon(lambda of=of: count(of, SEARCHES, "failed") >= 1), "no failed search")
            check(of.errors().count("response cache: the store failed") >= 1, of.errors())
            check(of.errors().count("response cache: the store failed") <= 2, of.errors())
        redis.start()
        number = iter(range(10_000))

        def shares():
            path = f"later-{next(number)}"
            return len({get(of, path) for of in all_of for _ in range(2)}) == 1 and len(entries(redis)) > 0
        check(soon(shares), "the processes do not share responses again")


@case
def a_drop_that_redis_missed_is_carried_out_before_the_next_search(backend):
    with Redis() as redis:
        proxy = Proxy(os.fspath(redis.socket))
        try:
            with processes(backend, f"redis://127.0.0.1:{proxy.port}", 1) as (cut,), \
                    processes(backend, redis.url, 1) as (other,):
                subscribed(redis, 2)
                equal(get(cut, "a"), "a run 1")
                stored(redis, 1)
                equal(get(other, "a"), "a run 1")
                proxy.set("reset")
                check(soon(lambda: send(cut, "/drop/none", "POST") == 503), "the connection remains")
                equal(send(cut, "/shared/a", "PUT"), 204)
                equal(get(cut, "a"), "a run 2")
                equal(get(other, "a"), "a run 1")  # Redis still has the old page
                proxy.set("forward")
                before = count(cut, SEARCHES, "miss")
                check(soon(lambda: get(cut, f"{time.monotonic_ns()}") and count(cut, SEARCHES, "miss") > before),
                      "Redis is not used again")
                with processes(backend, redis.url, 1) as (new,):
                    get(new, "a")
                    equal(runs([new]), 1)
        finally:
            proxy.close()


@case
def requests_wait_for_redis_at_most_the_timeout_and_once_per_second_if_it_is_silent(backend):
    with Redis() as redis:
        proxy = Proxy(os.fspath(redis.socket))
        try:
            with processes(backend, f"redis://127.0.0.1:{proxy.port}", 1, 1, 100) as (one,):
                subscribed(redis, 1)
                check(soon(lambda: get(one, f"{time.monotonic_ns()}") and entries(redis)), "Redis is not used")
                for mode, pages, most in (("slow", 20, 5), ("silent", 60, 3)):
                    proxy.set(mode)
                    before = runs([one])
                    began = time.monotonic()
                    for page in range(pages):
                        get(one, f"{mode}-{page}")
                    check(time.monotonic() - began < most, f"{mode}: requests wait for Redis")
                    for page in range(pages):
                        get(one, f"{mode}-{page}")
                    equal(runs([one]), before + pages)
                    proxy.set("forward")
                    written = count(one, WRITES, "stored")
                    check(soon(lambda written=written: get(one, f"{time.monotonic_ns()}") and
                               count(one, WRITES, "stored") > written), f"{mode}: Redis is not used again")
        finally:
            proxy.close()


LONG = [f"{number}-{'x' * 3000}" for number in range(400)]


@case
def dropped_responses_do_not_return_while_redis_evicts_keys(backend):
    with Redis("--maxmemory", "3mb", "--maxmemory-policy", "allkeys-random") as redis, \
            processes(backend, redis.url, 2) as (one, other):
        subscribed(redis, 2)
        old = {page: get(one, page) for page in LONG}
        check("evicted_keys:0" not in redis.cli("INFO", "stats").split(), "Redis has evicted no key")
        equal(send(one, "/drop/pages", "POST"), 204)
        # Backwards: the numbers of runs differ from those of the other process.
        for page in reversed(LONG):
            check(get(other, page) != old[page], page[:5])
        equal(count(other, SEARCHES, "failed"), 0)


@case
def a_redis_without_memory_is_read(backend):
    with Redis("--maxmemory", "3mb", "--maxmemory-policy", "noeviction") as redis, \
            processes(backend, redis.url, 2) as (one, other):
        subscribed(redis, 2)
        for page in LONG:
            get(one, page)
        check(soon(lambda: count(one, WRITES, "failed") > 0), "Redis has memory")
        hits = len(entries(redis))
        for page in LONG:
            get(other, page)
        equal((count(other, SEARCHES, "hit"), count(other, SEARCHES, "failed")), (hits, 0))
        equal(one.errors().count("response cache: the store failed"), 1, one.errors())
        check("OOM" in one.errors(), one.errors())
        before = get(other, LONG[0])
        equal(send(one, "/drop/pages", "POST"), 204)
        check(soon(lambda: get(other, LONG[0]) != before), "the dropped page stays")


@case
def damaged_bytes_on_redis_are_missing_responses(backend):
    damage = {
        "cut": "string.sub(b, 1, -2)",
        "half": "string.sub(b, 1, #b / 2)",
        "longer": "b .. 'x'",
        "one byte": "string.sub(b, 1, 40) .. '!' .. string.sub(b, 42)",
        "older": "'apus-rc0' .. string.sub(b, 9)",
        "text": "'text'",
        "huge": "string.rep('x', 3000000)",
    }
    with Redis() as redis, processes(backend, redis.url, 1) as (writer,):
        for number, (name, code) in enumerate(damage.items()):
            redis.cli("FLUSHALL")
            page = f"{name.replace(' ', '-')}"
            get(writer, page)
            stored(redis, 1)
            redis.cli("EVAL", "local b = redis.call('HGET', KEYS[1], 'bytes') "
                      f"redis.call('HSET', KEYS[1], 'bytes', {code})", 1, entries(redis)[0])
            with processes(backend, redis.url, 1, 1) as (reader,):
                subscribed(redis, 2)
                equal(get(reader, page), f"{page} run 1", name)
                equal((runs([reader]), count(reader, SEARCHES, "invalid")), (1, 1), name)
                check(soon(lambda: count(reader, WRITES, "stored") == 1), f"{name}: not replaced")
            check(number == runs([writer]) - 1, name)


class Liar:
    """Accepts connections as a Redis server, and replies to each command with the same bytes."""

    def __init__(self, says):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        self._says = says
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self._listener.accept()[0],), daemon=True).start()

    def _serve(self, client):
        with client, contextlib.suppress(OSError):
            while sent := client.recv(65536):
                client.sendall(b"%1\r\n+proto\r\n:3\r\n" if b"HELLO" in sent else self._says)

    def close(self):
        self._listener.close()


@case
def a_lying_redis_changes_no_response(backend):
    bulk = b"$1\r\n1\r\n"
    for says in (b"*3\r\n" + bulk + b"$5\r\n60000\r\n$4\r\nlies\r\n", b"*3\r\n" + bulk * 3, b"*1\r\n" + bulk,
                 b"*3\r\n" + bulk + b"$20\r\n99999999999999999999\r\n" + bulk, b"+OK\r\n", b":1\r\n", b"$-1\r\n",
                 b"-ERR no\r\n", b"no protocol\r\n", b"$99999999999999\r\n", b"*3\r\n" + bulk):
        liar = Liar(says)
        with contextlib.closing(liar), processes(backend, liar.url, 1, 1, 300) as (one,):
            for number in range(5):
                equal(get(one, f"{number}"), f"{number} run {number + 1}", f"{says}")
            check(count(one, SEARCHES, "invalid") + count(one, SEARCHES, "failed") == 5, f"{says}")


if __name__ == "__main__":
    main()
