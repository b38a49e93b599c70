#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a server that stops completes all requests in flight."""

import signal
import threading
import time

import wire
from cases import case, check, equal, main
from server import Server, soon
from wire import request

RUNS = 3  # runs of each load
CLIENTS = 8


class Load(threading.Thread):
    """Sends requests until the server has stopped. Counts the responses, and stores the first error."""

    def __init__(self, port, keeps_alive):
        super().__init__(daemon=True)
        self.port, self.keeps_alive = port, keeps_alive
        self.answers, self.failure, self.ends = 0, None, False

    def run(self):
        while not self.ends and self.failure is None:
            try:
                client = wire.Wire(("127.0.0.1", self.port))
            except ConnectionRefusedError:
                return  # the server no longer accepts connections
            except OSError as error:
                self.failure = f"connecting: {error!r}"
                return
            with client:
                self._ask(client)

    def _ask(self, client):
        while not self.ends:
            try:
                client.send(request("/sleep/2" if self.answers % 8 == 0 else "/"))
                answer = client.answer()
            except (wire.Closed, OSError) as error:
                self.failure = f"request {self.answers} of this client: {error!r}"
                return
            self.answers += 1
            if answer.status != 200:
                self.failure = f"status {answer.status}"
            if answer.closes or not self.keeps_alive:
                return


def stopped_under_load(backend, keeps_alive):
    for _ in range(RUNS):
        with Server(backend, "--drain", "10") as server:
            clients = [Load(server.port, keeps_alive) for _ in range(CLIENTS)]
            for client in clients:
                client.start()
            check(soon(lambda: sum(c.answers for c in clients) > 300), "no load")
            began = time.monotonic()
            equal(server.stop(), 0, "exit status")
            seconds = time.monotonic() - began
            for client in clients:
                client.ends = True
                client.join(10)
            equal([c.failure for c in clients if c.failure], [], f"of {sum(c.answers for c in clients)} requests")
            check(seconds < 10, f"the stop took {seconds:.1f} s")


@case
def stop_under_keep_alive_load(backend):
    stopped_under_load(backend, keeps_alive=True)


@case
def stop_under_load_of_a_connection_each(backend):
    stopped_under_load(backend, keeps_alive=False)


@case
def a_handler_in_flight_ends(backend):
    with Server(backend, "--drain", "20") as server, server.connect() as client, server.connect() as streaming:
        client.send(request("/sleep/2000"))
        streaming.send(request("/download/30000000"))
        streaming.head()
        time.sleep(0.1)
        server.signal()
        answer = client.answer()
        equal((answer.status, answer.body, answer.closes), (200, b"slept\n", True))
        check(client.ended(), "the connection stays open after the response")
        client.socket.close()
        check(streaming.rest().endswith(b"\r\n0\r\n\r\n"), "a download in flight was aborted")
        streaming.socket.close()
        equal(server.wait(), 0, "exit status")


@case
def a_body_on_its_way_is_taken(backend):
    with Server(backend, "--drain", "20") as server, server.connect() as client:
        client.send(request("/echo", "POST", ["Content-Length: 8"]) + b"half")
        time.sleep(0.1)
        server.signal()
        time.sleep(0.5)
        client.send(b"half")
        answer = client.answer()
        equal((answer.status, answer.body, answer.closes), (200, b"halfhalf", True))
        client.socket.close()
        equal(server.wait(), 0, "exit status")


@case
def a_handler_over_the_deadline_is_cut(backend):
    with Server(backend, "--drain", "1") as server, server.connect() as client:
        client.send(request("/sleep/20000"))
        time.sleep(0.1)
        began = time.monotonic()
        server.signal(signal.SIGINT)
        check(client.ended(), "the connection stays open")
        equal(server.wait(), 3, "exit status")
        check(0.9 < time.monotonic() - began < 6, f"it took {time.monotonic() - began:.1f} s")


@case
def a_second_signal_stops_at_once(backend):
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server(backend, "--drain", "30") as server, server.connect() as client:
            client.send(request("/sleep/20000"))
            time.sleep(0.1)
            server.signal()
            time.sleep(0.3)
            began = time.monotonic()
            server.signal(number)
            equal(server.wait(), 128 + number, "exit status")
            check(time.monotonic() - began < 5, "it took its time")


@case
def idle_connections_are_closed(backend):
    with Server(backend, "--drain", "20") as server:
        clients = [server.connect() for _ in range(20)]
        for client in clients[:15]:
            equal(client.get("/").status, 200)
        began = time.monotonic()
        server.signal()
        check(all(client.ended() for client in clients), "an idle connection stays open")
        equal(server.wait(), 0, "exit status")
        check(time.monotonic() - began < 5, "it took its time")
        for client in clients:
            client.socket.close()


@case
def a_socket_that_has_gone_does_not_delay_the_end(backend):
    for _ in range(3):
        with Server(backend, "--drain", "20") as server:
            with server.connect() as client:
                client.send(request("/sleep/50") * 20)
            began = time.monotonic()
            equal(server.stop(), 0, "exit status")
            check(time.monotonic() - began < 8, f"it took {time.monotonic() - began:.1f} s")


@case
def streams_of_events_do_not_hold_it_up(backend):
    with Server(backend, "--drain", "15") as server, server.connect() as client, server.connect() as reading:
        client.send(request("/events"))
        client.until(b"data: first\n\n\r\n")
        reading.send(request("/late/700"))
        reading.until(b"first\n")
        began = time.monotonic()
        server.signal()
        equal(client.rest(), b"0\r\n\r\n", "the end of the stream")
        check(reading.rest().endswith(b"last\n\r\n0\r\n\r\n"), "another stream is aborted")
        equal(server.wait(), 0, "the server's status")
        check(time.monotonic() - began < 8, "the server has waited for the stream of events")


if __name__ == "__main__":
    main()
