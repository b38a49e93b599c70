# SPDX-License-Identifier: Apache-2.0
"""Starts the example `rooms` for tests, with clients that reconnect."""
import contextlib
import http.client
import threading
import time

import server
from cases import check, equal
from server import Server

server.PROGRAMS["rooms"] = server.BUILD / "bin" / "rooms"


def rooms(backend, broker=None, cores=2):
    """Starts a process. `broker`: a server of Redis or PostgreSQL."""
    variable = "DATABASE_URL" if broker and broker.url.startswith("postgres:") else "REDIS_URL"
    return Server(backend, "--cores", str(cores), "--drain", "5", program="rooms",
                  environment={variable: broker.url} if broker else {}, connects=getattr(broker, "ports", ()))


def publish(of, data, room="tea"):
    """Returns the id of the event."""
    with of.connect() as client:
        answer = client.post(f"/rooms/{room}", data.encode())
    equal(answer.status, 200)
    return answer.body.decode()


class Follower:
    """A client that reads events in a thread, and reconnects to the next process after a lost connection, as a browser
    does."""

    def __init__(self, ports, last="", room="tea"):
        self.ports, self.last, self.room = ports, last, room
        self.seen, self.connections, self.socket = [], 0, None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        number = 0
        while True:
            time.sleep(0.02)  # as a browser waits; else, clients of processes that have ended would use a whole core
            number += 1
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.read(self.ports[number % len(self.ports)])

    def read(self, port):
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=server.PATIENCE)
        client.request("GET", f"/rooms/{self.room}/events", headers={"Last-Event-ID": self.last} if self.last else {})
        self.socket = client.sock
        answer = client.getresponse()
        equal(answer.status, 200)
        fields = {}
        for line in answer:
            line = line.decode().rstrip("\n")
            if line.startswith("retry"):
                self.connections += 1
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
                continue
            if "data" in fields or fields.get("event") == "reload":
                self.seen.append(fields.get("event") or fields["data"])
            self.last = fields.get("id", self.last)
            fields = {}

    def disconnect(self):
        """Ends the connection; the client reconnects."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(2)

    def has_seen(self, wanted):
        return server.soon(lambda: self.seen == wanted)


def followers(of, count, **options):
    made = [Follower(of, **options) for _ in range(count)]
    check(server.soon(lambda: all(each.connections for each in made)), "the followers are connected")
    return made
