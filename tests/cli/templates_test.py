#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each template becomes a project that is built and tested with CMake alone, by both compilers."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ.get("APUS_BUILD", "build/dev")
TOOL = os.path.abspath(os.path.join(BUILD, "bin/apus"))
# `empty` is built by the session work_on_a_project. g++ 12 sees the one that is most like what people write.
CASES = [("api", "dev"), ("web", "dev"), ("realtime", "dev"), ("worker", "dev"), ("library", "dev"), ("api", "gcc")]


def built(folder, env, kind, preset):
    """What CMake and the tests say, if they fail."""
    project = pathlib.Path(folder) / f"my-{kind}-{preset}"
    subprocess.run([TOOL, "-q", "new", str(project), "--no-git", "-t", kind], env=env, check=True)
    for words in (["cmake", "--preset", preset], ["cmake", "--build", "--preset", preset, "-j", "1"], ["ctest", "--preset", preset, "--no-tests=error"]):
        done = subprocess.run(words, cwd=project, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            return f"{kind}, {preset}: {done.stdout}"
    return ""


class Templates(unittest.TestCase):
    def test_each_is_a_project_without_the_tool(self):
        with tempfile.TemporaryDirectory(prefix="apus-templates-") as folder:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", f"{folder}/sdk"], check=True, stdout=subprocess.DEVNULL)
            env = os.environ | {"APUS_SDK": f"{folder}/sdk", "HOME": folder, "CCACHE_DIR": os.environ.get("CCACHE_DIR", os.path.expanduser("~/.cache/ccache"))}
            cases = [case for case in CASES if shutil.which({"dev": "clang++-19", "gcc": "g++"}[case[1]])]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                failures = list(pool.map(lambda case: built(folder, env, *case), cases))
        self.assertEqual("".join(failures), "")
        self.assertTrue(failures)


if __name__ == "__main__":
    if not all(shutil.which(program) for program in ("cmake", "ninja")):
        sys.exit(77)
    sys.exit(unittest.main())
