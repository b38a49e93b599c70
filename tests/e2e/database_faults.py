# SPDX-License-Identifier: Apache-2.0
"""Runs transfers under load while databases, networks and the web process fail. Not part of the test suite.

python3 -B tests/e2e/database_faults.py [TRANSFERS] [sqlite|postgres]

For each engine, 24 clients send transfers until TRANSFERS of them (default: 100,000) are acknowledged and all faults
have occurred, one after the other. Afterwards each acknowledged transfer must be in the database once, and each
balance must be the sum of its transfers. No request may take longer than its deadline, and after each fault transfers
must succeed again within a second. The disk of SQLite is a small tmpfs, so this part needs root.
"""
import contextlib
import pathlib
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter

import server
from faulty_databases import Postgres, Proxy

server.PROGRAMS["transfers"] = server.BUILD / "tests/transfers_server"
ACCOUNTS, CLIENTS = 1000, 24
SCHEMA = ("create table account (id bigint primary key, balance bigint not null);"
          "create table transfer (id bigint not null, source bigint not null, target bigint not null);"
          "insert into account with recursive n (i) as (select 0 union all select i + 1 from n where i < 999)"
          " select i, 1000 from n;")
DEADLINE = 3.0  # seconds; deadline of a request in transfers_server.cpp
LATE = 1.0  # seconds to add to deadlines, for a busy machine
DISTURBED = 0.4  # seconds


class Load:
    """Clients that send transfers until `stop`."""

    def __init__(self, port):
        self.port, self.stops = port, False
        self.lock = threading.Lock()
        self.next, self.acknowledged, self.failed, self.longest, self.last = 0, [], Counter(), 0, 0
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(CLIENTS)]
        for each in self.threads:
            each.start()

    def _send(self, connection, number):
        connection.sendall(b"POST /transfers/%d HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" % number)
        answer = b""
        while b"\r\n\r\n" not in answer:
            piece = connection.recv(4096)
            if not piece:
                raise OSError("closed")
            answer += piece
        return answer.split(b" ", 2)[1].decode()

    def _work(self):
        connection = None
        while not self.stops:
            with self.lock:
                self.next += 1
                number = self.next
            begin = time.monotonic()
            try:
                connection = connection or socket.create_connection(("127.0.0.1", self.port), timeout=20)
                status = self._send(connection, number)
            except OSError as why:
                status = type(why).__name__
            now = time.monotonic()
            with self.lock:
                if status == "204":
                    self.acknowledged.append(number)
                    self.last = max(self.last, begin)
                else:
                    self.failed[status] += 1
                self.longest = max(self.longest, now - begin)
            if status != "204":
                if connection:
                    connection.close()
                connection = None
                time.sleep(0.01)
        if connection:
            connection.close()

    def wait_for(self, count):
        """Waits until this number of transfers is acknowledged."""
        while len(self.acknowledged) < count:
            time.sleep(0.01)

    def recovered(self, since):
        """Waits for the success of a transfer that began after `since`. Returns the seconds since `since`."""
        end = since + 30
        while self.last < since:
            if time.monotonic() > end:
                raise AssertionError("no transfer succeeds after the fault")
            time.sleep(0.002)
        return time.monotonic() - since

    def stop(self):
        self.stops = True
        for each in self.threads:
            each.join(30)


class Web:
    """The web process on one port, started again after a kill."""

    def __init__(self, url):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url, self.running = url, None
        self.start()

    def start(self):
        self.running = server.Server("uring", program="transfers", listen=[f"127.0.0.1:{self.port}"], log="off",
                                     environment={"DATABASE_URL": self.url})

    def kill(self):
        self.running.process.kill()
        self.running.process.wait()

    def stop(self):
        self.running.ends_by_itself = True
        self.running.stop()


