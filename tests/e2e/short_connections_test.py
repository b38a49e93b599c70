#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that each client gets the whole response of its last request, and no reset, whatever it sends behind the
request and however it closes. short_connections_run.py does the same with clients of other projects, and more
connections."""

import short_connections_run
from cases import SANITIZED, case, equal, main
from server import Server


@case
def nothing_sent_behind_the_last_request_destroys_its_response(backend):
    with Server(backend, program="conformance") as server:
        equal(short_connections_run.python(f"http://127.0.0.1:{server.port}", 800 if SANITIZED else 4000), [])


if __name__ == "__main__":
    main()
