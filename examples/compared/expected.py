# SPDX-License-Identifier: Apache-2.0
"""Checks the responses of the five programs, through HTTP only. `ask(name, port, ...)` raises AssertionError.

Where the default responses of frameworks differ, all of them are accepted, and docs/compared.md lists them.
"""

import contextlib
import http.client
import http.server
import json
import threading
import time
import urllib.parse

INVALID = (400, 422)


class Answer:
    def __init__(self, response):
        self.status, self.fields, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


def ask(port, method, target, value=None, fields=(), text=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    sent = dict(fields)
    body = text if value is None else json.dumps(value)
    if body is not None:
        sent.setdefault("Content-Type", "application/json")
    connection.request(method, target, body, sent)
    try:
        return Answer(connection.getresponse())
    finally:
        connection.close()


def equal(found, wanted):
    assert found == wanted, f"{found!r}, not {wanted!r}"


def hello(port):
    found = ask(port, "GET", "/")
    equal((found.status, found.body), (200, b"Hello, world!\n"))
    assert found.fields["Content-Type"].startswith("text/plain"), found.fields["Content-Type"]
    equal(ask(port, "GET", "/other").status, 404)


def resolved(document, schema):
    while "$ref" in schema:
        place = document
        for name in schema["$ref"].removeprefix("#/").split("/"):
            place = place[name]
        schema = place
    return schema


def described(port):
    document = ask(port, "GET", "/openapi.json").json()
    equal({m for m in document["paths"]["/todos"] if m in ("get", "post")}, {"get", "post"})
    assert {"get", "put", "delete"} <= set(document["paths"]["/todos/{id}"]), document["paths"]
    body = document["paths"]["/todos"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    fields = resolved(document, body)["properties"]
    priority = resolved(document, fields["priority"])
    equal((priority["minimum"], priority["maximum"]), (1, 5))
    equal(resolved(document, fields["title"])["maxLength"], 200)


def todos(port):
    equal(ask(port, "GET", "/todos").json(), [])
    made = ask(port, "POST", "/todos", {"title": "milk"})
    equal((made.status, made.fields["Location"]), (201, "/todos/1"))
    equal(made.json(), {"id": 1, "title": "milk", "priority": 3})
    equal(ask(port, "POST", "/todos", {"title": "\u00e4" * 200, "priority": 5}).status, 201)
    equal(ask(port, "GET", "/todos/1").json(), made.json())
    changed = ask(port, "PUT", "/todos/1", {"title": "bread", "priority": 1})
    equal((changed.status, changed.json()), (200, {"id": 1, "title": "bread", "priority": 1}))
    equal([one["id"] for one in ask(port, "GET", "/todos").json()], [1, 2])
    equal(ask(port, "PUT", "/todos/9", {"title": "bread"}).status, 404)
    equal(ask(port, "GET", "/todos/9").status, 404)
    assert ask(port, "GET", "/todos/x").status in (400, 404, 422, 500)
    invalid = [{}, {"title": ""}, {"title": "a" * 201}, {"title": 1}, {"title": "a", "priority": 6},
               {"title": "a", "priority": "2nd"}, {"title": "a", "prioritty": 2}, []]
    for value in invalid:
        found = ask(port, "POST", "/todos", value)
        assert found.status in INVALID, f"{value} gives {found.status}"
    assert ask(port, "POST", "/todos", text="{").status in INVALID
    equal(len(ask(port, "GET", "/todos").json()), 2)
    equal(ask(port, "DELETE", "/todos/2").status, 204)
    equal(ask(port, "DELETE", "/todos/2").status, 404)
    described(port)


def crud(port):
    equal(ask(port, "GET", "/notes").json(), {"rows": [], "next": None})
    made = ask(port, "POST", "/notes", {"title": "milk"})
    equal((made.status, made.json()), (201, {"id": 1, "title": "milk", "priority": 3}))
    equal(ask(port, "POST", "/notes", {"title": "milk"}).status, 409)
    for number in range(24):
        equal(ask(port, "POST", "/notes", {"title": f"'; drop table note; -- {number}", "priority": 5}).status, 201)
    equal(ask(port, "GET", "/notes/1").json(), made.json())
    changed = ask(port, "PUT", "/notes/1", {"title": "bread", "priority": 1})
    equal((changed.status, changed.json()), (200, {"id": 1, "title": "bread", "priority": 1}))
    seen, after = [], ""
    while after is not None:
        page = ask(port, "GET", "/notes?limit=10" + (f"&after={after}" if after else "")).json()
        seen += [one["title"] for one in page["rows"]]
        last = page["rows"][-1]["id"]
        after = page["next"]
    equal((len(seen), len(set(seen)), seen[0]), (25, 25, "bread"))
    equal([ask(port, method, "/notes/999", value).status for method, value in
           (("GET", None), ("PUT", {"title": "x"}), ("DELETE", None))], [404] * 3)
    for value in ({}, {"title": ""}, {"title": "a" * 201}, {"title": "a", "priority": 6},
                  {"title": "a", "prioritty": 2}):
        found = ask(port, "POST", "/notes", value)
        assert found.status in INVALID, f"{value} gives {found.status}"
    for query in ("limit=0", "limit=101", "after=x!"):
        assert ask(port, "GET", "/notes?" + query).status in INVALID, query
    equal([ask(port, "DELETE", f"/notes/{last}").status for _ in range(2)], [204, 404])
    paths = ask(port, "GET", "/openapi.json").json()["paths"]
    assert {"get", "post"} <= set(paths["/notes"]) and {"get", "put", "delete"} <= set(paths["/notes/{id}"]), paths


def refused(found, status):
    """Checks an error response, in the form that the program uses."""
    assert found.status in status, f"{found.status}, not one of {status}"
    assert found.fields["Content-Type"].startswith("application/json"), found.fields["Content-Type"]
    value = found.json()
    equal(list(value), ["error"])
    assert isinstance(value["error"], str) and value["error"], value
    return value["error"]


def cookie(found):
    for field in found.fields.get_all("Set-Cookie") or []:
        pair = field.split(";")[0]
        if pair.endswith("="):
            return {}  # it is taken back
        assert "httponly" in field.lower(), field
        return {"Cookie": pair}
    return {}


def login(port):
    right, wrong = {"name": "ann", "password": "correct-horse"}, {"name": "ann", "password": "wrong-horse"}
    equal(refused(ask(port, "GET", "/me"), (401,)), "log in first")
    first = cookie(ask(port, "GET", "/me"))
    equal(refused(ask(port, "POST", "/login", wrong), (401,)), "wrong name or password")
    equal(refused(ask(port, "POST", "/login", {**right, "name": "ben"}), (401,)), "wrong name or password")
    refused(ask(port, "POST", "/login", {"name": "ann"}), INVALID)
    refused(ask(port, "POST", "/login", text="{"), INVALID)
    refused(ask(port, "GET", "/other"), (404,))
    refused(ask(port, "GET", "/login"), (405,))
    found = ask(port, "POST", "/login", right, first)
    equal((found.status, found.body), (204, b""))
    session = cookie(found)
    assert session and session != first, "the session has the id that it had before the login"
    found = ask(port, "GET", "/me", fields=session)
    equal((found.status, found.json()), (200, {"name": "ann"}))
    found = ask(port, "POST", "/logout", fields=session)
    equal(found.status, 204)
    refused(ask(port, "GET", "/me", fields=cookie(found)), (401,))


def revoked(port):
    """Returns True if a copy of the cookie is invalid after the logout."""
    session = cookie(ask(port, "POST", "/login", {"name": "ann", "password": "correct-horse"}))
    ask(port, "POST", "/logout", fields=session)
    return ask(port, "GET", "/me", fields=session).status == 401


@contextlib.contextmanager
def watch(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/load")
    response = connection.getresponse()
    assert response.headers["Content-Type"].startswith("text/event-stream"), response.headers["Content-Type"]
    try:
        yield response
    finally:
        response.close()
        connection.close()


def samples(response, count):
    """Returns the loads of the next `count` events, by event id."""
    found, fields = {}, {}
    while len(found) < count:
        line = response.readline().decode().rstrip("\r\n")
        assert not response.isclosed(), "the stream ends"
        if line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif not line and "data" in fields:
            value = json.loads(fields["data"])
            equal(str(value["number"]), fields["id"])
            found[value["number"]] = value["load"]
            fields = {}
    return found


def dashboard(port):
    page = ask(port, "GET", "/")
    assert page.fields["Content-Type"].startswith("text/html") and b"EventSource" in page.body
    with watch(port) as one, watch(port) as two, watch(port):  # the third one reads nothing
        first, second = samples(one, 5), samples(two, 5)
        both = first.keys() & second.keys()
        assert len(both) >= 3, f"they do not watch the same: {list(first)}, {list(second)}"
        equal({n: first[n] for n in both}, {n: second[n] for n in both})
    with watch(port) as late:
        assert min(samples(late, 1)) >= max(second), "a late client gets old samples"


class Upstream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        raw = self.path.removeprefix("/cities/")
        city = urllib.parse.unquote(raw)
        status, body = 200, b'{"sky":"clear","wind":3}'
        if self.server.released.is_set():
            self.close_connection = True
            return
        if city == "Slowville":
            self.server.released.wait(5)
        elif city == "Nowhere":
            status = 404
        elif city == "Failing":
            status = 500
        elif city == "Garbled":
            body = b"<p>clear"
        elif urllib.parse.unquote(city) not in ("Bern", "Basel"):
            status = 418
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)


@contextlib.contextmanager
def upstream():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    server.released = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()


def gateway(port, server):
    equal(ask(port, "GET", "/weather/Bern").json(), {"city": "Bern", "sky": "clear", "live": True})
    # All bytes of a name must stay in their segment of the upstream's path.
    equal(ask(port, "GET", "/weather/Bern%3Fa%23b").json(), {"city": "Bern?a#b", "sky": "unknown", "live": False})
    equal(ask(port, "GET", "/weather/Nowhere").status, 404)
    for city in ("Failing", "Garbled", "Slowville"):
        begun = time.monotonic()
        found = ask(port, "GET", "/weather/" + city)
        equal((found.status, found.json()), (200, {"city": city, "sky": "unknown", "live": False}))
        assert time.monotonic() - begun < 3, f"{city} takes {time.monotonic() - begun:.1f} s"
    equal(ask(port, "GET", "/weather/Bern").json()["live"], True)
    server.released.set()
    server.shutdown()
    server.server_close()
    equal(ask(port, "GET", "/weather/Bern").json(), {"city": "Bern", "sky": "unknown", "live": False})
