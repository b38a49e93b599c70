#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An installation by CMake and by pkg-config: which components it offers, and what programs then need."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("APUS_BUILD", ROOT / "build/release")).resolve()
CXX = os.environ.get("APUS_CXX", "clang++-19")
HELLO = ROOT / "examples/hello.cpp"
SYSTEM = {"c", "m", "gcc_s", "stdc++"}
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(hello CXX)
find_package(apus REQUIRED COMPONENTS %s)
apus_application(hello {hello})
add_executable(smaller {hello})
target_link_libraries(smaller PRIVATE apus::core)
""".format(hello=HELLO)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False, **more)


def needed(program):
    """Libraries that a program asks for, without those of every C++ program."""
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

    def build(self, components):
        source = self.folder / components.replace(" ", "-")
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT % components)
        configured = run("cmake", "-G", "Ninja", "-S", source, "-B", source / "b", f"-DCMAKE_PREFIX_PATH={self.folder}/sdk", f"-DCMAKE_CXX_COMPILER={CXX}")
        if configured.returncode:
            return configured.stderr
        built = run("ninja", "-C", source / "b")
        self.assertEqual(built.returncode, 0, built.stdout)
        return [needed(source / "b" / name) for name in ("hello", "smaller")]

    def test_cmake_links_what_is_asked_for(self):
        self.assertEqual(self.build("core"), [{"uring"}, {"uring"}])
        self.assertEqual(self.build("core http2"), [{"uring", "nghttp2"}, {"uring"}])

    def test_cmake_names_what_is_not_there(self):
        said = " ".join(self.build("sql").split())
        self.assertIn("this installation has no component `sql`; it has core, web, compression, tls", said)

    def test_pkg_config_links_what_is_asked_for(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.folder / "sdk/lib/pkgconfig")}
        for module, libraries in (("apus-core", {"uring"}), ("apus-http2", {"uring", "nghttp2"}), ("apus", {"uring", "nghttp2"})):
            with self.subTest(module):
                flags = run("pkg-config", "--cflags", "--libs", module, env=environment).stdout.split()
                built = run(CXX, HELLO, "-o", self.folder / module, *flags)
                self.assertEqual(built.returncode, 0, built.stderr)
                self.assertEqual(needed(self.folder / module), libraries)


if __name__ == "__main__":
    if "APUS_JOIN:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text():
        sys.exit(77)  # an object is a folder then, and brings all that the folder needs
    unittest.main()
