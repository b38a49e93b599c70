# SPDX-License-Identifier: Apache-2.0
"""Databases with faults for database_faults.py: a PostgreSQL server that is killed, and a network that fails."""
import asyncio
import multiprocessing
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from databases import BINARIES

PORT = 5432
DELAY = 0.03  # seconds per piece


def is_running(process):
    """Whether a process exists and is not a zombie."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class Postgres:
    """A server on a Unix socket. `options`: of its command line; by default, it does not wait for the disk. `cpu`: runs
    on this processor only."""

    def __init__(self, options=("-F",), cpu=None):
        self.options, self.cpu = options, cpu
        self.folder = pathlib.Path(tempfile.mkdtemp())
        account = pwd.getpwnam("nobody")
        self.other = {} if os.getuid() else {"user": "nobody", "group": account.pw_gid, "extra_groups": []}
        if self.other:
            os.chown(self.folder, account.pw_uid, -1)
        self.socket = str(self.folder / f".s.PGSQL.{PORT}")
        subprocess.run([BINARIES / "initdb", "-D", self.folder / "data", "-U", "apus", "-A", "trust", "--no-sync"],
                       cwd=self.folder, check=True, stdout=subprocess.DEVNULL, timeout=60, **self.other)
        self.start()

    def start(self):
        """Starts the server, and waits until it accepts connections."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [BINARIES / "postgres", "-D", self.folder / "data", "-k", self.folder, "-h", "", "-p", str(PORT),
                 *self.options],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.other,
                preexec_fn=None if self.cpu is None else lambda: os.sched_setaffinity(0, {self.cpu}))
        end = time.monotonic() + 30
        while True:
            try:
                return self.run("select 1")
            except subprocess.CalledProcessError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.01)

    def stop(self):
        """Ends sessions, and waits until the server has ended."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def kill(self):
        """Sends SIGKILL to all processes of the server, and waits until they have ended."""
        main = self.process.pid
        os.kill(main, signal.SIGSTOP)  # a stopped server starts no more children
        children = pathlib.Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for each in [main, *map(int, children)]:
            os.kill(each, signal.SIGKILL)
        self.process.wait(60)
        while any(is_running(each) for each in children):
            time.sleep(0.005)
        # A killed server leaves its shared memory. Line 7 of this file names it by key and identifier.
        memory = (self.folder / "data/postmaster.pid").read_text().splitlines()[6].split()[1]
        subprocess.run(["ipcrm", "-m", memory], check=True)

    def url(self, database="postgres"):
        return f"postgres://apus@/{database}?host={self.folder}"

    def run(self, sql, database="postgres"):
        done = subprocess.run(["psql", "-q", "-At", "-c", sql, self.url(database)], check=True, capture_output=True,
                              text=True, timeout=120)
        return done.stdout

    def remove(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder)


class Proxy:
    """Forwards a TCP port to a Unix socket, in its own process, with the faults that `set` selects.

    "forward"; "silent": nothing is forwarded, and no connection is closed; "reset": connections are reset;
    "slow": each piece waits for `DELAY` seconds; "down": connections are reset, and new ones are refused permanently.
    """

    def __init__(self, path):
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = listener.getsockname()[1]
        self._control, other = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_forward, args=(listener, path, other), daemon=True)
        self._process.start()
        listener.close()

    def set(self, mode):
        self._control.send(mode)

    def close(self):
        self._process.kill()
        self._process.join()


def _forward(listener, path, control):
    state = {"mode": "forward", "changed": asyncio.Event(), "open": set()}

    async def pump(reader, writer):
        while piece := await reader.read(65536):
            if state["mode"] == "slow":
                await asyncio.sleep(DELAY)
            while state["mode"] == "silent":
                await state["changed"].wait()
            writer.write(piece)
            await writer.drain()

    async def connected(reader, writer):
        if state["mode"] == "reset":
            return writer.transport.abort()
        try:
            inner_reader, inner_writer = await asyncio.open_unix_connection(path)
        except OSError:
            return writer.transport.abort()
        both = (writer.transport, inner_writer.transport)
        state["open"].update(both)
        pumps = [asyncio.create_task(pump(reader, inner_writer)), asyncio.create_task(pump(inner_reader, writer))]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for each in pumps:
            each.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        for each in both:
            each.abort()
        state["open"].difference_update(both)

    def changed(mode):
        state["mode"] = mode
        state["changed"].set()
        state["changed"] = asyncio.Event()
        if mode == "down":
            state["server"].close()
        if mode in ("reset", "down"):
            for each in list(state["open"]):
                each.abort()

    async def serve():
        loop = asyncio.get_running_loop()

        def listen():
            while True:
                loop.call_soon_threadsafe(changed, control.recv())
        threading.Thread(target=listen, daemon=True).start()
        state["server"] = await asyncio.start_server(connected, sock=listener)
        await asyncio.Event().wait()
    asyncio.run(serve())
