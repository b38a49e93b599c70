# SPDX-License-Identifier: Apache-2.0
"""Where things are. Everything that is written goes under build/bench."""
import os

SUITE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(SUITE))
# Tests put both elsewhere.
BUILD = os.environ.get("APUS_BENCH_BUILD", os.path.join(ROOT, "build", "bench"))
PEERS = os.environ.get("APUS_BENCH_PEERS", os.path.join(ROOT, "bench", "peers"))
RUNS = os.path.join(BUILD, "runs")
LOAD = os.environ.get("APUS_BENCH_LOAD", os.path.join(BUILD, "bench", "load"))
MICRO = os.path.join(BUILD, "bench")
BOMBARDIER = os.path.join(ROOT, "bench", "tools", "bombardier")


class Unknown(Exception):
    """A name that means nothing here; the text is that name."""


def made(*parts):
    """The folder of this path, made if it is not there."""
    path = os.path.join(*parts)
    os.makedirs(path, exist_ok=True)
    return path


def shown(path):
    """A path as people type it from the repository's root."""
    inside = os.path.relpath(path, ROOT)
    return path if inside.startswith("..") else inside
