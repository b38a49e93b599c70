# SPDX-License-Identifier: Apache-2.0
"""Opens connections of one kind, receives one response on each, prints their number, and keeps them open.

    idle_connections.py tls|h2|h2c|websocket PORT COUNT

Prints {"open": N} as `load --idle` does, and exits when standard input ends.
"""
import json
import resource
import socket
import ssl
import struct
import sys

import wire

SETTINGS, RST_STREAM, GOAWAY = 4, 3, 7
DATA, HEADERS = 0, 1
END_STREAM = ACK = 1


def connect(port, alpn=None):
    plain = socket.create_connection(("127.0.0.1", port), wire.SECONDS)
    if alpn is None:
        return plain
    context = contexts.setdefault(alpn, ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([alpn])
    return context.wrap_socket(plain)


contexts = {}


def exactly(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise wire.WrongAnswer("the connection ended")
        data += piece
    return data


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def http2(connection, scheme):
    """Sends GET /bench as the first stream, with fields from the static table (RFC 7541, appendix A)."""
    fields = bytes([0x82, 0x86 if scheme == "http" else 0x87, 0x04, 6]) + b"/bench" + bytes([0x01, 9]) + b"localhost"
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0) + frame(HEADERS, 5, 1, fields))
    while True:
        head = exactly(connection, 9)
        exactly(connection, int.from_bytes(head[:3], "big"))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        if kind == SETTINGS and not flags:
            connection.sendall(frame(SETTINGS, ACK, 0))
        if stream == 1 and kind in (HEADERS, DATA) and flags & END_STREAM:
            return
        if kind in (RST_STREAM, GOAWAY):
            raise wire.WrongAnswer("the server reset the stream")


def http1(connection):
    connection.sendall(wire.request("GET", "/bench"))
    seen = b""
    while not seen.endswith(b"Hello, World!"):
        seen += exactly(connection, 1)


def websocket(port):
    connection = wire.Connection(port)
    connection.upgrade("/ws")
    connection.send_message(b"spin")
    connection.message()
    return connection.socket


def open_one(kind, port):
    if kind == "websocket":
        return websocket(port)
    connection = connect(port, {"tls": "http/1.1", "h2": "h2", "h2c": None}[kind])
    if kind == "tls":
        http1(connection)
    else:
        http2(connection, "http" if kind == "h2c" else "https")
    return connection


def main(kind, port, count):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = []
    try:
        while len(held) < count:
            held.append(open_one(kind, port))
    except (OSError, wire.WrongAnswer) as error:
        print(f"after {len(held)} connections: {error}", file=sys.stderr)
    print(json.dumps({"open": len(held)}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
