#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each program that tests need is installed by `./apus test`, or is listed here with a reason."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = {"build", "test", "project", "gcc", "sanitize", "check"}

# Packages of programs, if their names differ.
PACKAGES = {
    "clang++-19": "clang-19", "dpkg-shlibdeps": "dpkg-dev", "g++": "g++", "gdb": "gdb", "llvm-cov-19": "llvm-19",
    "llvm-symbolizer-19": "llvm-19",
    "ninja": "ninja-build", "nghttp": "nghttp2-client",
    "rpmbuild": "rpm", "sanitizers": "libclang-rt-19-dev",
    "promtool": "prometheus", "psql": "postgresql", "ssh-keygen": "openssh-client",
}
# Programs that every Debian system has, or that dependencies of the packages in packages.txt contain.
ALWAYS = {"bash", "cc", "dpkg-deb", "dpkg-query", "gzip", "ldd", "objcopy", "prlimit", "sha256sum", "strip", "sysctl",
          "timeout"}
# Programs with which tests check more. `./apus test` names them when it skips these parts.
OPTIONAL = {
    "chromium": "a browser", "conan": "from PyPI; APUS_CONAN names it", "go": "newer than Debian 12's",
    "h2spec": "not in Debian", "lintian": "large", "litestream": "from PyPI",
    "node": "large",
    "root": "no program: `./apus test` may be called by anybody", "rpmlint": "large",
    "skopeo": "large", "systemd-analyze": "of machines with systemd",
}


def installed():
    """Returns the packages that `./apus test` installs."""
    lines = [line.split() for line in (ROOT / "packages.txt").read_text(encoding="utf-8").splitlines() if line
             and line[0] != "#"]
    return {line[1] for line in lines if line[0] in GROUPS}


def needed():
    """Yields (program, file) for all programs that tests require by name."""
    for session in (ROOT / "tests/cli/cases").glob("*/session"):
        for line in session.read_text(encoding="utf-8").splitlines():
            if line.startswith("# needs:"):
                yield from ((word, session.parent.name) for word in line[8:].split())
    for script in (ROOT / "tests").rglob("*.py"):
        if script.name.endswith("_run.py") or script.name == "journey.py" or script == pathlib.Path(__file__).resolve():
            continue  # not run by `./apus test`
        for name in re.findall(r'shutil\.which\("([^"]+)"', script.read_text(encoding="utf-8")):
            yield name, script.name
        for names in re.findall(r"for program in \(([^)]*)\) if not shutil.which", script.read_text(encoding="utf-8")):
            yield from ((name, script.name) for name in re.findall(r'"([^"]+)"', names))


class Programs(unittest.TestCase):
    def test_each_is_installed_or_optional(self):
        packages, unknown = installed(), []
        seen = list(needed())
        for program, file in seen:
            if program not in ALWAYS | OPTIONAL.keys() and PACKAGES.get(program, program) not in packages:
                unknown.append(f"{file} needs {program}, which no group of packages.txt has for `./apus test`")
        self.assertEqual(unknown, [])
        self.assertGreater(len(seen), 60)

    def test_each_listed_program_is_needed(self):
        seen = {program for program, _ in needed()}
        self.assertEqual(sorted((OPTIONAL.keys() | ALWAYS | PACKAGES.keys()) - seen - {"g++"}), [])


if __name__ == "__main__":
    unittest.main()
