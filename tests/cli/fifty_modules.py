#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a build takes after a change in one module of an application. Run manually:
  python3 tests/cli/fifty_modules.py [MODULES [BUILD]]     (50, build/dev)
The session `modules_build` runs it with a few modules. The tool creates the project, and CMake builds it without the
tool. Prints what each change compiles and links, and how long that takes."""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*words, cwd, env, fails=False):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def needs_of(i):
    """Returns the modules that module i needs: the previous module, and the modules i / 2 and i / 3. Every fifth
    module needs no other module."""
    return sorted({i - 1, i // 2, i // 3} - {i, 0, -1}) if i % 5 else []


class Project:
    def __init__(self, folder, build, count):
        bin = build / "bin"
        sdk = folder / "sdk"
        self.env = {name: value for name, value in os.environ.items() if name != "CMAKE_CXX_COMPILER_LAUNCHER"}
        self.env |= {"PATH": f"{bin}:{os.environ['PATH']}", "APUS_SDK": str(sdk), "HOME": str(folder), "LC_ALL": "C"}
        run("cmake", "--install", build, "--prefix", sdk, cwd=folder, env=self.env)
        run("apus", "new", "many", "--template", "empty", "--no-git", cwd=folder, env=self.env)
        self.root = folder / "many"
        for i in range(1, count + 1):
            needs = [word for j in needs_of(i) for word in ("--needs", f"m{j}")]
            run("apus", "module", "new", f"m{i}", *needs, cwd=self.root, env=self.env)
        run("apus", "module", "check", cwd=self.root, env=self.env)

    def build(self, what):
        """Builds, and returns the number of compiled sources and linked programs, and the time."""
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        text = run("cmake", "--build", "--preset", "dev", "-j2", "-v", cwd=self.root, env=self.env)
        seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        compiled, linked = len(re.findall(r"^\[.* -c ", text, re.M)), len(re.findall(r"^\[\d+/\d+\] : && ", text, re.M))
        print(f"{what}: {compiled} compiled, {linked} linked in {seconds:.2f} s, of processors {cpu:.2f} s", flush=True)

    def change(self, file, old, new):
        path = self.root / "modules" / file
        path.write_text(path.read_text().replace(old, new))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    build = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/dev").resolve()
    with tempfile.TemporaryDirectory(prefix="apus-modules-") as folder:
        project = Project(pathlib.Path(folder), build, count)
        run("cmake", "--preset", "dev", cwd=project.root, env=project.env)
        project.build("all")
        project.build("nothing")
        lowest = "m1"
        project.change(f"{lowest}/src/app.cpp", r'"m1\n"', r'"changed\n"')
        project.change(f"{lowest}/tests/app_test.cpp", r'"m1\n"', r'"changed\n"')
        project.build("a source of one and its test")
        project.change(f"{lowest}/include/{lowest}/app.hpp", "#pragma once", "#pragma once\n// Changed.")
        project.build("the public header of one")
        tests = run("ctest", "--preset", "dev", cwd=project.root, env=project.env)
        print(re.search(r"^\d+% tests passed.*", tests, re.M)[0])
        project.change(f"{lowest}/src/app.cpp", f"#include <{lowest}/app.hpp>",
                       f"#include <{lowest}/app.hpp>\n#include <m{count}/app.hpp>")
        refused = run("cmake", "--build", "--preset", "dev", cwd=project.root, env=project.env, fails=True)
        print(re.search(r"fatal error: .*", refused)[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
