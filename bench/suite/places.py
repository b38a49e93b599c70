# SPDX-License-Identifier: Apache-2.0
"""Paths of the suite. All output is below build/bench."""
import os

SUITE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(SUITE))
# Tests set these variables to other folders.
BUILD = os.environ.get("APUS_BENCH_BUILD", os.path.join(ROOT, "build", "bench"))
PEERS = os.environ.get("APUS_BENCH_PEERS", os.path.join(ROOT, "bench", "peers"))
RUNS = os.path.join(BUILD, "runs")
LOAD = os.environ.get("APUS_BENCH_LOAD", os.path.join(BUILD, "bench", "load"))
MICRO = os.path.join(BUILD, "bench")
BOMBARDIER = os.path.join(ROOT, "bench", "tools", "bombardier")


class Unknown(Exception):
    """An unknown name of a peer, scenario or run; the text is the name."""


def made(*parts):
    """Returns the path of a folder, and creates the folder if it is missing."""
    path = os.path.join(*parts)
    os.makedirs(path, exist_ok=True)
    return path


def shown(path):
    """Returns a path relative to the repository's root, as users would type it."""
    inside = os.path.relpath(path, ROOT)
    return path if inside.startswith("..") else inside
