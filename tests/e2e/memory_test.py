#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests many clients that make a server with a small budget use memory: the server stays within the budget, serves
other clients, and releases the memory afterwards. memory_measure.py does the same with a thousand clients."""

from cases import SANITIZED, case, check, equal, main, skip
from memory_attacks import ATTACKS
from memory_run import KEPT, MEBI, run

BUDGET = 64 * MEBI
CONNECTIONS = 200
LONGEST = 1.0  # seconds within which 99 of 100 small requests must complete, on a machine with other load
REST = 10  # seconds until memory is returned to the system (docs/limits.md)
KEPT_AFTER_BODIES = 24 * MEBI  # 16 MiB are io_uring's receive buffers, which stay allocated after their first use


def keeps_within(backend, attack, cores=1):
    result = run(attack, backend, CONNECTIONS, BUDGET, seconds=4, rest=0 if SANITIZED else REST,
                 limits="connection_memory=4000000", kept=KEPT * cores, cores=cores)
    equal(result.failed, 0, "small requests that failed")
    check(result.requests > 10, "no small request was made")
    if SANITIZED:  # sanitizers use additional memory
        return
    check(result.peak - result.before <= BUDGET * 1.1, f"peak of {result.peak / MEBI:.1f} MiB")
    check(result.after <= result.before + KEPT * cores,
          f"{result.after / MEBI:.1f} MiB afterwards, {result.before / MEBI:.1f} before")
    check(result.p99 <= LONGEST, f"p99 of small requests: {result.p99:.3f} s")


def add(attack):
    def of_attack(backend):
        keeps_within(backend, attack)

    of_attack.__name__ = attack
    case(of_attack)


for name in ATTACKS:
    add(name)


@case
def two_cores_keep_within_one_budget(backend):
    for attack in ("Body", "Http2Bodies", "WebSocketMessage"):
        keeps_within(backend, attack, cores=2)


@case
def what_is_freed_goes_back_also_without_pressure(backend):
    if SANITIZED:
        return skip("sanitizers keep freed memory")
    for attack in ("Body", "WebSocketMessage"):
        # 0 selects the default budget, half of the available memory.
        result = run(attack, backend, 120, 0, seconds=3, rest=REST, kept=KEPT_AFTER_BODIES)
        check(result.peak > result.before + 80 * MEBI,
              f"{attack}: only {(result.peak - result.before) / MEBI:.1f} MiB were held")
        check(result.after <= result.before + KEPT_AFTER_BODIES,
              f"{attack}: {result.after / MEBI:.1f} MiB afterwards, {result.before / MEBI:.1f} before")


@case
def handshakes_that_do_not_end_exceed_neither_budget_nor_patience(backend):
    # 600 handshakes need 28 MiB. The clients reconnect as soon as the server closes their connections.
    budget = 16 * MEBI
    result = run("TlsBegun", backend, 600, budget, seconds=6, rest=0)
    equal(result.failed, 0, "small requests that failed")
    if SANITIZED:
        return
    check(result.closed > 600, f"only {result.closed} connections were closed")
    check(result.peak - result.before <= budget * 1.1, f"peak of {result.peak / MEBI:.1f} MiB")
    check(result.longest <= 3, f"a small request took {result.longest:.1f} s")


if __name__ == "__main__":
    main()
