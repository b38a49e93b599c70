#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `load` against servers that send every kind of valid response, and checks the requests that it sends."""

import json
import select
import subprocess
import tempfile

from answering import LOAD, OK, Case, always, command, heads, load, main, serving

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\n\r\n"


class Answers(Case):
    def test_with_a_length(self):
        report = self.of(always(OK), "--connections", 3, "--expect-bytes", 5, "--warmup", 0.05)
        self.fine(report)
        self.assertEqual(report["reconnects"], 0)
        self.assertGreater(report["warmup"]["requests"], 0)
        self.assertGreater(report["client_cpu_seconds"], 0)
        self.assertAlmostEqual(report["rate"], report["requests"] / report["seconds"], delta=report["rate"] / 100)

    def test_that_count_are_marked(self):
        with serving(always(OK)) as port:
            run = subprocess.run(command(port, "--marks", "--warmup", 0.05, "--connections", 2, "--threads", 2),
                                 input="", capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, "begin\nend\n"))

    def test_pauses_at_a_mark_until_it_is_answered(self):
        for rate in ([], ["--rate", 100]):
            with serving(always(OK)) as port, subprocess.Popen(
                    command(port, "--marks", "--warmup", 0.05, "--connections", 2, *rate), stdin=-1, stdout=-1,
                stderr=-1) as run:
                self.assertEqual(run.stderr.readline(), b"begin\n")
                self.assertEqual(select.select([run.stdout, run.stderr], [], [], 0.3)[0], [])
                run.stdin.write(b"\n")
                run.stdin.flush()
                self.assertEqual(run.stderr.readline(), b"end\n")
                report = json.loads(run.communicate(b"\n", timeout=60)[0])
            self.assertGreater(report["requests"], 0)
            self.assertLess(report["latency_uncorrected"]["max"], 300_000)

    def test_in_chunks(self):
        self.fine(self.of(always(CHUNKED), "--connections", 3, "--expect-bytes", 5))

    def test_cut_at_every_byte(self):
        for answer in (OK, CHUNKED, b"HTTP/1.1 100 Continue\r\n\r\n" + OK):
            cuts = [[answer[:at], answer[at:]] for at in range(1, len(answer))]

            def talk(peer, _):
                for number, _ in enumerate(heads(peer)):
                    for piece in cuts[number % len(cuts)]:
                        peer.sendall(piece)

            self.fine(self.of(talk, "--expect-bytes", 5, seconds=0.4))

    def test_byte_by_byte(self):
        for answer in (OK, CHUNKED):
            self.fine(self.of(always([answer[at:at + 1] for at in range(len(answer))]), "--expect-bytes", 5), least=2)

    def test_several_in_one_packet(self):
        def talk(peer, _):
            for number, _ in enumerate(heads(peer), 1):
                if number % 8 == 0:
                    peer.sendall((OK + CHUNKED) * 4)

        self.fine(self.of(talk, "--connections", 2, "--pipeline", 8, "--expect-bytes", 5))

    def test_that_end_with_the_connection(self):
        def talk(peer, _):
            next(heads(peer))
            peer.sendall(b"HTTP/1.1 200 OK\r\n\r\nhel")
            peer.sendall(b"lo")

        report = self.of(talk, "--connections", 2, "--expect-bytes", 5)
        self.fine(report)
        self.assertGreaterEqual(report["reconnects"], report["requests"])

    def test_to_head_and_without_content(self):
        self.fine(self.of(always(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), "--method", "HEAD"))
        with tempfile.NamedTemporaryFile("w") as mix:
            mix.write('{"path": "/", "status": 204}\n')
            mix.flush()
            self.fine(self.of(always(b"HTTP/1.1 204 No Content\r\n\r\n"), "--mix", mix.name))

    def test_with_a_status(self):
        created = OK.replace(b"200 OK", b"201 Created")
        self.fine(self.of(always(created), "--expect-status", "2xx"))
        self.fine(self.of(always(created), "--expect-status", 201))
        for other in ("200", "204"):
            self.assertEqual(list(self.of(always(created), "--expect-status", other, status=1)["error_kinds"]),
                             ["status"])
        self.assertEqual(list(self.of(always(OK.replace(b"200", b"300")), "--expect-status", "2xx",
                                      status=1)["error_kinds"]), ["status"])

    def test_of_a_megabyte(self):
        size = 1 << 20
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size
        report = self.of(always(answer), "--connections", 2, "--expect-bytes", size)
        self.fine(report, least=3)
        self.assertGreaterEqual(report["bytes_received"], report["requests"] * size - 2 * len(answer))


