# SPDX-License-Identifier: Apache-2.0
"""Thousands of clients of the example `rooms` in one thread, which check the order of all messages."""
import os
import re
import select
import socket
import time

EVENT = re.compile(rb'(?:id: |"id":")(\d+-\d+)(?:\n|",")(?:data: |data":")m(\d{7})\.')
LONGEST = 80  # bytes; no match is longer
# First bytes of frames. The messages are ASCII and short, so their frames do not have these bytes.
CLOSE, PING = b"\x88", b"\x89"
GOING_AWAY = b"\x88\x82\0\0\0\0\x03\xe9"


def text_of(number):
    return f"m{number:07}."


class Member:
    """A client that has got the messages up to `last`."""

    def __init__(self, node, last, last_id):
        self.node, self.last, self.last_id = node, last, last_id
        self.socket, self.rest, self.accepted, self.closed_with = None, b"", False, None


class Crowd:
    """Clients of a room. `kind`: "events" or "websocket". `ports`: of the nodes; `node` of a member is an index."""

    def __init__(self, kind, ports, room="tea"):
        self.kind, self.ports, self.room = kind, ports, room
        self.members, self.by_descriptor = [], {}
        self.poll = select.epoll()
        self.delivered, self.lost, self.repeated, self.gaps, self.reconnected = 0, 0, 0, 0, 0

    def close(self):
        for each in self.members:
            if each.socket:
                each.socket.close()
        self.poll.close()

    def request(self, member):
        if self.kind == "events":
            last = f"Last-Event-ID: {member.last_id}\r\n" if member.last_id else ""
            return f"GET /rooms/{self.room}/events HTTP/1.1\r\nHost: a\r\n{last}\r\n".encode()
        return (f"GET /rooms/{self.room}/socket?after={member.last_id} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()

    def connect(self, member):
        """Connects to the node of the member, or to a later one."""
        for _ in self.ports:
            try:
                member.socket = socket.create_connection(("127.0.0.1", self.ports[member.node]), timeout=20)
                break
            except OSError:
                member.node = (member.node + 1) % len(self.ports)
        else:
            raise AssertionError("no node accepts connections")
        member.socket.sendall(self.request(member))
        member.socket.setblocking(False)
        member.rest, member.accepted = b"", False
        self.by_descriptor[member.socket.fileno()] = member
        self.poll.register(member.socket.fileno(), select.EPOLLIN)

    def join(self, count, last=-1, last_id=""):
        """Adds members to all nodes in equal shares, and waits until the nodes have accepted them."""
        for number in range(count):
            self.members.append(Member(number * len(self.ports) // count, last, last_id))
            self.connect(self.members[-1])
            if number % 100 == 99:
                self.turn(0)
        self.wait(lambda: all(each.accepted for each in self.members), "the clients are not connected")

    def leave(self, member):
        self.poll.unregister(member.socket.fileno())
        del self.by_descriptor[member.socket.fileno()]
        member.socket.close()

    def turn(self, timeout, reconnects=True):
        for descriptor, _ in self.poll.poll(timeout):
            member = self.by_descriptor[descriptor]
            try:
                piece = os.read(descriptor, 65536)
            except BlockingIOError:
                continue
            except ConnectionResetError:
                piece = b""
            if piece:
                self.receive(member, piece)
                if self.kind == "websocket" and PING in piece:
                    ping = piece[piece.index(PING):]
                    member.socket.sendall(bytes([0x8a, 0x80 + ping[1], 0, 0, 0, 0]) + ping[2:2 + ping[1]])  # a Pong
                if self.kind != "websocket" or CLOSE not in piece:
                    continue
                at = piece.index(CLOSE)
                member.closed_with = int.from_bytes(piece[at + 2:at + 4], "big")
                member.socket.sendall(GOING_AWAY)
            self.leave(member)
            if reconnects:
                self.reconnected += 1
                member.node = (member.node + 1) % len(self.ports)
                self.connect(member)

    def receive(self, member, piece):
        text = member.rest + piece
        if not member.accepted:
            if b"\r\n\r\n" not in text:
                member.rest = text
                return
            if not text.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 101 ")):
                raise AssertionError(f"refused: {text!r}")
            member.accepted = True
        end = 0
        for found in EVENT.finditer(text):
            number, end = int(found.group(2)), found.end()
            self.lost += max(number - member.last - 1, 0)
            self.repeated += number <= member.last
            self.delivered += number > member.last
            member.last, member.last_id = max(member.last, number), found.group(1).decode()
        self.gaps += text.count(b"reload", max(len(member.rest) - len("reload") + 1, 0))
        member.rest = text[max(end, len(text) - LONGEST):]

    def have_got(self, number):
        return all(each.last >= number for each in self.members)

    def wait(self, true, message, seconds=60, sleep=0.05):
        """With `sleep` 0, this process does not sleep, so that senders need no CPU time to wake it."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise AssertionError(message)
            self.turn(sleep)
