# SPDX-License-Identifier: Apache-2.0
"""The suite's own load generator, bench/load."""
import functools
import json
import subprocess

import fixtures
import places
from tools import Unreadable, last_line, result

OPTIONS = {  # args of a scenario -> words of the command line
    "method": "--method", "body_bytes": "--body-bytes", "pipeline": "--pipeline",
    "requests_per_connection": "--requests-per-connection", "message_bytes": "--message-bytes",
    "expect": "--expect-bytes",
}
SWITCHES = {"close": "--close", "chunked": "--chunked", "websocket": "--websocket", "broadcast": "--broadcast"}
TOLD = ("error_kinds", "first_error", "latency", "latency_uncorrected", "percentiles", "bytes_received",
        "bytes_sent", "client_cpu_seconds")


def command(aim):
    threads = 1 if aim.options.get("broadcast") else min(aim.threads, aim.connections)
    words = [places.LOAD, "--port", str(aim.port), "--connections", str(aim.connections),
             # always io_uring, so that results remain comparable over time
             "--seconds", f"{aim.seconds:g}", "--threads", str(threads), "--io", "uring"]
    if aim.rate:
        words += ["--rate", f"{aim.rate:g}"]
    for name, value in aim.options.items():
        if name in OPTIONS:
            words += [OPTIONS[name], str(value)]
        elif name in SWITCHES and value:
            words.append(SWITCHES[name])
    for name in ("path", "header"):
        for value in aim.options.get(name, []):
            words += [f"--{name}", value]
    if aim.options.get("paths") == "routes":
        words += ["--paths-file", fixtures.paths_file(10000)]
    if aim.options.get("mix") == "sum":
        words += ["--mix", fixtures.sum_mix_file()]
    return words + (["--marks"] if marks() else [])


def idle_command(port, connections):
    return [places.LOAD, "--port", str(port), "--connections", str(connections), "--idle"]


@functools.cache
def marks():
    """Returns whether the tool prints a line on stderr when the measurement begins and ends (`--marks`)."""
    try:
        said = subprocess.run([places.LOAD, "--help"], capture_output=True, text=True, timeout=10, check=False).stdout
    except OSError:
        return False
    return "--marks" in said


def parse(output, errors, _):
    try:
        told = json.loads(output)
        return result(told["requests"], told["seconds"], told["errors"], **{k: told.get(k) for k in TOLD})
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"load said: {last_line(output, errors)}") from error


def version():
    return "the suite's own"
