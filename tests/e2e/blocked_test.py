#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests handlers that block or spin: the server still stops in time, other requests are served where possible, and the
log names the handlers."""

import json
import os
import pty
import resource
import signal
import socket
import struct
import subprocess
import time

import h2_wire as h2
from cases import SANITIZED, case, check, equal, main, unsanitized
from server import PROGRAMS, Server, sandbox, soon
from wire import request

BLOCKED, AGAIN = "the core is blocked", "the core is no longer blocked"


class BlockedServer(Server):
    def __init__(self, backend, *arguments, **options):
        super().__init__(backend, *arguments, program="blocked", **{"log": "info,json", **options})
        self.passed_over = 0

    def records(self, message=None):
        lines = [json.loads(line) for line in self.errors()[self.passed_over:].splitlines() if line.startswith("{")]
        return [r for r in lines if message in (None, r["msg"])]

    def pass_over(self):
        """Skips the records so far."""
        self.passed_over = len(self.errors())

    def record(self, message):
        """Returns the only record with this message; waits for it if necessary."""
        check(soon(lambda: self.records(message)), f"no `{message}` in the log: {self.errors()}")
        equal(len(self.records(message)), 1, message)
        return self.records(message)[0]


def named(record):
    """Returns the fields of a record that identify the request."""
    return [record.get(key) for key in ("method", "target", "route")]


@case
def a_blocked_core_is_reported_once_and_when_it_runs_again(backend):
    with BlockedServer(backend) as server:
        for path in ("/block/700?a=1", "/block/late/700"):
            equal(server.get("/").status, 200)
            answer = server.get(path)
            check(soon(lambda: server.records(AGAIN)), f"the recovery is not logged: {server.errors()}")
            blocked, again = server.record(BLOCKED), server.record(AGAIN)
            route = path.split("700")[0] + "{ms}"
            equal(named(blocked), ["GET", path, route])
            equal(blocked["request_id"], answer.field("x-request-id"))
            check(250 <= blocked["ms"] < 700, f"reported after {blocked['ms']} ms")
            function = " < (anonymous namespace)::block[abi:cxx11](unsigned int) < "
            check(function in blocked["stack"], f"the stack: {blocked['stack']}")
            equal([again["route"], again["core"]], [route, 0])
            check(690 <= again["ms"] < 2000, f"it took {again['ms']} ms")
            server.pass_over()


@case
def waiting_is_not_blocking(backend):
    with BlockedServer(backend) as server:
        server.get("/wait/600")
        equal(server.records(BLOCKED), [])


@case
def the_access_log_counts_the_wait_for_a_blocked_core(backend):
    with BlockedServer(backend, "--access-log") as server, server.connect() as client, server.connect() as other:
        equal(client.get("/").status, 200)
        client.send(request("/block/900"))
        time.sleep(0.3)
        other.send(request("/"))
        equal(other.answer().status, 200)
        equal(client.answer().status, 200)
        check(soon(lambda: len(server.records("request")) == 3), "not logged")
        first, blocking, waited = server.records("request")
        check(first["us"] < 200_000, f"{first['us']} us for a request that did not wait")
        check(850_000 < blocking["us"], f"{blocking['us']} us for 900 ms of work")
        check(400_000 < waited["us"] < 890_000, f"{waited['us']} us for a wait of 600 ms")
        check(all(len(r["request_id"]) == 32 for r in (first, blocking, waited)), "without request id")


@case
def records_of_failures_name_the_request(backend):
    with BlockedServer(backend) as server:
        for path, message, key, text in (("/throws?a=b", "a handler threw", "what", "thrown at once"),
                                         ("/throws/late", "a handler threw", "what", "thrown late"),
                                         ("/fails", "request failed", "reason", "the disk is full")):
            answer = server.get(path)
            equal(answer.status, 500)
            record = server.record(message)
            equal([*named(record), record[key], record["request_id"]],
                  ["GET", path, path.split("?")[0], text, answer.field("x-request-id")])
            server.pass_over()


@case
def streams_that_break_off_are_logged_with_their_request(backend):
    broken = (("/stream/at%20once", "a handler threw", "what", "a stream threw at once"),
              ("/stream/throws", "a handler threw", "what", "a stream threw late"),
              ("/stream/fails", "request failed", "reason", "a stream failed"))
    with BlockedServer(backend) as server:
        for path, message, key, text in broken:
            for ask in (request(path), h2.begin() + h2.head(1, path)):
                with server.connect() as client:
                    client.send(ask)
                    record = server.record(message)
                equal([*named(record), record[key], len(record["request_id"])],
                      ["GET", path, "/stream/{how}", text, 32])
                server.pass_over()
        with server.connect() as client:
            client.send(request("/stream/refuses"))
            client.rest()
        equal(server.records(), [], "records of an error below 500")


def stopped_although_blocked(backend, path, drain, signals, status, **options):
    """Stops a server while a handler blocks. Returns its log, and the seconds until it ended."""
    with BlockedServer(backend, "--drain", str(drain), **options) as server, server.connect() as client:
        client.send(request(path))
        time.sleep(0.3)
        began = time.monotonic()
        for number in signals:
            server.signal(number)
            time.sleep(0.5)  # a signal that is pending absorbs another one of its number
        equal(server.wait(), status, "exit status")
        took = time.monotonic() - began
        equal(server.records()[-1]["msg"], "the process ends without running destructors")
        return server.records(), took


@case
def the_drain_deadline_ends_a_server_whose_handler_blocks(backend):
    for path, route in (("/block/60000", "/block/{ms}"), ("/endless", "/endless")):
        records, took = stopped_although_blocked(backend, path, 1, [signal.SIGTERM], 4)
        check(1.9 < took < 6, f"it took {took:.1f} s")
        record, = [r for r in records if r["msg"] == "the core has not returned"]
        equal([*named(record), record["core"]], ["GET", path, route, 0])
        equal(len(record["request_id"]), 32)


@case
def a_second_signal_ends_a_server_whose_handler_blocks(backend):
    for number in (signal.SIGTERM, signal.SIGINT):
        _, took = stopped_although_blocked(backend, "/endless", 60, [signal.SIGTERM, number], 128 + number)
        check(took < 5, f"it took {took:.1f} s")
    _, took = stopped_although_blocked(backend, "/endless", 60, [signal.SIGTERM] * 3, 128 + signal.SIGTERM)
    check(took < 3, f"a third signal: it took {took:.1f} s")


@case
def blocking_work_does_not_outlast_the_drain_deadline(backend):
    records, took = stopped_although_blocked(backend, "/blocking/60000", 1, [signal.SIGTERM], 4)
    check(took < 6, f"it took {took:.1f} s")
    equal(records[-1]["reason"], "blocking calls have not returned")


@case
def a_server_stops_while_its_app_is_never_made(backend):
    for more, status in ([], 4), ([signal.SIGINT], 128 + signal.SIGINT):
        process = subprocess.Popen([PROGRAMS["blocked"], *sandbox(), "--port", "0", "--cores", "1", "--drain", "1"],
                                   env=dict(os.environ, APUS_IO=backend, TEST_NEVER_MADE="1"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(0.3)
        for number in [signal.SIGTERM, *more]:
            process.send_signal(number)
            time.sleep(0.1)
        _, errors = process.communicate(timeout=10)
        equal(process.returncode, status, f"exit status, with {errors}")


@case
def tasks_that_spin_hold_up_no_other_request(backend):
    with BlockedServer(backend) as server, server.connect() as client:
        for count, how in enumerate(("sleep", "negative", "yield")):
            with server.connect() as spinning:
                spinning.send(request(f"/spin/{how}"))
                waits = []
                for _ in range(200):
                    began = time.monotonic()
                    equal(client.get("/").status, 200)
                    waits.append(time.monotonic() - began)
                # the client resets the connection
                spinning.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                check(sorted(waits)[197] < (2 if SANITIZED else 0.2),
                      f"{how}: another client waits for {sorted(waits)[197] * 1000:.0f} ms")
            check(soon(lambda: int(client.get("/cancelled").body) == count + 1),
                  f"{how}: still spins after its client has disconnected")
        equal(server.records(BLOCKED), [])


@case
def tasks_that_spin_have_a_deadline(backend):
    with BlockedServer(backend, environment={"TEST_HANDLER_MS": "300"}) as server:
        for how in ("sleep", "yield"):
            equal(server.get(f"/spin/{how}").status, 503)
        equal(int(server.get("/cancelled").body), 2)
        check(soon(lambda: server.records("request failed")), "not logged")
        equal(named(server.records("request failed")[0]), ["GET", "/spin/sleep", "/spin/{how}"])


@unsanitized
@case
def a_crash_leaves_a_record_that_names_the_request(backend):
    crashes = {"segv": "SIGSEGV", "overflow": "SIGSEGV", "abort": "SIGABRT", "fpe": "SIGFPE", "ill": "SIGILL",
               "bus": "SIGBUS"}
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for how, name in crashes.items():
        with BlockedServer(backend) as server, server.connect() as client:
            equal(server.get("/").status, 200)
            client.send(request(f"/crash/{how}"))
            equal(server.wait(), -getattr(signal, name), "exit status")
            record = server.record("the process crashed")
            equal([*named(record), record["signal"], record["thread"], record["way"], len(record["request_id"])],
                  ["GET", f"/crash/{how}", "/crash/{how}", name, "core 0", how, 32])
            equal(server.records("serving")[0]["msg"], "serving")  # the records before the crash are complete too


@unsanitized
@case
def a_crash_of_a_blocking_call_leaves_a_record(backend):
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for how, number in (("segv", signal.SIGSEGV), ("overflow", signal.SIGSEGV), ("abort", signal.SIGABRT)):
        with BlockedServer(backend) as server, server.connect() as client:
            client.send(request(f"/crash/blocking/{how}"))
            equal(server.wait(), -number, "exit status")
            equal(server.record("the process crashed")["thread"], "apus-blocking")


@case
def hang_ups_without_certificates_change_nothing(backend):
    with BlockedServer(backend) as server:
        server.signal(signal.SIGHUP)
        server.record("SIGHUP has no effect: there are no certificates to reload")
        equal(server.get("/").status, 200)


@case
def the_end_of_its_terminal_stops_a_server(backend):
    outer, inner = pty.openpty()

    def take_terminal():
        os.setsid()
        # The first terminal that a session leader opens becomes its controlling terminal.
        os.close(os.open(os.ttyname(inner), os.O_RDWR))

    reader, writer = os.pipe()
    process = subprocess.Popen([PROGRAMS["blocked"], *sandbox(), "--port", "0", "--cores", "1"], stdin=inner,
                               stdout=writer, stderr=inner,
                               env=dict(os.environ, APUS_IO=backend), preexec_fn=take_terminal)
    os.close(writer)
    os.close(inner)
    check(os.read(reader, 100).startswith(b"listening on"), "not started")
    os.close(outer)
    equal(process.wait(10), 0, "exit status")
    os.close(reader)


@case
def a_server_whose_output_has_gone_serves(backend):
    reader, writer = os.pipe()
    os.close(reader)
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen([PROGRAMS["blocked"], *sandbox(), "--port", "0", "--cores", "1"], stdout=writer,
                                   stderr=nothing, env=dict(os.environ, APUS_IO=backend))
    os.close(writer)
    time.sleep(0.7)
    equal(process.poll(), None, "exit status")
    process.terminate()
    equal(process.wait(10), 0, "exit status")


@unsanitized  # UBSan's check of object types needs a descriptor, and reports a wrong type if none is free
@case
def lack_of_descriptors_is_told_once_and_when_it_is_over(backend):
    with BlockedServer(backend, log="warn,json", descriptors=30) as server:
        clients = [server.connect() for _ in range(60)]
        failed = server.record("accept failed; retrying every 100 ms")
        equal(failed["reason"], "Too many open files")
        time.sleep(0.5)
        equal(len(server.records()), 1, "records")
        for client in clients:
            client.socket.close()
        # Accepting works as soon as a descriptor is free, even if the log could not be written.
        equal(server.get("/").status, 200)
        over = server.record("accept works again")
        check(over["failures"] > 1, "it did not try again")


if __name__ == "__main__":
    main()
