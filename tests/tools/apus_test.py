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
# With nothing in it, but installed as the library is.
SMALL = """cmake_minimum_required(VERSION 3.25)
project(apus VERSION 0.1.0 LANGUAGES CXX)
file(WRITE ${PROJECT_SOURCE_DIR}/include/apus/none.hpp "")
file(WRITE ${PROJECT_BINARY_DIR}/none.cpp "int main() {}")
add_library(apus STATIC ${PROJECT_BINARY_DIR}/none.cpp)
add_executable(apus_health ${PROJECT_BINARY_DIR}/none.cpp)
add_executable(apus_tool ${PROJECT_BINARY_DIR}/none.cpp)
set_target_properties(apus_tool PROPERTIES OUTPUT_NAME apus RUNTIME_OUTPUT_DIRECTORY bin)
file(MAKE_DIRECTORY ${PROJECT_SOURCE_DIR}/templates ${PROJECT_SOURCE_DIR}/libraries)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
set(APUS_TOOLKIT ON)
include(install)
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
                ({"CMakeLists.txt": SMALL}, ["install", "--prefix", "a", "--profile", "minimal"], 0, "installed 0.1.0-minimal in "),
                ({"CMakeLists.txt": SMALL, "full": "a file"}, ["install", "--prefix", "full/a"], 1, "error: cannot write to "),
                ({}, ["install", "--profile", "none"], 2, "error: there is no profile `none`"),
                ({}, ["install", "--prefix"], 2, "error: `--prefix` needs a value"),
                ({}, ["install", "now"], 2, "error: install does not know `now`"),
                ({}, ["fuzz", "nothing", "1"], 2, "error: there is no fuzz target `nothing`")):
            with self.subTest(words=words, says=says):
                got, said = apus(files, *words)
                self.assertIn(says, said)
                self.assertEqual(got, status, said)

    def test_installs_profiles_side_by_side_and_leaves_nothing_else(self):
        with tempfile.TemporaryDirectory() as prefix:
            for profile in ("minimal", "web", "minimal"):
                got, said = apus({"CMakeLists.txt": SMALL}, "install", "--prefix", prefix, "--profile", profile)
                self.assertEqual(got, 0, said)
            sdks = pathlib.Path(prefix) / "lib/apus/sdk"
            self.assertEqual(sorted(os.listdir(sdks)), ["0.1.0-minimal", "0.1.0-web", "current"])
            self.assertEqual(os.readlink(sdks / "current"), "0.1.0-minimal")
            self.assertTrue((pathlib.Path(prefix) / "bin/apus").exists())
            self.assertIn("set(apus_installed_components core)", (sdks / "current/lib/cmake/apus/apus-config.cmake").read_text())
            use = "cmake_minimum_required(VERSION 3.25)\nproject(use CXX)\nfind_package(apus 0.1 REQUIRED COMPONENTS tls)\n"
            with tempfile.TemporaryDirectory() as project:
                (pathlib.Path(project) / "CMakeLists.txt").write_text(use)
                found = subprocess.run(["cmake", "-B", project + "/b", "-S", project, f"-DCMAKE_PREFIX_PATH={prefix}"], capture_output=True, text=True, check=False)
                self.assertIn("this installation has no component `tls`; it has core", " ".join(found.stderr.split()))


if __name__ == "__main__":
    unittest.main()
