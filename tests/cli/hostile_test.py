#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command of the tool in every kind of faulty environment fails with the right code and message, prints nothing
else, and changes nothing. interrupted_test.py covers faults in the middle of a command."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import hostile  # noqa: E402
from hostile import TABLE, Place, Use  # noqa: E402

# Faults of apus.toml: its text, or a function that is called with the file's path; the error code, and the required
# words.
MANIFESTS = {
    "missing": (lambda file: file.unlink(), "E0201", "no apus.toml found"),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "E0201", "is not a file"),
    "a link that leads nowhere": (lambda file: (file.unlink(), file.symlink_to("nowhere")), "E0201",
                                  "dangling symbolic link"),
    "empty": ("", "E0205", "apus.toml: missing table `[project]`"),
    "no TOML": ("[project\nname = 1\n", "E0202", "apus.toml:1: "),
    "cut off": ('[project]\nname = "shop', "E0202", "apus.toml:2: "),
    "not UTF-8": (b'[project]\nname = "caf\xe9"\n', "E0202", "apus.toml:2: "),
    "with zeros": (b"[project]\nname = \"a\0b\"\n", "E0202", "apus.toml:2: "),
    "of the wrong type": ("[project]\nname = 3\n", "E0204",
                          "apus.toml:2: `project.name` must be a string, not an integer"),
    "with a table for a text": ("[project.name]\nx = 1\n", "E0204", "apus.toml:1: `project.name` must be a string"),
    "with an unknown key": ('[project]\nname = "shop"\nversoin = "1"\n', "E0203",
                                "apus.toml:3: unknown key `project.versoin`\nhint: did you mean `version`?"),
    "with an unknown table": ('[project]\nname = "shop"\n[devv]\n', "E0203",
                                  "apus.toml:3: unknown key `devv`\nhint: did you mean `dev`?"),
    "with a name that leads out": ('[project]\nname = "../x"\n', "E0206",
                                   "apus.toml:2: `project.name` must begin with a letter"),
    "huge": ("# a comment\n" * 200_000, "E0103", "apus.toml`: the file has more than 1048576 bytes"),
    "deep": ("a = " + "[" * 100_000, "E0202", "apus.toml:1: "),
    "deep by its dots": ("a" + ".a" * 100_000 + " = 1", "E0202", "apus.toml:1: nested deeper than 24 levels"),
    "deep by a header": ("[a" + ".a" * 100_000 + "]", "E0202", "apus.toml:1: nested deeper than 24 levels"),
}
LOCKS = {
    "after a merge": ("<<<<<<< HEAD\nformat = 1\n", "E0402", "apus.lock:1: "),
    "of a later version": ("format = 2\n", "E0402", "apus.lock:1: `format` is 2; allowed: 1 to 1"),
    "by hand": ('[[package]]\nname = "tiny"\nsource = "moon"\n', "E0402",
                "apus.lock:3: `package.source` must be `system`, `conan` or `git`"),
    "with CMake in it": ('[[package]]\nname = "tiny"\nsource = "system"\ntarget = "x) message(y"\n', "E0402",
                         "apus.lock:4: `package.target` is `x) message(y`"),
    "of the wrong type": ("format = 1\npackage = 3\n", "E0402", "apus.lock:2: `package` must be"),
    "not UTF-8": (b'# caf\xe9\n', "E0402", "apus.lock:1: "),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "E0103", "apus.lock`: Is a directory"),
}
# Missing programs: a use that needs the program, and the error code.
PROGRAMS = {
    "cmake": ("build", "E0107"), "ninja": ("build", "E0301"), "ctest": ("test", "E0107"),
    "clang-format-19 clang-format": ("fmt", "E0107"),
    "clang++-19": ("run one.cpp", "E0107"), "git": ("add x --git https://127.0.0.1:9/x.git --rev v1", "E0107"),
    "strip": ("package", "E0107"),
    "sha256sum": ("sdk verify", "E0107"), "tar": ("sdk install", "E0107"), "gzip": ("sdk pack", "E0107"),
    "curl": ("upgrade --from http://127.0.0.1:9", "E0107"),
}
# Uses that contact a server which does not exist.
OFFLINE = {
    "add x --git http://127.0.0.1:9/x.git --rev v1": "E0405",
    "sdk install 3.0.0-web --from http://127.0.0.1:9/apus": "E0504",
    "sdk list --from http://127.0.0.1:9/apus": "E0504",
    "upgrade --from http://127.0.0.1:9/apus": "E0504",
}
FREES = ("cache gc", "sdk use", "sdk remove", "uninstall")  # commands that need no disk space
ODD = re.compile(r"terminate called|filesystem error|std::|basic_|what\(\)|Sanitizer|Assertion|Traceback|Segmentation")


