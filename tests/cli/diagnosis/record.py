#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the output of real tools for the faulty programs in cases/. usage: record.py [CASE...]

A case is a text file, cases/CASE.txt, that contains several files, each after a line `---- NAME ----`. Its file
`commands` has lines `NAME: SHELL COMMAND`; without that file, both compilers compile program.cpp, with the additional
flags in the file `flags`. The output of command NAME becomes the file NAME.out. The commands run in a folder with the
files of the case, which is named /project in the recorded output. $APUS is the root of an installed Apus, /opt/apus;
$APUS_BIN, required for some cases, is a folder with examples. The file expected.txt has the expected explanations;
diagnosis_test.cpp compares it, and rewrites it with APUS_UPDATE in the environment.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FLAGS = "-std=c++23 -Wall -Wextra -Wpedantic -Werror -I$APUS/include"


def read(path):
    """Returns the files of a case as a dictionary from name to text."""
    parts = re.split(r"^---- (.+) ----\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def write(path, files):
    """Writes a case: sources first, then recorded outputs, then expected.txt."""
    order = sorted(files, key=lambda name: (name == "expected.txt", name.endswith(".out"), name))
    text = "".join(f"---- {name} ----\n{files[name]}" for name in order)
    path.write_text(text, encoding="utf-8")


def commands(files):
    if "commands" in files:
        for line in files["commands"].splitlines():
            name, _, command = line.partition(": ")
            yield name, command
        return
    flags = files.get("flags", "").strip()
    for name, compiler in ("gxx", "g++"), ("clang", "clang++-19"):
        yield name, f"{compiler} {FLAGS} {flags} -c program.cpp -o program.o"


def record(case, scratch):
    apus, project, files = scratch / "apus", scratch / case.stem, read(case)
    project.mkdir()
    for name, text in files.items():
        (project / name).write_text(text, encoding="utf-8")
    for name, command in commands(files):
        done = subprocess.run(["bash", "-c", command], cwd=project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "APUS": str(apus), "TMPDIR": str(project)})
        text = done.stdout.decode("utf-8", "replace").replace(str(project), "/project").replace(str(apus), "/opt/apus")
        if text:  # a compiler may accept the program
            files[f"{name}.out"] = text if text.endswith("\n") else text + "\n"
    write(case, files)


def main():
    names = sys.argv[1:] or sorted(path.stem for path in (HERE / "cases").iterdir())
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "apus").mkdir()
        (scratch / "apus/include").symlink_to(ROOT / "include")
        for name in names:
            record(HERE / "cases" / f"{name}.txt", scratch)


if __name__ == "__main__":
    main()
