#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds Apus with and without a part, and prints the user-mode instructions of a request with both.

Usage: part_cost.py [--preset bench] PART... PART: metrics (counting of requests and durations), tasks (the list of
suspended tasks, for /debug/tasks), watchdog (a loop's state, which reports of blocked cores read), hardening (compile
flags). The last commit is built, in build/parts; each build takes minutes. Compare the CPU time of both builds by the
printed command. Needs valgrind and llvm-objcopy.
"""

import argparse
import os
import pathlib
import subprocess
import sys

from request_costs import cost, stripped

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ROOT / "build/parts"
WHOLE = "whole"
# Part: the file, and texts in it with the texts that replace them; or an option of CMake.
REMOVALS = {
    "metrics": ("src/http/core.cpp", {
        "inline void core::count_request(const served_exchange& x, int status) noexcept {\n":
        "inline void core::count_request(const served_exchange& x, int status) noexcept {\n    return;\n"}),
    "tasks": ("src/runtime/suspended_tasks.cpp", {
        "void suspended_tasks::add(detail::promise_base& task) noexcept {\n":
        "void suspended_tasks::add(detail::promise_base& task) noexcept {\n    return;\n"}),
    "watchdog": ("src/runtime/activity.hpp", {
        "void wakes(std::uint64_t now) noexcept {\n": "void wakes(std::uint64_t now) noexcept {\n        return;\n",
        "void sleeps() noexcept { ": "void sleeps() noexcept { return; ",
        ": of_(activity::here()) {": ": of_(nullptr) {"}),
    "hardening": "-DAPUS_HARDENING=OFF",
}
CASES = {"metrics": ["text", "fields"], "tasks": ["text", "task"], "watchdog": ["text", "fields", "task"],
         "hardening": ["text", "fields", "task"]}
TARGETS = ["bench_request_cost", "conformance", "load"]


def run(*words):
    if subprocess.run(list(map(str, words)), stdout=sys.stderr, check=False).returncode:
        sys.exit(f"failed: {' '.join(map(str, words))}")


def build(name, preset):
    """Builds the last commit without the part of this name. Returns the build folder."""
    place = PARTS / name
    if place.exists():
        run("git", "-C", ROOT, "worktree", "remove", "--force", place)
    run("git", "-C", ROOT, "worktree", "add", "--detach", place, "HEAD")
    removal, options = REMOVALS.get(name), []
    if isinstance(removal, str):
        options = [removal]
    elif removal:
        file = place / removal[0]
        text = file.read_text()
        for whole, rest in removal[1].items():
            if text.count(whole) != 1:
                sys.exit(f"{file}: `{whole.strip()}` occurs {text.count(whole)} times, not once")
            text = text.replace(whole, rest)
        file.write_text(text)
    run("cmake", "-S", place, "-B", place / "build" / preset, "--preset", preset, "-DAPUS_BENCH=ON", *options)
    run("cmake", "--build", place / "build" / preset, "-j", len(os.sched_getaffinity(0)), "--target", *TARGETS)
    return place / "build" / preset


def main():
    given = argparse.ArgumentParser(usage=__doc__)
    given.add_argument("--preset", default="bench")
    given.add_argument("parts", nargs="+", choices=REMOVALS)
    given = given.parse_args()
    whole = build(WHOLE, given.preset)
    for part in given.parts:
        without = build(part, given.preset)
        print(f"| Case | Without {part} | With | Difference |\n|---|---|---|---|")
        with stripped(without / "bench/request_cost") as small, stripped(whole / "bench/request_cost") as large:
            for case in CASES[part]:
                before, after = cost(small, case), cost(large, case)
                print(f"| {case} | {before:.1f} | {after:.1f} | {after / before - 1:+.2%} |", flush=True)
        print(f"CPU time: python3 -B tests/e2e/costs_run.py --builds {without} {whole}")


if __name__ == "__main__":
    main()
