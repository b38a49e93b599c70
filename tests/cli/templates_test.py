#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A project is created from each template, built and tested with CMake alone, and packaged: `api` as a release, the
others as built for the tests."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ.get("APUS_BUILD", "build/dev")
TOOL = os.path.abspath(os.path.join(BUILD, "bin/apus"))
KINDS = ("api", "web", "realtime", "worker", "empty", "library")
FORMATS = {"deb": ("dpkg-deb", "dpkg-shlibdeps"), "rpm": ("rpmbuild",), "tar": (), "oci": ()}
OURS = {"libc6"} if shutil.which("dpkg-query") else set()
SAID = '\n[package]\nmaintainer = "Ada Lovelace <ada@example.org>"\n\n[package.image]\nhealth = "/notes"\n'


def packaged(project, env, kind):
    """Packages the project in each format that this machine supports, and returns the errors."""
    binary = [] if kind in ("library", "api") else ["--binary", f"build/dev/{project.name}"]
    with open(project / "apus.toml", "a", encoding="utf-8") as manifest:
        manifest.write(SAID)
    able = [each for each, programs in FORMATS.items() if all(shutil.which(program) for program in programs)]
    wanted = ["all"] if len(able) == len(FORMATS) else able
    for each in wanted:
        words = [TOOL, "-q", "package", each, *binary]
        done = subprocess.run(words, cwd=project, env=env, text=True, capture_output=True, check=False)
        if kind == "library":
            refused = done.returncode == 1 and "is a library, but packages contain a program" in done.stderr
            return "" if refused else done.stderr or "a library was packaged"
        if done.returncode:
            return done.stderr
    made = sorted(path for path in (project / "dist").iterdir() if path.suffix not in (".json", ".sha256"))
    if len(made) != len(able):
        return f"{len(able)} packages were to be made, and there are {made}"
    return "".join(faults(package, env) for package in made)


def faults(package, env):
    """Returns the errors of a package and of its accompanying files."""
    said = subprocess.run([TOOL, "-q", "package", "verify", package], env=env, text=True, capture_output=True,
                          check=False)
    bill = json.loads(package.with_name(package.name + ".cdx.json").read_text())
    names = {part["name"] for part in bill["components"]}
    program = bill["metadata"]["component"]["name"]
    lacks = [] if said.returncode == 0 and {"apus"} | OURS <= names else [f"{package.name}: {said.stderr}{names}\n"]
    if package.name.endswith(".tar.gz"):
        into = package.parent / "unpacked"
        into.mkdir()
        subprocess.run(["tar", "xzf", package, "-C", into, "--strip-components=1"], check=True)
        lists = subprocess.run([into / "usr/bin" / program, "--routes"], cwd=package.parent.parent, text=True,
                               capture_output=True, check=False)
        lacks += [] if "GET " in lists.stdout else [f"{package.name} lists no routes: {lists.stdout}{lists.stderr}\n"]
    return "".join(lacks)


def built(folder, env, kind):
    """Builds and tests a project. Returns the output of CMake, the tests and the packaging if one of them fails."""
    project = pathlib.Path(folder) / f"my-{kind}"
    subprocess.run([TOOL, "-q", "new", str(project), "--no-git", "-t", kind], env=env, check=True)
    for words in (["cmake", "--preset", "dev"], ["cmake", "--build", "--preset", "dev", "-j", "1"],
                  ["ctest", "--preset", "dev", "--no-tests=error"]):
        done = subprocess.run(words, cwd=project, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
        if done.returncode:
            return f"{kind}: {done.stdout}"
    wrong = packaged(project, env, kind)
    return f"{kind}: {wrong}" if wrong else ""


class Templates(unittest.TestCase):
    def test_each_is_a_project_without_the_tool(self):
        with tempfile.TemporaryDirectory(prefix="apus-templates-") as folder:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", f"{folder}/sdk"], check=True,
                           stdout=subprocess.DEVNULL)
            env = os.environ | {"APUS_SDK": f"{folder}/sdk", "HOME": folder,
                                "CCACHE_DIR": os.environ.get("CCACHE_DIR", os.path.expanduser("~/.cache/ccache"))}
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                failures = list(pool.map(lambda kind: built(folder, env, kind), KINDS))
        self.assertEqual("".join(failures), "")
        self.assertTrue(failures)


if __name__ == "__main__":
    if missing := [program for program in ("cmake", "ninja", "clang++-19") if not shutil.which(program)]:
        print(f"skipped: there is no {', '.join(missing)}")
        sys.exit(77)
    sys.exit(unittest.main())