class Connections(Case):
    def test_a_new_one_for_each_request(self):
        seen = []

        def talk(peer, number):
            seen.append(b"connection: close" in next(heads(peer)).lower())
            peer.sendall(OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))

        report = self.of(talk, "--connections", 4, "--close")
        self.fine(report)
        self.assertTrue(all(seen))
        self.assertGreaterEqual(len(seen), report["requests"])

    def test_a_new_one_although_the_server_keeps_the_old(self):
        self.fine(self.of(always(OK), "--connections", 4, "--close"))
        served = []

        def talk(peer, number):
            served.append(0)
            for _ in heads(peer):
                served[number] += 1
                peer.sendall(OK)

        self.fine(self.of(talk, "--requests-per-connection", 7))
        self.assertEqual(set(served[:-1]), {7})

    def test_that_the_server_ends_properly(self):
        for last in (OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), OK):
            def talk(peer, _):
                requests = heads(peer)
                for _ in range(9):
                    next(requests)
                    peer.sendall(OK)
                next(requests)
                peer.sendall(last)
                peer.shutdown(1)
                for _ in requests:
                    pass

            for pipeline in (1, 4):
                report = self.of(talk, "--connections", 2, "--pipeline", pipeline)
                self.fine(report)
                self.assertGreater(report["reconnects"], 0)

    def test_several_threads(self):
        served = []
        with serving(lambda peer, number: served.append(number) or always(OK)(peer, number)) as port:
            self.fine(load(port, "--connections", 5, "--threads", 2))
        self.assertEqual(len(served), 5)

    def test_idle_ones(self):
        with serving(always(OK)) as port:
            idle = subprocess.Popen([LOAD, "--port", str(port), "--connections", "120", "--idle"],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.assertEqual(json.loads(idle.stdout.readline()), {"open": 120})
            self.assertIsNone(idle.poll())
            idle.communicate()
            self.assertEqual(idle.returncode, 0)


class Requests(Case):
    def sent(self, *words):
        texts = []

        def talk(peer, _):
            data = b""
            while more := peer.recv(65536):
                data += more
                while b"END" in data:
                    text, data = data.split(b"END", 1)
                    texts.append(text)
                    peer.sendall(OK)

        self.fine(self.of(talk, *words))
        return texts

    def test_a_body(self):
        text = self.sent("--method", "POST", "--path", "/a", "--header", "X-Y: z", "--body", "bodyEND")[0]
        for part in (b"POST /a HTTP/1.1\r\n", b"\r\nHost: 127.0.0.1:", b"\r\nX-Y: z\r\n", b"\r\nContent-Length: 7\r\n",
                     b"\r\n\r\nbody"):
            self.assertIn(part, text)

    def test_a_body_in_chunks(self):
        text = self.sent("--method", "POST", "--body", "x" * 20_000 + "END", "--chunked")[1]
        self.assertIn(b"\r\nTransfer-Encoding: chunked\r\n\r\n4000\r\n" + b"x" * 16384 + b"\r\ne23\r\n", text)
        self.assertTrue(text.startswith(b"\r\n0\r\n\r\nPOST"))

    def test_zero_bytes(self):
        bodies = []

        def talk(peer, _):
            received = b""
            while piece := peer.recv(1 << 20):
                received += piece
                head, end, body = received.partition(b"\r\n\r\n")
                if end and len(body) >= 300_000:
                    bodies.append(body[:300_000])
                    received = body[300_000:]
                    peer.sendall(OK)

        report = self.of(talk, "--method", "POST", "--body-bytes", 300_000, seconds=0.3)
        self.assertGreaterEqual(report["bytes_sent"], report["requests"] * 300_000)
        self.assertEqual(set(bodies), {bytes(300_000)})

    def test_a_file_that_takes_its_time(self):
        content = bytes(range(256)) * 16_384  # more than the kernel accepts at once
        bodies = []

        def talk(peer, _):
            while True:
                head, _, body = peer.recv(4096).partition(b"\r\n\r\n")
                if not head:
                    return
                pieces = [body]
                left = len(content) - len(body)
                while left > 0:
                    pieces.append(peer.recv(min(left, 1 << 20)))
                    left -= len(pieces[-1])
                bodies.append(b"".join(pieces))
                peer.sendall(OK)

        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            self.fine(self.of(talk, "--method", "PUT", "--body-file", file.name, "--connections", 2), least=2)
        self.assertEqual(set(bodies), {content})

    def test_rotation(self):
        for words in (("--connections", 2), ("--connections", 1, "--pipeline", 2)):
            paths = []

            def talk(peer, _):
                for head in heads(peer):
                    paths.append(head.split()[1])
                    peer.sendall(OK)

            self.fine(self.of(talk, "--path", "/a", "--path", "/b", "--path", "/c", *words))
            counts = [paths.count(path) for path in (b"/a", b"/b", b"/c")]
            self.assertLessEqual(max(counts) - min(counts), 2, counts)

    def test_a_mix(self):
        seen = set()

        def talk(peer, _):
            for head in heads(peer):
                seen.add(head.split(b" HTTP")[0] + (b" +" if b"A: b" in head else b""))
                peer.sendall(OK)

        with tempfile.NamedTemporaryFile("w") as mix:
            mix.write('{"method": "POST", "path": "/post", "headers": ["A: b"], "body": ""}\n\n'
                      '{"path":"/get", "bytes": 5}\n')
            mix.flush()
            self.fine(self.of(talk, "--mix", mix.name, "--connections", 3))
        self.assertEqual(seen, {b"POST /post +", b"GET /get"})


if __name__ == "__main__":
    main()
