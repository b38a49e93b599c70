#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ThreadSanitizer reports no race in code of the library that was compiled without it, as in projects that use an
installed library. Links a part of the library, compiled without instrumentation, to a program with it."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import compilers

COMPILER = os.environ.get("APUS_CXX", "clang++-19")
# Threads share an event_fd. The thread that releases it last did not use it last.
LIBRARY = """
#include "runtime/event_fd.hpp"
#include <atomic>
#include <memory>
#include <thread>
void share_event_fd() {
    std::atomic<bool> released = false;
    auto own = std::make_shared<const apus::runtime::event_fd>();
    std::thread other([&released, shared = own]() mutable {
        while (!released) std::this_thread::yield();
        shared.reset();
    });
    own->signal();
    own->clear();
    own.reset();
    released = true;
    other.join();
}
"""
PROGRAM = "void share_event_fd(); int main() { for (int i = 0; i < 50; ++i) share_event_fd(); }"


class Uninstrumented(unittest.TestCase):
    def test_an_event_fd_may_be_closed_by_another_thread(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "library.cpp").write_text(LIBRARY)
            (folder / "program.cpp").write_text(PROGRAM)
            flags = [COMPILER, "-std=c++23", "-O1", f"-I{compilers.ROOT / 'src'}"]
            subprocess.run([*flags, "-c", "library.cpp", "-o", "library.o"], cwd=folder, check=True)
            subprocess.run([*flags, "-fsanitize=thread", "program.cpp", "library.o", "-o", "program"], cwd=folder,
                           check=True)
            done = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
