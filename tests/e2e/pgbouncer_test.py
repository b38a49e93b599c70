# SPDX-License-Identifier: Apache-2.0
"""Tests programs with the distribution's pgbouncer between them and PostgreSQL."""
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
server.PROGRAMS["transfers"] = server.BUILD / "tests/transfers_server"
PORT = 6432


@contextlib.contextmanager
def pgbouncer(url, mode, connections=30):
    """Runs a pgbouncer with this number of connections to the server of this URL, and yields pgbouncer's URL."""
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o777)
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\npostgres = host={url.split('host=')[1]} user=apus\n[pgbouncer]\npool_mode = {mode}\n"
            f"listen_addr =\nunix_socket_dir = {folder}\nlisten_port = {PORT}\nauth_type = any\n"
            f"default_pool_size = {connections}\nlogfile = {folder}/log\n")
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


ACCOUNTS = """create table transfer (id bigint not null, source bigint not null, target bigint not null);
              create table account (id bigint primary key, balance bigint not null);
              insert into account select n, 0 from generate_series(0, 999) n"""


@case
def transaction_mode_serves_transactions_without_prepared_statements(backend):
    def value(of, sql):
        return subprocess.run(["psql", "-tAqc", sql, of], check=True, timeout=PATIENCE, capture_output=True).stdout

    def transfer(number):
        return ask(f"{of.urls[0]}/transfers/{number}", "POST")[0]

    # The program has 8 connections to pgbouncer, which has 3 to the server, so each is used by several of the 8.
    with postgres_server() as direct, pgbouncer(direct, "transaction", connections=3) as url:
        value(direct, ACCOUNTS)
        with server.Server(backend, program="transfers", environment={"DATABASE_URL": url, "UNPREPARED": "1"}) as of, \
                concurrent.futures.ThreadPoolExecutor(16) as clients:
            equal(set(clients.map(transfer, range(1, 301))), {204})
        equal(value(direct, "select count(*), count(distinct id) from transfer"), b"300|300\n")
        equal(value(direct, "select sum(balance), sum(abs(balance)) > 0 from account"), b"0|t\n")
        equal(value(direct, """select count(*) from account a where balance <>
                    (select count(*) from transfer where target = a.id)
                    - (select count(*) from transfer where source = a.id)"""), b"0\n")


if __name__ == "__main__":
    main()
