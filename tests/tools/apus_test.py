#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ./apus says and how it ends, in a copy of the repository that has only what a case needs."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = "cmake_minimum_required(VERSION 3.25)\nproject(copy LANGUAGES CXX)\nenable_testing()\n"
# As the library includes it, where nothing is found that is not named by its whole path.
NO_NPM = PROJECT + f"""set(CMAKE_CXX_STANDARD 23)
add_library(apus_openapi STATIC)
target_include_directories(apus_openapi PRIVATE {ROOT}/src)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
include(cmake/swagger_ui.cmake)
"""
BROKEN = PROJECT + "add_executable(broken broken.cpp)\n"


def apus(files, *words):
    """Exit status and what it says, in a folder with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("apus", "packages.txt", "CMakePresets.json", "tools", "cmake"):
            whole = ROOT / name
            (shutil.copytree if whole.is_dir() else shutil.copy)(whole, pathlib.Path(folder) / name)
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text)
        done = subprocess.run(["./apus", *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "APUS_NO_INSTALL": "1", "NO_COLOR": "1"})
        return done.returncode, done.stdout + done.stderr


class Apus(unittest.TestCase):
    def test_ends_with_what_became_of_it(self):
        broken = {"CMakeLists.txt": BROKEN, "broken.cpp": "int main() { return }\n"}
        for files, words, status, says in (
                (broken, ["test"], 1, "error: the build of dev failed"),
                (broken, ["build", "--debug"], 1, "error: the build of dev failed"),
                ({"CMakeLists.txt": "project(\n"}, ["test"], 1, "error: cannot configure the preset dev"),
                ({"CMakeLists.txt": PROJECT}, ["test"], 1, "error: no test has a name that matches"),
                ({"CMakeLists.txt": NO_NPM}, ["build", "--debug"], 0, "apus: apus::openapi_page has no renderer, and the page at /docs"),
                ({"CMakeLists.txt": PROJECT + "add_test(NAME no COMMAND false)\n"}, ["test"], 1, "failed: no\n0 passed, 1 failed"),
                ({"CMakeLists.txt": PROJECT + "add_test(NAME yes COMMAND true)\n"}, ["test"], 0, "1 passed, 0 failed"),
                ({}, ["test", "--preset", "none"], 2, "error: there is no preset `none`"),
                ({}, ["fuzz", "nothing", "1"], 2, "error: there is no fuzz target `nothing`")):
            with self.subTest(words=words, says=says):
                got, said = apus(files, *words)
                self.assertIn(says, said)
                self.assertEqual(got, status, said)


if __name__ == "__main__":
    unittest.main()
