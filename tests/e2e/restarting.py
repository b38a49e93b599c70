# SPDX-License-Identifier: Apache-2.0
"""Runs a server whose binary is replaced while it runs."""

import ctypes
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import certificates
import server
import wire
from server import PATIENCE, PROGRAMS, soon

PR_SET_CHILD_SUBREAPER = 36

class Restarting:
    """A server in its own folder, with a PID file. After a restart, another process is the server.

    `listen` are addresses; `environment` is added. With `tls`, "https://" addresses have a certificate for localhost.
    """

    def __init__(self, backend, listen=("127.0.0.1:0",), program="limits", cores=2, environment=(), tls=False,
                 arguments=(), started_by=()):
        # Processes that lose their parent become children of this process, so that it gets their exit statuses.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.program, self.pid_file, self.log = (self.folder / n for n in ("server", "server.pid", "log"))
        self._source = PROGRAMS[program]
        self.replace()
        self.authority = certificates.Authority() if tls else None
        words = [w for at in listen for w in ("--listen", at.replace("DIR", str(self.folder)))]
        if tls:
            pair = self.authority.sign("localhost", "DNS:localhost,IP:127.0.0.1")
            words += ["--certificate", str(pair[0]), "--key", str(pair[1])]
        confined = server.sandbox(arguments, environment)
        environment = dict(os.environ, APUS_IO=backend, APUS_LOG="info,logfmt", **({"TEST_TLS": "none"} if tls else {}),
                           **dict(environment))
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*started_by, str(self.program), "--cores", str(cores), "--pid-file", str(self.pid_file),
                 *confined, *words, *(w.replace("DIR", str(self.folder)) for w in arguments)],
                env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
        lines = [self.process.stdout.readline() for _ in [*listen, *(w for w in arguments if w == "--admin")]]
        self.urls = [line.removeprefix("listening on ").strip() for line in lines if line.startswith("listening on ")]
        if len(self.urls) < len(listen):
            raise AssertionError(f"not started: {self.messages()}")
        self.pids = [self.pid()]
        self.ports = [int(u.rsplit(":", 1)[1]) for u in self.urls if not u.startswith("unix:")]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if soon(self.pid_file.exists, 1):
                os.kill(self.pid(), signal.SIGTERM)
                statuses = self.statuses()
                if kind is None and any(statuses):
                    raise AssertionError(f"exit statuses {statuses}: {self.messages()}")
        finally:
            for pid in self.pids:
                if pathlib.Path(f"/proc/{pid}").exists():
                    os.kill(pid, signal.SIGKILL)
            self.process.stdout.close()
            self._folder.cleanup()
            if self.authority:
                self.authority.__exit__(None, None, None)

    def pid(self):
        """Returns the ID of the process that serves."""
        if not soon(self.pid_file.exists):
            raise AssertionError(f"no PID file: {self.messages()}")
        return int(self.pid_file.read_text())

    def messages(self):
        return self.log.read_text()

    def replace(self, script=None):
        """Replaces the program's file, by a copy of the original or by a shell script."""
        # Another process writes the file: a file cannot be executed while any process, such as a child that a
        # concurrent test has forked from this one, has it open for writing.
        other = self.folder / "next"
        if script is None:
            subprocess.run(["cp", self._source, other], check=True)
        else:
            subprocess.run(["sh", "-c", 'cat > "$0"; chmod +x "$0"', other], input=f"#!/bin/sh\n{script}\n".encode(),
                           check=True)
        other.rename(self.program)

    def request_restart(self):
        os.kill(self.pid(), signal.SIGUSR2)

    def restart(self):
        """Restarts the server with a new file of the program; returns the seconds until the new process serves."""
        before, began = self.pid(), time.monotonic()
        self.replace()
        self.request_restart()
        if not soon(lambda: self.pid() != before):
            raise AssertionError(f"not restarted: {self.messages()}")
        self.pids.append(self.pid())
        return time.monotonic() - began

    def statuses(self, seconds=60):
        """Waits for the end of all processes, and returns their exit statuses."""
        ended, until = {}, time.monotonic() + seconds
        while len(ended) < len(self.pids):
            for pid in set(self.pids) - set(ended):
                try:
                    found, status = os.waitpid(pid, os.WNOHANG)
                except ChildProcessError:  # not a child of this process yet, since its parent still runs
                    continue
                if found:
                    ended[pid] = os.waitstatus_to_exitcode(status)
            if time.monotonic() > until:
                raise AssertionError(f"processes {set(self.pids) - set(ended)} run: {self.messages()}")
            time.sleep(0.01)
        self.process.returncode = ended[self.pids[0]]
        return [ended[pid] for pid in self.pids]

    def connect(self, index=0):
        return wire.Wire(("127.0.0.1", self.ports[index]))

    def get(self, path, index=0):
        with self.connect(index) as client:
            return client.get(path)

def shows(running, text):
    """Fails unless the log contains this text within PATIENCE seconds."""
    if not soon(lambda: text in running.messages()):
        raise AssertionError(f"no {text!r} in {running.messages()}")

assert PATIENCE and server  # names that tests use through this module
