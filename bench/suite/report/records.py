# SPDX-License-Identifier: Apache-2.0
"""Reads the record of a run, complete or not."""
import json
import os
import pathlib

import places


class Unreadable(Exception):
    """An unreadable record; the text is a sentence for the user."""


def find(name):
    """Returns the folder of a run, given by name or by path."""
    for folder in (pathlib.Path(name), pathlib.Path(places.RUNS, name)):
        if (folder / "run.json").is_file():
            return folder
    raise Unreadable(f"Unknown run `{name}`: neither {name} nor {places.shown(os.path.join(places.RUNS, name))} "
                     f"contains a run.json.")


def load(folder):
    """Returns (run, samples, number of unreadable lines). A later sample replaces an earlier one of the same
    measurement: a resumed run repeats failed measurements."""
    folder = pathlib.Path(folder)
    run = read_run(folder / "run.json")
    samples, unread = {}, 0
    try:
        lines = (folder / "samples.jsonl").read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        lines = []
    for line in filter(str.strip, lines):
        try:
            sample = json.loads(line)
            samples[sample["scenario"], sample["peer"], sample["round"]] = sample
        except (ValueError, KeyError, TypeError):
            unread += 1  # the incomplete last line of a run that was killed
    return run, list(samples.values()), unread


def read_run(path):
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Unreadable(f"{path} is not JSON: {error}. Run the suite again under another name.") from error
    if run.get("schema") != 1:
        raise Unreadable(f"{path} has schema {run.get('schema')}, but only 1 is supported.")
    for key, empty in (("machine", {}), ("settings", {}), ("tools", {}), ("peers", []), ("scenarios", []),
                       ("not_yet", [])):
        run[key] = run.get(key) or empty
    return run


def number(sample, key):
    """Returns a figure of a sample by its key, or None; `latency.p99` and `p99` name the same nested figure."""
    value = sample
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if value is None and "." not in key:
        value = (sample.get("latency") or {}).get(key)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def limits(run):
    """Returns the names of the limit peers, beginning with the io_uring limit, which is the reference."""
    names = [peer["name"] for peer in run["peers"] if peer.get("kind") == "limit"]
    return sorted(names, key=lambda name: ("uring" not in name, name))


def is_apus(name):
    return name == "apus" or name.startswith("apus-")
