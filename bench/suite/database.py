# SPDX-License-Identifier: Apache-2.0
"""A private PostgreSQL server with the tables of bench/seed.sql, used during a run."""
import contextlib
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import peers
import places
import usage
from process import ServerError, free_ports, last_log_line

CONNECTIONS = 16  # value of DATABASE_MAX_CONN for a peer
ENDPOINTS = ("database", "row", "queries", "updates", "fortunes")
START_SECONDS = 20
ACCOUNT = "nobody"  # PostgreSQL refuses to run as root
SEED = os.path.join(places.ROOT, "bench", "seed.sql")


def program(name):
    """Returns the path of a PostgreSQL program, or None."""
    installed = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return installed[-1] if installed else shutil.which(name)


class Database:
    """A server that `environment` starts and `stop` ends."""

    def __init__(self):
        self.folder = self.process = self.port = None

    def environment(self):
        """Returns the environment for a peer that uses PostgreSQL. Raises ServerError if it is not available."""
        if self.process is None:
            self.start()
        return {"DATABASE_URL": f"postgres://apus@127.0.0.1:{self.port}/postgres", "DATABASE_MAX_CONN": CONNECTIONS}

    def start(self):
        if not program("initdb") and (why := peers.install(["postgresql"])):
            raise ServerError(f"PostgreSQL is not available: {why}")
        self.folder = tempfile.mkdtemp(prefix="apus-postgres-")
        data, log = os.path.join(self.folder, "data"), os.path.join(self.folder, "log")
        if os.geteuid() == 0:
            account = pwd.getpwnam(ACCOUNT)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self.step([program("initdb"), "-D", data, "-U", "apus", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
        self.step([program("postgres"), "--single", "-j", "-D", data, "postgres"], peers.read(SEED))
        self.port, = free_ports(1)
        with open(log, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                [program("postgres"), "-D", data, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
                 "-c", f"unix_socket_directories={self.folder}", "-c", f"max_connections={16 * CONNECTIONS}",
                 # as in public benchmarks, since otherwise the disk determines the latency of updates
                 "-c", "synchronous_commit=off", "-c", "shared_buffers=256MB"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, **self.account())
        with contextlib.suppress(OSError):  # like server and client, it gets priority over other work on the machine
            os.setpriority(os.PRIO_PROCESS, self.process.pid, -20)
        deadline = time.monotonic() + START_SECONDS
        while not listens(self.port):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise ServerError(f"PostgreSQL did not start{last_log_line(log)}")
            time.sleep(0.02)

    def rows(self, sql):
        """Returns the lines that psql prints for a statement."""
        ran = subprocess.run([program("psql"), "-XAt", "-h", self.folder, "-p", str(self.port), "-U", "apus", "-c", sql,
                              "postgres"], capture_output=True, text=True, check=False, timeout=START_SECONDS)
        if ran.returncode:
            raise ServerError(f"psql failed: {ran.stderr.strip()}")
        return ran.stdout.splitlines()

    def cpu_seconds(self):
        """Returns the CPU time of all processes of the server so far, or None if the server does not run."""
        return usage.cpu(usage.tree(self.process.pid)).total if self.process else None

    def account(self):
        more = {"cwd": self.folder, "start_new_session": True}
        return more | {"user": ACCOUNT, "extra_groups": []} if os.geteuid() == 0 else more

    def step(self, command, text=""):
        ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False, **self.account())
        if ran.returncode or "ERROR:" in ran.stderr:
            said = (ran.stderr.strip().splitlines() or ["no output"])[-1]
            raise ServerError(f"{os.path.basename(command[0])} failed: {said}")

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGQUIT)  # immediate shutdown, since the data is not kept
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False
