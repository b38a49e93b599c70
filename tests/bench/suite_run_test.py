# SPDX-License-Identifier: Apache-2.0
"""Tests whole runs of bench/suite, with small peers in Python and a fake load tool that sends one request and
invents its figures."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.join(HERE, "..", "..", "bench", "suite")

SERVER = """\
#!{python}
# SPDX-License-Identifier: Apache-2.0
import os, socket, sys
TEXT, DIES, BARE = {text!r}, {dies!r}, {bare!r}
listening = socket.create_server(("127.0.0.1", int(os.environ["PORT"])))
asked = 0
while True:
    connection, _ = listening.accept()
    head = connection.recv(65536)
    asked += 1
    if DIES and asked > 2:
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if asked <= BARE:
        connection.sendall(TEXT)
        connection.close()
        continue
    connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: %d\\r\\n"
                       b"Connection: close\\r\\n\\r\\n%b" % (len(TEXT), TEXT))
    connection.close()
"""

LOAD = """\
#!{python}
# SPDX-License-Identifier: Apache-2.0
import json, socket, sys
port = int(sys.argv[sys.argv.index("--port") + 1])
try:
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(b"GET /bench HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
        good = connection.recv(65536).startswith(b"HTTP/1.1 200")
except OSError:
    good = False
times = {{"p50": 10, "p90": 20, "p99": 30, "p999": 40, "max": 50}}
print(json.dumps({{"requests": 100 if good else 0, "seconds": 0.5, "errors": 0 if good else 1,
                  "error_kinds": {{}}, "first_error": "" if good else "reset", "bytes_received": 5000,
                  "bytes_sent": 4000, "latency": times, "latency_uncorrected": times,
                  "percentiles": [[0, 1], [50, 10], [100, 50]], "client_cpu_seconds": 0.1}}))
"""


def write(path, text, executable=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if executable:
        os.chmod(path, 0o755)


def add_peer(root, name, text=b"Hello, World!", dies=False, bare=0, build=None, more="", offers='["text"]'):
    folder = os.path.join(root, "peers", name)
    write(os.path.join(folder, "peer.toml"),
          f'title = "{name}"\nlanguage = "C"\nkind = "server"\nversion = "echo 1.2.3"\noffers = {offers}\n{more}')
    write(os.path.join(folder, "start"), SERVER.format(python=sys.executable, text=text, dies=dies, bare=bare), True)
    if build:
        write(os.path.join(folder, "build"), f"#!/bin/sh\n{build}\n", True)


class Suite(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = temporary.name
        write(os.path.join(self.root, "load"), LOAD.format(python=sys.executable), True)
        self.environment = {
            **os.environ, "APUS_BENCH_BUILD": os.path.join(self.root, "build"), "APUS_NO_INSTALL": "1",
            "APUS_BENCH_PEERS": os.path.join(self.root, "peers"), "APUS_BENCH_LOAD": os.path.join(self.root, "load")}
        # Creating a certificate takes a second, and these peers do not use it.
        write(os.path.join(self.root, "build", "data", "cert.pem"), "")

    def command(self, *words):
        return [sys.executable, "-B", SUITE, *words]

    def bench(self, *words):
        return subprocess.run(self.command(*words), env=self.environment, capture_output=True, text=True,
                              timeout=60, check=False)

    def measure(self, *words):
        return self.bench("--name", "r", "--scenarios", "text-50", "--rounds", "2", "--seconds", "0.1",
                          "--no-realtime", *words)

    def path(self, name):
        return os.path.join(self.root, "build", "runs", "r", name)

    def run_json(self):
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)

    def lines(self):
        with open(self.path("samples.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def state_of(self, name):
        peer, = (peer for peer in self.run_json()["peers"] if peer["name"] == name)
        return peer["state"], peer["why"]


class Answers(Suite):
    def test_only_peers_with_correct_responses_are_measured(self):
        add_peer(self.root, "right")
        add_peer(self.root, "wrong", text=b"Goodbye, World!")
        ran = self.measure()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        by_peer = {line["peer"]: line for line in self.lines()}
        self.assertTrue(by_peer["right"]["ok"])
        self.assertEqual(by_peer["right"]["requests"], 100)
        self.assertGreater(by_peer["right"]["cpu_us"], 0)
        self.assertGreater(by_peer["right"]["rss_kib"] or 1, 0)
        self.assertFalse(by_peer["wrong"]["ok"])
        self.assertIn("answered `Goodbye, World!` instead of `Hello, World!`", by_peer["wrong"]["why"])
        self.assertEqual(len(self.lines()), 4)
        self.assertIsNotNone(self.run_json()["finished"])
        self.assertIn("report.html", ran.stdout)
        self.assertTrue(os.path.exists(self.path("results.json")))

    def test_responses_without_a_status_line_are_ignored_after_the_start(self):
        add_peer(self.root, "late", bare=3)
        self.assertEqual(self.measure("--rounds", "1").returncode, 0)
        line, = self.lines()
        self.assertTrue(line["ok"], line)

    def test_a_crashed_server_is_reported_and_the_run_continues(self):
        add_peer(self.root, "a-dying", dies=True)
        add_peer(self.root, "right")
        ran = self.measure("--rounds", "1")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        dying, = (line for line in self.lines() if line["peer"] == "a-dying")
        self.assertFalse(dying["ok"])
        self.assertIn("the server ended with status 3; its last line: out of luck", dying["why"])
        self.assertTrue(all(line["ok"] for line in self.lines() if line["peer"] == "right"))


class Peers(Suite):
    def test_each_peer_has_a_row(self):
        add_peer(self.root, "absent", build="echo looking\necho 'there is no libthing: install libthing-dev'\nexit 77")
        add_peer(self.root, "broken", build="echo 'oh dear' >&2\nexit 4")
        add_peer(self.root, "unfound", more='[found]\nvariable = "APUS_BENCH_NOWHERE"\nhow = "set '
                                            'APUS_BENCH_NOWHERE"\n')
        add_peer(self.root, "toolless", more='toolchain = "no-such-tool"\n')
        write(os.path.join(self.root, "peers", "garbled", "peer.toml"), "title = \n")
        add_peer(self.root, "right", build="echo built > \"$OUT/program\"")
        ran = self.measure("--rounds", "1")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.state_of("absent"), ("not installed", "there is no libthing: install libthing-dev"))
        state, why = self.state_of("broken")
        self.assertEqual(state, "failed")
        self.assertIn("its build failed: oh dear", why)
        self.assertEqual(self.state_of("unfound"), ("not installed", "set APUS_BENCH_NOWHERE"))
        self.assertIn("`no-such-tool`", self.state_of("toolless")[1])
        self.assertEqual(self.state_of("garbled")[0], "failed")
        self.assertEqual(self.state_of("right"), ("ready", ""))
        self.assertEqual([line["peer"] for line in self.lines()], ["right"])

    def test_peers_are_rebuilt_only_after_a_change(self):
        add_peer(self.root, "right", build="echo x >> \"$OUT/builds\"")
        builds = os.path.join(self.root, "build", "peers", "right", "builds")

        def count_after_setup():
            self.assertEqual(self.bench("setup").returncode, 0)
            with open(builds, encoding="utf-8") as file:
                return len(file.readlines())

        self.assertEqual(count_after_setup(), 1)
        self.assertEqual(count_after_setup(), 1)
        write(os.path.join(self.root, "peers", "right", "more.c"), "int x;\n")
        self.assertEqual(count_after_setup(), 2)

    def test_peers_that_are_not_selected_are_listed_but_not_measured(self):
        add_peer(self.root, "one")
        add_peer(self.root, "other")
        self.measure("--peers", "one", "--rounds", "1")
        self.assertEqual(self.state_of("other")[0], "left out")


class Stopping(Suite):
    def test_a_stopped_run_continues(self):
        add_peer(self.root, "right")
        self.measure("--rounds", "3")
        kept = self.lines()[:1]
        with open(self.path("samples.jsonl"), "w", encoding="utf-8") as file:
            file.write(json.dumps(kept[0] | {"why": "from before"}) + "\n" + '{"scenario": "te')
        ran = self.bench("--resume", "r")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        with open(self.path("samples.jsonl"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(json.loads(lines[0])["why"], "from before")
        self.assertEqual([json.loads(line)["round"] for line in lines[2:]], [1, 2])

    def test_an_interrupt_reports_the_figures_so_far(self):
        add_peer(self.root, "right")
        words = self.command("--name", "r", "--scenarios", "text-50", "--rounds", "500", "--no-realtime")
        with subprocess.Popen(words, env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              text=True) as process:
            for line in process.stderr:
                if line.startswith("[3/500"):
                    process.send_signal(signal.SIGINT)
                    break
            said = process.stderr.read()
            self.assertEqual(process.wait(20), 130)
        self.assertIn("`./apus bench --resume r` continues", said)
        self.assertTrue(os.path.exists(self.path("report.md")))
        time.sleep(0.01)
        self.assertIsNone(self.run_json()["finished"])


class Words(Suite):
    def test_unknown_names_are_reported(self):
        add_peer(self.root, "right")
        for words in (["--peers", "nobody"], ["--scenarios", "nothing"], ["setup", "nobody"], ["--resume", "never"]):
            with self.subTest(words):
                ran = self.bench(*words)
                self.assertEqual(ran.returncode, 2)
                self.assertIn(f"`{words[-1]}`", ran.stderr)
                self.assertNotIn("Traceback", ran.stderr)

    def test_the_list(self):
        add_peer(self.root, "right")
        ran = self.bench("list")
        self.assertIn("pipeline-16", ran.stdout)
        self.assertRegex(ran.stdout, r"right +ready \(1\.2\.3\)")


if __name__ == "__main__":
    unittest.main()
