# SPDX-License-Identifier: Apache-2.0
"""Tests compressed responses, which other programs decode."""

import gzip
import shutil
import subprocess
import sys
import time
import zlib

import cases
import server
from cases import case, check, equal

server.PROGRAMS["compression"] = server.BUILD / "bin" / "compression"
REPORT = b"".join(b"line %d of the report\n" % n for n in range(1, 2001))


def running(backend):
    return server.Server(backend, program="compression")


@case
def curl_reads_what_it_accepts(backend):
    with running(backend) as of:
        done = subprocess.run(["curl", "-sS", "--max-time", "30", "--compressed", of.urls[0] + "/report"],
                              capture_output=True, timeout=60)
        equal(done.stdout, REPORT, done.stderr.decode())


@case
def requests_are_decoded_within_bounds(backend):
    with running(backend) as of:
        for body, status in [(REPORT, 200), (b"x" * 60_000, 200), (b"x" * 90_000, 413), (b"x" * 50_000_000, 413)]:
            with of.connect() as client:
                answer = client.post("/notes", gzip.compress(body), fields=["Content-Encoding: gzip"])
                equal(answer.status, status)
                if status == 200:
                    equal(answer.body, b"%d bytes\n" % len(body))
        with of.connect() as client:
            answer = client.post("/notes", b"?", fields=["Content-Encoding: lzma"])
            equal((answer.status, answer.field("accept-encoding")), (415, "gzip, br, zstd, deflate"))


@case
def a_page_with_a_secret_is_left_alone(backend):
    with running(backend) as of:
        equal(of.get("/form?a", fields=["Accept-Encoding: gzip"]).field("content-encoding"), None)


@case
def events_come_one_by_one(backend):
    with running(backend) as of, of.connect() as client:
        client.send(b"GET /count HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
        head = client.head()
        equal(head.field("content-encoding"), "gzip")
        decoder, text, moments = zlib.decompressobj(31), b"", []
        while size := int(client.until(b"\r\n").strip() or b"0", 16):
            text += decoder.decompress(client.exactly(size + 2)[:-2])
            moments += [time.monotonic()] * (text.count(b"\n\n") - len(moments))
        equal(text, b"data: 1\n\ndata: 2\n\ndata: 3\n\n")
        check(decoder.eof, "the gzip stream is incomplete")
        check(moments[2] - moments[0] > 0.02, f"the events came together: {moments}")


@case
def clients_that_leave_in_the_midst_harm_nobody(backend):
    with running(backend) as of:
        for coding in ("gzip", "br"):
            for _ in range(5):
                with of.connect() as client:
                    client.send(f"GET /count HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {coding}\r\n\r\n".encode())
                    client.head()
        equal(of.get("/report").body, REPORT)


if __name__ == "__main__":
    if not shutil.which("curl"):
        print("skipped: curl is not installed")
        sys.exit(cases.SKIPPED)
    cases.main()
