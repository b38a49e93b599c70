#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command of the tool that writes: interrupted by a signal or by a full disk at each system call that changes
something (by strace), and run concurrently. Tests a sample of the calls; with APUS_HOSTILE=all in the environment
all of them, which takes 20 minutes; with APUS_HOSTILE='sdk pack' all of that command."""
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import hostile  # noqa: E402
from hostile import TABLE, Place, Use  # noqa: E402

ASKED = os.environ.get("APUS_HOSTILE")
ALL = ASKED is not None
CALLS = ("mkdir", "rename", "renameat2", "unlink", "unlinkat", "rmdir", "symlink", "fsync", "write", "openat")
WRITING = {name: use for name, use in TABLE.items() if use.writes not in ("", "cache") and ASKED in (None, "all", name)}
# Commands that fail when repeated, because the result already exists.
ONCE = {"new": "E0207", "init": "E0207", "eject": "E0309", "module new": "E0601", "remove": "E0406",
        "registry remove": "E0411",
        "registry publish": "E0412", "sdk remove": "E0502", "uninstall": "E0519"}
# The command that completes the work of a killed process.
MENDED_BY = {"remove": Use("lock --offline")}
# When repeated, these commands may have nothing to write; leftovers in a folder are removed only when a command writes
# there.
IDLE = (*ONCE, "fmt")
# These commands write or remove several things (a page, an SDK and its selection), each atomically, and continue where
# they were interrupted.
STEPWISE = ("cache gc", "manual", "sdk upgrade", "uninstall", "upgrade")
CALL = re.compile(r"^(\w+)\((.*)")


class Interrupted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="apus-interrupted-"))
        cls.addClassCleanup(hostile.remove, cls.scratch)
        (cls.scratch / "made").mkdir()
        cls.made = Place(cls.scratch / "made")
        cls.before, cls.after, cls.found = {}, {}, {}

    def place(self, use):
        folder = self.scratch / "place"  # always the same path, since written files contain paths
        if folder.exists():
            hostile.remove(folder)
        folder.mkdir()
        place = Place(folder, self.made.folder)
        place.prepare(use)
        return place

    def points(self, name, use):
        """Returns the system calls by which a use changes something, as counted by strace; also records the files
        before and after the use."""
        if name in self.found:
            return self.found[name]
        place, log = self.place(use), self.scratch / "log"
        self.before[name] = place.state()
        seen = place.run(use, by=("strace", "-o", log, "-e", f"trace={','.join(CALLS)}"))
        self.assertEqual(seen.status, use.status, seen.error)
        self.after[name] = place.state()
        counted, found = collections.Counter(), []
        for call, words in (match.groups() for match in map(CALL.match, log.read_text(errors="replace").splitlines())
                            if match):
            counted[call] += 1
            changes = "O_CREAT" in words if call == "openat" else \
                not words.startswith(("1,", "2,")) if call == "write" else True
            if changes:
                found.append((call, counted[call]))
        self.found[name] = found
        return found

    def sample(self, name, points):
        """Returns one of the calls, at a different position for each command; with APUS_HOSTILE=all returns all
        calls."""
        place = list(WRITING).index(name) * 0.381 % 1
        return points if ALL else [points[int(place * len(points))]]

    def whole(self, state, name):
        """Checks that each file is either unchanged or complete, whatever else happened."""
        for path, what in state.items():
            if ".apus-" not in path:
                self.assertIn(what, (self.before[name].get(path), self.after[name].get(path)), path)

    def again(self, place, name, use):
        """Runs the same command again, which must do the remaining work and remove leftovers."""
        seen = place.run(use)
        if name in ONCE and seen.status == 1:
            self.assertRegex(seen.error, rf"error\[{ONCE[name]}\]")
            if name in MENDED_BY:
                self.assertEqual(place.run(MENDED_BY[name]).status, 0)
        else:
            self.assertEqual(seen.status, use.status, seen.error)
        if name not in IDLE:
            self.assertEqual(place.leftovers(), [])
        self.assertEqual({path: what for path, what in place.state().items() if ".apus-" not in path}, self.after[name])

    def at_each_point(self, how, check, without=()):
        for name, use in WRITING.items():
            for call, count in self.sample(name, [point for point in self.points(name, use)
                                                  if point[0] not in without]):
                with self.subTest(use=name, call=call, number=count):
                    place = self.place(use)
                    seen = place.run(use, by=("strace", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                                              f"inject={call}:{how}:when={count}"))
                    self.assertFalse(seen.left, "a process is left")
                    check(name, use, place, seen)

    def killed(self, name, use, place, seen):
        self.assertEqual(seen.status, -signal.SIGKILL)
        self.whole(place.state(), name)
        if (place.folder / use.tool).exists():
            self.again(place, name, use)

    def gone_or_done(self, name, use, place, succeeded):
        """Checks that an interrupted command changed nothing, unless it was complete before it noticed the signal."""
        state = place.state()
        if succeeded or state == self.after[name]:
            self.assertEqual(state, self.after[name])
        elif name not in STEPWISE:
            self.assertEqual(state, self.before[name])
        else:
            self.whole(state, name)
            if (place.folder / use.tool).exists():
                self.again(place, name, use)

    def ended(self, name, use, place, seen):
        self.assertIn(seen.status, (-signal.SIGTERM, use.status), seen.error)
        self.assertEqual(place.leftovers(), [])
        self.gone_or_done(name, use, place, seen.status == use.status)

    def full(self, name, use, place, seen):
        if seen.status != use.status:
            self.assertRegex(seen.error, r"error\[E0104\]: .*No space left on device")
            self.assertEqual(place.leftovers(), [])
            self.gone_or_done(name, use, place, False)

    def test_killed(self):
        self.at_each_point("signal=SIGKILL", self.killed)

    def test_ended(self):
        self.at_each_point("signal=SIGTERM", self.ended)

    def test_full(self):
        self.at_each_point("error=ENOSPC", self.full, without=("unlink", "unlinkat", "rmdir"))

    def test_several_at_once(self):
        for name, use in WRITING.items():
            if name == "uninstall":  # the first process removes the tool before the others begin
                continue
            with self.subTest(use=name):
                place = self.place(use)
                started = [place.start(use) for _ in range(4)]
                ended = [hostile.Seen(process, *process.communicate(timeout=hostile.PATIENCE)) for process in started]
                for seen in ended:
                    self.assertTrue(seen.status == 0 or re.search(rf"error\[{ONCE.get(name)}\]", seen.error),
                                    seen.error)
                self.assertIn(0, [seen.status for seen in ended])
                self.assertEqual(place.leftovers(), [])

    def test_different_ones_at_once(self):
        uses = [Use(f"registry add r{i} recipes --offline") for i in range(4)] + [Use(f"module new m{i}")
                                                                                  for i in range(4)]
        uses += [TABLE["add"], TABLE["remove"], TABLE["registry remove"]]
        place = self.place(uses[0])
        for process in [place.start(use) for use in uses]:
            self.assertEqual(hostile.Seen(process, *process.communicate(timeout=hostile.PATIENCE)).status, 0)
        manifest = (place.folder / "shop/apus.toml").read_text()
        self.assertEqual(re.findall(r'^(\w+) = "(?:recipes|[01][.0-9]*)"', manifest, re.M),
                         sorted(re.findall(r"^(r\d|small)", manifest, re.M), key=manifest.find))
        self.assertEqual(len(re.findall(r"::make_app\(\)\);", (place.folder / "shop/src/app.hpp").read_text())), 4)
        self.assertEqual(place.run(Use("lock --frozen --offline")).status, 0)


if __name__ == "__main__":
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True,
                                                    check=False).returncode:
        print("skipped: there is no strace, or it may not trace")
        sys.exit(77)
    sys.exit(unittest.main())
