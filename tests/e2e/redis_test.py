# SPDX-License-Identifier: Apache-2.0
"""Tests the example `counters` with the distribution's Redis: restarts under load, TLS with users, lost
subscriptions."""
import concurrent.futures
import contextlib
import socket
import subprocess
import threading
import time

import server
from cases import case, check, equal, main
from certificates import Authority
from databases import PATIENCE, ask
from redis_server import Redis
from visits import counters, post_status, read_visits


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@case
def routes_do_what_the_guide_says(backend):
    with Redis() as redis, counters(backend, redis.url) as of:
        at = of.urls[0]
        equal(ask(f"{at}/pages"), (200, []))
        equal(ask(f"{at}/pages/home/visits", "POST"), (200, {"page": "home", "visits": 1}))
        equal(ask(f"{at}/pages/home/visits", "POST"), (200, {"page": "home", "visits": 2}))
        equal(ask(f"{at}/pages/other/visits", "POST"), (200, {"page": "other", "visits": 1}))
        equal(ask(f"{at}/pages"), (200, [{"page": "home", "visits": 2}, {"page": "other", "visits": 1}]))
        ann = {"name": "Ann", "interests": ["tea", "\u00e9"]}
        equal(ask(f"{at}/profiles/1")[0], 404)
        equal(ask(f"{at}/profiles/1", "PUT", ann)[0], 204)
        equal(ask(f"{at}/profiles/1"), (200, ann))
        check(3500 < int(redis.cli("TTL", "profile:1")) <= 3600, "a profile expires")
        equal(ask(f"{at}/stock/tea", "PUT", 2)[0], 204)
        with concurrent.futures.ThreadPoolExecutor(8) as clients:
            taken = sorted(clients.map(lambda _: post_status(f"{at}/stock/tea/take"), range(8)))
        equal(taken, [200, 200] + 6 * [409])
        # The key has the wrong type: Redis's message is in the log, but not in the response.
        redis.cli("SET", "visits", "text")
        equal(ask(f"{at}/pages"), (500, {"status": 500, "title": "Internal Server Error"}))
        check(server.soon(lambda: "WRONGTYPE" in of.errors()), of.errors())


@case
def concurrent_requests_share_one_connection(backend):
    with Redis() as redis, counters(backend, redis.url) as of:
        page = f"{of.urls[0]}/pages/home/visits"
        with concurrent.futures.ThreadPoolExecutor(100) as clients:
            counts = sorted(got["visits"] for _, got in clients.map(lambda _: ask(page, "POST"), range(500)))
        equal(counts, list(range(1, 501)))
        clients = [line for line in redis.cli("CLIENT", "LIST").splitlines() if "name=apus" in line]
        equal(len(clients), 1)


@case
def profiles_are_cached_until_another_process_changes_them(backend):
    with Redis() as redis, counters(backend, redis.url) as one, counters(backend, redis.url) as other:
        def profile(of, sent=None):
            return ask(f"{of.urls[0]}/profiles/1", "PUT" if sent else "GET", sent)

        def reads():
            return redis.cli("INFO", "commandstats").partition("cmdstat_get:calls=")[2].partition(",")[0]

        for name in ("Ann", "Ben"):
            wanted = {"name": name, "interests": []}
            equal(profile(one, wanted)[0], 204)
            equal(profile(one), (200, wanted))
            check(server.soon(lambda wanted=wanted: profile(other) == (200, wanted)), "the old profile stays")
        check(server.soon(lambda: [profile(one) for _ in range(20)] and reads() == read_again(reads, profile, one)),
              "repeated reads are sent")
        redis.cli("DEL", "profile:1")
        check(server.soon(lambda: profile(one)[0] == profile(other)[0] == 404), "a removed profile stays")


def read_again(reads, profile, of):
    """Returns the number of reads that Redis has executed after another request."""
    profile(of)
    return reads()


@case
def cores_have_connections_of_their_own(backend):
    with Redis() as redis, counters(backend, redis.url, "--cores", "3") as of:
        page = f"{of.urls[0]}/pages/home/visits"
        with concurrent.futures.ThreadPoolExecutor(32) as clients:
            counts = sorted(got["visits"] for _, got in clients.map(lambda _: ask(page, "POST"), range(300)))
        equal(counts, list(range(1, 301)))
        clients = [line for line in redis.cli("CLIENT", "LIST").splitlines() if "name=apus" in line]
        check(1 <= len(clients) <= 3, clients)


