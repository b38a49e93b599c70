#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `apus top` in a terminal of 80x24 and of 120x40, its keys and signals, snapshots without a terminal, and its
errors."""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from administration import running  # noqa: E402
from cases import case, check, equal, main  # noqa: E402
from server import BUILD, soon  # noqa: E402
from wire import request  # noqa: E402

TOOL = str(BUILD / "bin/apus")
BEGIN, END, HOME = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l", b"\x1b[H"


class Terminal:
    """`apus top` in a terminal of its own."""

    def __init__(self, *arguments, columns=80, rows=24, **environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            for name in ("APUS_IO", "NO_COLOR"):
                os.environ.pop(name, None)
            os.environ.update({"TERM": "xterm", **environment})
            os.execv(TOOL, ["apus", "top", *arguments])
        self.seen, self.status = b"", None
        self.resize(columns, rows)
        self.modes = termios.tcgetattr(self.fd)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        while select.select([self.fd], [], [], 0.01)[0]:
            try:
                more = os.read(self.fd, 65536)
            except OSError:  # the program has ended
                return
            if not more:
                return
            self.seen += more

    def screen(self):
        """Returns the lines of the last complete screen, without colors."""
        self.read()
        shown = self.seen.split(HOME)[-1].split(END)[0].decode("ascii")
        lines = [re.sub(r"\x1b\[[0-9;]*[mKJ]|\r", "", line) for line in shown.split("\r\n")]
        return lines if len(lines) == self.rows else []

    def shows(self, text):
        if not soon(lambda: text in "\n".join(self.screen())):
            raise AssertionError(f"{text!r} is not in {self.seen[-3000:]!r}")

    def press(self, keys):
        os.write(self.fd, keys)

    def end(self):
        def ended():
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
            return pid
        check(soon(ended), "apus top does not end")
        return self.status


@contextlib.contextmanager
def watched(backend, *arguments, **options):
    with running(backend, "--cores", "2") as server, server.connect() as sleeping:
        sleeping.send(request("/sleep/60000"))
        for path in ("/items/1", "/fail", "/items/x", "/sleep/30"):
            server.get(path)
        terminal = Terminal("--admin", server.admin, *arguments, **options)
        try:
            yield server, terminal
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(terminal.pid, signal.SIGKILL)
            os.close(terminal.fd)
            sleeping.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def top(*arguments, **environment):
    done = subprocess.run([TOOL, "top", *arguments], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))
    return done.returncode, done.stdout, done.stderr


@case
def the_screen_fits_the_terminal(backend):
    for columns, rows in ((80, 24), (120, 40), (40, 10)):
        with watched(backend, columns=columns, rows=rows) as (_, terminal):
            terminal.shows("serving" if columns > 40 else "apus ")
            lines = terminal.screen()
            check(all(len(line) <= columns for line in lines), lines)
            equal(len(lines), rows)
            if columns >= 80:
                terminal.shows("/items/{id}")
                check(lines[-1].endswith("q quit"), lines[-1])
            terminal.press(b"q")
            equal(terminal.end(), 0)


@case
def keys_change_the_order_and_the_list(backend):
    with watched(backend) as (server, terminal):
        for key, text in ((b"s", "GET /sleep/30"), (b"f", "500 "), (b"x", "GET /items/x"), (b"i", "GET /sleep/60000"),
                          (b"\t", "SLOWEST"), (b"n", "REQUESTS*"), (b"e", "5XX*"), (b"p", "P99*"), (b"r", "REQ/S*"),
                          (b"\x1b[A?\x00", "REQ/S*")):
            terminal.press(key)
            terminal.shows(text)
        terminal.resize(120, 40)
        check(soon(lambda: len(terminal.screen()) == 40), "not resized")
        terminal.press(b"q")
        equal(terminal.end(), 0)


@case
def the_terminal_is_restored(backend):
    for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, signal.SIGTERM), (None, 0)):
        with watched(backend) as (_, terminal):
            terminal.shows("serving")
            equal(terminal.seen.count(BEGIN), 1)
            check(termios.tcgetattr(terminal.fd)[3] != terminal.modes[3], "keys need Enter")
            if number:
                os.kill(terminal.pid, number)
            else:
                terminal.press(b"\x03")  # Ctrl-C
            equal(terminal.end(), status)
            check(END in terminal.seen, terminal.seen[-200:])
            with contextlib.suppress(termios.error):  # the terminal of an ended program may be gone
                equal(termios.tcgetattr(terminal.fd)[3], terminal.modes[3])


@case
def colors_are_optional(backend):
    with watched(backend) as (_, terminal):
        terminal.shows("/fail")
        check(b"\x1b[31m" in terminal.seen, "no colors")
    with watched(backend, NO_COLOR="1") as (_, terminal):
        terminal.shows("/fail")
        check(b"m" not in re.findall(rb"\x1b\[[0-9;]*([A-Za-z])", terminal.seen), "colors")


@case
def a_server_that_ends_and_comes_back_is_shown(backend):
    with watched(backend) as (server, terminal):
        terminal.shows("serving")
        server.process.send_signal(signal.SIGSTOP)
        terminal.shows("does not respond")
        server.process.send_signal(signal.SIGCONT)
        terminal.shows("q quit")
        terminal.press(b"q")
        equal(terminal.end(), 0)


@case
def without_a_terminal_a_snapshot_is_printed(backend):
    with tempfile.TemporaryDirectory() as folder:
        with running(backend, admin=f"unix:{folder}/admin.sock") as server:
            server.get("/fail")
            status, output, errors = top("--admin", server.admin, "--sort", "errors")
            equal((status, errors), (0, ""))
            for text in ("serving", "1 core", "5XX*", "GET     /fail", "IN FLIGHT", "SLOWEST", "FAILED"):
                check(text in output, f"{text} in {output}")
            check("\x1b" not in output, output)
            equal(top("--admin", server.admin, "--once", APUS_COLOR="always")[0], 0)


@case
def errors_name_the_address_and_the_fix(backend):
    def answer(listener, text):
        with contextlib.suppress(OSError):
            while True:
                peer, _ = listener.accept()
                peer.sendall(text)
                peer.shutdown(socket.SHUT_WR)
                peer.recv(4096)
                peer.close()

    with running(backend) as server:
        status, _, errors = top("--admin", f"127.0.0.1:{server.port}")
        equal(status, 1)
        check("the response to /metrics has the status 404" in errors and "public address" in errors, errors)
    for where, text in ((f"127.0.0.1:{server.port}", "Connection refused"), ("unix:/none", "No such file"),
                        ("unix:", "the path is invalid"), ("127.0.0.1:x", "the address is invalid"),
                        ("", "the address is invalid"), ("unix:" + "x" * 200, "the path is invalid")):
        status, output, errors = top("--admin", where)
        equal((status, output), (1, ""), where)
        check("error[E0320]" in errors and text in errors, errors)
    for text in (b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                 b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nx", b"\xff" * 100_000):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=answer, args=(listener, text), daemon=True).start()
            status, _, errors = top("--admin", f"127.0.0.1:{listener.getsockname()[1]}")
            equal(status, 1, text[:40])
            check("error[E0320]" in errors, errors)
    for arguments in ((), ("--admin",), ("--admin", "x:1", "--sort", "name")):
        equal(top(*arguments)[0], 2, arguments)


if __name__ == "__main__":
    main()
