#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests /debug/tasks with tests/e2e/tasks_server.cpp: what each suspended task waits for, its callers and request; that
ended tasks vanish; blocked cores; many tasks and many scrapes."""

import concurrent.futures
import contextlib
import json
import pathlib
import socket
import sqlite3
import struct
import tempfile
import time

import h2_wire as h2
import server
import wire
from administration import LOOPBACK, get
from cases import SANITIZED, case, check, equal, main
from server import Server, soon
from wire import request

SOURCE = "tests/e2e/tasks_server.cpp"
server.PROGRAMS["tasks"] = server.BUILD / "tests/tasks_server"
LINES = {line.partition("// at: ")[2]: number
         for number, line in enumerate(pathlib.Path(SOURCE).read_text().splitlines(), 1) if "// at: " in line}


class TaskServer(Server):
    def connect(self, **options):
        """Returns a connection that is reset at its end. The server then cancels its handlers."""
        client = super().connect(**options)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return client


def running(backend, *arguments, **options):
    return TaskServer(backend, *arguments, program="tasks", admin=LOOPBACK, **options)


def scrape(of, query=""):
    answer = get(of, "/debug/tasks" + query)
    equal(answer.status, 200, str(answer.body))
    equal(answer.field("content-type"), "application/json")
    equal(answer.field("cache-control"), "no-store")
    return json.loads(answer.body)


def places(task):
    """Returns the places of a stack as the names of their lines; the files of the library as paths."""
    names = {number: name for name, number in LINES.items()}
    return [names.get(f["line"], f["line"]) if f["file"].endswith(SOURCE) else f["file"] for f in task["stack"]]


def of_route(document, route):
    return [task for task in document["tasks"] if task.get("request", {}).get("route") == route]


@contextlib.contextmanager
def waiting(of, path, method="GET", tasks=1):
    """Sends a request, and yields the tasks of its route when there are this many, and the connection."""
    with of.connect() as client:
        client.send(request(path, method))
        found = []

        def are_there():
            found[:] = [t for t in scrape(of)["tasks"] if t.get("request", {}).get("route", "").split("{")[0] ==
                        path.rstrip("0123456789")]
            return len(found) == tasks

        check(soon(are_there), f"{path}: {found}")
        yield found, client


@case
def nested_calls_are_shown_from_the_wait_to_the_handler(backend):
    with running(backend) as of, waiting(of, "/nested/60000") as ([task], _):
        equal(places(task), ["sleeping", "middle", "nested"])
        check(all(name in f["function"] for name, f in zip(("sleeping", "middle", "nested"), task["stack"])), task)
        equal((task["thread"], task["origin"]), ("core 0", "handler"))
        equal((task["request"]["method"], task["request"]["route"]), ("GET", "/nested/{ms}"))
        check(len(task["request"]["id"]) > 8, task)
        time.sleep(0.3)
        [later] = of_route(scrape(of), "/nested/{ms}")
        check(later["waiting_ms"] >= task["waiting_ms"] + 250, f"{task} {later}")


@case
def the_id_is_that_of_the_response(backend):
    with running(backend) as of, waiting(of, "/nested/1500") as ([task], client):
        equal(client.answer().field("x-request-id"), task["request"]["id"])
        equal(of_route(scrape(of), "/nested/{ms}"), [])


@case
def concurrent_tasks_have_one_caller_and_losers_vanish(backend):
    with running(backend) as of, waiting(of, "/both", tasks=2) as (tasks, _):
        library = "include/apus/when_all.hpp"
        equal([places(t) for t in tasks], [["sleeping", library, "both"], ["receiving", library, "both"]])
        with waiting(of, "/first/600", tasks=2):
            after = [["sleeping", "after first"]]
            check(soon(lambda: [places(t) for t in of_route(scrape(of), "/first/{ms}")] == after), f"{scrape(of)}")


@case
def spawned_and_background_tasks_have_an_origin(backend):
    with running(backend) as of:
        [forever] = scrape(of)["tasks"]
        equal((places(forever)[0], forever["origin"]), ("forever", "background"))
        check("request" not in forever, forever)
        with of.connect() as client:
            equal(client.post("/spawn/2000", b"").status, 200)
        [_, spawned] = scrape(of)["tasks"]
        equal((places(spawned), spawned["origin"]), (["sleeping", "spawned"], "app tasks"))
        check("request" not in spawned, spawned)
        with waiting(of, "/scoped", tasks=2) as (tasks, _):
            equal([places(t)[0] for t in tasks], ["forever", "src/runtime/task_scope.cpp"])
            equal([t["origin"] for t in tasks], ["mails", "handler"])
            equal(places(tasks[1])[1:], ["scoped"])
        check(soon(lambda: scrape(of)["suspended"] == 1), f"{scrape(of)}")


@case
def middleware_streams_and_websockets_are_callers(backend):
    with running(backend) as of:
        with waiting(of, "/around") as ([task], _):
            equal(places(task), ["sleeping", "around"])
        with waiting(of, "/events") as ([task], client):
            equal(client.head().status, 200)
            equal(places(task)[:2], ["forever", "events"])
            equal(task["origin"], "stream")
        fields = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
        with of.connect() as client:
            client.send(request("/socket", fields=fields))
            equal(client.head().status, 101)
            [task] = of_route(scrape(of), "/socket")
            equal((places(task)[0], task["origin"]), ("socket", "stream"))
        check(soon(lambda: not of_route(scrape(of), "/socket")), "the websocket's task is still listed")


@case
def waits_for_other_servers_and_databases_are_listed(backend):
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as silent:
        file = f"{folder}/tasks.db"
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("create table t (n)")
        port = silent.getsockname()[1]
        with running(backend, environment={"TEST_DATABASE": f"sqlite:{file}"}, connects=[port]) as of:
            with waiting(of, f"/client/{port}") as ([task], _):
                check(places(task)[0].startswith("src/outbound/"), task)
                equal(places(task)[-1], "client")
            check(soon(lambda: not of_route(scrape(of), "/client/{port}")), "the client's task is still listed")
            other.execute("begin immediate")
            with waiting(of, "/sql", "POST") as ([task], client):
                check(places(task)[0].startswith("src/sqlite/"), task)
                equal(places(task)[-1], "sql")
                other.execute("commit")
                equal(client.answer().status, 200)
            equal(of_route(scrape(of), "/sql"), [])
        other.close()


@case
def cancelled_tasks_vanish(backend):
    with running(backend) as of:
        with waiting(of, "/nested/3600000"), waiting(of, "/both", tasks=2), waiting(of, "/events"):
            equal(scrape(of)["suspended"], 5)
        check(soon(lambda: scrape(of)["suspended"] == 1), f"{scrape(of)}")
        with waiting(of, "/bounded") as ([task], client):
            equal(places(task)[0], "sleeping")
            check("src/middleware/timeout.cpp" in places(task), task)
            equal(client.answer().status, 504)
            equal(scrape(of)["suspended"], 1)


@case
def http2_streams_are_listed(backend):
    with running(backend) as of, of.connect() as client:
        client.send(h2.begin() + h2.head(1, "/nested/3600000"))
        check(soon(lambda: len(of_route(scrape(of), "/nested/{ms}")) == 1), f"{scrape(of)}")


@case
def only_the_private_listener_responds(backend):
    with running(backend) as of:
        equal(of.get("/debug/tasks").status, 404)
        equal(get(of, "/debug/tasks").status, 200)
    with Server(backend, program="tasks") as of:
        equal(of.get("/debug/tasks").status, 404)


@case
def text_is_for_people(backend):
    with running(backend) as of:
        clients = [of.connect() for _ in range(3)]
        for client in clients:
            client.send(request("/nested/3600000"))
        check(soon(lambda: scrape(of)["suspended"] == 4), "not suspended")
        for answer in (get(of, "/debug/tasks?format=text"), get(of, "/debug/tasks", ["Accept: text/plain"])):
            equal((answer.status, answer.field("content-type")), (200, "text/plain; charset=utf-8"))
            text = answer.body.decode()
            check(text.startswith("4 suspended tasks\n\n3 tasks of handler GET /nested/{ms}, waiting for "), text)
            check(f"  {SOURCE}:{LINES['sleeping']}" in text and "sleeping(" in text, text)
            check("\n1 task of background, waiting for " in text and "\n  request " in text, text)
        equal(get(of, "/debug/tasks", ["Accept: text/html,*/*;q=0.8"]).field("content-type"), "application/json")
        for query in ("format=xml", "limit=-1", "limit=many", "limit=1001"):
            equal(get(of, "/debug/tasks?" + query).status, 422, query)
        for client in clients:
            client.__exit__()


@case
def a_blocked_core_is_reported_in_time(backend):
    with running(backend, "--cores", "2") as of, contextlib.ExitStack() as clients:
        for _ in range(8):  # on both cores
            clients.enter_context(of.connect()).send(request("/nested/3600000"))
        check(soon(lambda: scrape(of)["suspended"] == 9), f"{scrape(of)}")
        blocked = clients.enter_context(of.connect())
        blocked.send(request("/block/3000", "POST"))
        found = {}

        def is_blocked():
            found.clear()
            found.update(scrape(of))
            return any(not t["responds"] for t in found["threads"])

        check(soon(is_blocked), f"{found}")
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            both = list(pool.map(lambda _: scrape(of), range(8)))
        check(time.monotonic() - began < 2 or SANITIZED, "scrapes wait for the blocked core")
        for document in both:
            [silent] = [t for t in document["threads"] if not t["responds"]]
            check(silent["busy_ms"] > 200, silent)
            equal((silent["request"]["method"], silent["request"]["route"]), ("POST", "/block/{ms}"))
            check(0 < document["suspended"] < 9, document)
            check(all(t["thread"] != silent["thread"] for t in document["tasks"]), document)
        check("does not respond" in get(of, "/debug/tasks?format=text").body.decode(), "the text does not name it")
        equal(blocked.answer().status, 200)
        check(soon(lambda: all(t["responds"] for t in scrape(of)["threads"])), "the core never responds again")
        equal(scrape(of)["suspended"], 9)


@case
def many_tasks_are_cut_and_the_oldest_are_listed(backend):
    with running(backend, descriptors=4096) as of, contextlib.ExitStack() as clients:
        first = clients.enter_context(of.connect())
        first.send(request("/both"))
        check(soon(lambda: scrape(of)["suspended"] == 3), "not suspended")
        for _ in range(20):
            client = clients.enter_context(of.connect())
            client.send(h2.begin() + b"".join(h2.head(1 + 2 * i, "/nested/3600000") for i in range(60)))
        check(soon(lambda: scrape(of, "?limit=0")["suspended"] == 1203), f"{scrape(of, '?limit=0')}")
        document = scrape(of)
        equal((document["listed"], document["left_out"], len(document["tasks"])), (200, 1003, 200))
        equal([t["origin"] for t in document["tasks"][:3]], ["background", "handler", "handler"])
        equal(len(of_route(document, "/both")), 2)
        ages = [t["waiting_ms"] for t in document["tasks"]]
        equal(ages, sorted(ages, reverse=True))
        document = scrape(of, "?limit=1000")
        equal((document["listed"], document["left_out"]), (1000, 203))
        text = get(of, "/debug/tasks?format=text&limit=1000").body.decode()
        check("not listed: 203 tasks\n" in text and "\n997 tasks of handler GET /nested/{ms}" in text, text)


@case
def a_thousand_scrapes_at_once_are_bounded(backend):
    with running(backend, "--cores", "2", descriptors=8192) as of, contextlib.ExitStack() as clients:
        for _ in range(50):
            clients.enter_context(of.connect()).send(request("/nested/3600000"))
        check(soon(lambda: scrape(of)["suspended"] == 51), "not suspended")
        scrapers = [clients.enter_context(wire.Wire(("127.0.0.1", int(of.admin.rsplit(":", 1)[1])), timeout=60))
                    for _ in range(1000)]
        began = time.monotonic()
        for scraper in scrapers:
            scraper.send(request("/debug/tasks"))
        while time.monotonic() < began + 0.5:
            equal(of.get("/").status, 200)
        bodies = {scraper.answer().body for scraper in scrapers}
        check(time.monotonic() - began < wire.PATIENCE or SANITIZED, f"{time.monotonic() - began:.1f} s")
        equal({json.loads(body)["suspended"] for body in bodies}, {51})
        check(len(bodies) <= 100, f"{len(bodies)} collections for 1000 scrapes")


@case
def the_server_stops_while_tasks_and_scrapes_wait(backend):
    with running(backend, "--cores", "2", "--drain", "1") as of, contextlib.ExitStack() as clients:
        for path in ("/nested/3600000", "/both", "/events", "/scoped"):
            clients.enter_context(of.connect()).send(request(path))
        check(soon(lambda: scrape(of)["suspended"] == 7), f"{scrape(of)}")
        clients.enter_context(of.connect()).send(request("/block/700", "POST"))
        scraper = clients.enter_context(wire.Wire(("127.0.0.1", int(of.admin.rsplit(":", 1)[1]))))
        scraper.send(request("/debug/tasks"))
        equal(of.stop(), 3)


if __name__ == "__main__":
    main()
