#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests bench/application, the program whose compile time is measured: sends a request to each of its routes."""

import json
import os
import tempfile

import cases
import server
import wire
from cases import case, check, equal

server.PROGRAMS["application"] = server.BUILD / "tests/application"
PASSWORD = "correct horse battery"
PART = '--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'


class Client:
    """A client with one connection, which keeps its session cookie."""

    def __init__(self, of):
        self.wire, self.cookie = of.connect(), []

    def ask(self, method, path, body=None, kind="application/json"):
        fields = [*self.cookie, *([f"Content-Type: {kind}"] if body is not None else [])]
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        self.wire.send(wire.request(path, method, fields, body if body is not None or method == "GET" else b""))
        answer = self.wire.answer()
        for given in answer.all("set-cookie"):
            self.cookie = ["Cookie: " + given.partition(";")[0]]
        return answer

    def value(self, status, *words, **more):
        """Returns the JSON of the response, which must have this status."""
        answer = self.ask(*words, **more)
        equal(answer.status, status, f"{words}: {answer.body}")
        return json.loads(answer.body) if answer.body else None


def signed_in(of, name):
    client = Client(of)
    made = client.value(201, "POST", "/accounts", {"name": name, "email": f"{name}@example.org", "password": PASSWORD})
    equal((made["name"], made["links"]), (name, 0))
    return client


@case
def accounts_have_sessions_and_avatars(backend):
    with tempfile.TemporaryDirectory() as folder, server.Server(backend, program="application",
                                                                environment={"AVATARS": folder + "/"}.items()) as of:
        client = Client(of)
        equal(client.ask("GET", "/me").status, 401)
        wrong = client.value(422, "POST", "/accounts", {"name": "", "email": "nobody", "password": "short"})
        equal([one["pointer"] for one in wrong["errors"]], ["/name", "/email", "/password"])
        client = signed_in(of, "ann")
        equal(client.value(200, "GET", "/me")["email"], "ann@example.org")
        form = (PART % ("caption", "", "Me") + PART % ("image", '; filename="a.png"', "bytes") + "--x--\r\n").encode()
        kept = client.value(200, "POST", "/me/avatar", form, kind="multipart/form-data; boundary=x")
        equal((kept["caption"], kept["bytes"], os.listdir(folder)), ("Me", 5, [kept["file"]]))
        equal(client.ask("POST", "/logout").status, 204)
        client = Client(of)
        equal(client.ask("POST", "/login", {"email": "ann@example.org", "password": "wrong"}).status, 401)
        equal(client.value(200, "POST", "/login", {"email": "ann@example.org", "password": PASSWORD})["name"], "ann")
        equal(client.value(200, "GET", "/me")["id"], 1)


@case
def links_are_made_found_changed_and_followed(backend):
    with server.Server(backend, program="application") as of:
        ann, ben = signed_in(of, "ann"), signed_in(of, "ben")
        made = ann.value(201, "POST", "/links", {"target": "https://example.org/a", "code": "abc", "tags": ["x", "y"]})
        equal((made["code"], made["seen_by"], made["visits"]), ("abc", "open", 0))
        equal(ann.ask("POST", "/links", {"target": "https://example.org/", "code": "abc", "tags": []}).status, 409)
        check(len(ann.value(201, "POST", "/links", {"target": "https://example.org/b", "tags": []})["code"]) >= 3,
              "no code was made")
        found = ann.value(200, "GET", "/links?limit=1")
        equal((len(found["links"]), found["total"], found["more"]), (1, 2, True))
        equal(ann.value(200, "GET", "/links?tag=x&tag=y&seen_by=open")["total"], 1)
        equal(ben.ask("PATCH", "/links/abc", {"title": "mine"}).status, 403)
        equal(ann.value(200, "PATCH", "/links/abc", {"title": "first", "seen_by": "members"})["title"], "first")
        equal(ben.value(200, "GET", "/links/abc")["seen_by"], "members")
        answer = ben.ask("GET", "/r/abc")
        equal((answer.status, answer.field("location")), (302, "https://example.org/a"))
        counted = ann.value(200, "GET", "/statistics")
        equal((counted["visits"], counted["links"], counted["by_tag"]), (1, 2, {"x": 1, "y": 1}))
        equal((ben.ask("DELETE", "/links/abc").status, ann.ask("DELETE", "/links/abc").status,
               ann.ask("GET", "/links/abc").status), (404, 204, 404))


@case
def it_describes_itself_and_sends_events(backend):
    with server.Server(backend, program="application") as of:
        client = Client(of)
        equal(client.ask("GET", "/health").body, b"ok\n")
        equal(client.ask("GET", "/").field("location"), "/docs")
        described = client.value(200, "GET", "/openapi.json")
        equal(sum(len(methods) for methods in described["paths"].values()), 13, "routes that are not hidden")
        check({"profile", "new_link", "statistics"} <= set(described["components"]["schemas"]),
              described["components"]["schemas"].keys())
        with of.connect() as live:
            live.send(wire.request("/statistics/live"))
            equal(live.head().status, 200)
            check(b'"visits":0' in live.until(b"\n\n"), "no event came")


if __name__ == "__main__":
    cases.main()
