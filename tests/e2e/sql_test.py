# SPDX-License-Identifier: Apache-2.0
"""Tests the examples `sql` and `orders` on SQLite and, with only another URL, on PostgreSQL. Also tests `bulk` and
`migrations`."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import urllib.error
import urllib.request

import server
from cases import case, check, equal, main
from databases import PATIENCE, TABLES, ask, postgres_server

server.PROGRAMS.update({name: server.BUILD / f"bin/{name}" for name in ("sql", "orders", "bulk", "migrations")})
@contextlib.contextmanager
def sqlite_database():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "notes.db"
        with contextlib.closing(sqlite3.connect(file)) as made:
            made.executescript(TABLES["sqlite"])
        yield f"sqlite:{file}"


@contextlib.contextmanager
def postgres_database():
    """Yields the URL of a database with the tables of the examples."""
    with postgres_server() as url:
        subprocess.run(["psql", "-q", "-c", TABLES["postgres"], url], check=True, timeout=PATIENCE)
        yield url


def notes_are_kept(backend, url):
    with server.Server(backend, program="sql", environment={"DATABASE_URL": url}) as of:
        at = of.urls[0] + "/notes"
        equal(ask(at), (200, []))
        status, tea = ask(at, "POST", {"title": "Buy tea"})
        equal((status, tea["title"], tea["priority"]), (201, "Buy tea", 3))
        equal(ask(at, "POST", {"title": "Buy tea"})[0], 409)
        equal(ask(at, "POST", {"title": "", "priority": 9})[0], 422)
        hostile = "'); drop table note; --"
        equal(ask(at, "POST", {"title": hostile})[0], 201)
        equal(ask(f"{at}/{tea['id']}"), (200, tea))
        equal(ask(f"{at}/{tea['id']}/title", "PUT", {"title": hostile}),
              (409, {"status": 409, "title": "Conflict", "detail": "another note has this title", "field": "title"}))
        equal(ask(f"{at}/{tea['id']}/title", "PUT", {"title": "Tea"}), (200, {**tea, "title": "Tea"}))
        equal(ask(f"{at}/0/title", "PUT", {"title": "x"})[0], 404)
        equal(ask(f"{at}/{tea['id']}", "DELETE")[0], 204)
        equal([ask(f"{at}/{tea['id']}", method)[0] for method in ("GET", "DELETE")], [404, 404])
        equal([each["title"] for each in ask(at)[1]], [hostile])
        equal(ask(f"{at}/import", "POST", [{"title": each} for each in ("a", hostile, "b", "a")]), (200, {"stored": 2}))
        equal([each["title"] for each in ask(at)[1]], [hostile, "a", "b"])


@case
def notes_are_kept_in_sqlite(backend):
    with sqlite_database() as url:
        notes_are_kept(backend, url)


@case
def notes_are_kept_in_postgresql_by_another_url(backend):
    with postgres_database() as url:
        notes_are_kept(backend, url)


@contextlib.contextmanager
def events(url):
    """Yields a function that returns the name and the data of the next event."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as stream:
        def next_event():
            fields = {}
            while line := stream.readline().decode().rstrip("\n"):
                name, _, value = line.partition(":")
                fields[name] = value.lstrip()
            return (fields["event"], json.loads(fields["data"])) if "data" in fields else next_event()
        yield next_event


def orders_are_shown(taking, showing):
    equal(ask(f"{taking}/orders", "POST", {"item": "tea"})[0], 201)
    with events(f"{showing}/orders/events") as one, events(f"{showing}/orders/events") as other:
        equal([one(), other()], [("all", [{"id": 1, "item": "tea"}])] * 2)
        for number in range(2, 50):
            order = {"id": number, "item": f"item {number}"}
            equal(ask(f"{taking}/orders", "POST", {"item": order["item"]}), (201, order))
            equal([one(), other()], [("new", order)] * 2)


