#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Server-sent events as a browser reads them: the stream, a lost connection, and a new one with Last-Event-ID."""

import subprocess

import server
from cases import case, check, equal, main
from server import Server

server.PROGRAMS.update({name: server.BUILD / "bin" / name for name in ("events", "dashboard")})


def read_events(port, count, last=""):
    """Returns the (event, id, data) of the next `count` events, then disconnects."""
    command = ["curl", "-sNi", "--max-time", str(server.PATIENCE), f"http://127.0.0.1:{port}/count"]
    if last:
        command += ["-H", f"Last-Event-ID: {last}"]
    found, fields, head = [], {}, []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        for line in client.stdout:
            if not line.strip():
                break
            head.append(line.strip().lower())
        for line in client.stdout:
            line = line.rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            if "data" in fields:
                found.append((fields.get("event"), fields.get("id"), fields["data"]))
            fields = {}
            if len(found) == count:
                break
        client.terminate()
    return head, found


@case
def a_client_that_connects_again_goes_on_where_it_was(backend):
    with Server(backend, "--drain", "5", program="events") as running:
        head, first = read_events(running.port, 3)
        check("content-type: text/event-stream" in head, head)
        check("cache-control: no-store" in head, head)
        equal(first, [("number", str(i), str(i)) for i in (1, 2, 3)])
        _, again = read_events(running.port, 3, last=first[-1][1])
        equal(again, [("number", str(i), str(i)) for i in (4, 5, 6)])


def watch(port, option):
    """Starts a client of the dashboard that disconnects by itself after a while."""
    return subprocess.Popen(["curl", "-sN", option, "--max-time", "4", f"http://127.0.0.1:{port}/load"],
                            stdout=subprocess.PIPE,
                            text=True)


@case
def every_browser_of_every_core_gets_each_value(backend):
    with Server(backend, "--cores", "3", "--drain", "5", program="dashboard") as running:
        clients = [watch(running.port, option) for option in ("--http1.1", "--http2-prior-knowledge") for _ in range(6)]
        for client in clients:
            ids = [int(line[4:]) for line in client.communicate()[0].splitlines() if line.startswith("id: ")]
            check(len(ids) > 3, ids)
            equal(ids, list(range(ids[0], ids[0] + len(ids))))  # no id is missing or repeated


@case
def browsers_of_the_dashboard_do_not_delay_the_stop(backend):
    with Server(backend, "--cores", "2", "--drain", "30", program="dashboard") as running:
        clients = [watch(running.port, option) for option in ("--http1.1", "--http2-prior-knowledge")]
        for client in clients:
            client.stdout.readline()
        equal(running.stop(), 0)
        for client in clients:
            client.communicate()
            equal(client.returncode, 0)  # the stream was ended properly


if __name__ == "__main__":
    main()
