#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the user-mode instructions of a request without and with tracing and the lists of requests.

Usage: request_costs.py PROGRAM [CASE...]. PROGRAM: bench/request_cost in a build folder. CASE: text, json, path,
pipelined, http2, task, fields; default: text and fields. Needs valgrind and llvm-objcopy.
"""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

FEW, MANY = 400, 2000  # requests; multiples of 100, for http2
TURNS = "--toggle-collect=apus::runtime::loop::turn(long)"


def instructions(program, case, requests, option):
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", TURNS, str(program), case, str(requests)]
    done = subprocess.run([*words, *([option] if option else [])], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{' '.join(words)} {option}: {done.stderr}")
    return int(found.group(1))


def cost(program, case, option=""):
    counts = [instructions(program, case, requests, option) for requests in (FEW, MANY)]
    return (counts[1] - counts[0]) / (MANY - FEW)


@contextlib.contextmanager
def stripped(program):
    """Yields a copy of the program without debug information, which callgrind reads slowly."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "request_cost")
        subprocess.run(["llvm-objcopy", "--strip-debug", program, copy], check=True)
        yield copy


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with stripped(sys.argv[1]) as program:
        print("| Case | Off | Tracing, unsampled | Sampled | With 1 % sampled | --admin |")
        print("|---|---|---|---|---|---|")
        for case in sys.argv[2:] or ["text", "fields"]:
            off, without, sampled, history = (cost(program, case, option)
                                              for option in ("", "unsampled", "sampled", "history"))
            rare = 0.99 * without + 0.01 * sampled
            print(f"| {case} | {off:.1f} | {without:.1f} ({without / off - 1:+.2%}) | {sampled:.1f} "
                  f"| {rare:.1f} ({rare / off - 1:+.2%}) | {history:.1f} ({history / off - 1:+.2%}) |", flush=True)


if __name__ == "__main__":
    main()
