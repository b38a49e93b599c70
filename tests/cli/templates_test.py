#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each template becomes a project that is built and tested with CMake alone, by both compilers, and packaged: `api` as a
release, the others as they were built for the tests."""
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
COMPILERS = {"dev": "clang++-19", "gcc": "g++"}
CASES = [(kind, preset) for kind in ("api", "web", "realtime", "worker", "empty", "library") for preset in COMPILERS]
FORMATS = {"deb": ("dpkg-deb", "dpkg-shlibdeps"), "rpm": ("rpmbuild",), "tar": (), "oci": ()}
OURS = {"libc6"} if shutil.which("dpkg-query") else set()
SAID = '\n[package]\nmaintainer = "Ada Lovelace <ada@example.org>"\n\n[package.image]\nhealth = "/notes"\n'
BY_GCC = {"version": 6, "configurePresets": [{"name": "release-gcc", "inherits": "release", "cacheVariables": {"CMAKE_CXX_COMPILER": "g++"}}]}


def package_words(kind, preset, name):
    """How the project of a case is packaged."""
    if kind == "library":
        return []
    if kind == "api":
        return ["--preset", {"dev": "release", "gcc": "release-gcc"}[preset]]
    return ["--binary", f"build/{preset}/{name}"]


def packaged(project, env, kind, preset):
    """Packages the project in each format that this machine can, and gives what is wrong with them."""
    (project / "CMakeUserPresets.json").write_text(json.dumps(BY_GCC))
    with open(project / "apus.toml", "a", encoding="utf-8") as manifest:
        manifest.write(SAID)
    able = [each for each, programs in FORMATS.items() if all(shutil.which(program) for program in programs)]
    wanted = ["all"] if len(able) == len(FORMATS) else able
    for each in wanted:
        words = [TOOL, "-q", "package", each, *package_words(kind, preset, project.name)]
        done = subprocess.run(words, cwd=project, env=env, text=True, capture_output=True, check=False)
        if kind == "library":
            return "" if done.returncode == 1 and "is a library, and packages hold a program" in done.stderr else done.stderr or "a library was packaged"
        if done.returncode:
            return done.stderr
    made = sorted(path for path in (project / "dist").iterdir() if path.suffix not in (".json", ".sha256"))
    if len(made) != len(able):
        return f"{len(able)} packages were to be made, and there are {made}"
    return "".join(faults(package, env) for package in made)


def faults(package, env):
    """What is wrong with a package and what stands beside it."""
    said = subprocess.run([TOOL, "-q", "package", "verify", package], env=env, text=True, capture_output=True, check=False)
    bill = json.loads(package.with_name(package.name + ".cdx.json").read_text())
    names = {part["name"] for part in bill["components"]}
    program = bill["metadata"]["component"]["name"]
    lacks = [] if said.returncode == 0 and {"apus"} | OURS <= names else [f"{package.name}: {said.stderr}{names}\n"]
    if package.name.endswith(".tar.gz"):
        into = package.parent / "unpacked"
        into.mkdir()
        subprocess.run(["tar", "xzf", package, "-C", into, "--strip-components=1"], check=True)
        lists = subprocess.run([into / "usr/bin" / program, "--routes"], cwd=package.parent.parent, text=True, capture_output=True, check=False)
        lacks += [] if "GET " in lists.stdout else [f"{package.name} lists no routes: {lists.stdout}{lists.stderr}\n"]
    return "".join(lacks)


def built(folder, env, kind, preset):
    """What CMake, the tests and the packages say, if they fail."""
    project = pathlib.Path(folder) / f"my-{kind}-{preset}"
    subprocess.run([TOOL, "-q", "new", str(project), "--no-git", "-t", kind], env=env, check=True)
    for words in (["cmake", "--preset", preset], ["cmake", "--build", "--preset", preset, "-j", "1"], ["ctest", "--preset", preset, "--no-tests=error"]):
        done = subprocess.run(words, cwd=project, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            return f"{kind}, {preset}: {done.stdout}"
    wrong = packaged(project, env, kind, preset)
    return f"{kind}, {preset}: {wrong}" if wrong else ""


class Templates(unittest.TestCase):
    def test_each_is_a_project_without_the_tool(self):
        with tempfile.TemporaryDirectory(prefix="apus-templates-") as folder:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", f"{folder}/sdk"], check=True, stdout=subprocess.DEVNULL)
            env = os.environ | {"APUS_SDK": f"{folder}/sdk", "HOME": folder, "CCACHE_DIR": os.environ.get("CCACHE_DIR", os.path.expanduser("~/.cache/ccache"))}
            cases = [case for case in CASES if shutil.which(COMPILERS[case[1]])]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                failures = list(pool.map(lambda case: built(folder, env, *case), cases))
        self.assertEqual("".join(failures), "")
        self.assertTrue(failures)


if __name__ == "__main__":
    if not all(shutil.which(program) for program in ("cmake", "ninja")):
        sys.exit(77)
    sys.exit(unittest.main())