@case
def a_redis_that_is_killed_under_load_serves_again_within_a_second(backend):
    with Redis() as redis, counters(backend, redis.url) as of:
        page, statuses, stop = f"{of.urls[0]}/pages/home/visits", [], threading.Event()

        def load():
            while not stop.is_set():
                statuses.append((time.monotonic(), ask(page, "POST")[0]))

        with concurrent.futures.ThreadPoolExecutor(16) as clients:
            running = [clients.submit(load) for _ in range(16)]
            try:
                for _ in range(3):
                    check(server.soon(lambda: statuses and statuses[-1][1] == 200), "no response")
                    redis.kill()
                    time.sleep(0.3)
                    redis.start()
                    began = time.monotonic()
                    check(server.soon(lambda: any(at > began and status == 200 for at, status in list(statuses)), 1),
                          "no success within a second after the restart")
                    # Requests that began before the restart may fail; soon all of them have ended.
                    check(server.soon(lambda: all(s == 200 for _, s in list(statuses)[-50:]) and len(statuses) > 50, 3),
                          f"{statuses[-50:]}")
            finally:
                stop.set()
            for one in running:
                one.result(PATIENCE)
        check({status for _, status in statuses} <= {200, 503, 504}, {status for _, status in statuses})


@case
def tls_with_a_user_of_an_access_list(backend):
    with Authority() as authority, Authority("Another") as other:
        certificate, key = authority.sign("localhost", "DNS:localhost,IP:127.0.0.1")
        port = free_port()
        with Redis("--tls-port", str(port), "--tls-cert-file", certificate, "--tls-key-file", key,
                   "--tls-ca-cert-file", authority.file, "--tls-auth-clients", "no", "--user", "default", "off",
                   "--user", "app", "on", ">p@ss:word", "~*", "&*", "+@all") as redis:
            url = f"rediss://app:p%40ss%3Aword@localhost:{port}/3"
            with counters(backend, url, REDIS_AUTHORITIES=str(authority.file)) as of:
                equal(ask(f"{of.urls[0]}/pages/home/visits", "POST"), (200, {"page": "home", "visits": 1}))
                listed = redis.cli("--user", "app", "--pass", "p@ss:word", "--no-auth-warning", "INFO", "keyspace")
                check("db3:keys=1," in listed, listed)
            for wrong, authorities, why in ((url, other.file, "certificate is not trusted"),
                                            (url.replace("localhost", "127.0.0.2"), authority.file, "certificate"),
                                            (url.replace("word", "wrong"), authority.file, "WRONGPASS"),
                                            (f"redis://127.0.0.1:{port}", authority.file, "closed")):
                with counters(backend, wrong, REDIS_AUTHORITIES=str(authorities)) as of:
                    equal(ask(f"{of.urls[0]}/pages")[0], 503)
                    check(server.soon(lambda: why in of.errors()), f"{why}: {of.errors()}")
                    check("p%40ss" not in of.errors() and "p@ss" not in of.errors(), of.errors())


@case
def a_stream_of_visits_continues_after_a_restart(backend):
    with Redis() as redis, counters(backend, redis.url) as of:
        found = []
        reader = threading.Thread(target=read_visits, args=(of.port, found))
        reader.start()
        try:
            check(server.soon(lambda: ("all", "[]") in found), found)
            equal(ask(f"{of.urls[0]}/pages/one/visits", "POST")[0], 200)
            check(server.soon(lambda: ("visit", "one") in found), found)
            redis.kill()
            redis.start()
            check(server.soon(lambda: found.count(("all", "[]")) == 2), found)
            check(server.soon(lambda: ask(f"{of.urls[0]}/pages/two/visits", "POST")[0] == 200), found)
            check(server.soon(lambda: ("visit", "two") in found), found)
        finally:
            found[0].terminate()
            reader.join(PATIENCE)
        equal(found[1:], [("all", "[]"), ("visit", "one"), ("all", "[]"), ("visit", "two")])


@case
def processes_share_sessions(backend):
    def shared(redis):
        return server.Server(backend, "--cores", "2", program="shared_sessions", environment={"REDIS_URL": redis.url})

    with Redis() as redis, shared(redis) as one, shared(redis) as other:
        jar = redis.folder / "cookies"

        def curl(of, *options):
            command = ["curl", "-s", "-w", "%{http_code}", "-b", jar, "-c", jar, "--max-time", "10", *options,
                       of.urls[0] + "/basket"]
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout

        equal(curl(one), "0 items\n200")
        equal(curl(one, "-X", "POST"), "204")
        equal(curl(other, "-X", "POST"), "204")
        equal(curl(one), "2 items\n200")
        before = jar.read_text()
        equal(curl(other, "-X", "DELETE"), "204")
        jar.write_text(before)
        equal(curl(one), "0 items\n200", "a session that was destroyed in another process")


@case
def without_a_redis_requests_fail_in_time(backend):
    with counters(backend, f"redis://127.0.0.1:{free_port()}") as of:
        began = time.monotonic()
        equal(ask(f"{of.urls[0]}/pages")[0], 503)
        check(time.monotonic() - began < 5, "the request fails too late")
        check(server.soon(lambda: "Connection refused" in of.errors()), of.errors())


if __name__ == "__main__":
    main()
