#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An invalid URL in an environment variable ends a program with one line that names the variable, and exit status 1."""

import server
from cases import case, equal, main

REDIS = "invalid Redis URL: it must begin with redis://, rediss://, redis+sentinel://, rediss+sentinel://, " \
        "redis+cluster://, rediss+cluster:// or unix:"
NATS = "invalid NATS URL: it must begin with nats:// or tls://"
SQL = "database: the URL must begin with sqlite:, postgres:// or postgresql://"

PROGRAMS = {
    "REDIS_URL": ["rooms", "shared_state", "shared_sessions", "counters"],
    "NATS_URL": ["dispatch"],
    "DATABASE_URL": ["sql", "orders", "bulk", "receipts", "webhooks", "showcase"],
}


@case
def an_invalid_url_is_reported_with_its_variable(backend):
    reasons = {"REDIS_URL": REDIS, "NATS_URL": NATS, "DATABASE_URL": SQL}
    for variable, programs in PROGRAMS.items():
        for program in programs:
            server.PROGRAMS.setdefault(program, server.BUILD / "bin" / program)
            status, output, messages = server.ended(
                program, "--port", "0", APUS_IO=backend, **{variable: "foo://user:secret@x"})
            equal((program, status, output, messages),
                  (program, 1, "", f"error: {variable}: {reasons[variable]}\n"))


if __name__ == "__main__":
    main()