def run(name, count, web, faults):
    """Runs transfers with all faults. Returns the load, and whether all time limits were met."""
    load, good = Load(web.port), True
    for index, (fault, disturb, mend) in enumerate(faults, 1):
        load.wait_for(count * index // (len(faults) + 1))
        with load.lock:
            load.longest, before = 0, sum(load.failed.values())
        disturb()
        time.sleep(DISTURBED)
        mend()
        whole = load.recovered(time.monotonic())
        time.sleep(DISTURBED)
        slow = load.longest > DEADLINE + LATE
        good = good and whole <= 1 and not slow
        print(f"{name}: {fault:28} failed {sum(load.failed.values()) - before:5}  longest {load.longest:5.2f} s  "
              f"whole again after {whole:5.3f} s", flush=True)
    load.wait_for(count)
    load.stop()
    print(f"{name}: {len(load.acknowledged)} acknowledged of {load.next}, failures: {dict(load.failed)}", flush=True)
    return load, good


def check(load, stored, balances):
    """Compares the acknowledged transfers with the transfers and balances in the database."""
    times = Counter(number for number, _, _ in stored)
    lost = set(load.acknowledged) - times.keys()
    doubled = [number for number, count in times.items() if count > 1]
    expected = dict.fromkeys(range(ACCOUNTS), 1000)
    for _, source, target in stored:
        expected[source] -= 1
        expected[target] += 1
    wrong = [account for account, balance in balances if expected[account] != balance]
    unknown = len(times) - len(load.acknowledged)
    print(f"lost {len(lost)}, doubled {len(doubled)}, wrong balances {len(wrong)}, unacknowledged but stored {unknown}")
    return not lost and not doubled and not wrong and len(balances) == ACCOUNTS


def numbers(text):
    return [tuple(int(part) for part in line.split("|")) for line in text.split()]


def exhaust(port):
    """Occupies all connections of the pool until the clients disconnect."""
    for _ in range(32):
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
        client.sendall(b"POST /hold/2 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        yield client


def on_postgres(count):
    database = Postgres()
    database.run(SCHEMA)
    one, two = Proxy(database.socket), Proxy(database.socket)
    web = Web(f"postgres://apus@127.0.0.1:{one.port},127.0.0.1:{two.port}/postgres?sslmode=disable"
              "&target_session_attrs=read-write")
    held = []

    def leave():
        for client in held:  # resets the connections, since the server still responds after a FIN
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
    try:
        load, good = run("postgres", count, web, [
            ("kill -9 of PostgreSQL", database.kill, database.start),
            ("restart of PostgreSQL", database.stop, database.start),
            ("kill -9 of the web process", web.kill, web.start),
            ("network cut, silent, 2.4 s", lambda: (one.set("silent"), time.sleep(2)), lambda: one.set("forward")),
            ("connections reset", lambda: one.set("reset"), lambda: one.set("forward")),
            ("slow answers, 30 ms", lambda: one.set("slow"), lambda: one.set("forward")),
            ("pool exhausted", lambda: held.extend(exhaust(web.port)), leave),
            ("failover to another port", lambda: one.set("down"), lambda: None),
        ])
        web.stop()
        return check(load, numbers(database.run("select * from transfer")),
                     numbers(database.run("select * from account"))) and good
    finally:
        web.kill()
        one.close()
        two.close()
        database.remove()


@contextlib.contextmanager
def small_disk():
    """A folder on a tmpfs of 64 MiB."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "apus-faults", folder], check=True)
        try:
            yield pathlib.Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def fill(file):
    """Writes a file until the disk is full."""
    with contextlib.suppress(OSError), file.open("wb", buffering=0) as out:
        while out.write(bytes(65536)):
            pass


def on_sqlite(count):
    with small_disk() as folder:
        file = folder / "bank.db"
        with contextlib.closing(sqlite3.connect(file)) as made:
            made.executescript(SCHEMA)
        web = Web(f"sqlite:{file}")
        try:
            load, good = run("sqlite", count, web, [
                ("kill -9 of the web process", web.kill, web.start),
                ("disk full", lambda: fill(folder / "ballast"), (folder / "ballast").unlink),
                ("kill -9 with a full disk", lambda: (fill(folder / "ballast"), web.kill()),
                 lambda: ((folder / "ballast").unlink(), web.start())),
            ])
            web.stop()
        finally:
            web.kill()
        with contextlib.closing(sqlite3.connect(file)) as kept:
            return check(load, kept.execute("select * from transfer").fetchall(),
                         kept.execute("select * from account").fetchall()) and good


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    engines = sys.argv[2:] or ["postgres", "sqlite"]
    results = [{"postgres": on_postgres, "sqlite": on_sqlite}[engine](count) for engine in engines]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
