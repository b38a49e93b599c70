# SPDX-License-Identifier: Apache-2.0
"""Starts processes of the example `shared_state`, and sends requests to them."""
import concurrent.futures
import contextlib
import select
import time

import server
import sockets
from cases import equal

server.PROGRAMS["shared_state"] = server.BUILD / "bin" / "shared_state"


@contextlib.contextmanager
def processes(backend, redis, count=2):
    with contextlib.ExitStack() as all_of:
        yield [all_of.enter_context(server.Server(backend, "--cores", "2", program="shared_state",
                                                  environment={"REDIS_URL": redis.url})) for _ in range(count)]


def search(of, user):
    return of.get("/search", fields=[f"X-User: {user}"])


def statuses(all_of, user, requests):
    """Sends requests to all processes, over 4 connections at a time to each. Returns the sorted statuses."""
    def one(number):
        return search(all_of[number % len(all_of)], user).status

    with concurrent.futures.ThreadPoolExecutor(4 * len(all_of)) as clients:
        return sorted(clients.map(one, range(requests)))


def order(of, key, item="tea"):
    with of.connect() as client:
        return client.post("/orders", item.encode(), fields=[f"Idempotency-Key: {key}"])


def report(of):
    """Makes a process write a report while it holds a lock."""
    with of.connect() as client:
        return client.post("/reports", b"")


def say(member, text):
    member.send(sockets.frame(sockets.FINAL | sockets.TEXT, text))


def heard_until(member, *wanted):
    """Returns the messages that a member receives, up to the last of the wanted messages."""
    found = []
    while not set(wanted) <= set(found):
        found.append(member.frame()[1])
    return found


def reaches(one, other):
    """Returns whether a member's message reaches a member of another process within 0.3 s."""
    text = b"probe %d" % time.monotonic_ns()
    say(one, text)
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        if (other.unread or select.select([other.socket], [], [], 0.05)[0]) and other.frame()[1] == text:
            return True
    return False


def each_hears_each_once(members, name):
    """Sends a message from each member, then one from a member of each process. Checks that each member receives each
    message once."""
    said = [b"%s %d" % (name, number) for number in range(len(members))]
    ends = [b"end of %s %d" % (name, number) for number in range(3)]
    for member, text in zip(members, said):
        say(member, text)
    heard = [heard_until(member, *said) for member in members]
    for member, text in zip(members, ends):
        say(member, text)
    for member, found in zip(members, heard):
        found += heard_until(member, *ends)
        equal([found.count(text) for text in said], len(said) * [1], f"{found}")
