#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the output of real tools for the faulty programs in cases/. usage: record.py [CASE...]

A case is a folder with sources. Its file `commands` has lines `NAME: SHELL COMMAND`; without that file, both
compilers compile program.cpp, with the additional flags in the file `flags`. The output of command NAME is written
to NAME.out. The commands run in a copy of the folder, which is named /project in the recorded output. $APUS is the
root of an installed Apus, /opt/apus; $APUS_BIN, required for some cases, is a folder with examples.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FLAGS = "-std=c++23 -Wall -Wextra -Wpedantic -Werror -I$APUS/include"


def commands(case):
    if (case / "commands").exists():
        for line in (case / "commands").read_text().splitlines():
            name, _, command = line.partition(": ")
            yield name, command
        return
    flags = (case / "flags").read_text().strip() if (case / "flags").exists() else ""
    for name, compiler in ("gxx", "g++"), ("clang", "clang++-19"):
        yield name, f"{compiler} {FLAGS} {flags} -c program.cpp -o program.o"


def record(case, scratch):
    apus, project = scratch / "apus", scratch / case.name
    shutil.copytree(case, project)
    for name, command in commands(case):
        done = subprocess.run(["bash", "-c", command], cwd=project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "APUS": str(apus), "TMPDIR": str(project)})
        text = done.stdout.decode("utf-8", "replace").replace(str(project), "/project").replace(str(apus), "/opt/apus")
        if text:  # a compiler may accept the program
            (case / f"{name}.out").write_text(text)


def main():
    names = sys.argv[1:] or sorted(path.name for path in (HERE / "cases").iterdir())
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "apus").mkdir()
        (scratch / "apus/include").symlink_to(ROOT / "include")
        for name in names:
            record(HERE / "cases" / name, scratch)


if __name__ == "__main__":
    main()
