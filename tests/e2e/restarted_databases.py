# SPDX-License-Identifier: Apache-2.0
"""Databases that tests fill, query and restart."""
import contextlib
import os
import pathlib
import pwd
import sqlite3
import subprocess
import time

from databases import BINARIES


class Sqlite:
    """A file with the tables of the test."""

    def __init__(self, folder, tables):
        self.file = pathlib.Path(folder) / "jobs.db"
        self.url = f"sqlite:{self.file}"
        with contextlib.closing(sqlite3.connect(self.file)) as made:
            made.executescript("pragma journal_mode = wal; " + tables)

    def rows(self, query):
        with contextlib.closing(sqlite3.connect(self.file, timeout=30)) as at:
            return at.execute(query).fetchall()

    def restart(self):
        pass


class Postgres:
    """A database of a server that can be killed."""

    def __init__(self, url, tables):
        self.url = url
        subprocess.run(["psql", "-q", "-c", tables, url], check=True, timeout=30)

    def rows(self, query):
        out = subprocess.run(["psql", "-qAt", "-c", query, self.url], check=True, timeout=30, capture_output=True,
                             text=True).stdout
        return [tuple(int(cell) for cell in line.split("|")) for line in out.splitlines()]

    def restart(self):
        folder = pathlib.Path(self.url.split("host=")[1])
        other = {} if os.getuid() else {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
        subprocess.run([BINARIES / "pg_ctl", "-D", folder / "data", "-w", "-m", "immediate", "-l", folder / "log",
                        "-o", f"-k {folder} -h '' -F", "restart"], cwd=folder, check=True, timeout=60,
                       stdout=subprocess.DEVNULL, **other)


def wait_until(condition, message, seconds):
    """Fails with the text that `message()` returns if the condition is not true within these seconds."""
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(message())
