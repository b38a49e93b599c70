#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests how tools/install_packages installs, with programs that stand in for apt."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Like apt-get, the stand-in fails if another process holds its lock. It keeps the lock until the test allows it to
# continue. The lists are updated by the second attempt if SYSTEM_UPDATES is set, as if the system itself held the lock.
# It closes the status descriptor in the programs that it starts, and these write to standard output.
APT_GET = """#!/bin/sh
echo "$1" >> calls
mkdir locked || exit 100
if [ "$1" = install ]; then
    status=$(echo "$*" | sed 's/.*Status-Fd=\\([0-9]*\\).*/\\1/')
    eval "echo 'pmstatus:bc:50.0:Configuring bc' >&$status; exec $status>&-"
    echo 'output of a trigger' && touch installed
elif [ -n "$SYSTEM_UPDATES" ] && [ ! -e tried ]; then
    touch tried; echo 'E: Could not get lock /var/lib/apt/lists/lock.'; rmdir locked; exit 100
else read -r _ < "$PWD/continue"; touch updated
fi
rmdir locked
"""
APT_CACHE = "#!/bin/sh\n[ ! -e updated ] || echo Package: bc\n"
DPKG_QUERY = "#!/bin/sh\n[ ! -e installed ] || echo installed\n"


class InstallPackages(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copytree(ROOT / "tools", self.path("tools"))
        shutil.copy(ROOT / "packages.txt", self.path("packages.txt"))
        os.mkdir(self.path("programs"))
        for name, text in (("apt-get", APT_GET), ("apt-cache", APT_CACHE), ("dpkg-query", DPKG_QUERY),
                           ("sudo", '#!/bin/sh\nshift\nexec "$@"\n')):
            self.path("programs", name).write_text(text)
            self.path("programs", name).chmod(0o755)
        os.mkfifo(self.path("continue"))
        self.allowed = os.open(self.path("continue"), os.O_RDWR)  # does not wait for a reader
        self.addCleanup(os.close, self.allowed)

    def path(self, *names):
        return pathlib.Path(self.folder, *names)

    def start(self, **variables):
        process = subprocess.Popen(
            ["tools/install_packages", "--named", "bc"], cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "PATH": f"{self.path('programs')}:{os.environ['PATH']}", **variables})
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def say_continue(self):
        os.write(self.allowed, b"\n")

    def ended(self, process):
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 0, said)
        return said

    def line_with(self, process, words):
        for line in process.stderr:
            if words in line:
                return
        self.fail(f"nothing with `{words}` was printed")

    def test_one_process_installs_and_the_others_wait(self):
        first = self.start()
        self.line_with(first, "updating the package lists")
        others = [self.start() for _ in range(3)]
        for other in others:
            self.line_with(other, "waiting for another ./apus process that installs packages")
        self.say_continue()
        self.ended(first)
        for other in others:
            self.assertEqual(self.ended(other), "")
        self.assertEqual(self.path("calls").read_text(), "update\ninstall\n")

    def test_packages_may_write_to_standard_output(self):
        self.path("updated").touch()
        said = self.ended(self.start())
        self.assertIn("apus:   50 % installed\n", said)
        self.assertIn("output of a trigger\n", self.path("build", "install.log").read_text())

    def test_waits_for_the_lists_if_another_program_updates_them(self):
        process = self.start(SYSTEM_UPDATES="1")
        self.line_with(process, "updating the package lists")
        self.say_continue()
        self.ended(process)
        self.assertEqual(self.path("calls").read_text(), "update\nupdate\ninstall\n")


if __name__ == "__main__":
    unittest.main()
