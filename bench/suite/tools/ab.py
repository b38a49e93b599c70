# SPDX-License-Identifier: Apache-2.0
"""ab, which uses HTTP/1.0. Percentiles are read from the file that ab writes, since they have more digits there."""
import os
import re
import tempfile

from tools import Unreadable, first_line_of, last_line, result

MANY = 5_000_000  # even with a duration, ab requires a number of requests, and allocates memory for each of them


def percentages_file():
    return os.path.join(tempfile.gettempdir(), f"apus-ab-{os.getpid()}.csv")


def command(aim):
    words = ["ab", "-q", "-s", "5", "-c", str(aim.connections), "-e", percentages_file()]
    words += ["-n", str(aim.requests)] if aim.requests else ["-t", str(max(1, round(aim.seconds))), "-n", str(MANY)]
    return words + ([] if aim.options.get("close") else ["-k"]) + [aim.url()]


def parse(output, errors, _):
    def number(label):
        found = re.search(rf"^{label}:\s+([\d.]+)", output, re.M)
        return float(found[1]) if found else None

    requests, seconds = number("Complete requests"), number("Time taken for tests")
    if requests is None or seconds is None:
        raise Unreadable(f"ab said: {last_line(output, errors)}")
    failed, other = number("Failed requests") or 0, number("Non-2xx responses") or 0
    marks = percentages()
    latency = None
    if marks:
        latency = {"p50": marks.get(50), "p90": marks.get(90), "p99": marks.get(99), "p999": None,
                   "max": marks.get(100)}
    received = number("Total transferred")
    return result(int(requests - failed - other), seconds, int(failed + other), latency_uncorrected=latency,
                  percentiles=sorted([at, value] for at, value in marks.items()) or None,
                  bytes_received=None if received is None else int(received))


def percentages():
    """Returns microseconds by percentage, read from ab's file, which is then deleted."""
    try:
        with open(percentages_file(), encoding="ascii") as file:
            rows = [line.strip().split(",") for line in file][1:]
        os.remove(percentages_file())
    except OSError:
        return {}
    return {int(at): float(milliseconds) * 1000 for at, milliseconds in rows}


def version():
    line = first_line_of("ab", "-V")
    found = re.search(r"Version (\S+)", line or "")
    return found[1] if found else None
