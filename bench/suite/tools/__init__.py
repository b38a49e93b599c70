# SPDX-License-Identifier: Apache-2.0
"""Load tools. Each module has three functions:

command(aim)                 returns the command line for a LoadTarget
parse(output, errors, aim)   returns the tool's part of a sample, parsed from its output; raises Unreadable
version()                    returns the version for the report, or None if the tool is not installed
"""
import subprocess
from typing import NamedTuple


class LoadTarget(NamedTuple):
    """Target and duration of a load. `options` are a scenario's args."""
    port: int
    tls_port: int
    connections: int
    seconds: float
    threads: int
    options: dict
    rate: float = 0.0
    requests: int = 0  # number of requests to send; 0: use the duration

    def url(self):
        path = self.options.get("path", ["/bench"])[0]
        return f"https://127.0.0.1:{self.tls_port}{path}" if self.options.get("tls") else \
            f"http://127.0.0.1:{self.port}{path}"


class Unreadable(Exception):
    """A tool printed no result; the text is its output."""


def first_line_of(*command):
    """Returns the first line that a command prints, or None if the command is missing."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next(iter((ran.stdout + ran.stderr).splitlines()), "")


def last_line(*texts):
    """Returns the last non-empty line, for the message about a tool that failed."""
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing"


def result(requests, seconds, errors, **more):
    """Returns the tool's part of a sample; values are None if the tool does not report them."""
    entry = {"requests": requests, "seconds": seconds, "rate": requests / seconds if seconds else 0.0,
             "errors": errors, "error_kinds": None, "first_error": "", "latency": None,
             "latency_uncorrected": None, "percentiles": None, "bytes_received": None, "bytes_sent": None,
             "client_cpu_seconds": None}
    entry.update(more)
    return entry
