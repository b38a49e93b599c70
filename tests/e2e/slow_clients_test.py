#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that hold a connection without using it are cut off within 30 s by the default limits."""

import time

import h1_exchange
import wire
from cases import case, check, equal, main
from conformance_test import CASES
from h1_grading import PASS, grade
from server import Server

LONGEST = 30  # seconds

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"


def cut_after(backend, first, drip=b"", answers=()):
    """Sends `first`, then `drip` once a second: seconds until the end, after answers of these statuses."""
    with Server(backend, program="conformance") as server, server.connect() as client:
        began = time.monotonic()
        client.send(first)
        got = []
        client.socket.settimeout(1)
        while time.monotonic() - began < LONGEST + 10:
            try:
                got.append(client.answer().status)
            except TimeoutError:
                if drip:
                    client.send(drip)
            except (wire.Closed, ConnectionError):
                equal(got, list(answers), "answers before the end")
                seconds = time.monotonic() - began
                check(seconds <= LONGEST, f"cut only after {seconds:.1f} s")
                return
        check(False, "never cut")


@case
def one_that_says_nothing(backend):
    cut_after(backend, b"")


@case
def half_a_request_line(backend):
    cut_after(backend, b"GET / HT", answers=[408])


@case
def half_a_head(backend):
    cut_after(backend, HEAD, answers=[408])


@case
def a_field_a_second(backend):
    cut_after(backend, HEAD, drip=b"X-Drip: 1\r\n", answers=[408])


@case
def a_byte_a_second_of_a_head(backend):
    cut_after(backend, HEAD + b"X-Drip: ", drip=b"x", answers=[408])


@case
def half_a_body(backend):
    cut_after(backend, BODY + b"half", answers=[408])


@case
def a_byte_a_second_of_a_body(backend):
    cut_after(backend, BODY, drip=b"x", answers=[408])


@case
def silence_after_an_answer(backend):
    cut_after(backend, wire.request("/"), answers=[200])


@case
def slow_cases_of_the_file(backend):
    for slow in (c for c in CASES if c.get("slow")):
        with Server(backend, program="conformance") as server:
            exchange = h1_exchange.Exchange(("127.0.0.1", server.port), slow)
            exchange.play_slowly(LONGEST)
            verdict, reason = grade(exchange)
            exchange.close()
            equal((verdict, reason), (PASS, None), slow["id"])


if __name__ == "__main__":
    main(at_once=18)
