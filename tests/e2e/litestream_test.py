# SPDX-License-Identifier: Apache-2.0
"""Replicates the SQLite database of a program by Litestream while 64 clients write. Skipped without the program
litestream."""
import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

import server
from cases import case, check, equal, main, skip
from databases import TABLES, ask

server.PROGRAMS["sql"] = server.BUILD / "bin/sql"
LITESTREAM = shutil.which("litestream", path=f"{server.PYTHON_TOOLS / 'bin'}:{os.environ['PATH']}")
CLIENTS, ROUNDS = 64, 12
PATIENCE = 60


@contextlib.contextmanager
def replication(database, replica):
    """Runs Litestream, which copies its last changes when it is stopped."""
    log = database.parent / "litestream.log"
    with open(log, "wb") as to, subprocess.Popen([LITESTREAM, "replicate", database, f"file://{replica}"], stdout=to,
                                                 stderr=subprocess.STDOUT) as process:
        try:
            yield
            check(process.poll() is None, f"litestream has ended: {log.read_text()[-500:]}")
        finally:
            process.terminate()
            process.wait(PATIENCE)


def write(at, client):
    """Inserts, reads, changes and deletes notes. Returns the acknowledged titles."""
    titles = set()
    for number in range(ROUNDS):
        title = f"{client}-{number} " + "x" * 180
        status, note = ask(at, "POST", {"title": title})
        equal(status, 201)
        own = f"{at}/{note['id']}"
        equal(ask(own)[1]["title"], title)
        if number % 3 == 1:
            title = f"changed {client}-{number}"
            equal(ask(f"{own}/title", "PUT", {"title": title})[0], 200)
        if number % 3 == 2:
            equal(ask(own, "DELETE")[0], 204)
        else:
            titles.add(title)
    return titles


@case
def a_restored_database_has_all_acknowledged_notes(backend):
    if not LITESTREAM:
        return skip("litestream is not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        database, replica, restored = folder / "notes.db", folder / "replica", folder / "restored.db"
        with contextlib.closing(sqlite3.connect(database)) as made:
            made.executescript("pragma journal_mode = wal;" + TABLES["sqlite"])
        titles = set()
        with server.Server(backend, program="sql", environment={"DATABASE_URL": f"sqlite:{database}"}) as of, \
                replication(database, replica), concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
            for each in clients.map(lambda client: write(of.urls[0] + "/notes", client), range(CLIENTS)):
                titles |= each
        subprocess.run([LITESTREAM, "restore", "-o", restored, f"file://{replica}"], check=True, timeout=PATIENCE,
                       stdout=subprocess.DEVNULL)
        with contextlib.closing(sqlite3.connect(restored)) as made:
            equal(made.execute("pragma integrity_check").fetchall(), [("ok",)])
            stored = [title for title, in made.execute("select title from note")]
        equal(sorted(stored), sorted(titles))


if __name__ == "__main__":
    main()
