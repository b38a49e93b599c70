# SPDX-License-Identifier: Apache-2.0
"""wrk, with a script that prints percentiles of its histogram as one line of JSON."""
import json
import math
import os

import places
from tools import Unreadable, first_line_of, last_line, result

SCRIPT = os.path.join(places.SUITE, "tools", "wrk.lua")
MARK = "apus "
PERCENTILES = {"p50": 50, "p90": 90, "p99": 99, "p999": 99.9}


def command(aim):
    words = ["wrk", f"-t{min(aim.threads, aim.connections)}", f"-c{aim.connections}",
             f"-d{max(1, math.ceil(aim.seconds))}s", "-s", SCRIPT]
    if aim.options.get("close"):
        words += ["-H", "Connection: close"]
    return [*words, aim.url()]


def parse(output, errors, _):
    line = next((line for line in output.splitlines() if line.startswith(MARK)), None)
    if line is None:
        raise Unreadable(f"wrk said: {last_line(output, errors)}")
    told = json.loads(line[len(MARK):])
    marks = {float(at): value for at, value in told["percentiles"]}
    kinds = {kind: count for kind, count in told["errors"].items() if count}
    # wrk corrects for coordinated omission before it calls the script.
    latency = {name: marks[at] for name, at in PERCENTILES.items()} | {"max": told["max"]}
    return result(told["requests"] - told["errors"]["status"], told["microseconds"] / 1e6, sum(kinds.values()),
                  error_kinds=kinds,
                  first_error=", ".join(f"{count} x {kind}" for kind, count in kinds.items()), latency=latency,
                  percentiles=[[at, value] for at, value in sorted(marks.items())] + [[100, told["max"]]],
                  bytes_received=told["bytes"])


def version():
    line = first_line_of("wrk", "-v")
    return line.split()[1].split("/")[-1] if line else None
