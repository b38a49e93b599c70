# SPDX-License-Identifier: Apache-2.0
"""Tests the example `sql` with the distribution's pgbouncer in front of PostgreSQL."""
import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import server
from cases import case, check, equal, main
from databases import PATIENCE, TABLES, ask, postgres_server

server.PROGRAMS["sql"] = server.BUILD / "bin/sql"
PORT = 6432


@contextlib.contextmanager
def pgbouncer(url, mode):
    """Runs a pgbouncer in front of the server of this URL, and yields pgbouncer's URL."""
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o777)
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\npostgres = host={url.split('host=')[1]} user=apus\n[pgbouncer]\npool_mode = {mode}\n"
            f"listen_addr =\nunix_socket_dir = {folder}\nlisten_port = {PORT}\nauth_type = any\n"
            f"default_pool_size = 30\nlogfile = {folder}/log\n")
        (folder / "pgbouncer.ini").chmod(0o644)
        other = [] if os.getuid() else ["-u", "nobody"]  # pgbouncer refuses to run as root
        process = subprocess.Popen(["pgbouncer", *other, folder / "pgbouncer.ini"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            check(server.soon((folder / f".s.PGSQL.{PORT}").exists), "pgbouncer does not start")
            yield f"postgres://apus@/postgres?host={folder}&port={PORT}"
        finally:
            process.terminate()
            process.wait(PATIENCE)
    finally:
        shutil.rmtree(folder)


def use(at, number):
    """Returns the statuses of requests that insert, read, update and delete a note."""
    status, note = ask(at, "POST", {"title": f"note {number}"})
    own = f"{at}/{note['id']}"
    return [status, ask(own)[0], ask(f"{own}/title", "PUT", {"title": f"changed {number}"})[0], ask(own, "DELETE")[0]]


@case
def session_mode_serves_many_requests_at_once(backend):
    with postgres_server() as direct, pgbouncer(direct, "session") as url:
        subprocess.run(["psql", "-q", "-c", TABLES["postgres"], direct], check=True, timeout=PATIENCE)
        with server.Server(backend, program="sql", environment={"DATABASE_URL": url}) as of:
            at = of.urls[0] + "/notes"
            with concurrent.futures.ThreadPoolExecutor(16) as clients:
                for done in clients.map(lambda number: use(at, number), range(100)):
                    equal(done, [201, 200, 200, 204])
            equal(ask(at), (200, []))


if __name__ == "__main__":
    main()
