#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that each log record names the request whose handler wrote it, wherever the handler's code runs."""

import contextlib
import json
import socket
import ssl
import struct

import cases
import h2_wire
import server
import wire
from cases import case, check, equal
from server import Server, soon
from tls_wire import SecureWire

server.PROGRAMS["logging"] = server.BUILD / "tests/logging_server"
COUNT = 20


class LoggingServer(Server):
    def __init__(self, backend):
        super().__init__(backend, program="logging", log="info,json", listen=["http://127.0.0.1:0",
                                                                              "https://127.0.0.1:0"])
        self.clear, self.tls = (int(url.rsplit(":", 1)[1]) for url in self.urls)

    def open(self, secure, protocol):
        if not secure:
            return wire.Wire(("127.0.0.1", self.clear))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols([protocol])
        return SecureWire(("127.0.0.1", self.tls), context, "localhost")

    def ask_at_once(self, kind, secure, http2, body=None):
        """Sends COUNT concurrent requests, each with its own tenant."""
        paths = [f"/{kind}/{n}" for n in range(COUNT)]
        method = "GET" if body is None else "POST"
        with contextlib.ExitStack() as stack:
            if http2:
                client = stack.enter_context(self.open(secure, "h2"))
                client.send(h2_wire.begin())
                for n, path in enumerate(paths):
                    client.send(h2_wire.head(2 * n + 1, path, method, body is None, [("x-tenant", f"t{n}")]))
                for n in range(COUNT if body else 0):
                    client.send(h2_wire.frame(h2_wire.DATA, h2_wire.END_STREAM, 2 * n + 1, body))
                reader = h2_wire.Reader()
                while len(reader.ended) < COUNT:
                    reader.take(client.socket.recv(1 << 16))
            else:
                clients = [stack.enter_context(self.open(secure, "http/1.1")) for _ in paths]
                for n, (client, path) in enumerate(zip(clients, paths)):
                    asked = wire.request(path, method, [f"X-Tenant: t{n}"], body)
                    client.send(asked[:len(asked) - len(body or b"")])
                for client in clients:
                    client.send(body or b"")
                for client in clients:
                    client.answer()

    def records(self):
        return [r for line in self.errors().split("\n")[:-1] if line.startswith("{")
                and "route" in (r := json.loads(line))]


def by_request(records):
    """Returns the records of each request; no record may belong to two requests."""
    of = {}
    for record in records:
        of.setdefault(record["request_id"], []).append(record)
    return of


def each_is_named(backend, kind, messages, body=None):
    with LoggingServer(backend) as of:
        for secure in (False, True):
            for http2 in (False, True):
                before = len(of.records())
                of.ask_at_once(kind, secure, http2, body)
                wanted = before + COUNT * len(messages)
                check(soon(lambda: len(of.records()) >= wanted),
                      f"{len(of.records())} records of {wanted}: {of.errors()[-2000:]}")
                found = by_request(of.records()[before:])
                equal(len(found), COUNT, f"requests, http2={http2}, secure={secure}")
                tenants = set()
                for records in found.values():
                    if kind == "thread":  # records of several threads may be written in any order
                        records.sort(key=lambda r: messages.index(r["msg"]))
                    equal([r["msg"] for r in records], messages)
                    equal({(r["method"], r["route"]) for r in records},
                          {("GET" if body is None else "POST", f"/{kind}/{{id}}")})
                    tenant, = {r["tenant"] for r in records}
                    equal({f"t{r['id']}" for r in records if "id" in r} | {tenant}, {tenant})
                    equal(records[-1]["target"], f"/{kind}/{tenant[1:]}")
                    tenants.add(tenant)
                    if kind == "late":
                        equal([r.get("step") for r in records], [None, None, 1, 2, 2, 2])
                    if kind == "thread":
                        equal([r.get("step") for r in records], [None, None, 1, 1, 1])
                        equal([r["thread"] == "apus-blocking" for r in records], [False, True, True, False, False])
                equal(len(tenants), COUNT)


@case
def a_handler_that_waits(backend):
    each_is_named(backend, "late", ["outside", "before", "deeper", "behind", "outside again", "request"])


@case
def a_handler_that_receives(backend):
    each_is_named(backend, "receive", ["outside", "received", "outside again", "request"], b"x" * 100)


@case
def a_producer(backend):
    each_is_named(backend, "stream", ["outside", "outside again", "streams", "streamed", "request"])


@case
def a_handler_that_throws(backend):
    each_is_named(backend, "throws", ["outside", "a handler threw", "outside again", "request"])


@case
def calls_on_other_threads(backend):
    each_is_named(backend, "thread", ["outside", "on a thread", "on a thread again", "outside again", "request"])


def record_after_cancellation(backend, kind, message):
    """Cancels a request by resetting its connection, and checks a record that is written afterwards."""
    with LoggingServer(backend) as of, of.open(False, "http/1.1") as client:
        client.send(wire.request(f"/{kind}/7", fields=["X-Tenant: t7"]))
        check(soon(lambda: any(r["msg"] == "waits" for r in of.records())), "no record")
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.socket.close()  # resets the connection
        for each in ("destroyed", message):
            check(soon(lambda: any(r["msg"] == each for r in of.records())), f"no record `{each}`: {of.errors()}")
            last = next(r for r in of.records() if r["msg"] == each)
            equal([last[key] for key in ("method", "route", "tenant", "id")], ["GET", f"/{kind}/{{id}}", "t7", 7])


@case
def a_handler_that_is_cancelled(backend):
    record_after_cancellation(backend, "long", "destroyed")


@case
def a_call_on_another_thread_that_outlives_its_request(backend):
    record_after_cancellation(backend, "outlived", "outlived")


@case
def what_a_client_sends_stays_inside_its_field(backend):
    with LoggingServer(backend) as of, of.open(False, "http/1.1") as client:
        said = 'a" tenant=b {"x":1} \\' + "x" * 1000
        client.get("/late/1", fields=["X-Tenant: " + said])
        check(soon(lambda: len(of.records()) == 6), of.errors())
        for record in of.records():
            equal(record["tenant"], said[:256] + "...")


if __name__ == "__main__":
    cases.main()