# All commands read apus.toml with the same code, so each is tested with only a part of the faults, unless all are
# requested.
EACH = 1 if os.environ.get("APUS_HOSTILE") == "all" else 4


def put(file, what):
    if callable(what):
        what(file)
    elif isinstance(what, bytes):
        file.write_bytes(what)
    else:
        file.write_text(what)


def needed(reads):
    return [(name, use) for name, use in TABLE.items() if use.reads in reads]


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="apus-hostile-"))
        cls.addClassCleanup(hostile.remove, cls.scratch)
        cls.scratch.chmod(0o755)
        (cls.scratch / "made").mkdir()
        cls.made = Place(cls.scratch / "made")

    def place(self):
        folder = tempfile.mkdtemp(dir=self.scratch)
        os.chmod(folder, 0o755)
        self.addCleanup(hostile.remove, folder)
        return Place(folder, self.made.folder)

    def sober(self, place, seen):
        """Checks invariants that hold however a command ends."""
        self.assertNotRegex(seen.error + seen.out, ODD)
        self.assertIn(seen.status, (0, 1, 2), seen.error)
        self.assertFalse(seen.left, "a process is left")
        self.assertEqual(place.leftovers(), [])

    def refused(self, place, use, code, says="", out="", before=None, **how):
        """Runs a use that must fail and change nothing."""
        state = place.state() if before is None else before
        seen = place.run(use, **how)
        self.sober(place, seen)
        self.assertRegex(seen.error, rf"(?m)^error\[(?:{code})\]: ", f"apus {use.words} ended with {seen.status}")
        self.assertIn(says, seen.error)
        self.assertEqual(seen.status, 2 if code == "E0102" else 1)
        self.assertEqual(seen.out, out)
        self.assertEqual(place.state(), state)

    def fine(self, place, use, **how):
        seen = place.run(use, **how)
        self.sober(place, seen)
        self.assertEqual(seen.status, use.status, f"apus {use.words}: {seen.error}")
        return seen

    def test_table(self):
        listing = self.made.run(Use("help")).out.split("Options of all commands")[0]
        commands = set(re.findall(r"^  ([a-z][a-z ]*?)(?:  +)\S", listing, re.M))
        # The `db` commands: database_files_test.py; the `jobs` commands use only a database, in the session `jobs`
        databases = {command for command in commands if command.startswith(("db ", "jobs "))}
        self.assertEqual(commands - databases - TABLE.keys(), set(), "commands without a row in hostile.py")

    def test_as_it_should_be(self):
        for name, use in TABLE.items():
            if name == "dev":  # does not end by itself; dev_test.py covers it
                continue
            with self.subTest(use=use.words):
                place = self.place()
                place.prepare(use)
                before = place.state()
                self.assertEqual(bool(self.fine(place, use).out), use.prints)
                self.assertEqual(place.state() != before, use.writes not in ("", "cache"), "what a use writes")

    def test_manifest(self):
        for turn, (what, (content, code, says)) in enumerate(MANIFESTS.items()):
            place = self.place()
            put(place.folder / "shop/apus.toml", content)
            before = place.state()
            for name, use in needed(("project", "lock", "build"))[turn % EACH::EACH]:
                with self.subTest(manifest=what, use=name):
                    self.refused(place, use, code, says, before=before)
            for name in ("sdk list", "explain"):
                with self.subTest(manifest=what, use=name):
                    self.fine(place, TABLE[name])

    def test_lock(self):
        for what, (content, code, says) in LOCKS.items():
            place = self.place()
            put(place.folder / "shop/apus.lock", content)
            before = place.state()
            for name, use in needed(("lock", "build")):
                with self.subTest(lock=what, use=name):
                    self.refused(place, use, code, says, before=before)

    def test_build_files(self):
        place = self.place()
        (place.folder / "shop/CMakeLists.txt").unlink()
        before = place.state()
        for name, use in needed(("build",)):
            if name != "dev":  # `dev` waits until the file is written
                with self.subTest(use=name):
                    self.refused(place, use, "E0301", "CMakeLists.txt", before=before)
        self.refused(place, TABLE["eject"], "E0103|E0309", "CMakeLists.txt")

    def test_programs(self):
        place, there = self.place(), {path.name: path for folder in ("/usr/bin", "/usr/local/bin")
                                      for path in pathlib.Path(folder).iterdir()}
        (place.folder / "shop/one.cpp").write_text("int main() {}\n")
        links = self.scratch / "programs"
        links.mkdir()
        for name, path in there.items():
            (links / name).symlink_to(path)
        env, before = place.environment() | {"PATH": str(links)}, place.state()
        for names, (words, code) in PROGRAMS.items():
            missing = [name for name in names.split() if name in there]
            for name in missing:
                (links / name).unlink()
            with self.subTest(without=names):
                says = names.split()[0] if code == "E0107" else "Ninja"
                self.refused(place, TABLE.get(words) or Use(words), code, says, before=before, env=env)
            for name in missing:
                (links / name).symlink_to(there[name])

    def test_network(self):
        place = self.place()
        for words, code in OFFLINE.items():
            with self.subTest(use=words):
                self.refused(place, Use(words), code, "127.0.0.1:9")

    def test_streams(self):
        place = self.place()
        full = open("/dev/full", "w")
        self.addCleanup(full.close)
        for name, use in TABLE.items():
            if use.writes or name in ("dev", "bench", "check", "test", "build"):
                continue
            with self.subTest(use=name):
                self.assertEqual(self.fine(place, use, by=("sh", "-c", 'exec "$0" "$@" <&-')).out != "", use.prints)
                self.fine(place, use, by=("sh", "-c", 'exec "$0" "$@" 2>&-'))
            if not use.prints or name == "run":  # `run` is replaced by the program
                continue
            with self.subTest(use=name, to="a disk that is full"):
                self.refused(place, use, "E0104", "standard output: No space left on device", stdout=full)
            with self.subTest(use=name, to="nothing"):
                self.refused(place, use, "E0106", "cannot write to standard output: Bad file descriptor",
                             by=("sh", "-c", 'exec "$0" "$@" >&-'))

    def test_surroundings(self):
        place = self.place()
        env = place.environment()
        del env["HOME"]
        for name, use in TABLE.items():
            if use.home:
                with self.subTest(without="HOME", use=name):
                    self.refused(place, use, "E0106", "HOME is not set", env=env)
        gone = ("sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"')
        for name, use in needed(("project", "lock", "build")):
            with self.subTest(where="a folder that is gone", use=name):
                self.refused(place, use, "E0106", "cannot determine the current folder: No such file or directory",
                             by=gone)

    def test_somebody_else(self):
        """Runs as a user without write permission, except for temporary files."""
        place = self.place()
        (place.folder / "tmp").chmod(0o777)
        for use in TABLE.values():
            place.prepare(use)
        by = ("setpriv", f"--reuid={hostile.NOBODY}", f"--regid={hostile.NOBODY}",
              "--clear-groups") if os.geteuid() == 0 else ()
        if not by:
            for path in [place.folder, *place.folder.rglob("*")]:
                if not path.is_symlink() and path.name != "tmp":
                    path.chmod(path.stat().st_mode & ~0o222)
        before = place.state()
        for name, use in TABLE.items():
            with self.subTest(use=name):
                if use.writes or use.reads == "build":
                    self.refused(place, use, "E0105", "Permission denied", before=before, by=by)
                else:
                    self.fine(place, use, by=by)
        (place.folder / "shop/apus.toml").chmod(0)
        for name, use in needed(("project", "lock", "build")):
            with self.subTest(use=name, manifest="of others"):
                self.refused(place, use, "E0103", "apus.toml`: Permission denied", by=by)

    def test_full_disk(self):
        """Runs in a mount namespace of its own, with a disk of its own."""
        root = os.geteuid() == 0
        inside = ["unshare", "-m" if root else "-Urm", sys.executable, "-B", __file__, "--full-disk",
                  str(self.made.folder), str(self.place().folder)]
        if subprocess.run([*inside[:2], "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no namespaces here")
        done = subprocess.run(inside, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])


class FullDisk(Hostile):
    """Called by test_full_disk, with the folder of a prepared place, and a folder for the disk."""

    @classmethod
    def setUpClass(cls):
        cls.disk = pathlib.Path(sys.argv[3])
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "full", cls.disk], check=True)

    def runTest(self):
        for name, use in TABLE.items():
            if name == "dev" or not (use.writes or use.reads == "build"):  # `dev` waits for a change after a failure
                continue
            with self.subTest(use=name):
                folder, filler = self.disk / "place", self.disk / "filler"
                folder.mkdir()
                try:
                    place = Place(folder, sys.argv[2])
                    place.prepare(use)
                    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                        while file.write(bytes(65536)):
                            pass
                    self.full(place, name, use)
                finally:
                    filler.unlink(missing_ok=True)
                    shutil.rmtree(folder)

    def full(self, place, name, use):
        if name in FREES:
            self.fine(place, use)
        else:
            self.refused(place, use, "E0104|E0301", "No space left on device")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--full-disk"]:
        sys.exit(not unittest.TextTestRunner().run(unittest.TestSuite([FullDisk()])).wasSuccessful())
    del FullDisk
    sys.exit(unittest.main())
