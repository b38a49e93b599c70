# SPDX-License-Identifier: Apache-2.0
"""bombardier, a Go program; bench/tools/bombardier pins its version."""
import functools
import json
import os
import re
import shutil
import subprocess

import places
from tools import Unreadable, last_line, result

MODULE = "github.com/codesenberg/bombardier"


def program():
    return os.path.join(places.BUILD, "tools", "bombardier")


@functools.cache
def build():
    """Builds bombardier. Returns None, or the reason of a failure."""
    if os.path.exists(program()):
        return None
    if not shutil.which("go"):
        return "bombardier needs Go, which is not installed: install Go 1.21 or later"
    places.made(places.BUILD, "tools")
    ran = subprocess.run(["go", "build", "-o", program(), MODULE], cwd=places.BOMBARDIER, capture_output=True,
                         text=True, check=False)
    return f"bombardier does not build: {last_line(ran.stdout, ran.stderr)}" if ran.returncode else None


def command(aim):
    words = [program(), "-c", str(aim.connections), "-l", "-o", "json", "-p", "r"]
    words += ["-n", str(aim.requests)] if aim.requests else ["-d", f"{int(aim.seconds * 1000)}ms"]
    return words + (["-a"] if aim.options.get("close") else []) + [aim.url()]


def parse(output, errors, _):
    try:
        told = json.loads(output)["result"]
    except (ValueError, KeyError) as error:
        raise Unreadable(f"bombardier said: {last_line(output, errors)}") from error
    kinds = {"other status": sum(told[k] for k in ("req1xx", "req3xx", "req4xx", "req5xx"))}
    kinds |= {e["description"]: e["count"] for e in told.get("errors") or []}
    kinds = {kind: count for kind, count in kinds.items() if count}
    marks = {float(at): value for at, value in told["latency"].get("percentiles", {}).items()}
    latency = {"p50": marks.get(50), "p90": marks.get(90), "p99": marks.get(99), "p999": None,
               "max": told["latency"]["max"]}
    return result(told["req2xx"], told["timeTakenSeconds"], sum(kinds.values()), error_kinds=kinds,
                  first_error=next(iter(kinds), ""), latency_uncorrected=latency,
                  percentiles=[[at, value] for at, value in sorted(marks.items())] + [[100, told["latency"]["max"]]],
                  bytes_received=told["bytesRead"], bytes_sent=told["bytesWritten"])


def version():
    with open(os.path.join(places.BOMBARDIER, "go.mod"), encoding="utf-8") as file:
        found = re.search(re.escape(MODULE) + r" v(\S+)", file.read())
    return found[1] if found else None
