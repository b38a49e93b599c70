# SPDX-License-Identifier: Apache-2.0
"""Tests the example `dispatch` with the distribution's NATS: restarts under load, TLS, several processes, events."""
import concurrent.futures
import json
import subprocess
import threading
import time
import urllib.request

import server
from administration import scrape
from cases import case, check, equal, main
from certificates import Authority
from databases import PATIENCE, ask
from nats_server import Nats, free_port

server.PROGRAMS["dispatch"] = server.BUILD / "bin/dispatch"


def dispatch(backend, url, *options, **more):
    environment = {"NATS_URL": url, **more.pop("environment", {})}
    return server.Server(backend, *options, program="dispatch", environment=environment, **more)


def text_of(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.read().decode()


def place(of, number):
    return ask(f"{of.urls[0]}/orders", "POST", {"id": str(number), "item": "tea"})


def ready(of):
    check(server.soon(lambda: place(of, "first")[0] == 200), "no stream was created")


@case
def routes_do_what_the_guide_says(backend):
    with Nats() as nats, dispatch(backend, nats.url, admin="127.0.0.1:0") as of:
        ready(of)
        equal(place(of, "first"), (200, {"number": 1, "duplicate": True}))
        equal(place(of, 2), (200, {"number": 2, "duplicate": False}))
        equal(place(of, 2), (200, {"number": 2, "duplicate": True}))
        equal(text_of(f"{of.urls[0]}/prices/tea"), "300\n")
        # Text from users does not inject operations.
        equal(place(of, "3\r\nPUB orders.x 0")[0], 400)
        stored = nats.messages("ORDERS")
        equal([json.loads(data) for _, data in stored], [{"id": "first", "item": "tea"}, {"id": "2", "item": "tea"}])
        check(b"Nats-Msg-Id: 2\r\n" in stored[1][0], stored)
        metrics = scrape(of)
        at = f"127.0.0.1:{nats.port}"
        succeeded = metrics.value("apus_nats_requests_total", server=at, outcome="succeeded")
        check(succeeded >= 6, f"{succeeded} requests are counted")
        equal(metrics.value("apus_nats_requests_in_flight", server=at), 0)
        equal(metrics.value("apus_nats_connections_lost_total", server=at), 0)


@case
def one_of_several_processes_answers_each_request(backend):
    with Nats() as nats, dispatch(backend, nats.url, "--cores", "2") as one, dispatch(backend, nats.url) as other:
        ready(one)
        with concurrent.futures.ThreadPoolExecutor(32) as clients:
            urls = [f"{each.urls[0]}/prices/{'x' * (1 + i % 7)}" for i in range(100) for each in (one, other)]
            got = list(clients.map(text_of, urls))
        equal(got, [f"{100 * (1 + i % 7)}\n" for i in range(100) for _ in range(2)])


@case
def a_nats_that_is_killed_under_load_serves_again_and_stores_each_order_once(backend):
    with Nats() as nats, dispatch(backend, nats.url) as of:
        ready(of)
        stop, statuses = threading.Event(), []

        def load(client):
            number = 0
            while not stop.is_set():
                status, _ = place(of, f"{client}-{number}")
                statuses.append((time.monotonic(), status))
                number += status == 200  # an order that failed is repeated with its id
            return number

        with concurrent.futures.ThreadPoolExecutor(8) as clients:
            running = [clients.submit(load, client) for client in range(8)]
            try:
                for _ in range(3):
                    check(server.soon(lambda: statuses and statuses[-1][1] == 200), "no response")
                    nats.kill()
                    time.sleep(0.2)
                    nats.start()
                    began = time.monotonic()
                    check(server.soon(lambda: any(at > began and status == 200 for at, status in list(statuses)), 3),
                          "no success after the restart")
            finally:
                stop.set()
            placed = {f"{client}-{number}" for client, one in enumerate(running)
                      for number in range(one.result(PATIENCE))}
        check({status for _, status in statuses} <= {200, 503, 504}, {status for _, status in statuses})
        stored = [json.loads(data)["id"] for _, data in nats.messages("ORDERS")]
        equal(len(stored), len(set(stored)), "an order was stored twice")
        check(placed <= set(stored), f"lost: {placed - set(stored)}")


@case
def events_continue_after_a_restart(backend):
    with Nats() as nats, dispatch(backend, nats.url) as of:
        ready(of)
        found = []

        def read():
            with subprocess.Popen(["curl", "-sN", "--max-time", str(server.PATIENCE), f"{of.urls[0]}/orders"],
                                  stdout=subprocess.PIPE, text=True) as client:
                found.append(client)
                found.extend(line.strip() for line in client.stdout if line.startswith(("event", "data")))

        reader = threading.Thread(target=read)
        reader.start()
        try:
            check(server.soon(lambda: found.count("event: gap") == 1), found)
            equal(place(of, "a")[0], 200)
            check(server.soon(lambda: 'data: {"id":"a","item":"tea"}' in found), found)
            nats.kill()
            nats.start()
            check(server.soon(lambda: found.count("event: gap") == 2), found)
            check(server.soon(lambda: place(of, "b")[0] == 200), found)
            check(server.soon(lambda: 'data: {"id":"b","item":"tea"}' in found), found)
        finally:
            found[0].terminate()
            reader.join(PATIENCE)


@case
def tls_with_a_user(backend):
    with Authority() as authority, Authority("Another") as other:
        certificate, key = authority.sign("localhost", "DNS:localhost")
        with Nats(f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}\n'
                  'authorization { user: app, password: "p@ss:word" }') as nats:
            url = f"tls://app:p%40ss%3Aword@localhost:{nats.port}"
            with dispatch(backend, url, environment={"NATS_AUTHORITIES": str(authority.file)}) as of:
                ready(of)
                equal(place(of, 2), (200, {"number": 2, "duplicate": False}))
            for wrong, authorities, why in ((url, other.file, "certificate is not trusted"),
                                            (url.replace("localhost", "127.0.0.1"), authority.file, "certificate"),
                                            (url.replace("word", "wrong"), authority.file, "Authorization Violation"),
                                            (url.replace("tls:", "nats:"), authority.file, "requires TLS")):
                with dispatch(backend, wrong, environment={"NATS_AUTHORITIES": str(authorities)}) as of:
                    equal(place(of, 3)[0], 503)
                    check(server.soon(lambda: why in of.errors()), f"{why}: {of.errors()}")
                    check("p%40ss" not in of.errors() and "p@ss" not in of.errors(), of.errors())


@case
def without_a_nats_requests_fail_in_time(backend):
    with dispatch(backend, f"nats://127.0.0.1:{free_port()}") as of:
        began = time.monotonic()
        equal(place(of, 1)[0], 503)
        check(time.monotonic() - began < 5, "the request fails too late")
        check(server.soon(lambda: "Connection refused" in of.errors()), of.errors())


if __name__ == "__main__":
    main()
