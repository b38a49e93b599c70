#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests clients that read as fast as they can, or request much and read nothing: other clients are served, and memory
stays small."""

import pathlib
import re
import selectors
import struct
import tempfile
import threading
import time

from cases import case, check, main, unsanitized
from server import Server, soon
from tls_wire import SecureServer
from wire import request

MIB = 1 << 20
LARGE, SECURE = 300 * MIB, 100 * MIB
ANSWERS = 10  # number of requests of other clients that must be answered while a client reads a large response
PEAK = 48 * MIB  # maximum growth of memory meanwhile

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, HEADERS, WINDOW_UPDATE = 4, 1, 8
WINDOW = 2**31 - 1


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def request2(path):
    """Returns the bytes of an HTTP/2 client that sends one GET and sets the largest windows."""
    def text(value):
        return bytes([len(value)]) + value.encode()
    head = b"\x82\x86\x04" + text(path) + b"\x01" + text("localhost")  # RFC 7541: GET, http, the path, the authority
    return (PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, WINDOW))
            + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", WINDOW - 65535))
            + frame(HEADERS, 5, 1, head))


ASKING = {"HTTP/1.1": request, "HTTP/2": request2}


def peak(server):
    """Returns the server's peak memory use in bytes."""
    return 1024 * int(re.search(r"^VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{server.process.pid}/status").read_text(),
                                re.M).group(1))


def read_all(clients, size):
    """Reads this many bytes from each client, as they arrive."""
    into, left = bytearray(MIB), {client.socket: size for client in clients}
    with selectors.DefaultSelector() as ready:
        for socket in left:
            ready.register(socket, selectors.EVENT_READ)
        while left:
            for key, _ in ready.select(20):
                got = key.fileobj.recv_into(into)
                left[key.fileobj] -= got
                if not got or left[key.fileobj] <= 0:
                    ready.unregister(key.fileobj)
                    del left[key.fileobj]
                if not got:
                    raise AssertionError("a response ended early")


def read_records(clients, size):
    """Reads like `read_all`, for TLS clients: a selector does not see decrypted bytes that are already buffered."""
    into = bytearray(MIB)
    while size > 0:
        got = clients[0].socket.recv_into(into)
        if not got:
            raise AssertionError("the response ended early")
        size -= got


def others_are_served(server, clients, asking, size, read=read_all):
    """Checks that other clients are served while each of these reads a response of this size."""
    server.get("/")
    with server.connect() as other:
        other.get("/")
        before, failed = peak(server), []

        def reading():
            try:
                for client in clients:
                    client.send(asking)
                read(clients, size)
            except Exception as error:  # the waiting thread reports the error
                failed.append(error)

        reader = threading.Thread(target=reading)
        reader.start()
        answers, longest = 0, 0
        while reader.is_alive():
            began = time.monotonic()
            other.get("/")
            answers, longest = answers + 1, max(longest, time.monotonic() - began)
        reader.join()
        for client in clients:
            client.socket.close()
        check(not failed, f"a reader failed: {failed}")
        check(answers >= ANSWERS, f"another client got {answers} answers meanwhile, and waited for {longest:.2f} s")
        grown = peak(server) - before
        check(grown < PEAK, f"its memory grew by {grown / MIB:.0f} MiB")


@unsanitized
@case
def one_client_that_reads_fast(backend):
    for asking in ASKING.values():
        with Server(backend) as server:
            others_are_served(server, [server.connect()], asking(f"/download/{LARGE}"), LARGE)


@unsanitized
@case
def one_client_that_reads_a_file(backend):
    with tempfile.TemporaryDirectory() as folder:
        with open(pathlib.Path(folder) / "large", "wb") as file:
            file.truncate(LARGE)
        for asking in ASKING.values():
            with Server(backend, environment={"TEST_FILES": folder}) as server:
                others_are_served(server, [server.connect()], asking("/files/large"), LARGE)


@unsanitized
@case
def one_client_that_reads_fast_over_tls(backend):
    for protocol, asking in ASKING.items():
        with SecureServer(backend) as server:
            context = server.trusting()
            context.set_alpn_protocols(["h2" if protocol == "HTTP/2" else "http/1.1"])
            with server.connect(context) as client:
                others_are_served(server, [client], asking(f"/download/{SECURE}"), SECURE, read_records)


@unsanitized
@case
def many_clients_that_read_fast(backend):
    for asking in ASKING.values():
        with Server(backend) as server:
            others_are_served(server, [server.connect() for _ in range(24)], asking(f"/download/{12 * MIB}"), 12 * MIB)


@unsanitized
@case
def many_clients_that_read_nothing(backend):
    for asking in ASKING.values():
        with Server(backend) as server, server.connect() as other:
            other.get("/")
            before, clients = peak(server), [server.connect() for _ in range(40)]
            for client in clients:
                client.send(asking("/download/500000000"))
            time.sleep(0.5)
            other.get("/")
            grown = peak(server) - before
            for client in clients:
                client.socket.close()
            check(grown < PEAK, f"its memory grew by {grown / MIB:.0f} MiB")
            check(soon(lambda: server.cancelled() == 40), "handlers continue without their clients")
            kept = server.resident() - before
            check(kept < PEAK / 2, f"the server keeps {kept / MIB:.0f} MiB")


if __name__ == "__main__":
    main(at_once=1)
