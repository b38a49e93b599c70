#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the output and exit status of ./apus, in a minimal copy of the repository."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = "cmake_minimum_required(VERSION 3.25)\nproject(copy LANGUAGES CXX)\nenable_testing()\n"
# Includes swagger_ui.cmake as the library does. Programs are found only by their full path, so npm is not found.
NO_NPM = PROJECT + f"""set(CMAKE_CXX_STANDARD 23)
add_library(apus_openapi STATIC)
target_include_directories(apus_openapi PRIVATE {ROOT}/src)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
include(cmake/swagger_ui.cmake)
"""
# An empty project that installs like the library.
SMALL = """cmake_minimum_required(VERSION 3.25)
project(apus VERSION 0.1.0 LANGUAGES CXX)
file(WRITE ${PROJECT_SOURCE_DIR}/include/apus/none.hpp "")
file(WRITE ${PROJECT_BINARY_DIR}/none.cpp "int main() {}")
add_library(apus STATIC ${PROJECT_BINARY_DIR}/none.cpp)
add_executable(apus_health ${PROJECT_BINARY_DIR}/none.cpp)
add_executable(apus_tool ${PROJECT_BINARY_DIR}/none.cpp)
add_executable(bench_load ${PROJECT_BINARY_DIR}/none.cpp)
add_dependencies(apus_tool bench_load)
add_library(apus_shared SHARED ${PROJECT_BINARY_DIR}/none.cpp)
set_target_properties(apus_shared PROPERTIES OUTPUT_NAME apus VERSION 0.1.0 SOVERSION 0.1)
set_target_properties(apus_tool PROPERTIES OUTPUT_NAME apus RUNTIME_OUTPUT_DIRECTORY bin)
file(MAKE_DIRECTORY ${PROJECT_SOURCE_DIR}/templates ${PROJECT_SOURCE_DIR}/libraries)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
set(APUS_TOOLKIT ON)
include(install)
"""
SKIPS = PROJECT + """add_test(NAME a COMMAND sh -c "echo 'skipped: there is no thing'; exit 77")
add_test(NAME b COMMAND sh -c "echo 'skipped: there is no thing'; exit 77")
add_test(NAME c COMMAND sh -c "echo fine; echo 'skipped: there is no client'")
add_test(NAME d COMMAND sh -c "exit 77")
set_tests_properties(a b d PROPERTIES SKIP_RETURN_CODE 77)
"""
SKIPPED = """skipped: no reason given
  | d
skipped: there is no client
  | c (in part)
skipped: there is no thing
  | a
  | b
1 passed, 0 failed, 3 skipped
"""
CHANGING = PROJECT + """add_test(NAME a COMMAND sh -c "cat ${PROJECT_SOURCE_DIR}/data")
add_test(NAME b COMMAND sh -c "exit 1")
"""
# The first of its cases fails, and more cases follow than the report prints lines.
LONG = PROJECT + """add_test(NAME long COMMAND sh -c "echo 'FAIL   0.1 s  first [uring]'; \
    seq -f 'ok     5.%g s  next [uring]' 1 9; seq -f 'ok     6.%g s  next [epoll]' 1 9; \
    seq -f 'ok    10.%g s  next [uring]' 1 9; echo '27 passed, 1 failed'; exit 1")
"""
# Fails only in the first run, like a test that is disturbed by other load.
UNSTEADY = PROJECT + """add_test(NAME once COMMAND sh -c "cat ${PROJECT_SOURCE_DIR}/ran || { touch \
${PROJECT_SOURCE_DIR}/ran; echo 'too late'; exit 1; }")
add_test(NAME fine COMMAND true)
"""
REPORTED = UNSTEADY.replace("too late", "WARNING: ThreadSanitizer: data race")
SELDOM = PROJECT + """add_test(NAME third COMMAND sh -c "echo x >> ${PROJECT_SOURCE_DIR}/ran
[ $(wc -l < ${PROJECT_SOURCE_DIR}/ran) != 1 ] && [ $(wc -l < ${PROJECT_SOURCE_DIR}/ran) != 4 ]")
"""
ALL_AT_ONCE = PROJECT + "".join(f"""add_test(NAME once_{n} COMMAND sh -c
"cat ${{PROJECT_SOURCE_DIR}}/ran{n} || {{ touch ${{PROJECT_SOURCE_DIR}}/ran{n}; exit 1; }}")
""" for n in range(7))
BROKEN = PROJECT + "add_executable(broken broken.cpp)\n"


