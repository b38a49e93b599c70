# SPDX-License-Identifier: Apache-2.0
"""Tests the parsers of the load tools with recorded output of these tools."""
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "suite"))

from tools import LoadTarget, Unreadable, ab, bombardier, h2load, load, s_time, wrk

AIM = LoadTarget(8080, 8443, 50, 0.4, 1, {})

WRK = """\
Running 1s test @ http://127.0.0.1:8080/bench
  35391 requests in 1.00s, 10.40MB read
  Non-2xx or 3xx responses: 91
apus {"requests":35391,"microseconds":1001957,"bytes":10900000,"max":7890,"percentiles":[[0,62],[50,219],[90,1861],\
[99,4761],[99.9,6748]],"errors":{"connect":0,"read":2,"write":0,"status":91,"timeout":0}}
"""

H2LOAD = """\
finished in 502.52ms, 10000.00 req/s, 781.89KB/s
requests: 5024 total, 5045 started, 5024 done, 5000 succeeded, 24 failed, 24 errored, 0 timeout
status codes: 5000 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 390.95KB (400330) total, 239.26KB (245000) headers (space savings 50.51%), 63.48KB (65000) data
                     min         max         mean         sd        +/- sd
time for request:       37us      1.75ms       774us       310us    73.88%
"""

AB = """\
Concurrency Level:      10
Time taken for tests:   0.052 seconds
Complete requests:      2000
Failed requests:        3
Non-2xx responses:      1
Total transferred:      322000 bytes
Requests per second:    38401.72 [#/sec] (mean)
"""

BOMBARDIER = """\
{"spec":{"numberOfConnections":10},"result":{"bytesRead":6317490,"bytesWritten":2668320,"timeTakenSeconds":1.25,\
"req1xx":0,"req2xx":39240,"req3xx":0,"req4xx":1,"req5xx":0,"others":7,\
"errors":[{"description":"dial tcp: connection refused","count":7}],"latency":{"mean":253.2,"stddev":485.1,\
"max":16964,"percentiles":{"50":187,"75":244,"90":342,"95":450,"99":2873}}}}
"""

LOAD = """\
{"requests": 100, "seconds": 0.5, "rate": 200.0, "errors": 1, "error_kinds": {"reset": 1}, "first_error": "reset",
 "bytes_received": 5000, "bytes_sent": 4000, "latency": {"p50": 4, "p90": 5, "p99": 6, "p999": 7, "max": 8},
 "latency_uncorrected": null, "percentiles": [[50, 4]], "client_cpu_seconds": 0.1}
"""

S_TIME = """\
Collecting connection statistics for 1 seconds
rr*rrrrrrr

10 connections in 0.51s; 2427.45 connections/user sec, bytes read 184462
10 connections in 2 real seconds, 149 bytes read per connection
"""


