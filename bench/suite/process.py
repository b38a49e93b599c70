# SPDX-License-Identifier: Apache-2.0
"""Starts the server of a peer, waits until it responds, and stops it."""
import contextlib
import os
import signal
import socket
import subprocess
import time

import priority
import usage

START_SECONDS = 60  # some frameworks need 30 s to add ten thousand routes
STOP_SECONDS = {signal.SIGTERM: 1.5, signal.SIGKILL: 2.0}
HELLO = b"GET /bench HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


class ServerError(Exception):
    """A server did not start, exited, or does not respond; the text is a sentence for users."""


class Server:
    """A running server. `seconds_to_answer` is the time from the spawn to the first complete response, `database` the
    database server that it uses."""

    def __init__(self, process, port, tls_port, log):
        self.process, self.port, self.tls_port, self.log = process, port, tls_port, log
        self.seconds_to_answer = self.database = None

    @property
    def pid(self):
        return self.process.pid

    def ended(self, within=0.0):
        """Returns how the server ended, or None while it runs. Waits up to `within` seconds, since a server process
        closes its connections before it exits."""
        try:
            code = self.process.wait(within)
        except subprocess.TimeoutExpired:
            return None
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        return f"the server ended {how}{last_log_line(self.log)}"


def last_log_line(log):
    """Returns the last line of a server's log, as the end of a sentence."""
    with contextlib.suppress(OSError), open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file.read()[-4000:].splitlines() if line.strip()]
        if lines:
            return f"; its last line: {lines[-1][:200]}"
    return ""


def free_ports(count):
    """Returns different free ports."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def start(peer, threads, routes, where, realtime, log, more=None):
    """Starts a peer's server and waits until it responds. Raises ServerError if it does not respond."""
    port, tls_port = free_ports(2)
    environment = peer.environment(PORT=port, TLS_PORT=tls_port, THREADS=threads, ROUTES=routes, **(more or {}))
    with open(log, "a", encoding="utf-8") as output:
        begun = time.perf_counter()
        try:
            process = priority.spawn([os.path.join(peer.folder, "start")], where, realtime, cwd=peer.folder,
                                     env=environment, stdout=output, stderr=output, start_new_session=True)
        except OSError as error:
            raise ServerError(f"bench/peers/{peer.name}/start cannot be started: {error.strerror}") from error
    server = Server(process, port, tls_port, log)
    try:
        await_answer(server, begun)
    except BaseException:
        stop(server)
        raise
    return server


def await_answer(server, begun):
    while time.perf_counter() - begun < START_SECONDS:
        if ask(server.port):
            server.seconds_to_answer = time.perf_counter() - begun
            return
        if how := server.ended():
            raise ServerError(how)
        time.sleep(0.0001)
    raise ServerError(f"no response to GET /bench within {START_SECONDS} s{last_log_line(server.log)}")


def ask(port):
    """Returns whether GET /bench returns the right text, or, if the server lacks that route, any HTTP response."""
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            connection.sendall(HELLO)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
                if b"Hello, World!" in answer:
                    break  # some servers keep the connection open despite `Connection: close`
            return answer.startswith(b"HTTP/1.")
    except OSError:
        return False


def stop(server):
    """Ends all processes of the server's session: with SIGTERM, and later with SIGKILL."""
    for number, seconds in STOP_SECONDS.items():
        alive = usage.tree(server.pid)
        for pid in alive:
            with contextlib.suppress(OSError):
                os.kill(pid, number)
        if gone(server, alive, time.monotonic() + seconds):
            break
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(1)


def gone(server, alive, deadline):
    while time.monotonic() < deadline:
        server.process.poll()
        # Processes whose parent has exited are no longer in the tree, so all processes are checked.
        if not usage.tree(server.pid) and not any(os.path.exists(f"/proc/{pid}") for pid in alive):
            return True
        time.sleep(0.005)
    return False
