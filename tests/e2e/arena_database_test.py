#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends the requests of the public benchmark that examples/arena implements with PostgreSQL, and checks the
responses."""

import concurrent.futures
import contextlib
import html
import itertools
import json
import pathlib
import random
import re
import subprocess
import time

import cases
import server
import wire
from cases import case, check, equal
from databases import postgres_server
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = ROOT / "bench/seed.sql"
CATEGORIES = ["electronics", "tools", "books", "toys", "garden"]
LISTEN = ["http://127.0.0.1:0", "https://127.0.0.1:0"]
DATABASES = []
PATIENCE = 120  # timeout in seconds for operations that take a few seconds on an idle machine
JSON = ["Content-Type: application/json"]
server.PROGRAMS["arena"] = server.BUILD / "bin/arena"


class Arena(Server):
    """The program with a database that contains the seed data."""

    def __init__(self, backend, url):
        super().__init__(backend, program="arena", listen=LISTEN, environment={
            "DATA": str(ROOT / "examples/arena"), "DATABASE_URL": url, "DATABASE_MAX_CONN": "8"})

    def connect(self, **options):
        return super().connect(timeout=PATIENCE, **options)


class Databases:
    """A server with the database `seeded`, which is copied for each case."""

    def __init__(self, url):
        self.url = url
        self._numbers = itertools.count(1)

    def run(self, *arguments, name="postgres"):
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", *arguments, self.named(name)], check=True,
                       timeout=PATIENCE)

    def named(self, name):
        return self.url.replace("/postgres?", f"/{name}?")

    def copy(self):
        name = f"copy{next(self._numbers)}"
        self.run("-c", f"create database {name} template seeded")
        return self.named(name)


@contextlib.contextmanager
def arena(backend):
    with Arena(backend, DATABASES[0].copy()) as of:
        yield of


def item(i):
    """Returns row `i` of the seed data as an object."""
    return {"id": i, "name": f"Item {i}", "category": CATEGORIES[i % 5], "price": 1 + i * 7919 % 500,
            "quantity": 1 + i % 97, "active": i % 3 != 0, "tags": [f"tag{i % 7}", f"tag{i % 11}"],
            "rating": {"score": 1 + i % 50, "count": i % 400}}


def read(answer, status=200):
    equal((answer.status, answer.field("content-type")), (status, "application/json"), repr(answer))
    return json.loads(answer.body)


def send(client, method, path, value):
    client.send(wire.request(path, method, JSON, json.dumps(value).encode()))
    return client.answer()


def check_range(found, least, most, limit):
    equal((found["count"], len(found["items"])), (limit, limit))
    for one in found["items"]:
        equal(one, item(one["id"]))
        check(least <= one["price"] <= most, one)


@case
def items_by_price(backend):
    with arena(backend) as of, of.connect() as client:
        check_range(read(client.get("/async-db?min=10&max=50&limit=20")), 10, 50, 20)
        check_range(read(client.get("/async-db")), 10, 50, 50)
        check_range(read(client.get("/async-db?min=7&max=7&limit=1000")), 7, 7, 50)
        check_range(read(client.get("/async-db?limit=0")), 10, 50, 1)
        equal(read(client.get("/async-db?min=600&max=700")), {"items": [], "count": 0})
        equal(client.get("/async-db?min=x").status, 422)


def cached(client, path):
    """Returns the value of X-Cache, and the item."""
    answer = client.get(path)
    return answer.field("x-cache"), read(answer)


def poll(client, path, state):
    """Requests an item until X-Cache has this value."""
    end = time.monotonic() + PATIENCE
    while (answer := cached(client, path))[0] != state:
        check(time.monotonic() < end, f"no {state} for {path}")
    return answer[1]


@case
def items_are_read_and_written(backend):
    with arena(backend) as of, of.connect() as client:
        of_tools = [item(i) for i in range(1, 200) if i % 5 == 1]
        equal(read(client.get("/crud/items?category=tools&page=2&limit=7")),
              {"items": of_tools[7:14], "total": 7, "page": 2, "limit": 7})
        first = read(client.get("/crud/items"))
        equal((first["items"], first["total"], first["page"], first["limit"]),
              ([item(5 * i) for i in range(1, 11)], 10, 1, 10))
        equal(read(client.get("/crud/items?limit=99"))["total"], 50)
        equal(read(client.get("/crud/items?category=none")), {"items": [], "total": 0, "page": 1, "limit": 10})

        equal(cached(client, "/crud/items/7"), ("MISS", item(7)))
        equal(poll(client, "/crud/items/7", "HIT"), item(7))
        equal(poll(client, "/crud/items/7", "MISS"), item(7))  # the entry expires
        poll(client, "/crud/items/7", "HIT")
        changed = item(7) | {"name": "Seven", "price": 1, "quantity": 2}
        equal(read(send(client, "PUT", "/crud/items/7", {"name": "Seven", "price": 1, "quantity": 2})), changed)
        equal(cached(client, "/crud/items/7"), ("MISS", changed))  # the change has removed the entry
        equal(client.get("/crud/items/200000").status, 404)
        equal(send(client, "PUT", "/crud/items/200000", {"name": "x", "price": 1, "quantity": 2}).status, 404)

        made = {"id": 200000, "name": "New", "category": "books", "price": 9, "quantity": 4}
        stored = made | {"active": True, "tags": [], "rating": {"score": 0, "count": 0}}
        equal(read(send(client, "POST", "/crud/items", made), 201), stored)
        equal(cached(client, "/crud/items/200000"), ("MISS", stored))
        again = stored | {"price": 10, "tags": ["a", "b"], "rating": {"score": 1, "count": 2}}
        equal(read(send(client, "POST", "/crud/items", again), 201), again)
        equal(cached(client, "/crud/items/200000"), ("MISS", again))
        equal(send(client, "POST", "/crud/items", {"id": 1}).status, 422)


def fetch_any(client, chance):
    """Sends one request of the load of `crud`: 75 % reads, 15 % updates, 5 % lists, 5 % creates."""
    one, kind = chance.randint(1, 500), chance.random()
    if kind < 0.75:
        equal(cached(client, f"/crud/items/{one}")[1]["id"], one)
    elif kind < 0.90:
        change = {"name": f"name {chance.random()}", "price": 5, "quantity": 6}
        equal(read(send(client, "PUT", f"/crud/items/{one}", change)), item(one) | change)
    elif kind < 0.95:
        equal(read(client.get("/crud/items?category=toys&limit=20"))["total"], 20)
    else:
        equal(read(send(client, "POST", "/crud/items", item(one)), 201), item(one))


@case
def crud_on_connections_of_200_requests(backend):
    def one_client(of, seed):
        chance = random.Random(seed)
        for _ in range(2):
            with of.connect() as client:
                for _ in range(200):
                    fetch_any(client, chance)

    with arena(backend) as of, concurrent.futures.ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(one_client, of, seed) for seed in range(8)]:
            done.result()


@case
def the_mix_of_api(backend):
    def one_client(of, seed):
        with of.connect() as client:
            for n in range(24):
                kind = (n * 3 + seed) % 8  # 3:3:2
                if kind < 3:
                    equal(client.get(f"/baseline11?a={n}&b={seed}").body, b"%d" % (n + seed))
                elif kind < 6:
                    equal(read(client.get(f"/json/{n + 1}?m=2"))["count"], n + 1)
                else:
                    check_range(read(client.get("/async-db?min=10&max=50&limit=20")), 10, 50, 20)

    with arena(backend) as of, concurrent.futures.ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(one_client, of, seed) for seed in range(8)]:
            done.result()


@case
def fortunes_are_sorted_and_escaped(backend):
    stored = [(int(number), text) for number, text in
              re.findall(r"\((\d+), '(.*?)'\)", SEED.read_text().partition("insert into fortune")[2])]
    equal(len(stored), 12)
    with arena(backend) as of, of.connect() as client:
        answer = client.get("/fortunes")
        equal((answer.status, answer.field("content-type")), (200, "text/html; charset=utf-8"))
        page = answer.body.decode()
        rows = re.findall(r"<tr><td>(\d+)</td><td>(.*?)</td></tr>", page)
        wanted = sorted([*stored, (0, "Additional fortune added at request time.")], key=lambda row: row[1].encode())
        equal([(int(number), html.unescape(text)) for number, text in rows], wanted)
        check("<script>" not in page, page)


@case
def without_a_database_its_routes_are_absent(backend):
    with Server(backend, program="arena", listen=LISTEN,
                environment={"DATA": str(ROOT / "examples/arena")}) as of:
        for path in ("/async-db", "/crud/items", "/crud/items/1", "/fortunes"):
            equal(of.get(path).status, 404)


if __name__ == "__main__":
    with postgres_server() as server_url:
        DATABASES.append(Databases(server_url))
        DATABASES[0].run("-c", "create database seeded")
        DATABASES[0].run("-f", SEED, name="seeded")
        cases.main()
