# SPDX-License-Identifier: Apache-2.0
"""The folder of a run; README.md beside this file describes it."""
import datetime
import json
import os

import places

RUN, SAMPLES = "run.json", "samples.jsonl"


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def fresh_name():
    """Returns today's date with the first unused letter."""
    today = now()[:10]
    letters = [chr(ord("a") + i) for i in range(26)]
    names = [f"{today}-{a}" for a in letters] + [f"{today}-{a}{b}" for a in letters for b in letters]
    return next(name for name in names if not os.path.exists(os.path.join(places.RUNS, name)))


def find(name):
    """Returns the folder of a run, given by name or path. Raises FileNotFoundError with a sentence for users."""
    for folder in (os.path.join(places.RUNS, name), name):
        if os.path.exists(os.path.join(folder, RUN)):
            return os.path.abspath(folder)
    there = sorted(os.listdir(places.RUNS)) if os.path.isdir(places.RUNS) else []
    raise FileNotFoundError(f"unknown run `{name}`; existing runs: {', '.join(there) or 'none yet'}")


def read_run(folder):
    with open(os.path.join(folder, RUN), encoding="utf-8") as file:
        return json.load(file)


def write_run(folder, run):
    path = os.path.join(folder, RUN)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(run, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


def samples(folder):
    """Returns every measurement so far. After a power failure, the last line may be incomplete and is skipped."""
    found = []
    path = os.path.join(folder, SAMPLES)
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found


def append(folder, line):
    path = os.path.join(folder, SAMPLES)
    with open(path, "ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(line).encode() + b"\n")


def done(folder):
    """Returns the measurements to skip when resuming: (scenario, peer, round)."""
    return {(s["scenario"], s["peer"], s["round"]) for s in samples(folder)}
