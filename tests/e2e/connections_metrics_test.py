#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests metrics of connections: their states, the bytes that they receive and send, and the run
queues of cores."""

import contextlib
import socket
import ssl
import threading

import h2_wire
from administration import LOOPBACK, running, scrape
from cases import case, check, equal, main
from server import soon
from tls_wire import NEW, OLD, SecureServer, is_greeted
from wire import request

UPGRADE = ["Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]


def states(server):
    """Returns the open connections by protocol and state, without numbers that are 0."""
    found = scrape(server).series("apus_connections")
    return {tuple(value for _, value in labels): count for labels, count in found.items() if count}


def until(server, wanted):
    check(soon(lambda: states(server) == wanted), f"{states(server)}, wanted {wanted}")


@case
def connections_have_a_protocol_and_a_state(backend):
    with running(backend, "--cores", "2") as server, contextlib.ExitStack() as clients:
        until(server, {})
        first, second, third = (clients.enter_context(server.connect()) for _ in range(3))
        until(server, {("http1", "idle"): 3})
        first.send(request("/sleep/60000"))
        until(server, {("http1", "idle"): 2, ("http1", "active"): 1})
        second.send(request("/socket", fields=UPGRADE))
        equal(second.answer().status, 101)
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2})
        third.send(request("/items/1") * 3)  # pipelined
        equal([third.answer().status for _ in range(3)], [200] * 3)
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2})
        fourth, fifth = (clients.enter_context(server.connect()) for _ in range(2))
        for each in (fourth, fifth):
            each.send(h2_wire.begin())
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "idle"): 2})
        fourth.send(h2_wire.head(1, "/sleep/60000") + h2_wire.head(3, "/sleep/60000") + h2_wire.head(5, "/items/1"))
        fifth.send(h2_wire.head(1, "/items/1") + h2_wire.head(3, "/nothing") + h2_wire.head(5, "bad"))
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "active"): 1, ("http2", "idle"): 1})
        fourth.send(b"".join(h2_wire.frame(h2_wire.RST_STREAM, 0, n, b"\0\0\0\x08") for n in (1, 3)))
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "idle"): 2})
        fifth.send(h2_wire.head(7, "/sleep/60000"))
        until(server, {("http1", "idle"): 1, ("http1", "active"): 2, ("http2", "idle"): 1, ("http2", "active"): 1})
        for each in (first, second, third, fourth, fifth):
            each.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # resets on close
            each.socket.close()
        until(server, {})


@case
def a_handshake_is_a_state(backend):
    with SecureServer(backend, admin=LOOPBACK) as server:
        with contextlib.closing(socket.create_connection(("127.0.0.1", server.port))), server.connect() as client:
            until(server, {("unknown", "handshake"): 1, ("http1", "idle"): 1})
            equal(client.get("/").status > 0, True)
            until(server, {("unknown", "handshake"): 1, ("http1", "idle"): 1})
        until(server, {})


def traffic(server, protocol="http1"):
    """Returns the bytes received and sent."""
    document = scrape(server)
    return tuple(int(document.value(f"apus_{way}_bytes_total", protocol=protocol)) for way in ("received", "sent"))


def settled(server, wanted, protocol="http1"):
    check(soon(lambda: traffic(server, protocol) == wanted), f"{traffic(server, protocol)}, wanted {wanted}")


@case
def bytes_of_sockets_are_counted(backend):
    with running(backend, "--cores", "2") as server:
        equal(traffic(server), (0, 0))
        sent = received = 0
        for size in (10, 100_000, 900_000):
            with server.connect() as client:
                message = request("/echo", "POST", body=b"x" * size)
                client.send(message)
                answer = client.answer()
                equal(len(answer.body), size)
                sent, received = sent + len(message), received + size
                before = traffic(server)
                head = before[1] - received  # heads of all responses until now
                check(0 < head < 3000, f"{before}, {received} bytes of bodies")
                equal(before[0], sent)
        before = traffic(server)
        # The server closes the connection after this response, and sends its last bytes with the FIN.
        with server.connect() as client:
            message = request("/items/1", fields=["Connection: close"])
            client.send(message)
            answer = client.socket.makefile("rb").read()
        settled(server, (before[0] + len(message), before[1] + len(answer)))
        equal(traffic(server, "http2"), (0, 0))
        equal(traffic(server, "outbound"), (0, 0))


@case
def bytes_of_a_slow_client_are_counted_once(backend):
    """Sends that the kernel takes only in part are counted by the bytes that the client receives."""
    with running(backend) as server, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        first = request("/echo", "POST", body=b"x" * 900_000)
        message = first * 4 + request("/echo", "POST", body=b"x" * 900_000, fields=["Connection: close"])
        sender = threading.Thread(target=client.sendall, args=(message,))
        sender.start()
        answer = client.makefile("rb").read()
        sender.join()
        check(len(answer) > 4_500_000, len(answer))
        settled(server, (len(message), len(answer)))


@case
def bytes_of_http2_and_tls_are_counted(backend):
    with running(backend) as server, server.connect() as client:
        client.send(h2_wire.begin())
        head = h2_wire.head(1, "/items/1")
        client.send(head)
        check(soon(lambda: traffic(server, "http2")[1] > 0), "nothing is sent")
        client.send(h2_wire.frame(h2_wire.PING, 0, 0, b"12345678") * 10)
        check(soon(lambda: traffic(server, "http2")[0] == len(h2_wire.begin() + head) + 170), traffic(server, "http2"))
        check(soon(lambda: traffic(server, "http2")[1] >= 170), traffic(server, "http2"))
    with SecureServer(backend, admin=LOOPBACK) as server:
        with server.connect() as client:
            client.get("/")
            received, sent = traffic(server)
            check(received > 300 and sent > 800, f"{received} and {sent} bytes of a handshake and a request")


class Counted:
    """A client that sends pieces one by one, and counts its bytes on the network until the server closes."""

    def __init__(self, port, context=None, header=()):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent = self.received = 0
        for piece in header:
            self._send(piece)
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context and context.wrap_bio(self._in, self._out, server_hostname="localhost")
        while self.tls and not is_greeted(self.tls):
            self._flush()
            self._in.write(self._read())
        self._flush()

    def _flush(self):
        self._send(self._out.read())

    def _read(self):
        data = self.socket.recv(1 << 18)
        self.received += len(data)
        return data

    def _send(self, data):
        self.socket.sendall(data)
        self.sent += len(data)

    def exchange(self, *pieces):
        """Returns the bytes that the server receives and sends."""
        with self.socket:
            for piece in pieces:
                if self.tls:
                    self.tls.write(piece)
                    self._flush()
                else:
                    self._send(piece)
            self.socket.shutdown(socket.SHUT_WR)
            while self._read():
                pass
        return self.sent, self.received


PROTOCOLS = ("http1", "http2", "unknown")
H2 = h2_wire.begin() + h2_wire.head(1, "/items/1")
H1 = request("/items/1", fields=["Connection: close"])


@case
def bytes_before_the_protocol_is_known_belong_to_it(backend):
    rows = [
        ("http2", [H2]), ("http2", [H2[:3], H2[3:]]), ("http2", [H2[:20], H2[20:]]), ("http2", [H2[:24], H2[24:]]),
        ("http2", [H2[i:i + 1] for i in range(len(H2))]),
        ("http1", [H1]), ("http1", [H1[i:i + 1] for i in range(len(H1))]),
        ("http1", [b"POST /" + b"x" * 20]),  # a truncated head
        ("http1", [b"PRI * HTTP/1.1\r\n\r\n"]),
        ("http2", [h2_wire.PREFACE[:20]]),  # truncated after the line by which the server recognizes HTTP/2
        ("unknown", [h2_wire.PREFACE[:10]]), ("unknown", [b"P"]),
    ]
    totals = {each: (0, 0) for each in PROTOCOLS}
    with running(backend) as server:
        port = int(server.urls[0].rsplit(":", 1)[1])
        for protocol, pieces in rows:
            received, sent = Counted(port).exchange(*pieces)
            totals[protocol] = totals[protocol][0] + received, totals[protocol][1] + sent
            for each, wanted in totals.items():
                settled(server, wanted, each)
        Counted(port).exchange()
        with server.connect() as client:
            client.send(h2_wire.PREFACE[:10])
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # resets on close
        before = totals["unknown"]
        check(soon(lambda: traffic(server, "unknown")[0] in (before[0], before[0] + 10)), "a reset")
        equal([traffic(server, each) for each in ("http1", "http2")], [totals["http1"], totals["http2"]])


@case
def bytes_of_tls_handshakes_belong_to_the_protocol(backend):
    rows = [
        ("http2", ["h2"], [H2]), ("http2", ["h2"], [H2[:3], H2[3:]]), ("http2", ["h2", "http/1.1"], [b""]),
        ("http1", ["http/1.1"], [H1]), ("http1", ["http/1.1"], []), ("http1", [], [H1]),
        ("http2", [], [H2[:3], H2[3:]]), ("http2", [], [H2]),
        ("unknown", [], [h2_wire.PREFACE[:10]]),
    ]
    totals = {each: (0, 0) for each in PROTOCOLS}
    with SecureServer(backend, admin=LOOPBACK) as server:
        for newest in (OLD, NEW):
            for protocol, offered, pieces in rows:
                context = server.trusting(newest=newest)
                context.set_alpn_protocols(offered)
                received, sent = Counted(server.port, context).exchange(*pieces)
                totals[protocol] = totals[protocol][0] + received, totals[protocol][1] + sent
                for each, wanted in totals.items():
                    settled(server, wanted, each)
        hello = b"\x16\3\1\2\0\1\0\1\xfc\3\3" + bytes(20)  # truncated
        received, sent = Counted(server.port).exchange(hello)
        settled(server, (totals["unknown"][0] + received, totals["unknown"][1] + sent), "unknown")


@case
def a_proxy_header_belongs_to_the_protocol(backend):
    header = b"PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n"
    rows = [
        ("http2", [header[:9], header[9:]], [H2]), ("http2", [header], [H2[:3], H2[3:]]), ("http1", [header], [H1]),
        ("unknown", [header], [b"P"]),
    ]
    options = ["--listen-proxied", "http://127.0.0.1:0", "--listen-proxied", "https://127.0.0.1:0", "--proxy",
               "127.0.0.1"]
    totals = {each: (0, 0) for each in PROTOCOLS}
    with SecureServer(backend, *options, admin=LOOPBACK) as server:
        proxied = [server._url() for _ in range(2)]  # pylint: disable=protected-access
        ports = {of.partition(":")[0]: int(of.rsplit(":", 1)[1]) for of in proxied}
        context = server.trusting()
        context.set_alpn_protocols([])
        for scheme in ("http", "https"):
            for protocol, pieces_of_header, pieces in rows:
                client = Counted(ports[scheme], context if scheme == "https" else None, pieces_of_header)
                received, sent = client.exchange(*pieces)
                totals[protocol] = totals[protocol][0] + received, totals[protocol][1] + sent
                for each, wanted in totals.items():
                    settled(server, wanted, each)
        received, sent = Counted(ports["http"], None, [b"GET / HTTP/1.1\r\n"]).exchange()
        settled(server, (totals["unknown"][0] + received, totals["unknown"][1] + sent), "unknown")


@case
def tasks_that_wait_for_a_blocked_core_are_counted(backend):
    with running(backend, "--cores", "2") as server, server.connect() as client:
        def queues():
            return sorted(scrape(server).series("apus_core_run_queue").values())
        check(soon(lambda: queues() == [0, 0]), f"{queues()}")  # the core that answers a scrape may have posted tasks
        client.send(request("/queue/50/3000", "POST", body=b""))
        check(soon(lambda: (now := queues())[0] == 0 and now[1] >= 49), f"{queues()}")
        equal(client.answer().status, 200)
        check(soon(lambda: queues() == [0, 0]), f"{queues()}")


if __name__ == "__main__":
    main()
