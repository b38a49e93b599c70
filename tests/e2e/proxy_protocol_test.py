#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests client addresses from PROXY headers at the beginning of connections."""

import ipaddress
import ssl
import struct

import wire
from cases import case, check, equal, main
from server import Server, ended
from tls_wire import SecureServer

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
LINE = b"PROXY TCP4 192.0.2.7 198.51.100.2 5555 443\r\n"
PEER = wire.request("/peer")


def blocks(source, command=0x21, extensions=b""):
    """Returns a version 2 header."""
    address = ipaddress.ip_address(source)
    rest = address.packed + bytes(len(address.packed)) + struct.pack("!HH", 5555, 443) + extensions
    return SIGNATURE + bytes((command, 0x11 if address.version == 4 else 0x21)) + struct.pack("!H", len(rest)) + rest


class Proxied:
    """A server that also listens for proxies, and trusts this machine as one."""

    def __init__(self, backend, *arguments, trusted="127.0.0.1", made=Server, where="127.0.0.1:0", **options):
        self.server = made(backend, *arguments, "--listen-proxied", where, "--proxy", trusted, **options)
        self.port = int(self.server._url().rsplit(":", 1)[1])

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *why):
        self.server.__exit__(*why)

    def send(self, *pieces):
        """Returns a connection on which these bytes were sent piece by piece."""
        client = wire.Wire(("127.0.0.1", self.port))
        for piece in pieces:
            client.send(piece)
        return client

    def peer(self, *pieces):
        with self.send(*pieces) as client:
            return client.answer().body.decode().strip()

    def ends(self, *pieces):
        with self.send(*pieces) as client:
            return client.rest() == b"" if not pieces else client.ended()


@case
def the_client_is_who_the_header_names(backend):
    with Proxied(backend) as of:
        equal(of.peer(LINE + PEER), "192.0.2.7")
        equal(of.peer(LINE, PEER), "192.0.2.7")
        equal(of.peer(b"PROXY TCP6 2001:DB8:0::1 ::1 1 2\r\n" + PEER), "2001:db8::1")
        equal(of.peer(blocks("192.0.2.8") + PEER), "192.0.2.8")
        equal(of.peer(blocks("2001:db8::2", extensions=b"\1\0\2h2") + PEER), "2001:db8::2")
        equal(of.peer(blocks("::ffff:192.0.2.9") + PEER), "192.0.2.9")
        for header in (LINE, blocks("192.0.2.7", extensions=b"\4\3\xe8" + bytes(1000))):
            whole = header + PEER
            equal(of.peer(*(whole[i:i + 1] for i in range(len(whole)))), "192.0.2.7")
            equal(of.peer(header[:20], header[20:] + PEER[:5], PEER[5:]), "192.0.2.7")
        with of.send(LINE + PEER + wire.request("/echo", "POST", body=b"x" * 70_000) + PEER) as client:
            equal(client.answer().body, b"192.0.2.7\n")
            equal(len(client.answer().body), 70_000)
            equal(client.answer().body, b"192.0.2.7\n")
            equal(client.get("/peer").body, b"192.0.2.7\n")


@case
def http2_comes_behind_the_header(backend):
    fields = b"\x82\x86\x04\x05/peer\x01\x09localhost"
    said = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\4\0\0\0\0\0" + \
        struct.pack("!I", len(fields))[1:] + b"\1\5\0\0\0\1" + fields
    with Proxied(backend) as of:
        for pieces in ([LINE + said], [LINE, said], [LINE[:9], LINE[9:20], LINE[20:] + said],
                       [LINE[:9], LINE[9:20], LINE[20:] + said[:5], said[5:]]):
            with of.send(*pieces) as client:
                client.until(b"192.0.2.7\n")


@case
def a_proxy_that_speaks_for_itself_is_the_peer(backend):
    with Proxied(backend) as of:
        for header in (b"PROXY UNKNOWN\r\n", b"PROXY UNKNOWN 1.2.3.4\r\n", blocks("192.0.2.8", command=0x20)):
            equal(of.peer(header + PEER), "127.0.0.1")