class Parsers(unittest.TestCase):
    def test_wrk(self):
        told = wrk.parse(WRK, "", AIM)
        self.assertEqual(told["requests"], 35300)
        self.assertAlmostEqual(told["rate"], 35300 / 1.001957)
        self.assertEqual(told["errors"], 93)
        self.assertEqual(told["latency"], {"p50": 219, "p90": 1861, "p99": 4761, "p999": 6748, "max": 7890})
        self.assertEqual(told["percentiles"][-1], [100, 7890])

    def test_h2load(self):
        told = h2load.parse(H2LOAD, "", AIM)
        self.assertEqual((told["requests"], told["errors"], told["bytes_received"]), (5000, 24, 400330))
        self.assertEqual(told["seconds"], 0.4)
        self.assertEqual(told["latency_uncorrected"]["max"], 1750.0)
        self.assertIsNone(told["latency_uncorrected"]["p50"])

    def test_latencies_of_h2load(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "h2load.log")
            with mock.patch.object(h2load, "log_file", lambda: log):
                with open(log, "w", encoding="ascii") as file:
                    file.writelines(f"1687000000000000\t200\t{microseconds}\n" for microseconds in range(1000, 0, -1))
                told = h2load.parse(H2LOAD, "", AIM._replace(options={"latencies": True}))
            self.assertEqual(told["latency_uncorrected"],
                             {"p50": 501, "p90": 901, "p99": 991, "p999": 1000, "max": 1000, "mean": 500.5})
            self.assertFalse(os.path.exists(log))

    def test_ab(self):
        with tempfile.TemporaryDirectory() as folder:
            percentages = os.path.join(folder, "ab.csv")
            with open(percentages, "w", encoding="ascii") as file:
                file.write("Percentage served,Time in ms\n50,0.071\n90,0.5\n99,5.502\n100,5.717\n")
            with mock.patch.object(ab, "percentages_file", lambda: percentages):
                told = ab.parse(AB, "", AIM)
        self.assertEqual((told["requests"], told["seconds"], told["errors"]), (1996, 0.052, 4))
        self.assertEqual(told["latency_uncorrected"]["p99"], 5502.0)

    def test_bombardier(self):
        told = bombardier.parse(BOMBARDIER, "", AIM)
        self.assertEqual((told["requests"], told["errors"], told["rate"]), (39240, 8, 39240 / 1.25))
        self.assertEqual(told["latency_uncorrected"]["p99"], 2873)

    def test_s_time(self):
        told = s_time.parse(S_TIME, "", AIM._replace(options={"resume": True}))
        self.assertEqual((told["requests"], told["seconds"], told["errors"]), (9, 2.0, 1))
        told = s_time.parse(S_TIME, "", AIM)
        self.assertEqual((told["requests"], told["error_kinds"]), (1, {"resumed": 9}))

    def test_load(self):
        told = load.parse(LOAD, "", AIM)
        self.assertEqual((told["requests"], told["errors"], told["latency"]["p999"]), (100, 1, 7))
        self.assertIsNone(told["latency_uncorrected"])

    def test_invalid_output_is_reported(self):
        for tool in (wrk, h2load, ab, bombardier, load, s_time):
            with self.subTest(tool.__name__), self.assertRaisesRegex(Unreadable, "unable to connect"):
                tool.parse("", "\nunable to connect\n", AIM)


class Commands(unittest.TestCase):
    def test_options_of_a_scenario_reach_the_tool(self):
        options = {"path": ["/upload"], "method": "POST", "body_bytes": 512000, "close": True}
        words = load.command(AIM._replace(options=options, rate=1000.0, connections=1, threads=4))
        self.assertIn("--rate 1000", " ".join(words))
        self.assertIn("--method POST --body-bytes 512000 --close --path /upload", " ".join(words))
        self.assertIn("--threads 1", " ".join(words))
        self.assertIn("--io uring", " ".join(words))

    def test_wrk_takes_whole_seconds_and_tls(self):
        words = wrk.command(AIM._replace(options={"tls": True, "close": True}))
        self.assertIn("-d1s", words)
        self.assertEqual(words[-3:], ["-H", "Connection: close", "https://127.0.0.1:8443/bench"])

    def test_s_time(self):
        words = s_time.command(AIM._replace(options={"resume": True}))
        self.assertEqual(words[2:], ["-connect", "127.0.0.1:8443", "-reuse", "-www", "/bench", "-time", "1"])

    def test_h2load(self):
        words = h2load.command(AIM._replace(options={"streams": 100}))
        self.assertEqual(words[3:], ["-c50", "-m100", "-t1", "--warm-up-time=300ms", "-D", "400ms",
                                     "http://127.0.0.1:8080/bench"])
        words = h2load.command(AIM._replace(options={"streams": 1, "body_bytes": 10240, "latencies": True}))
        self.assertRegex(" ".join(words), r"-d\S+/body-10240 --log-file=\S+/h2load.log ")
        words = h2load.command(AIM._replace(options={"h1": True, "tls": True}))
        self.assertEqual(words[4:6], ["--h1", "-t1"])
        self.assertEqual(words[-1], "https://127.0.0.1:8443/bench")


if __name__ == "__main__":
    unittest.main()
