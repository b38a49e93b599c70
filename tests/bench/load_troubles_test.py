#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `load` against servers that respond wrongly, late or not at all."""

import contextlib
import json
import subprocess
import threading
import time

from answering import LOAD, OK, Case, always, command, heads, load, main, serving


class Troubles(Case):
    def test_another_status(self):
        report = self.of(always(OK.replace(b"200 OK", b"503 Too Busy")), status=1)
        self.assertEqual((list(report["error_kinds"]), report["first_error"], report["requests"]),
                         (["status"], "HTTP/1.1 503 Too Busy", 0))

    def test_another_length(self):
        report = self.of(always(OK), "--expect-bytes", 6, status=1)
        self.assertEqual((list(report["error_kinds"]), report["first_error"]),
                         (["body"], "a body of 5 bytes instead of 6"))

    def test_responses_that_are_not_http(self):
        self.assertEqual(list(self.of(always(b"SSH-2.0-x\r\n\r\n"), status=1)["error_kinds"]), ["malformed"])

    def test_an_additional_response(self):
        self.assertIn("malformed", self.of(always(OK + OK), status=1)["error_kinds"])

    def test_a_truncated_response(self):
        def talk(peer, _):
            next(heads(peer))
            peer.sendall(OK[:-1])

        report = self.of(talk, status=1)
        self.assertEqual((list(report["error_kinds"]), report["requests"]), (["closed"], 0))

    def test_a_crashing_server(self):
        def talk(peer, _):
            for number, _ in enumerate(heads(peer)):
                peer.sendall(OK)
                if number == 20:
                    dead.set()
                    return

        dead = threading.Event()
        with contextlib.ExitStack() as stack:
            port = stack.enter_context(serving(talk))
            run = subprocess.Popen(command(port, "--connections", 2, seconds=10), stdout=subprocess.PIPE, text=True)
            dead.wait()
            stack.close()
            report = json.loads(run.communicate(timeout=30)[0])
        self.assertIn("connect", report["error_kinds"])
        self.assertRegex(report["first_error"], "refused|reset|ended")
        self.assertLess(report["seconds"], 9, "the run continues without a listener")

    def test_an_unreachable_server(self):
        with serving(always(OK)) as port:
            pass
        report = load(port, "--connections", 2, status=1)
        self.assertEqual((list(report["error_kinds"]), report["requests"]), (["connect"], 0))

    def test_no_response_in_time(self):
        def talk(peer, number):
            for _ in heads(peer):
                if number > 0:
                    peer.sendall(OK)

        report = self.of(talk, "--connections", 2, "--timeout", 0.1, seconds=0.3)
        self.assertEqual(report["error_kinds"].keys() - {"timeout"}, set())

    def test_an_invalid_command_line(self):
        for words in (["--port", "1"], ["--seconds", "1"], ["--port", "x"], ["--nothing"],
                      ["--port", "1", "--seconds", "1", "--threads", "2"],
                      ["--port", "1", "--seconds", "1", "--mix", "/nowhere"],
                      ["--port", "1", "--seconds", "1", "--body-file", "/nowhere"],
                      ["--port", "1", "--seconds", "1", "--expect-status", "3xx"],
                      ["--port", "1", "--seconds", "1", "--io", "kqueue"]):
            run = subprocess.run([LOAD, *words], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
            self.assertNotEqual(run.stderr, "")


class Omission(Case):
    """A server stalls once. A client that waits for each response would measure one slow response in place of many."""

    STALL = 0.2

    def stalled(self, *words):
        count = 0

        def talk(peer, _):
            nonlocal count
            for _ in heads(peer):
                count += 1
                if count == 20:
                    time.sleep(self.STALL)
                peer.sendall(OK)

        return self.of(talk, "--connections", 1, *words, seconds=1)

    def test_at_a_constant_rate(self):
        report = self.stalled("--rate", 500)
        self.fine(report)
        self.assertAlmostEqual(report["requests"] + report["unanswered"], 500, delta=3)
        microseconds = self.STALL * 1e6
        self.assertGreater(report["latency"]["max"], 0.95 * microseconds)
        # 100 of 500 requests were due during the stall, so a tenth of all requests waited for at least half of it.
        self.assertGreater(report["latency"]["p90"], 0.4 * microseconds)
        self.assertLess(report["latency_uncorrected"]["p90"], report["latency"]["p90"])

    def test_in_a_closed_loop(self):
        report = self.stalled()
        self.fine(report, least=20)
        self.assertGreater(report["latency"]["max"], 0.95 * self.STALL * 1e6)
        self.assertGreater(report["latency"]["p90"], 2 * report["latency_uncorrected"]["p90"])

    def test_missing_responses_count(self):
        def talk(peer, number):
            for count, _ in enumerate(heads(peer)):
                if count < 5:
                    peer.sendall(OK)

        report = self.of(talk, "--rate", 100, seconds=0.5)
        self.assertAlmostEqual(report["requests"] + report["unanswered"], 50, delta=3)
        self.assertGreater(report["latency"]["p50"], 0.15e6)


if __name__ == "__main__":
    main()
