#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs with CMake, and uses the installation by CMake and by pkg-config: the components it offers, and the
libraries that programs then need."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("APUS_BUILD", ROOT / "build/release")).resolve()
CXX = os.environ.get("APUS_CXX", "clang++-19")
CACHE = (BUILD / "CMakeCache.txt").read_text()
EXAMPLES = ROOT / "examples"
SYSTEM = {"c", "m", "gcc_s", "stdc++"}
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(hello CXX)
find_package(apus REQUIRED COMPONENTS %s)
apus_application(program %s)
add_executable(smaller {hello})
target_link_libraries(smaller PRIVATE apus::core)
""".format(hello=EXAMPLES / "hello.cpp")


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False,
                          **more)


def needed(program):
    """Returns the libraries that a program needs, except those of every C++ program."""
    return set(re.findall(r"NEEDED.*\[lib([^.]*)\.so", run("readelf", "-d", program).stdout)) - SYSTEM


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        installed = run("cmake", "--install", BUILD, "--prefix", cls.folder / "sdk")
        assert installed.returncode == 0, installed.stderr

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def build(self, components, *flags, sdk="sdk", program="hello.cpp"):
        source = self.folder / "-".join([*components.split(), *flags, sdk])
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT % (components, EXAMPLES / program))
        configured = run("cmake", "-G", "Ninja", "-S", source, "-B", source / "b",
                         f"-DCMAKE_PREFIX_PATH={self.folder}/{sdk}", f"-DCMAKE_CXX_COMPILER={CXX}", *flags)
        if configured.returncode:
            return configured.stderr
        built = run("ninja", "-C", source / "b")
        self.assertEqual(built.returncode, 0, built.stdout)
        return [needed(source / "b" / name) for name in ("program", "smaller")]

    def test_cmake_links_the_requested_components(self):
        self.assertEqual(self.build("core"), [{"uring"}, {"uring"}])
        self.assertEqual(self.build("core http2"), [{"uring"}, {"uring"}])
        self.assertEqual(self.build("data", program="sql.cpp"),
                         [{"uring", "sqlite3", "pq", "ssl", "crypto", "sodium"}, {"uring"}])

    def test_cmake_reports_missing_components(self):
        said = " ".join(self.build("sql").split())
        self.assertIn("component `sql` is not installed; installed: core, web, compression, tls", said)

    def test_a_small_profile_contains_only_its_components(self):
        """Installs as ./apus install does. hello needs the libraries of every C++ program, and liburing."""
        installed = run(ROOT / "tools/install_sdk", BUILD, "minimal", "core", "--prefix", self.folder / "small")
        self.assertEqual(installed.returncode, 0, installed.stderr)
        self.assertEqual(self.build("core", sdk="small"), [{"uring"}, {"uring"}])
        self.assertIn("APUS_SHARED is set, but libapus.so is not installed",
                      " ".join(self.build("core", "-DAPUS_SHARED=ON", sdk="small").split()))
        for link in ("man/man1/apus.1", "man/man1/apus-sdk-install.1", "bash-completion/completions/apus",
                     "zsh/site-functions/_apus", "fish/vendor_completions.d/apus.fish"):
            self.assertGreater((self.folder / "small/share" / link).stat().st_size, 300, link)

        self.replaced_at_once(self.folder / "small")

    def replaced_at_once(self, prefix):
        """Checks that an SDK of this name is complete after each step of an installation."""
        steps = self.folder / "steps"
        steps.mkdir()
        for name in ("mv", "rm", "find"):
            (steps / name).write_text(f"#!/bin/sh\n{shutil.which(name)} \"$@\"\nstatus=$?\ntest -e "
                                      f"{prefix}/lib/apus/sdk/current/lib/libapus.a || echo {name} >> "
                                      f"{steps}/gone\nexit $status\n")
            (steps / name).chmod(0o755)
        (prefix / "lib/apus/sdk/current/of-the-first").touch()
        again = run(ROOT / "tools/install_sdk", BUILD, "minimal", "core", "--prefix", prefix,
                    env={**os.environ, "PATH": f"{steps}:{os.environ['PATH']}"})
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        self.assertFalse((steps / "gone").exists())
        self.assertFalse((prefix / "lib/apus/sdk/current/of-the-first").exists())
        self.assertEqual(sorted(each.name for each in (prefix / "lib/apus/sdk").iterdir() if each.name != ".apus-lock"),
                         [(prefix / "lib/apus/sdk/current").readlink().name, "current"])

    def test_a_new_component_needs_only_a_line_in_the_table(self):
        later = self.folder / "later"
        shutil.copytree(self.folder / "sdk", later)
        package = later / "lib/cmake/apus"
        with open(package / "components.txt", "a", encoding="utf-8") as table:
            table.write("sql-sqlite | core web | zlib | zlib1g-dev | a database in a file\n")
        config = (package / "apus-config.cmake").read_text()
        (package / "apus-config.cmake").write_text(config.replace("(apus_installed_components core",
                                                                  "(apus_installed_components sql-sqlite;core"))
        self.assertEqual(self.build("sql-sqlite", sdk="later"), [{"uring"}, {"uring"}])

    def configure(self, name, *flags):
        """Returns CMake's output for a project without sources, in the build folder `name`."""
        source = self.folder / "configured"
        source.mkdir(exist_ok=True)
        (source / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(configured "
                                               "CXX)\nfind_package(apus REQUIRED COMPONENTS core)\n")
        return run("cmake", "-G", "Ninja", "-S", source, "-B", source / name, f"-DCMAKE_PREFIX_PATH={self.folder}/sdk",
                   *flags)

    def test_a_compiler_that_miscompiles_coroutines_is_refused(self):
        gcc = shutil.which("g++")
        self.assertTrue(gcc, "packages.txt has g++ for this test")
        aarch64 = ("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", f"-DCMAKE_CXX_COMPILER={gcc}")
        refused = (f"{gcc} miscompiles coroutines: it destroys temporaries beside co_await twice, so that correct "
                   "programs crash; use clang 19 (apt-get install clang-19, ")
        for name, flags, status, says in (
                ("refused", [f"-DCMAKE_CXX_COMPILER={gcc}"], 1, refused),
                ("allowed", [f"-DCMAKE_CXX_COMPILER={gcc}", "-DAPUS_ALLOW_MISCOMPILING_COMPILER=ON"], 0,
                 "Configuring done"),
                ("cross", aarch64, 0, f"cannot check whether {gcc} miscompiles coroutines: programs for aarch64 do not "
                                      f"run here"),
                ("emulated", [*aarch64, "-DCMAKE_CROSSCOMPILING_EMULATOR=env"], 1, refused),
                ("strict", [f"-DCMAKE_CXX_COMPILER={gcc}",
                            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpadded -Weffc++ -Werror -fsanitize=address"], 1,
                 refused),
                ("libraries", [f"-DCMAKE_CXX_COMPILER={gcc}", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"], 1,
                 refused),
                ("old", [f"-DCMAKE_CXX_COMPILER={CXX}", "-DCMAKE_CXX_FLAGS=-Dco_await=no"], 0,
                 "the probe does not compile"),
                ("broken", [f"-DCMAKE_CXX_COMPILER={CXX}",
                            "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath,/nowhere,--dynamic-linker,/nowhere/ld.so"], 0,
                 "the probe ended with FAILED_TO_RUN")):
            with self.subTest(name):
                configured = self.configure(name, *flags)
                self.assertIn(says, " ".join((configured.stdout + configured.stderr).split()))
                self.assertEqual(configured.returncode, status)

    def test_a_build_folder_probes_its_compiler_once(self):
        probe = self.folder / "sdk/lib/cmake/apus/coroutine_probe.cpp"
        text = probe.read_text()
        self.addCleanup(probe.write_text, text)
        by = f"-DCMAKE_CXX_COMPILER={CXX}"
        self.assertEqual(self.configure("once", by).returncode, 0)
        probe.write_text("int main() { return 42; }\n")
        self.assertEqual(self.configure("once", by).returncode, 0, "neither the compiler nor its flags have changed")
        self.assertEqual(self.configure("once", by, "-DCMAKE_CXX_FLAGS=-O1").returncode, 1, "the flags have changed")

    @unittest.skipUnless("APUS_SHARED_LIBRARY:BOOL=ON" in CACHE, "this build makes no libapus.so")
    def test_the_shared_library_has_what_programs_use(self):
        library = self.folder / "sdk/lib/libapus.so"
        self.assertIn(f"[{os.readlink(library)}]", run("readelf", "-d", library).stdout)
        self.assertEqual(self.build("core", "-DAPUS_SHARED=ON"), [{"apus"}, {"apus"}])
        hello = self.folder / "core--DAPUS_SHARED=ON-sdk/b/program"
        self.assertIn("Usage: ", run(hello, "--help").stdout)
        flags = run("pkg-config", "--cflags", "--libs", "apus-shared",
                    env={**os.environ, "PKG_CONFIG_PATH": str(self.folder / "sdk/lib/pkgconfig")}).stdout.split()
        objects = [path for name in ("showcase", "arena")
                   for pattern in (f"*{name}.dir/examples/{name}/*.o", f"*{name}.dir/*_migrations.cpp.o")
                   for path in (BUILD / "CMakeFiles").glob(pattern)]
        self.assertGreater(len(objects), 4)
        for name in ("showcase", "arena"):
            linked = run(CXX, "-flto=thin", "-fuse-ld=lld", *[path for path in objects if name in path.parts[-2]], "-o",
                         self.folder / name, *flags)
            self.assertEqual(linked.returncode, 0, linked.stderr)
        exported = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).stdout.splitlines()]
        self.assertGreater(len(exported), 300)
        self.assertEqual([name for name in exported if "4apus" not in name
                          or name.startswith(("_ZN4apus4http", "_ZN4apus7runtime"))], [])

    def test_pkg_config_links_the_requested_components(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.folder / "sdk/lib/pkgconfig")}
        for module, libraries in (("apus-core", {"uring"}), ("apus-http2", {"uring"}), ("apus", {"uring"})):
            with self.subTest(module):
                flags = run("pkg-config", "--cflags", "--libs", module, env=environment).stdout.split()
                built = run(CXX, EXAMPLES / "hello.cpp", "-o", self.folder / module, *flags)
                self.assertEqual(built.returncode, 0, built.stderr)
                self.assertEqual(needed(self.folder / module), libraries)


if __name__ == "__main__":
    if "APUS_JOIN:BOOL=ON" in CACHE:
        print("skipped: the preset compiles the files of a folder as one; `.ci/run` calls this test by the release "
              "build")
        sys.exit(77)  # one object file then contains a whole folder, with all its dependencies
    unittest.main()
