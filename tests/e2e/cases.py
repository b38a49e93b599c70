# SPDX-License-Identifier: Apache-2.0
"""Test cases of a test program: each runs once per backend, several at a time.

    @case
    def answers(backend): ...

    if __name__ == "__main__":
        cases.main()

A case fails by raising an exception. Usage of such a program: NAME_test.py [REGEX of cases to run]
"""

import concurrent.futures
import os
import re
import sys
import threading
import time
import traceback

BACKENDS = (os.environ.get("APUS_E2E_IO") or os.environ.get("APUS_IO") or "uring epoll").split()
SANITIZED = bool(os.environ.get("APUS_SANITIZE"))
SKIPPED = 77  # exit status that CTest reports as skipped

_known = []
_printing = threading.Lock()


def case(function):
    """Registers a function as a case of this program; its argument is the backend's name."""
    _known.append(function)
    return function


def unsanitized(function):
    """In builds with sanitizers, skips a case that measures memory or time. Place this decorator above `case`."""
    if SANITIZED:
        _known.remove(function)
    return function


def equal(got, wanted, what=""):
    """Fails unless both are equal, and shows both."""
    if got != wanted:
        raise AssertionError(f"{what + ': ' if what else ''}got {shown(got)}, wanted {shown(wanted)}")


def check(good, what):
    """Fails with the message `what` unless `good`."""
    if not good:
        raise AssertionError(what)


def shown(value):
    """Returns a value as text, truncated if it is long."""
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-80:]} ({len(text)} characters)"


def _run(function, backend):
    began = time.monotonic()
    failure = None
    try:
        function(backend)
    except Exception as error:  # any exception fails the case
        where = traceback.extract_tb(error.__traceback__)[1:]
        place = next((f for f in where if f.filename == function.__code__.co_filename), None)
        line = f" (line {place.lineno})" if place else ""
        failure = f"{type(error).__name__}: {error}{line}"
    name = f"{function.__name__} [{backend}]"
    with _printing:
        print(f"{'FAIL' if failure else 'ok  '} {time.monotonic() - began:5.1f} s  {name}", flush=True)
        if failure:
            print("       " + failure.replace("\n", "\n       "), flush=True)
    return failure is None


def skip(why):
    """Reports that a part of a case cannot run on this machine; `./apus test` prints the reason."""
    with _printing:
        print(f"skipped: {why}", flush=True)


def main(at_once=4):
    """Runs the cases and ends the program, with status 1 if a case failed."""
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    runs = [(f, b) for f in _known for b in BACKENDS if wanted.search(f.__name__)]
    if not runs:
        print("skipped: none of these cases runs in builds with sanitizers" if SANITIZED else "no case to run")
        sys.exit(SKIPPED if SANITIZED else 1)
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        good = list(pool.map(lambda run: _run(*run), runs))
    print(f"{good.count(True)} passed, {good.count(False)} failed")
    sys.exit(0 if all(good) else 1)