@case
def what_is_no_header_ends_the_connection(backend):
    with Proxied(backend, limits="head=60000") as of:
        for hostile in (PEER, LINE.replace(b"TCP4", b"TCP5"), b"\r\n\r\n\0\r\nQUIT!", LINE.replace(b"\r\n", b"\n"),
                        b"PROXY UNKNOWN " + b"x" * 200,
                        SIGNATURE + b"\x21\x11\xff\xff", LINE.replace(b"192.0.2.7", b"192.0.2.777") + PEER,
                        b"\x16\3\1\0\xa5\1", blocks("192.0.2.8", 0x31)):
            check(of.ends(hostile), hostile)
        equal(of.peer(LINE + LINE + PEER).startswith('{"status":400'), True)  # a second header is an invalid request
        equal(of.peer(LINE + PEER), "192.0.2.7")


@case
def only_trusted_proxies_are_heard(backend):
    with Proxied(backend, trusted="10.0.0.0/8") as of:
        check(of.ends(), "a client that is not a trusted proxy was not disconnected")
        with of.server.connect() as client:  # on a port that expects no PROXY header, the header is an invalid request
            client.send(LINE + PEER)
            equal(client.answer().status, 400)
        equal(of.server.get("/peer").body, b"127.0.0.1\n")


@case
def a_network_that_is_none_stops_the_program(backend):
    status, _, errors = ended("limits", "--listen-proxied", "127.0.0.1:0", "--proxy", "10.0.0.1/8", APUS_IO=backend)
    equal(status, 1)
    check("`proxies`: \"10.0.0.1/8\" is not a network" in errors, errors)


@case
def a_header_comes_in_time_or_not_at_all(backend):
    with Proxied(backend, limits="head=300") as of:
        check(of.ends(LINE[:20]), "a connection with half a header stays open")
        check(of.ends(), "a connection without a header stays open")
        with of.send(LINE) as client:
            check(client.ended(), "a connection without a request stays open")


@case
def a_client_is_counted_by_its_own_address(backend):
    with Proxied(backend, limits="connections_per_address=1") as of:
        with of.send(LINE + PEER) as first:
            equal(first.answer().body, b"192.0.2.7\n")
            check(of.ends(LINE), "a second connection of one client is not closed")
            equal(of.peer(blocks("192.0.2.8") + PEER), "192.0.2.8")
        first.socket.close()


@case
def tls_comes_behind_the_header(backend):
    with Proxied(backend, made=SecureServer, where="https://127.0.0.1:0") as of:
        with of.send(LINE) as client:
            client.socket = of.server.trusting().wrap_socket(client.socket, server_hostname="localhost")
            equal(client.get("/peer").body, b"192.0.2.7\n")
            equal(client.get("/tls").body.split()[0], b"https")
        with of.send() as client:  # sends the header together with the beginning of the handshake
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            tls = of.server.trusting().wrap_bio(incoming, outgoing, server_hostname="localhost")
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                client.send(LINE + outgoing.read())
            while True:
                incoming.write(client.socket.recv(65536))
                try:
                    tls.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    pass
            tls.write(PEER)
            client.send(outgoing.read())
            answer = b""
            while b"192.0.2.7\n" not in answer:
                incoming.write(client.socket.recv(65536))
                try:
                    answer += tls.read(65536)
                except ssl.SSLWantReadError:
                    pass
        check(of.ends(b"\x16\3\1\0\xa5\1"), "a connection that begins with a TLS handshake is not closed")


@case
def who_has_not_said_yet_does_not_hold_up_the_end(backend):
    with Proxied(backend, "--drain", "60", limits="head=60000") as of, of.send(LINE[:9]) as client:
        equal(of.peer(LINE + PEER), "192.0.2.7")
        of.server.signal()
        equal(of.server.wait(), 0)
        check(client.ended(), "the connection is not closed")


if __name__ == "__main__":
    main()