def apus(files, *words, waits_for=None, then=(), **variables):
    """Returns the exit status and the output of ./apus in a folder with these files. A lock on `waits_for` is held
    until ./apus prints that it waits. `then` is a list of changes (files with their text); the result is then a
    list of the output after the first run and after each change."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("apus", "packages.txt", "CMakePresets.json", "tools", "cmake"):
            whole = ROOT / name
            (shutil.copytree if whole.is_dir() else shutil.copy)(whole, pathlib.Path(folder) / name)
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text)
        env = {**os.environ, "APUS_NO_INSTALL": "1", "NO_COLOR": "1", **variables}
        if waits_for:
            with open(waits_for, "w", encoding="utf-8") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                runs = subprocess.Popen(["./apus", *words], cwd=folder, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, env=env)
                said = ""
                for line in runs.stdout:
                    said += line
                    if "waiting" in line:
                        break
            said += runs.communicate(timeout=120)[0]
            return runs.returncode, said
        outcomes = []
        for change in [{}, *then]:
            for name, text in change.items():
                (pathlib.Path(folder) / name).write_text(text)
            done = subprocess.run(["./apus", *words], cwd=folder, capture_output=True, text=True, timeout=120,
                                  check=False, env=env)
            outcomes.append((done.returncode, done.stdout + done.stderr))
        return outcomes if then else outcomes[0]


class Apus(unittest.TestCase):
    def test_ends_with_a_summary(self):
        broken = {"CMakeLists.txt": BROKEN, "broken.cpp": "int main() { return }\n"}
        for files, words, status, says in (
                (broken, ["test"], 1, "error: the build of dev failed"),
                (broken, ["build", "--debug"], 1, "error: the build of dev failed"),
                ({"CMakeLists.txt": "project(\n"}, ["test"], 1, "error: cannot configure the preset dev"),
                ({"CMakeLists.txt": PROJECT}, ["test"], 1, "error: no test name matches"),
                ({"CMakeLists.txt": NO_NPM}, ["build", "--debug"], 0,
                 "apus: apus::openapi_page is built without its renderer, so the page at /docs"),
                ({"CMakeLists.txt": PROJECT + "add_test(NAME no COMMAND false)\n"}, ["test"], 1,
                 "failed: no\n0 passed, 1 failed"),
                ({"CMakeLists.txt": PROJECT + "add_test(NAME yes COMMAND true)\n"}, ["test"], 0, "1 passed, 0 failed"),
                ({"CMakeLists.txt": SKIPS}, ["test"], 0, SKIPPED),
                ({"CMakeLists.txt": UNSTEADY}, ["test"], 1, "failed: once\n"),
                ({"CMakeLists.txt": LONG}, ["test"], 1,
                 "failed: long\n  | FAIL   0.1 s  first [uring]\n  | 27 passed, 1 failed\n"),
                ({"CMakeLists.txt": UNSTEADY}, ["test", "--confirm"], 0,
                 "unsteady: once\n  | cat: "),
                ({"CMakeLists.txt": UNSTEADY}, ["test", "--confirm"], 0, "  | too late\n2 passed, 0 failed\n"),
                ({"CMakeLists.txt": REPORTED}, ["test", "--confirm"], 1, "1 passed, 1 failed\n"),
                ({"CMakeLists.txt": SELDOM}, ["test", "--confirm"], 1, "0 passed, 1 failed\n"),
                ({"CMakeLists.txt": ALL_AT_ONCE}, ["test", "--confirm"], 1, "0 passed, 7 failed\n"),
                ({}, ["test", "--preset", "none"], 2, "error: unknown preset `none`"),
                ({"CMakeLists.txt": SMALL}, ["install", "--prefix", "a", "--profile", "minimal"], 0,
                 "installed 0.1.0-minimal in "),
                ({"CMakeLists.txt": SMALL, "full": "a file"}, ["install", "--prefix", "full/a"], 1,
                 "error: cannot write to "),
                ({}, ["install", "--profile", "none"], 2,
                 "error: unknown profile `none`; profiles: minimal, web, data, realtime, full"),
                ({}, ["install", "--profile", "../none"], 2, "error: `../none` is an invalid profile name"),
                ({}, ["install", "--profile", "web", "--components", "core"], 2,
                 "error: `web` is a profile of Apus"),
                ({}, ["install", "--profile", "mine", "--components", "core,co.e"], 2,
                 "error: unknown component `co.e`"),
                ({}, ["install", "--prefix"], 2, "error: `--prefix` requires a value"),
                ({}, ["install", "now"], 2, "error: unknown option of install: `now`"),
                ({}, ["fuzz", "nothing", "1"], 2, "error: unknown fuzz target `nothing`")):
            with self.subTest(words=words, says=says):
                got, said = apus(files, *words)
                self.assertIn(says, said)
                self.assertEqual(got, status, said)

    def test_shows_help_of_each_command(self):
        told, whole = apus({}, "--help")
        self.assertEqual(told, 0)
        commands = [line.split()[0] for line in whole.splitlines() if line.startswith("  ") and line[2:3].isalpha()]
        self.assertGreater(len(commands), 7)
        for command in commands:
            for words in ([command, "--help"], [command, "-h"], ["help", command]):
                if command == "bench" and words[0] == "bench":
                    continue  # the suite prints its own help
                with self.subTest(words=words):
                    status, said = apus({}, *words)
                    self.assertEqual(status, 0, said)
                    self.assertTrue(said.startswith(f"usage: ./apus {command}"), said)
        status, said = apus({}, "help", "serve")
        self.assertEqual((status, said.splitlines()[0]), (2, "error: unknown command `serve`"))

    def test_installs_profiles_side_by_side_and_leaves_nothing_else(self):
        with tempfile.TemporaryDirectory() as prefix:
            sdks = pathlib.Path(prefix) / "lib/apus/sdk"
            # The state that a process leaves if it is killed between two renames.
            (sdks / ".incoming/lib").mkdir(parents=True)
            (sdks / ".outgoing-0.1.0-before").mkdir()
            old_page = pathlib.Path(prefix) / "share/man/man1/apus-old.1"
            old_page.parent.mkdir(parents=True)
            old_page.symlink_to("../../../lib/apus/sdk/current/share/man/man1/apus-old.1")
            for profile in ("minimal", "data", "minimal"):
                lock = sdks / ".apus-lock" if profile == "data" else None
                got, said = apus({"CMakeLists.txt": SMALL}, "install", "--prefix", prefix, "--profile", profile,
                                 waits_for=lock)
                self.assertEqual(got, 0, said)
                self.assertEqual("apus: waiting for another installation in " in said, profile == "data")
            self.assertEqual(sorted(os.listdir(sdks)), [".apus-lock", "0.1.0-before", "0.1.0-data", "0.1.0-minimal",
                                                        "current"])
            self.assertEqual(os.readlink(sdks / "current"), "0.1.0-minimal")
            self.assertFalse(old_page.is_symlink(), "a link to a page that is gone")
            self.assertTrue((pathlib.Path(prefix) / "share/bash-completion/completions/apus").is_symlink())
            self.assertEqual([(sdks / name / "lib/libapus.so.0.1.0").exists()
                              for name in ("0.1.0-minimal", "0.1.0-data")], [False, True])
            self.assertTrue((pathlib.Path(prefix) / "bin/apus").exists())
            self.assertIn("set(apus_installed_components core)",
                          (sdks / "current/lib/cmake/apus/apus-config.cmake").read_text())
            use = ("cmake_minimum_required(VERSION 3.25)\nproject(use CXX)\n"
                   "find_package(apus 0.1 REQUIRED COMPONENTS tls)\n")
            with tempfile.TemporaryDirectory() as project:
                (pathlib.Path(project) / "CMakeLists.txt").write_text(use)
                found = subprocess.run(["cmake", "-B", project + "/b", "-S", project, f"-DCMAKE_PREFIX_PATH={prefix}",
                                        "-DCMAKE_CXX_COMPILER=clang++-19"], capture_output=True, text=True, check=False)
                self.assertIn("component `tls` is not installed; installed: core", " ".join(found.stderr.split()))

    def test_installs_below_destdir_and_into_a_store(self):
        with tempfile.TemporaryDirectory() as folder:
            got, said = apus({"CMakeLists.txt": SMALL}, "install", "--prefix", "/usr", "--profile", "mine",
                             "--components", "core,tls", DESTDIR=folder)
            self.assertEqual(got, 0, said)
            self.assertEqual(os.readlink(f"{folder}/usr/lib/apus/sdk/current"), "0.1.0-mine")
            self.assertTrue(os.path.samefile(f"{folder}/usr/bin/apus",
                                             f"{folder}/usr/lib/apus/sdk/0.1.0-mine/bin/apus"))
            got, said = apus({"CMakeLists.txt": SMALL}, "install", "--store", f"{folder}/store")
            self.assertEqual(got, 0, said)
            self.assertEqual(sorted(os.listdir(f"{folder}/store")), [".apus-lock", "0.1.0-full"])

    def test_tests_that_passed_with_the_same_inputs_are_not_run_again(self):
        same = "skipping 1 tests that have passed with the same inputs"
        runs = apus({"CMakeLists.txt": CHANGING, "data": "one"}, "test", then=({}, {"data": "two"}, {}))
        self.assertEqual([status for status, _ in runs], [1, 1, 1, 1])
        self.assertEqual([same in said for _, said in runs], [False, True, False, True])
        for _, said in runs:
            self.assertIn("1 passed, 1 failed", said)
        self.assertIn("1 passed, 1 failed", apus({"CMakeLists.txt": CHANGING, "data": "one"}, "test", "--all",
                                                 then=({},))[1][1])


if __name__ == "__main__":
    unittest.main()
