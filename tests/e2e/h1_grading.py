# SPDX-License-Identifier: Apache-2.0
"""Grades an exchange: PASS (the wanted outcome), LENIENT (permitted by the RFC), or FAIL."""

import re

import h1_exchange

PASS, LENIENT, FAIL = "pass", "lenient", "FAIL"
PROBE = b"GET /?probe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def flaws(exchange):
    """Returns the faults that are not allowed in the response to any case."""
    for r in exchange.interim + exchange.final:
        if re.search(rb"(?<!\r)\n", r.head) or re.search(rb"\r(?!\n)", r.head):
            yield "bare CR or LF in a response's head"
        if r.status < 200:
            continue
        if not r.all("date"):
            yield f"no Date in a {r.status} (RFC 9110 6.6.1)"
        if r.all("content-length") and r.all("transfer-encoding"):
            yield "Content-Length and Transfer-Encoding in a response"
        if exchange.http10 and r.all("transfer-encoding"):
            yield "Transfer-Encoding in an answer to HTTP/1.0 (RFC 9112 6.1)"
        if r.status == 204 and (r.all("content-length") or r.all("transfer-encoding")):
            yield "a 204 with framing (RFC 9110 8.6)"
        if r.status == 405 and not r.all("allow"):
            yield "405 without Allow (RFC 9110 15.5.6)"
        if r.status >= 500 and r.status not in (501, 505):
            yield f"a {r.status}"
        if len(r.all("content-length")) > 1 or len(r.all("date")) > 1:
            yield "a repeated field that must be unique"


def _wrong_end(exchange):
    if exchange.final and not all(r.status in (400, 408) for r in exchange.final):
        return f"answered {exchange.final[0].status}"
    return None if exchange.ended else "not closed"


def _wrong_silence(exchange):
    if exchange.final:
        return f"answered {exchange.final[0].status}"
    if exchange.ended:
        return "closed"
    return "part of an answer" if exchange.connection.buffer and not exchange.case.get("allow_partial") else None


def _wrong_status(exchange, outcome):
    got = [r.status for r in exchange.final]
    if not got:
        if exchange.ended:
            return None if outcome.get("or_close") and not exchange.connection.buffer else "closed without an answer"
        return "no answer in time"
    if "statuses" in outcome:
        return None if got[:len(outcome["statuses"])] == outcome["statuses"] else f"answered {got}"
    return None if got[0] in outcome["status"] else f"answered {got[0]}"


def _wrong_body(exchange, outcome):
    for number, body in enumerate(outcome.get("bodies", [])):
        r = exchange.final[number]
        if r.status == 200 and r.body != body.encode("latin-1"):
            return f"body {number + 1} is {r.body[:60]!r}"
    first = exchange.final[0]
    if first.status == 200 and "body" in outcome and first.body != outcome["body"].encode("latin-1"):
        return f"the body is {first.body[:60]!r}"
    if first.status == 200 and "body_len" in outcome and len(first.body) != outcome["body_len"]:
        return f"the body has {len(first.body)} bytes"
    if outcome.get("no_body") and (first.body or exchange.connection.buffer):
        return "a body, although the response must not have one"
    return None


def _wrong_details(exchange, outcome):
    if outcome.get("needs_100") and not any(r.status == 100 for r in exchange.interim):
        return "no 100 (Continue)"
    if outcome.get("no_100") and exchange.interim:
        return "a 100 (Continue), although none is allowed"
    for source in (outcome, exchange.case):
        if "no_header" in source and any(r.all(source["no_header"]) for r in exchange.final):
            return f"has {source['no_header']}"
        if "not_in_body" in source and any(source["not_in_body"].encode() in r.body for r in exchange.final):
            return "the body contains a forbidden text"
    if exchange.connection.total > exchange.case.get("max_bytes", exchange.connection.total):
        return f"{exchange.connection.total} bytes of answer"
    return None


def is_server_preface(data):
    """Returns whether these bytes begin with a SETTINGS frame on stream 0, the server's connection preface (RFC
    9113, 3.4)."""
    return len(data) >= 9 and data[3] == 4 and data[5:9] == bytes(4)


def wrong(exchange, outcome):
    """Returns why an exchange does not have the wanted outcome, or None."""
    if outcome == "close":
        return _wrong_end(exchange)
    if exchange.nonsense is not None:
        speaks_h2 = is_server_preface(exchange.nonsense) and outcome.get("or_h2")
        return None if speaks_h2 else f"bytes that are not an HTTP/1.1 response: {exchange.nonsense!r}"
    if outcome.get("wait"):
        return _wrong_silence(exchange)
    problem = _wrong_status(exchange, outcome)
    if problem or not exchange.final:
        return problem
    return _wrong_body(exchange, outcome) or _wrong_details(exchange, outcome)


def _probed(exchange, then, patience):
    """Sends another request on the connection. Returns the fault, or None, and whether there was a response."""
    before = len(exchange.final)
    exchange.methods = ["GET"]
    exchange.connection.send(PROBE)
    # The response has `Connection: close`, so the server must close the connection.
    exchange.look_until(lambda: False, patience)
    extra = [r.status for r in exchange.final[before:]]
    if exchange.nonsense is not None:
        return f"bytes after it that are not a response: {exchange.nonsense!r}", False
    if len(extra) > 1:
        return f"{len(extra)} answers to the next request: out of step", False
    if extra == [200] or (then == "any" and not extra and exchange.ended):
        return None, extra == [200]
    return f"the next request on the connection: {extra[0] if extra else 'no answer'}", False


def _afterwards(exchange, then, patience):
    """Returns why the connection is in a wrong state after the response, or None."""
    before = len(exchange.final)
    exchange.look_until(lambda: len(exchange.final) > before, patience if then == "close" else 0.02)
    if len(exchange.final) > before:
        return f"one answer too many ({exchange.final[before].status}): out of step"
    if then == "close":
        return None if exchange.ended else "left open"
    if exchange.ended:
        return None if then == "any" else "closed where it should stay open"
    return _probed(exchange, then, patience)[0]


def grade(exchange, patience=3.0):
    """Returns the verdict on a completed exchange, and the reason."""
    for flaw in flaws(exchange):
        return FAIL, flaw
    outcome, verdict, reason = exchange.expected, PASS, wrong(exchange, exchange.expected)
    then = exchange.case["then"]
    if reason is not None:
        permitted = [o for o in exchange.case.get("also_ok", []) if wrong(exchange, o) is None]
        if not permitted:
            return FAIL, reason
        outcome, verdict = permitted[0], LENIENT
        then = outcome.get("then", "any") if isinstance(outcome, dict) else "any"
    if exchange.case.get("slow"):
        return (verdict, reason) if exchange.ended or then != "close" else (FAIL, "still open")
    silent = isinstance(outcome, dict) and outcome.get("wait")
    speaks_h2 = exchange.nonsense is not None and verdict == PASS
    if silent or speaks_h2 or exchange.case.get("shutdown") or then == "ignore" or any(r.status == 101
                                                                                       for r in exchange.final):
        return verdict, reason
    problem = _afterwards(exchange, then, patience)
    return (FAIL, problem) if problem else (verdict, reason)


def run(address, case, mode, cut=0):
    """Runs a case in a mode, and grades it."""
    exchange = h1_exchange.Exchange(address, case)
    try:
        exchange.play(mode, cut)
        return grade(exchange)
    finally:
        exchange.close()
