#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`apus dev` with a project that is changed, broken and fixed. dev_edits.py measures its speed."""
import json
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]
import chromium  # noqa: E402
import dev_edits  # noqa: E402
import server  # noqa: E402

BUILD = os.environ.get("APUS_BUILD", "build/dev")
TOOL = os.path.abspath(os.path.join(BUILD, "bin/apus"))


BUILD_TIME = 60  # seconds that a build may take
LIMIT = 160  # maximum number of open descriptors of `apus dev`


def everything_from(client):
    text = b""
    while piece := client.recv(65536):
        text += piece
    client.close()
    return text


def processor_time(pid):
    """Returns the CPU time of a process in seconds."""
    ticks = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ")[1].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def children(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


class Events:
    """Events received by the script of a page."""

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
        resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self.dev = dev_edits.Dev(TOOL, sdk, self.folder)
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self.addCleanup(self.dev.process.wait)
        self.addCleanup(self.dev.process.kill)

    def test_edits(self):
        dev = self.dev
        waiting, body = dev.ask()  # this request waits for the first build
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
        self.assertIn("Hello 2 ", dev.ask()[1], "the previous build keeps running")

        dev.edit('app.got("/", [] { return "Hello 2 from shop!\\n"; })',
                 'app.get("/", [] { return apus::response::html("<h1>Hello</h1>"); })')
        self.assertGreater(events.next()["generation"], before["generation"], "the page loads anew")
        answer, page = dev.ask(accept="text/html")
        self.assertEqual(page, '<h1>Hello</h1><script src="/__apus/dev.js" defer></script>\n')
        self.assertEqual(answer.getheader("content-type"), "text/html; charset=utf-8")
        self.assertEqual(dev.ask()[1], "<h1>Hello</h1>", "other clients than browsers get the unchanged page")
        self.assertIn("EventSource", dev.ask("/__apus/dev.js")[1])

        self.browser(dev)
        generation = Events(dev).next()["generation"]
        (dev.project / ".words").write_text("a file of dev.watch, whose name alone would not count")
        dev.wait_for("Changed .words")
        dev.wait_for("Reloaded", len(dev.said) - 2)
        self.assertGreater(Events(dev).next()["generation"], generation)
        self.other_hosts(dev)
        self.rude_clients(dev)
        self.own_files(dev)
        self.project_files(dev)
        self.crowd(dev)
        self.breaks(dev)

        self.assertEqual(dev.stop(), 0)
        self.assertTrue(any("Stopped shop" in line for line in dev.said), dev.said)

    def browser(self, dev):
        """An open page shows the errors of a build until the user hides or fixes them. A fix reloads the page."""
        if not chromium.is_there():
            return
        with chromium.Chromium() as page:
            page.open(f"http://127.0.0.1:{dev.port}/")
            shown = "document.querySelector('#apus-failure pre')?.textContent ?? ''"
            dev.edit("app.get", "app.got")
            self.assertTrue(server.soon(lambda: "unknown member `got`" in page.run(shown), BUILD_TIME))
            self.assertIn("src/app.cpp:5:9: error", page.run(shown))
            self.assertEqual(page.run("document.querySelector('h1').textContent"), "Hello", "the old page is below")
            page.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
            self.assertEqual(page.run(shown), "")
            dev.edit("app.got", "app.get")
            dev.edit("<h1>Hello", "<h1>Hello again")
            self.assertTrue(server.soon(lambda: page.run("document.querySelector('h1')?.textContent") == "Hello again",
                                        BUILD_TIME))
            self.assertEqual(page.run(shown), "")
            dev.edit("<h1>Hello again", "<h1>Hello")
            self.assertTrue(server.soon(lambda: page.run("document.querySelector('h1')?.textContent") == "Hello",
                                        BUILD_TIME))

    def other_hosts(self, dev):
        """DNS rebinding: a page of another site, whose name now resolves to this machine, can read neither the
        application's responses nor the compiler's messages."""
        for path, more in (("/", ""), ("/__apus/events", ""), ("/__apus/dev.js", ""),
                           ("/", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: "
                                 "AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n")):
            for host in ("evil.example", f"evil.example:{dev.port}", "127.0.0.1.evil.example",
                         "localhost.evil.example"):
                with socket.create_connection(("127.0.0.1", dev.port), timeout=dev_edits.PATIENCE) as client:
                    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{more}\r\n"
                    client.sendall(head.encode())
                    client.shutdown(socket.SHUT_WR)
                    said = everything_from(client)
                self.assertTrue(said.startswith(b"HTTP/1.1 421 Misdirected Request\r\n"), (path, host, said))
                self.assertIn(f"does not serve the host `{host.split(':')[0]}`".encode(), said)
                self.assertNotIn(b"generation", said)
        for host in ("localhost", "LOCALHOST:1", "shop.localhost", "127.0.0.1", "[::1]:80", "Shop.Test"):
            said = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"Host: {host}",
                                   f"http://127.0.0.1:{dev.port}/__apus/dev.js"], capture_output=True, text=True,
                                  check=True)
            self.assertEqual(said.stdout, "200", host)

    def own_files(self, dev):
        """A file that the program writes on each request reloads pages a few times, and then no more until another
        program starts."""
        page = '[] { return apus::response::html("<h1>Hello</h1>"); }'
        dev.edit(page, '[] { std::ofstream("src/visits.txt", std::ios::app) << 1; '
                 'std::ofstream("src/shop.db", std::ios::app) << 1; return apus::response::html("<h1>Hello</h1>"); }')
        dev.edit("#include", "#include <fstream>\n#include")
        dev.wait_for("Serving", len(dev.said) - 1)
        deadline = time.monotonic() + dev_edits.PATIENCE
        while not any("Ignored src/visits.txt: written by the program on each request" in line for line in dev.said):
            self.assertLess(time.monotonic(), deadline, dev.said)
            said = len(dev.said)
            dev.ask()  # as the reloaded page does
            with dev.news:
                dev.news.wait_for(lambda: any("Reloaded" in line or "Ignored" in line for line in dev.said[said:]),
                                  dev_edits.PATIENCE)
        reloads = sum("Reloaded" in line for line in dev.said)
        self.assertFalse(any("shop.db" in line for line in dev.said), "a database is nothing to reload for")
        for _ in range(5):
            dev.ask()
        said = len(dev.said)
        (dev.project / "src/other.txt").write_text("a file that somebody edits")
        dev.wait_for("Changed src/other.txt", said)
        dev.wait_for("Reloaded", said)
        self.assertEqual(sum("Reloaded" in line for line in dev.said), reloads + 1, dev.said)
        said = len(dev.said)
        dev.source.write_text(dev.source.read_text().replace('std::ofstream("src/visits.txt", std::ios::app) << 1; '
                                                             'std::ofstream("src/shop.db", std::ios::app) << 1; ', ""))
        dev.wait_for("Serving", said)

    def rude_clients(self, dev):
        """Clients that behave unlike browsers."""
        half = socket.create_connection(("127.0.0.1", dev.port), timeout=dev_edits.PATIENCE)
        half.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        half.shutdown(socket.SHUT_WR)
        self.assertIn(b"<h1>Hello</h1>", everything_from(half), "a client that has closed its side gets the response")
        http2 = socket.create_connection(("127.0.0.1", dev.port), timeout=dev_edits.PATIENCE)
        http2.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.assertEqual(everything_from(http2)[9:27].hex(), "000056" "07" "00" "00000000" "00000000" "0000000d" "61",
                         "HTTP_1_1_REQUIRED")
        asked = subprocess.run(["curl", "-s", "--http2", "-w", " %{http_version}", f"http://127.0.0.1:{dev.port}/"],
                               capture_output=True, text=True, check=True)
        self.assertEqual(asked.stdout, "<h1>Hello</h1> 1.1", "HTTP/2 by an upgrade is not taken")

    def project_files(self, dev):
        """apus.toml and CMakeLists.txt are watched even if `dev.watch` does not name them."""
        cmake, manifest = dev.project / "CMakeLists.txt", dev.project / "apus.toml"
        right = cmake.read_text()
        cmake.write_text(right + "what_is_this()\n")
        dev.wait_for("what_is_this", len(dev.said))
        self.assertEqual(dev.ask()[0].status, 200, "the previous build keeps running")
        cmake.write_text(right)
        right, said = manifest.read_text(), len(dev.said)
        dev.wait_for("Reloaded", said)
        heard = Events(dev)
        manifest.write_text(right + "wach = []\n")
        dev.wait_for("error[E0203]: apus.toml:7: unknown key `dev.wach`", said)
        while "dev.wach" not in heard.next()["failure"]:
            pass
        said = len(dev.said)
        manifest.write_text(right.replace('"src"', '"src", "data"') + 'arguments = ["--drain", "1"]\n')
        dev.wait_for("Serving", said)
        (dev.project / "data").mkdir()
        dev.wait_for("Changed data", said)
        said = len(dev.said)
        (dev.project / "src/more.cpp").write_text("int more() { return 1; }\n")
        dev.wait_for("Compiled src/more.cpp", said)
        dev.wait_for("Serving", said)

    def crowd(self, dev):
        """More clients than the descriptor limit allows (see `limit`): they wait, no CPU time is wasted, and service
        resumes when some of them leave."""
        crowd = [socket.create_connection(("127.0.0.1", dev.port)) for _ in range(LIMIT)]
        dev.wait_for("new connections wait until one closes")
        before = processor_time(dev.process.pid)
        time.sleep(0.3)
        self.assertLess(processor_time(dev.process.pid) - before, 0.1)
        for client in crowd:
            client.close()
        self.assertEqual(dev.ask()[0].status, 200)
        self.assertEqual(sum("new connections wait" in line for line in dev.said), 1, "it says so once")

    def test_killed(self):
        dev = self.dev
        dev.wait_for("Serving")
        served = children(dev.process.pid)
        self.assertTrue(served)
        dev.process.kill()
        dev.process.wait()
        with socket.socket() as again:
            again.bind(("127.0.0.1", dev.port))
        deadline = time.monotonic() + dev_edits.PATIENCE
        while any(os.path.exists(f"/proc/{pid}") for pid in served):
            self.assertLess(time.monotonic(), deadline, "the program goes on without `apus dev`")
            time.sleep(0.01)
        if shutil.which("gdb"):
            self.debugs()

    def debugs(self):
        """Under gdb, the program runs in the foreground, and gdb finds its sources."""
        done = subprocess.run([TOOL, "dev", "--gdb", "--port", "0"], cwd=self.dev.project, env=self.dev.env,
                              input="break make_app\nrun\nbacktrace\nkill\n",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=dev_edits.PATIENCE,
                              check=False)
        self.assertRegex(done.stdout, r"hit Breakpoint 1, make_app \(.*\)\s+at .*src/app.cpp:\d+")
        self.assertIn("killed]", done.stdout)

    def breaks(self, dev):
        """A program that crashes, and a program whose handler never returns."""
        page = '[] { return apus::response::html("<h1>Hello</h1>"); }'
        crash = "[]() -> std::string { __builtin_trap(); }"
        dev.edit(page, crash)
        dev.wait_for("Serving", len(dev.said))
        self.assertEqual(dev.ask()[0].status, 502)
        dev.wait_for("Ended the program, by SIG")
        dev.edit(crash, "[]() -> std::string { for (;;) asm volatile(\"\"); }")
        dev.wait_for("Serving", len(dev.said))
        stuck = dev_edits.http.client.HTTPConnection("127.0.0.1", dev.port)
        self.addCleanup(stuck.close)
        stuck.request("GET", "/")


if __name__ == "__main__":
    if missing := [program for program in ("cmake", "ninja", "clang++-19", "curl") if not shutil.which(program)]:
        print(f"skipped: there is no {', '.join(missing)}")
        sys.exit(77)
    sys.exit(unittest.main())
