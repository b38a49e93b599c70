# SPDX-License-Identifier: Apache-2.0
"""h2load, for HTTP/2, and for HTTP/1.1 over TLS. It prints only the maximum latency; its log file has all latencies."""
import os
import re
import statistics

import fixtures
import places
from tools import Unreadable, first_line_of, last_line, result

UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6, "m": 6e7}


# Lines that h2load prints on standard output at the beginning and the end of the measured time.
MARKS = (b"Main benchmark duration is started", b"Main benchmark duration is over")
# The warm-up must be long enough to open all connections: a handshake takes the server almost a millisecond.
WARMUP_SECONDS, SECONDS_TO_OPEN = 0.3, 0.002


def warm_up(aim):
    return WARMUP_SECONDS + (aim.connections * SECONDS_TO_OPEN if aim.options.get("tls") else 0.0)


def command(aim):
    options = ["--h1"] if aim.options.get("h1") else [f"-m{aim.options.get('streams', 1)}"]
    if aim.options.get("body_bytes"):
        options.append(f"-d{fixtures.body_file(aim.options['body_bytes'])}")
    if aim.options.get("latencies"):
        options.append(f"--log-file={log_file()}")
    return ["stdbuf", "-oL", "h2load", f"-c{aim.connections}", *options, f"-t{min(aim.threads, aim.connections)}",
            f"--warm-up-time={int(warm_up(aim) * 1000)}ms", "-D", f"{int(aim.seconds * 1000)}ms", aim.url()]


def log_file():
    return os.path.join(places.made(places.BUILD), "h2load.log")


def latencies():
    """Returns the latencies in the log file, whose lines are: start time, status, microseconds. Removes the file."""
    with open(log_file(), encoding="ascii") as file:
        times = sorted(int(line.split("\t")[2]) for line in file)
    os.remove(log_file())
    if not times:
        return None
    marks = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
    return {name: times[min(int(len(times) * part), len(times) - 1)] for name, part in marks.items()} | {
        "max": times[-1], "mean": statistics.fmean(times)}


def microseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)([a-z]+)", text).groups()
    return float(number) * UNITS[unit]


def parse(output, errors, aim):
    finished = re.search(r"^finished in ([\d.]+[a-z]+), ", output, re.M)
    counts = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", output)
    if not finished or not counts:
        raise Unreadable(f"h2load said: {last_line(output, errors)}")
    succeeded, failed, _, timeouts = map(int, counts.groups())
    status = re.search(r"(\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", output)
    received = re.search(r"^traffic: \S+ \((\d+)\) total", output, re.M)
    longest = re.search(r"^time for request: +\S+ +(\S+)", output, re.M)
    kinds = {"failed": failed, "timeout": timeouts, "status": sum(map(int, status.groups()[1:])) if status else 0}
    kinds = {kind: count for kind, count in kinds.items() if count}
    latency = None
    if aim.options.get("latencies"):
        latency = latencies()
    elif longest and succeeded:
        latency = {"p50": None, "p90": None, "p99": None, "p999": None, "max": microseconds(longest[1])}
    # The duration that h2load reports includes the warm-up, but its count of requests does not. Therefore the result
    # has the requested duration instead.
    return result(succeeded, aim.seconds, sum(kinds.values()), error_kinds=kinds,
                  first_error=", ".join(f"{count} x {kind}" for kind, count in kinds.items()),
                  latency_uncorrected=latency, bytes_received=int(received[1]) if received else None)


def version():
    line = first_line_of("h2load", "--version")
    return line.split("/")[-1] if line else None
