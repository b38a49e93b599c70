# SPDX-License-Identifier: Apache-2.0
"""Receives webhooks of the outbox, and misbehaves as a test demands."""
import base64
import collections
import hashlib
import hmac
import http.server
import json
import socket
import threading
import time

SECRETS = {"raw": b"a secret of twenty-four bytes or more", "coded": bytes(range(32))}
SLOW = 2.5  # seconds; more than the deadline of a delivery

Delivery = collections.namedtuple("Delivery", "order id key type time signed")  # signed: a name in SECRETS


def signer(fields, body):
    """Returns the name of the secret that signed the request as Standard Webhooks specifies, or None."""
    text = f"{fields['webhook-id']}.{fields['webhook-timestamp']}.".encode() + body
    for name, secret in SECRETS.items():
        wanted = base64.b64encode(hmac.new(secret, text, hashlib.sha256).digest()).decode()
        if fields["webhook-signature"] == f"v1,{wanted}":
            return name
    return None


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        delivery = Delivery(json.loads(body)["order"], self.headers["Idempotency-Key"], self.headers["Event-Key"],
                            self.headers["Event-Type"], time.monotonic(), signer(self.headers, body))
        with self.server.lock:
            attempt = sum(each.order == delivery.order for each in self.server.received)
            self.server.received.append(delivery)
        self.respond(self.server.plan(delivery.order, attempt))

    def respond(self, action):
        if action == "hang":
            self.server.ended.wait(20)
        elif action == "cut in the head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Le")
        elif action == "cut in the body":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
        elif action == "endless body":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while not self.server.ended.wait(0.001):
                self.wfile.write(b"x" * 1000)
        elif action == "slow body":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
            self.server.ended.wait(20)
        elif action == "slow":
            time.sleep(SLOW)
            self.plain(200)
        else:
            return self.plain(*action if isinstance(action, tuple) else (action,))
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def plain(self, status, *fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"done\n")

    def log_message(self, *_):
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # the client may have closed the connection


class Receiver:
    """A context manager. `plan(order, attempt)` returns the action; attempts count from 0. An action is a status, a
    tuple of a status and fields, or one of the texts above. While it is not listening, connections are refused."""

    def __init__(self, plan=lambda order, attempt: 200):
        self.plan, self.received, self.lock = plan, [], threading.Lock()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/events"

    def listen(self):
        self.server = _Server(("127.0.0.1", self.port), _Handler)
        self.server.plan, self.server.received, self.server.lock = self.plan, self.received, self.lock
        self.server.ended = threading.Event()
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def refuse(self):
        self.server.ended.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def of(self, order):
        """Returns the deliveries of an order, in the order of their arrival."""
        with self.lock:
            return [each for each in self.received if each.order == order]

    def orders(self):
        """Returns the orders, each at its first arrival."""
        with self.lock:
            return list(dict.fromkeys(each.order for each in self.received))

    def __enter__(self):
        self.listen()
        return self

    def __exit__(self, *_):
        self.refuse()
