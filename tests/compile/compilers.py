# SPDX-License-Identifier: Apache-2.0
"""The compilers used by the tests in this folder."""

import hashlib
import os
import pathlib
import resource
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++23", f"-I{ROOT / 'include'}", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def available():
    """Returns clang 19 and g++ if installed, or only the compiler in APUS_CXX, which CTest sets."""
    names = [os.environ["APUS_CXX"]] if os.environ.get("APUS_CXX") else ["g++", "clang++-19"]
    return [name for name in names if shutil.which(name)]


def run(compiler, *arguments, flags=FLAGS):
    """Runs a compiler on a source; returns its exit status, output, messages and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([compiler, *flags, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout, done.stderr, spent


def precompile(compiler, includes, folder):
    """Returns a header with these lines for `-include`; the compiler finds its precompiled form beside it."""
    text = "\n".join(includes)
    header = pathlib.Path(folder, hashlib.sha256(text.encode()).hexdigest()[:16] + ".hpp")
    if not header.exists():
        header.write_text(text)
        compiled = f"{header}.pch" if "clang" in compiler else f"{header}.gch"
        status, _, messages, _ = run(compiler, "-x", "c++-header", header, "-o", compiled)
        assert status == 0, messages
    return header