@case
def orders_are_shown_at_once_on_sqlite(backend):
    with sqlite_database() as url, server.Server(backend, program="orders", environment={"DATABASE_URL": url}) as of:
        orders_are_shown(of.urls[0], of.urls[0])


@case
def orders_of_another_process_are_shown_at_once_on_postgresql(backend):
    with postgres_database() as url, contextlib.ExitStack() as stack:
        both = [stack.enter_context(server.Server(backend, program="orders", environment={"DATABASE_URL": url}))
                for _ in range(2)]
        orders_are_shown(both[0].urls[0], both[1].urls[0])


@case
def many_rows_are_stored_and_read_or_none(backend):
    lines = [f"{number},{number / 4}\n".replace(".0\n", "\n") for number in range(20_000)]
    sent = "".join(lines).replace(",", " ").encode()
    with postgres_database() as url, server.Server(backend, program="bulk", environment={"DATABASE_URL": url}) as of:
        def post(body):
            try:
                with urllib.request.urlopen(f"{of.urls[0]}/readings", body, timeout=6 * PATIENCE) as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as refused:
                return refused.code, None

        def stored():
            with urllib.request.urlopen(f"{of.urls[0]}/readings.csv", timeout=6 * PATIENCE) as answer:
                return answer.read().decode()
        equal(post(sent + b"1 x\n")[0], 400)
        with of.connect() as leaving:
            leaving.send(b"POST /readings HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n" + sent)
        equal(stored(), "sensor,celsius\n")
        equal(post(sent), (200, b"20000 rows\n"))
        with of.connect() as leaving:
            leaving.send(b"GET /readings.csv HTTP/1.1\r\nHost: a\r\n\r\n")
        check(stored() == "sensor,celsius\n" + "".join(lines), "the rows differ")


@case
def what_was_acknowledged_survives_a_kill(backend):
    def write(number):
        try:
            return number if ask(at, "POST", {"title": f"note {number}"})[0] == 201 else None
        except OSError:
            return None
    with sqlite_database() as url, server.Server(backend, program="sql", environment={"DATABASE_URL": url}) as of:
        at, of.ends_by_itself = of.urls[0] + "/notes", True
        with concurrent.futures.ThreadPoolExecutor(32) as clients:
            written = [clients.submit(write, number) for number in range(2000)]
            for done, _ in enumerate(concurrent.futures.as_completed(written, 12 * PATIENCE), 1):
                if done == 300:
                    of.process.kill()
            acknowledged = {each.result() for each in written} - {None}
        of.process.wait(PATIENCE)
        check(200 < len(acknowledged) < 2000, len(acknowledged))
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:"))) as kept:
            found = {int(title.split()[1]) for (title,) in kept.execute("select title from note")}
        equal(acknowledged - found, set())


@case
def migrations_are_applied_at_the_start(backend):
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            with server.Server(backend, program="migrations", folder=folder) as of:
                equal(urllib.request.urlopen(of.urls[0], timeout=PATIENCE).read(), b"Hello, world!")
            with contextlib.closing(sqlite3.connect(f"{folder}/notes.db")) as made:
                equal(made.execute("select count(*) from notes").fetchone(), (0,))


@case
def only_serving_needs_the_database(backend):
    with tempfile.TemporaryDirectory() as folder:
        program, file = os.path.abspath(server.PROGRAMS["migrations"]), pathlib.Path(folder) / "notes.db"
        listed = subprocess.run([program, "--routes"], cwd=folder, capture_output=True, text=True, timeout=PATIENCE,
                                check=True)
        equal((listed.stdout, file.exists()), ("GET /\n", False))
        file.write_text("no database" * 100)
        failed = subprocess.run([program, "--listen", "127.0.0.1:0"], cwd=folder, capture_output=True, text=True,
                                timeout=PATIENCE, check=False)
        equal((failed.returncode, failed.stdout), (1, ""))
        check("file is not a database" in failed.stderr, failed.stderr)


if __name__ == "__main__":
    main()
