#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads built files: in optimized builds, the programs of projects and of this repository are hardened."""

import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = os.environ.get("APUS_CXX", "clang++-19")
SOURCE = """
#include <cstdio>
#include <cstring>
struct task { void (*run)(const char*); };
static void print(const char* text) { std::puts(text); }
int main(int count, char** words) {
    char text[64];
    std::strcpy(text, words[count - 1]);  // fortified, since the size of the buffer is known
    volatile task t{print};
    t.run(text);
}
"""
# `own` is compiled like the tool and the library, `app` like a program of a project.
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH {ROOT}/cmake)
add_library(stub INTERFACE)
add_library(apus::apus ALIAS stub)
include({ROOT}/cmake/apus_application.cmake)
apus_application(app main.cpp)
include(toolchain)
add_executable(own main.cpp)
target_link_libraries(own PRIVATE apus_flags)
"""


def run(*words, folder=None, wanted=(0,)):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in wanted:
        raise AssertionError(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(folder, kind, *options):
    """Returns the folder of a build of the project."""
    place = pathlib.Path(folder, "-".join((kind, *options)).replace("=", ""))
    run("cmake", "-S", folder, "-B", place, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
        f"-DCMAKE_BUILD_TYPE={kind}", *options)
    run("cmake", "--build", place)
    return place


def properties(program):
    """Returns the protections that a program has."""
    text = run("readelf", "-W", "--file-header", "--program-headers", "--dynamic", "--dyn-syms", "--notes", program)
    found = {
        "position-independent": re.search(r"Type:\s+DYN", text) and re.search(r"FLAGS_1\b.*\bPIE\b", text),
        "read-only relocations": "GNU_RELRO" in text,
        "immediate binding": re.search(r"FLAGS_1\b.*\bNOW\b", text),
        "stack without execution": re.search(r"GNU_STACK\s.*\sRW\s", text),
        "stack protector": "__stack_chk_fail" in text,
        "checked buffers": "__strcpy_chk" in text,
    }
    code = run("objdump", "-d", "--no-show-raw-insn", program)
    main = code[code.index("<main>:"):].split("\n\n")[0]
    found["branch targets"] = "endbr64" in main or "bti" in main or "paciasp" in main
    return {name for name, good in found.items() if good}


def main():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "main.cpp").write_text(SOURCE)
        pathlib.Path(folder, "CMakeLists.txt").write_text(PROJECT)
        all_of_them = {"position-independent", "read-only relocations", "immediate binding", "stack without execution",
                       "stack protector", "checked buffers", "branch targets"}
        if platform.machine() not in ("x86_64", "aarch64"):
            all_of_them.remove("branch targets")
        release = built(folder, "Release")
        for program in ("app", "own"):
            missing = all_of_them - properties(release / program)
            if missing:
                raise AssertionError(f"{program} of a release build has no {', '.join(sorted(missing))}")
            overflow = subprocess.run([release / program, "x" * 200], capture_output=True, timeout=60, check=False)
            if overflow.returncode != -6:
                raise AssertionError(f"{program}: a buffer overflow ends with {overflow.returncode}")
            if run(release / program, "good") != "good\n":
                raise AssertionError(f"{program} does not run")
        # Fortified calls need optimization, so builds for development do not have them.
        for place in (built(folder, "Debug"), built(folder, "Release", "-DAPUS_HARDENING=OFF")):
            if "checked buffers" in properties(place / "app"):
                raise AssertionError(f"{place.name} is hardened")


if __name__ == "__main__":
    main()
    print("hardening: as expected")
    sys.exit(0)
