#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`apus dev` with a project that changes, breaks and is mended. dev_edits.py measures it."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import dev_edits  # noqa: E402

BUILD = os.environ.get("APUS_BUILD", "build/dev")
TOOL = os.path.abspath(os.path.join(BUILD, "bin/apus"))


class Events:
    """What the script of a page hears."""

    def __init__(self, dev):
        self.connection = dev_edits.http.client.HTTPConnection("127.0.0.1", dev.port, timeout=dev_edits.PATIENCE)
        self.connection.request("GET", "/__apus/events")
        self.answer = self.connection.getresponse()

    def next(self):
        while not (line := self.answer.readline()).startswith(b"data: "):
            assert line, "the stream ended"
        return json.loads(line[6:])


class Developing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="apus-dev-")
        self.addCleanup(shutil.rmtree, self.folder)
        sdk = os.path.join(self.folder, "sdk")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", sdk], check=True, stdout=subprocess.DEVNULL)
        self.dev = dev_edits.Dev(TOOL, sdk, self.folder)
        self.addCleanup(self.dev.process.wait)
        self.addCleanup(self.dev.process.kill)

    def test_edits(self):
        dev = self.dev
        waiting, body = dev.ask()  # waits for the first build
        self.assertEqual((waiting.status, body), (200, "Hello from shop!\n"))
        times, answered, failures = dev_edits.edits(dev, 3)
        self.assertEqual(failures, [])
        self.assertGreater(answered, 0)

        events = Events(dev)
        before = events.next()
        self.assertEqual(before["failure"], "")
        dev.edit("app.get", "app.got")
        broken = events.next()
        self.assertEqual(broken["generation"], before["generation"], "the page stays")
        self.assertIn("src/app.cpp:5:9: error", broken["failure"])
        self.assertIn("app.got", broken["failure"], "the line itself")
        self.assertIn("Hello 2 ", dev.ask()[1], "what was built before goes on")

        dev.edit('app.got("/", [] { return "Hello 2 from shop!\\n"; })', 'app.get("/", [] { return apus::html("<h1>Hello</h1>"); })')
        self.assertGreater(events.next()["generation"], before["generation"], "the page loads anew")
        answer, page = dev.ask(accept="text/html")
        self.assertEqual(page, '<h1>Hello</h1><script src="/__apus/dev.js" defer></script>\n')
        self.assertEqual(answer.getheader("content-type"), "text/html; charset=utf-8")
        self.assertEqual(dev.ask()[1], "<h1>Hello</h1>", "what is no browser gets it as it is")
        self.assertIn("EventSource", dev.ask("/__apus/dev.js")[1])

        generation = Events(dev).next()["generation"]
        (dev.project / ".words").write_text("a file of dev.watch, whose name alone would not count")
        dev.wait_for("Changed .words")
        dev.wait_for("Reloaded", len(dev.said) - 2)
        self.assertGreater(Events(dev).next()["generation"], generation)
        self.breaks(dev)

        self.assertEqual(dev.stop(), 0)
        self.assertTrue(any("Stopped shop" in line for line in dev.said), dev.said)

    def breaks(self, dev):
        """A program that crashes, and one that cannot end."""
        page = '[] { return apus::html("<h1>Hello</h1>"); }'
        crash = "[]() -> std::string { __builtin_trap(); }"
        dev.edit(page, crash)
        dev.wait_for("Serving", len(dev.said))
        self.assertEqual(dev.ask()[0].status, 502)
        dev.wait_for("Ended the program, with status 13")
        dev.edit(crash, "[]() -> std::string { for (;;) asm volatile(\"\"); }")
        dev.wait_for("Serving", len(dev.said))
        stuck = dev_edits.http.client.HTTPConnection("127.0.0.1", dev.port)
        stuck.request("GET", "/")


if __name__ == "__main__":
    if not all(shutil.which(program) for program in ("cmake", "ninja", "clang++-19")):
        sys.exit(77)
    sys.exit(unittest.main())
