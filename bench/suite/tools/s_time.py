# SPDX-License-Identifier: Apache-2.0
"""openssl s_time: one TLS connection after the other, each with one HTTP/1.0 request."""
import math
import re

from tools import Unreadable, first_line_of, last_line, result


def command(aim):
    return ["openssl", "s_time", "-connect", f"127.0.0.1:{aim.tls_port}", "-reuse" if aim.options.get("resume")
            else "-new",
            "-www", "/bench", "-time", str(max(1, math.ceil(aim.seconds)))]


def parse(output, errors, aim):
    told = re.search(r"^(\d+) connections in (\d+) real seconds", output, re.M)
    if not told:
        raise Unreadable(f"openssl s_time said: {last_line(output, errors)}")
    # s_time prints one character per connection: `r` if the session was resumed, otherwise `*`.
    letters = "".join(re.findall(r"^[r*]+$", output, re.M))
    wrong = letters.count("*") if aim.options.get("resume") else letters.count("r")
    kind = "not resumed" if aim.options.get("resume") else "resumed"
    return result(int(told[1]) - wrong, float(told[2]), wrong, error_kinds={kind: wrong} if wrong else {},
                  first_error=f"{wrong} connections were {kind}" if wrong else "")


def version():
    line = first_line_of("openssl", "version")
    return line.split()[1] if line else None
