#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a server under a service manager: inherited sockets and status messages. The test acts as the manager, with the
protocols of sd_listen_fds(3) and sd_notify(3)."""

import array
import ctypes
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time

import tls_wire
import wire
from cases import case, check, equal, main
from certificates import Authority
from server import BUILD, PATIENCE, PROGRAMS, sandbox, soon

PROGRAMS["blocked"] = BUILD / "tests/blocked_server"
PR_SET_CHILD_SUBREAPER = 36


def listening(family=socket.AF_INET, address=("127.0.0.1", 0)):
    one = socket.socket(family, socket.SOCK_STREAM)
    one.bind(address)
    one.listen(1000)
    return one


class Manager:
    """A service manager with the sockets of one service. `sockets` is a list of (name, socket)."""

    def __init__(self, backend, sockets=(), arguments=(), program="limits", abstract=False, environment=()):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.sockets, self.backend, self.arguments, self.program = list(sockets), backend, arguments, program
        self.folder = tempfile.TemporaryDirectory()
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = f"{self.folder.name}/notify"
        self.notify.bind("\0" + path if abstract else path)
        self.notify.settimeout(PATIENCE)
        self.environment = {"NOTIFY_SOCKET": ("@" if abstract else "") + path, **dict(environment)}
        self.log = pathlib.Path(self.folder.name) / "log"
        self.log.touch()
        self.stored, self.process = [], None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.notify.close()
        for _, each in self.sockets + self.stored:
            each.close()
        self.folder.cleanup()

    def start(self, count=None, names=None, pid=None):
        """Starts the service as systemd does: sockets from descriptor 3 on, and LISTEN_PID of the process itself."""
        passed = self.sockets + self.stored
        names = ":".join(name for name, _ in passed) if names is None else names
        environment = dict(os.environ, APUS_IO=self.backend, APUS_LOG="info,logfmt", **self.environment)
        if passed or count is not None:
            environment.update(LISTEN_FDS=str(len(passed) if count is None else count), LISTEN_FDNAMES=names)
        # The shell sets LISTEN_PID to its own process ID, which the server keeps after exec.
        fds = [one.fileno() for _, one in passed]
        high = 100
        moves = "".join(f"exec {high + i}<&{fd} {fd}<&-; " for i, fd in enumerate(fds))
        moves += "".join(f"exec {3 + i}<&{high + i} {high + i}<&-; " for i in range(len(fds)))
        words = [os.path.abspath(PROGRAMS[self.program]), "--cores", "2", *sandbox(), *map(str, self.arguments)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", moves + f'export LISTEN_PID={pid or "$$"}; exec "$@"', "start", *words],
                env=environment, pass_fds=fds, stdout=subprocess.DEVNULL, stderr=log)

    def ready(self):
        equal(self.message("READY=1"), "READY=1")

    def message(self, wanted):
        """Returns the next message. Stores the sockets of FDSTORE messages that precede it."""
        while True:
            text, ancillary, _, _ = self.notify.recvmsg(4096, socket.CMSG_SPACE(1024))
            text = text.decode()
            if text.startswith("FDSTORE=1"):
                fds = array.array("i", ancillary[0][2])
                name = re.search("FDNAME=(.*)", text).group(1)
                self.stored += [(name, socket.socket(fileno=fd)) for fd in fds]
            elif text != "WATCHDOG=1" or wanted == text:
                return text

    def messages(self):
        return self.log.read_text()

    def fails(self, why, **how):
        """Starts the service, which must exit with status 1 and this message."""
        self.start(**how)
        equal((self.process.wait(PATIENCE), why in self.messages()), (1, True), f"{why}: {self.messages()}")

    def stop(self):
        self.process.terminate()
        equal(self.message("STOPPING=1"), "STOPPING=1")
        equal(self.process.wait(PATIENCE), 0, self.messages())


def get(port, path="/"):
    with wire.Wire(("127.0.0.1", port)) as client:
        return client.get(path)


@case
def inherited_sockets_are_served(backend):
    one, two = listening(), listening()
    path = tempfile.mktemp()
    local = listening(socket.AF_UNIX, path)
    ports = [s.getsockname()[1] for s in (one, two)]
    with Manager(backend, [("http", one), ("any name", two), ("x", local)], abstract=True) as manager:
        manager.start()
        manager.ready()
        for port in ports:
            for _ in range(20):
                equal(get(port).body, b"ok\n")
        with wire.Wire(path) as client:
            equal(client.get("/").status, 200)
        manager.stop()
        equal(os.path.exists(path), True, "the manager's path")
        for each in (one, two):  # the manager's sockets still accept connections
            socket.create_connection(each.getsockname(), 5).close()
        os.unlink(path)


@case
def configured_addresses_get_their_socket(backend):
    one, other = listening(), listening()
    where = [f"127.0.0.1:{s.getsockname()[1]}" for s in (one, other)]
    arguments = ["--listen", where[0] + ",h2c", "--listen-proxied", where[1], "--proxy", "127.0.0.1"]
    with Manager(backend, [("a", one), ("b", other)], arguments) as manager:
        manager.start()
        manager.ready()
        equal(get(one.getsockname()[1]).status, 505)
        with wire.Wire(other.getsockname()) as client:
            client.send(b"PROXY TCP4 192.0.2.7 127.0.0.1 5 80\r\n" + wire.request("/peer"))
            equal(client.answer().body, b"192.0.2.7\n")
        manager.stop()


@case
def https_by_name(backend):
    secure, plain = listening(), listening()
    with Authority() as authority:
        certificate, key = authority.sign("localhost", "DNS:localhost,IP:127.0.0.1")
        files = ["--certificate", certificate, "--key", key]
        with Manager(backend, [("https", secure), ("http", plain)], files, environment={"TEST_TLS": "none"}) as manager:
            manager.start()
            manager.ready()
            context = tls_wire.client_context(authority.file)
            with tls_wire.SecureWire(secure.getsockname(), context, "localhost") as client:
                equal(client.get("/").status, 200)
            equal(get(plain.getsockname()[1]).status, 200)
            manager.stop()
            manager.fails("set FileDescriptorName= to http or https", names="https:unknown")
    with Manager(backend, [("https", listening())]) as manager:
        manager.fails("https needs certificates")


@case
def wrong_descriptors_are_errors(backend):
    one, datagrams = listening(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    idle = socket.socket()
    cases = [([("a", one)], {"count": 2, "names": "a:b"}, "inherited descriptor 4 (`b`) is closed or not a socket"),
             ([("a", one)], {"count": 2}, "LISTEN_FDNAMES has 1 names for 2 sockets"),
             ([("a", one)], {"count": "x"}, "LISTEN_FDS must be a number from 0 to 4096, not `x`"),
             ([("a", one)], {"pid": "12x"}, "LISTEN_PID must be the number of a process, not `12x`"),
             ([("a", one), ("b", one.dup())], {}, "descriptor 4 (`b`) is the same socket as descriptor 3"),
             ([("a", datagrams)], {}, "descriptor 3 (`a`) is not a stream socket"),
             ([("a", idle)], {}, "descriptor 3 (`a`) is not listening"),
             ([("a", open(os.devnull))], {}, "descriptor 3 (`a`) is closed or not a socket")]
    for sockets, how, why in cases:
        with Manager(backend) as manager:
            manager.sockets = sockets
            manager.fails(why, **how)
            manager.sockets = []
    for each in (one, datagrams, idle):
        each.close()


@case
def sockets_of_another_process_are_ignored(backend):
    with Manager(backend, [("a", listening())], ["--port", "0"]) as manager:
        manager.start(pid=1)
        manager.ready()
        manager.stop()


@case
def a_killed_server_refuses_no_connection(backend):
    one = listening()
    with Manager(backend, [("http", one)]) as manager:
        for _ in range(5):
            manager.start()
            manager.ready()
            equal(get(one.getsockname()[1]).status, 200)
            manager.process.kill()
            waiting = [wire.Wire(one.getsockname()) for _ in range(50)]
            manager.process.wait()
            waiting += [wire.Wire(one.getsockname()) for _ in range(50)]
            manager.start()
            manager.ready()
            lost = 0
            for client in waiting:
                try:
                    client.send(wire.request("/"))
                    equal(client.answer().status, 200)
                except (wire.Closed, ConnectionResetError):  # accepted by the killed process
                    lost += 1
                client.socket.close()
            check(lost <= 50, f"{lost} connections lost: also some that began while no process ran")
            manager.stop()


@case
def stored_sockets_outlive_a_killed_server(backend):
    """With FileDescriptorStoreMax=, the manager keeps the sockets that the server has opened."""
    with Manager(backend, arguments=["--port", "0"], environment={"FDSTORE": "8"}) as manager:
        manager.start()
        manager.ready()
        equal({name for name, _ in manager.stored}, {"apus-stored"})
        port = manager.stored[0][1].getsockname()[1]
        equal(get(port).status, 200)
        manager.process.kill()
        manager.process.wait()
        for round_ in range(2):
            with wire.Wire(("127.0.0.1", port)) as waiting:
                stored = len(manager.stored)
                manager.start()
                manager.ready()
                equal(len(manager.stored), stored, "sockets")
                equal(waiting.get("/").status, 200, f"round {round_}")
            manager.stop()


@case
def the_watchdog_hears_of_turning_cores_only(backend):
    environment = {"WATCHDOG_USEC": "400000"}
    with Manager(backend, [("http", listening())], program="blocked", environment=environment) as manager:
        manager.start()
        manager.ready()
        for _ in range(3):
            equal(manager.message("WATCHDOG=1"), "WATCHDOG=1")
        port = manager.sockets[0][1].getsockname()[1]
        with wire.Wire(("127.0.0.1", port)) as client:
            client.send(wire.request("/block/2000"))
            time.sleep(0.5)
            manager.notify.settimeout(0.2)
            while True:  # discards the messages from before the request
                try:
                    manager.message("WATCHDOG=1")
                except TimeoutError:
                    break
            manager.notify.settimeout(PATIENCE)
            began = time.monotonic()
            equal(manager.message("WATCHDOG=1"), "WATCHDOG=1")
            check(time.monotonic() - began > 0.5, "a blocked core is reported as alive")
            client.answer()


@case
def a_restart_is_reported(backend):
    one = listening()
    with Manager(backend, [("web", one)]) as manager:
        manager.start()
        manager.ready()
        first = manager.process
        first.send_signal(signal.SIGUSR2)
        reloading = manager.message("RELOADING=1")
        check(re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", reloading), reloading)
        since = int(reloading.rsplit("=", 1)[1]) / 1e6
        check(0 <= time.monotonic() - since < PATIENCE, "MONOTONIC_USEC is not from CLOCK_MONOTONIC")
        match = re.fullmatch(r"READY=1\nMAINPID=(\d+)", manager.message("READY=1"))
        manager.ready()
        equal(first.wait(PATIENCE), 0)
        new = int(match.group(1))
        equal(get(one.getsockname()[1]).status, 200)
        os.kill(new, signal.SIGTERM)
        equal(manager.message("STOPPING=1"), "STOPPING=1")
        equal(os.waitstatus_to_exitcode(os.waitpid(new, 0)[1]), 0)


@case
def a_failed_restart_is_reported(backend):
    with Manager(backend, [("web", listening())]) as manager:
        manager.environment["TEST_RESTART_MS"] = "1"
        manager.start()
        manager.ready()
        manager.process.send_signal(signal.SIGUSR2)
        check(manager.message("RELOADING=1").startswith("RELOADING=1"), "the reload was not reported")
        manager.ready()
        check(soon(lambda: "not ready in time" in manager.messages()), manager.messages())
        manager.stop()


@case
def a_crash_on_trial_changes_no_main_process(backend):
    one = listening()
    with Manager(backend, [("web", one)], environment={"TEST_TRIAL_MS": "60000"}) as manager:
        manager.start()
        manager.ready()
        manager.process.send_signal(signal.SIGUSR2)
        check(manager.message("RELOADING=1").startswith("RELOADING=1"), "the reload was not reported")
        port = one.getsockname()[1]
        served_by = [manager.process.pid]
        check(soon(lambda: served_by.append(int(get(port, "/process").body)) or served_by[-1] != served_by[0]),
              "the new process does not accept")
        os.kill(served_by[-1], signal.SIGKILL)  # the old process perhaps still accepts too
        manager.ready()  # without MAINPID
        check(soon(lambda: "the new process was terminated by SIGKILL" in manager.messages()), manager.messages())
        check(soon(lambda: int(get(port, "/process").body) == manager.process.pid), "the old process does not accept")
        manager.stop()


@case
def a_missing_manager_is_no_failure(backend):
    with Manager(backend, [("web", listening())]) as manager:
        for where in ("/nowhere/notify", "@nobody-listens", "vsock:2:1", "x" * 200):
            manager.environment["NOTIFY_SOCKET"] = where
            manager.start()
            port = manager.sockets[0][1].getsockname()[1]
            equal(get(port).status, 200)
            manager.process.terminate()
            equal(manager.process.wait(PATIENCE), 0, manager.messages())


if __name__ == "__main__":
    main()
