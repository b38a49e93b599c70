#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests forms with files: from curl, as encoded by Python's requests, large forms, and clients that disconnect."""

import json
import os
import pathlib
import subprocess
import tempfile

import server
from cases import case, check, equal, main
from server import Server, soon
from wire import request

server.PROGRAMS["uploads"] = server.BUILD / "bin/uploads"

MEGABYTE = 1_000_000


class Uploads(Server):
    """The example with its own folders, for uploads and for temporary files."""

    def __init__(self, backend):
        self._folder = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.kept, self.temporary = (pathlib.Path(self._folder.name) / name for name in ("kept", "temporary"))
        for folder in (self.kept, self.temporary):
            folder.mkdir()
        super().__init__(backend, program="uploads", environment={"UPLOADS": self.kept, "TMPDIR": self.temporary})

    def __exit__(self, *how):
        try:
            super().__exit__(*how)
            equal(list(self.temporary.iterdir()), [], "temporary files that were not removed")
        finally:
            self._folder.cleanup()

    def curl(self, *options, stdin=None):
        done = subprocess.run(["curl", "--silent", "--show-error", "--max-time", "60", "--write-out", r"\n%{http_code}",
                               *options, self.urls[0] + "/pictures"], input=stdin, capture_output=True, timeout=90)
        body, _, status = done.stdout.rpartition(b"\n")
        return int(status), body.decode()

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        """Returns the server's peak memory use in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024


@case
def curl_sends_forms(backend):
    with Uploads(backend) as of:
        small = ["-F", "title=a \u00e9", "-F", "image=@-;filename=../x\"y.png;type=image/png"]
        equal(of.curl(*small, stdin=b"\0\r\n--"), (200, "a \u00e9: x\"y.png has 5 bytes\n"))
        equal((of.kept / 'x"y.png').read_bytes(), b"\0\r\n--")
        status, body = of.curl(*small, stdin=b"other")
        equal((status, json.loads(body)["detail"]), (409, "a file of this name already exists"))
        equal((of.kept / 'x"y.png').read_bytes(), b"\0\r\n--")
        chunked = ["-H", "Transfer-Encoding: chunked", "-F", "title=a", "-F", "image=@-;filename=b",
                   "-F", "more=1;filename=c", "-F", "more=2;filename=d"]
        equal(of.curl(*chunked, stdin=b"x" * 10), (200, "a: b has 10 bytes\nc is small\nd is small\n"))
        status, body = of.curl("-F", "title=", "-F", "image=text")
        document = json.loads(body)
        equal((status, [e["pointer"] for e in document["errors"]]), (422, ["/title", "/image"]))
        status, body = of.curl("-d", "title=a")
        equal((status, json.loads(body)["detail"]),
              (415, "the body must be multipart/form-data, not application/x-www-form-urlencoded"))


@case
def large_files_are_on_disk(backend):
    with Uploads(backend) as of:
        data = os.urandom(MEGABYTE) * 30
        of.curl("-F", "title=a", "-F", "image=@-;filename=first", stdin=b"x")
        before = of.memory()
        more = ["-F", "more=@-;filename=again"]
        equal(of.curl("-F", "title=a", "-F", "image=@-;filename=large", *more, stdin=data)[1].split("\n")[0],
              f"a: large has {len(data)} bytes")
        check((of.kept / "large").read_bytes() == data, "the stored file differs")
        if not os.environ.get("APUS_SANITIZE"):  # sanitizers keep freed memory
            check(of.memory() - before < 10 * MEGABYTE, f"the upload took {of.memory() - before} bytes of memory")
        status, body = of.curl("-F", "title=a", "-F", "image=@-;filename=huge", stdin=data + data[:11 * MEGABYTE])
        equal((status, json.loads(body)["detail"]), (413, "the file `image` of the form is larger than 40000000 bytes"))
        check(not (of.kept / "huge").exists(), "a refused file was kept")


def form(*parts):
    """Returns a form as written by urllib3, which requests uses."""
    boundary = "8f3a1c0e5b7d49d2a6c4e1f09b8d7a35"
    body = b"".join(
        b'--%b\r\nContent-Disposition: form-data; %b\r\n%b\r\n%b\r\n' % (boundary.encode(), name, more, data)
        for name, more, data in parts) + b"--%b--\r\n" % boundary.encode()
    return request("/pictures", "POST", [f"Content-Type: multipart/form-data; boundary={boundary}"], body)


@case
def clients_that_leave_leave_nothing(backend):
    whole = form((b'name="title"', b"", b"a"),
                 (b'name="image"; filename="r.bin"', b"Content-Type: application/octet-stream\r\n", b"r" * 300_000))
    with Uploads(backend) as of:
        with of.connect() as client:
            client.send(whole)
            equal(client.answer().body, b"a: r.bin has 300000 bytes\n")
        of.curl("-F", "title=", stdin=b"")
        before = of.open_files()
        for cut in (400, 200_000, len(whole) - 1):
            with of.connect() as client:
                client.send(whole[:cut])
            check(soon(lambda: of.open_files() <= before), f"{of.open_files()} open files, {before} before")


if __name__ == "__main__":
    main()
