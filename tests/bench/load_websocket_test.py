#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `load` as a WebSocket client."""

import base64
import hashlib
import threading

from answering import OK, Case, always, heads, main


def frames(peer, data):
    """Yields the payloads of received frames, which must be short."""
    while True:
        while len(data) < 2 or len(data) < 6 + (data[1] & 0x7f):
            more = peer.recv(65536)
            if not more:
                return
            data += more
        size = data[1] & 0x7f
        yield bytes(byte ^ data[2 + at % 4] for at, byte in enumerate(data[6:6 + size]))
        data = data[6 + size:]


def shake_hands(peer):
    head = next(heads(peer)).decode()
    key = next(line.split(": ")[1] for line in head.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
    peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                 b"Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")


class WebSockets(Case):
    def test_echo(self):
        seen = set()

        def talk(peer, _):
            shake_hands(peer)
            for number, payload in enumerate(frames(peer, b"")):
                seen.add(payload)
                if payload == b"ping":  # a pong
                    continue
                if number % 3 == 1:  # sends the message in two frames, with a ping between them
                    peer.sendall(b"\x01\x0a" + payload[:10] + b"\x89\x04ping")
                    peer.sendall(b"\x80\x14" + payload[10:])
                else:
                    peer.sendall(b"\x81\x1e" + payload)

        self.fine(self.of(talk, "--websocket", "--message-bytes", 30, "--connections", 3))
        self.assertEqual(seen, {b"x" * 30, b"ping"})

    def test_a_long_message(self):
        size = 70_000

        def talk(peer, _):
            shake_hands(peer)
            left = 0
            while data := peer.recv(1 << 20):
                left += len(data)
                if left == size + 14:
                    left = 0
                    peer.sendall(b"\x81\x7f" + size.to_bytes(8, "big") + b"x" * size)

        self.fine(self.of(talk, "--websocket", "--message-bytes", size), least=3)

    def test_a_refused_handshake(self):
        self.assertEqual(list(self.of(always(OK), "--websocket", status=1)["error_kinds"]), ["status"])

    def test_broadcast(self):
        peers, sending = [], threading.Lock()

        def talk(peer, _):
            with sending:  # from the handshake on, this connection gets all messages
                shake_hands(peer)
                peers.append(peer)
            for payload in frames(peer, b""):
                with sending:
                    for each in peers:
                        each.sendall(b"\x81\x14" + payload)

        self.fine(self.of(talk, "--broadcast", "--connections", 6, seconds=1))  # two rounds, even on a busy machine


if __name__ == "__main__":
    main()
