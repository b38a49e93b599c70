#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`apus db` with faults of its environment: files of other users, a full disk, missing files, closed and full
output."""
import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import hostile

TOOL = hostile.BIN / "apus"
ROOT = os.geteuid() == 0
# One use of each command, and whether it changes the database, the folder, or nothing.
USES = {
    "new add_more": "folder", "migrate": "database", "rollback": "database", "status": "", "baseline 1": "database",
    "repair": "database",
    "reset --yes": "database", "seed": "database", "dump": "", "backup copy.db": "folder",
}
PRINTS = ("status", "dump", "migrate --dry-run", "rollback --dry-run")


class Databases(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="apus-databases-", dir=os.environ.get("TEST_DISK")))
        self.addCleanup(shutil.rmtree, self.folder)
        self.folder.chmod(0o755)
        (self.folder / "migrations").mkdir()
        for name, text in {"0001_a.up.sql": "create table t (id integer primary key, text text);",
                           "0001_a.down.sql": "drop table t;",
                           "seed.sql": "insert into t (text) values ('x');"}.items():
            (self.folder / "migrations" / name).write_text(text)

    def run_db(self, words, by=(), **how):
        env = dict(os.environ, DATABASE_URL="sqlite:app.db", NO_COLOR="1")
        done = subprocess.run([*by, TOOL, "db", *words.split()], cwd=self.folder, env=env, text=True,
                              stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, timeout=hostile.PATIENCE, check=False,
                              **{"stdout": subprocess.PIPE, **how})
        self.assertNotRegex(done.stderr, "terminate called|filesystem error|std::|Traceback")
        return done

    def prepare(self, words):
        """Prepares a database on which the command has something to do."""
        (self.folder / "app.db").unlink(missing_ok=True)
        if words.startswith(("migrate", "baseline")):
            with contextlib.closing(sqlite3.connect(self.folder / "app.db")) as made:
                made.execute("create table other (a)")
        else:
            self.assertEqual(self.run_db("migrate").returncode, 0)
        if words == "repair":
            (self.folder / "migrations/0001_a.up.sql").write_text("create table t (id integer primary key, text "
                                                                  "text); -- changed")

    def refused(self, words, code, **how):
        done = self.run_db(words, **how)
        self.assertRegex(done.stderr, rf"(?m)^error\[{code}\]: ", words)
        self.assertEqual(done.returncode, 1, words)
        return done

    def test_of_others(self):
        by = ("setpriv", f"--reuid={hostile.NOBODY}", f"--regid={hostile.NOBODY}", "--clear-groups") if ROOT else ()
        for words, changes in USES.items():
            with self.subTest(use=words):
                self.prepare(words)
                if not by:
                    for path in [*self.folder.rglob("*"), self.folder]:
                        path.chmod(path.stat().st_mode & ~0o222)
                before = (self.folder / "app.db").read_bytes()
                if changes:
                    self.refused(words, "E0105", by=by)
                else:
                    self.assertEqual(self.run_db(words, by=by).returncode, 0)
                self.assertEqual((self.folder / "app.db").read_bytes(), before)
                self.assertEqual([path for path in self.folder.iterdir() if path.name not in ("app.db", "migrations")],
                                 [])
                for path in [self.folder, *self.folder.rglob("*")]:
                    path.chmod(path.stat().st_mode | 0o200)

    def test_output(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in PRINTS:
                with self.subTest(use=words):
                    self.prepare(words)
                    self.refused(words, "E0104", stdout=full)
                    self.refused(words, "E0106", by=("sh", "-c", 'exec "$0" "$@" >&-'))
            (self.folder / "app.db").unlink()
            (self.folder / "app.db").touch()
            self.refused("dump", "E0104", stdout=full)

    def test_missing(self):
        for words in ("dump", "backup copy.db"):
            self.refused(words, "E0903")
            self.assertFalse((self.folder / "app.db").exists(), words)
        shutil.rmtree(self.folder / "migrations")
        for words, code in {"migrate": "E0902", "rollback": "E0902", "status": "E0902", "baseline 1": "E0902",
                            "repair": "E0902",
                            "reset --yes": "E0902", "seed": "E0103"}.items():
            with self.subTest(use=words):
                self.refused(words, code)
                self.assertFalse((self.folder / "app.db").exists(), words)

    def test_no_database(self):
        for words in USES:
            if words.startswith("new"):
                continue
            with self.subTest(use=words):
                (self.folder / "app.db").write_text("no database at all " * 100)
                self.refused(words, "E090[35]")
                self.assertTrue((self.folder / "app.db").read_text().startswith("no database"))

    def test_full_disk(self):
        """Runs in a mount namespace of its own, with a disk of its own."""
        inside = ["unshare", "-m" if ROOT else "-Urm"]
        if "TEST_DISK" in os.environ or subprocess.run([*inside, "true"], capture_output=True,
                                                       check=False).returncode != 0:
            self.skipTest("no namespaces here")
        script = ('mount -t tmpfs -o size=1m none "$0" && exec env TEST_DISK="$0" "$@"')
        done = subprocess.run([*inside, "sh", "-c", script, self.folder, sys.executable, "-B", __file__, "FullDisk"],
                              capture_output=True, text=True, check=False, env=dict(os.environ, TEST_FULL="1"))
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])


class FullDisk(Databases):
    """Called by test_full_disk."""

    def test_all(self):
        if "TEST_DISK" not in os.environ:
            self.skipTest("called by test_full_disk")
        big = "insert into t (text) select hex(randomblob(900000));\n"
        for words, changes in USES.items():
            if not changes:
                continue
            with self.subTest(use=words):
                self.prepare(words)
                if words.startswith("backup"):
                    with contextlib.closing(sqlite3.connect(self.folder / "app.db")) as made, made:
                        made.execute("insert into t (text) select hex(randomblob(250000))")
                (self.folder / "migrations/seed.sql").write_text(big)
                fill = self.folder / "fill"
                with contextlib.suppress(OSError), open(fill, "wb", buffering=0) as filling:
                    while True:
                        filling.write(b"x" * 4096)
                before = (self.folder / "app.db").read_bytes()
                self.refused(words, "E0104")
                self.assertEqual((self.folder / "app.db").read_bytes(), before)
                fill.unlink()
                self.assertEqual(list(self.folder.glob("*.part")), [])


if __name__ == "__main__":
    if "TEST_DISK" in os.environ:
        sys.exit(unittest.main(defaultTest="FullDisk.test_all", argv=sys.argv[:1]))
    sys.exit(unittest.main(defaultTest="Databases"))
