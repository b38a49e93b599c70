# SPDX-License-Identifier: Apache-2.0
"""Tests the examples that no other test starts: each does what its guide says. Also checks that a test starts each
example."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cases
import server
from cases import case, check, equal

ROOT = pathlib.Path(__file__).resolve().parents[2]
server.PROGRAMS.update({name: server.BUILD / "bin" / name for name in ("asking", "conditional", "errors", "files",
                                                                       "negotiation", "secure")})


def curl(url, *options):
    """Returns the status, fields and body that curl receives."""
    done = subprocess.run(["curl", "--silent", "--show-error", "--insecure", "--max-time", "30", "--include", *options,
                           url],
                          capture_output=True, timeout=60, check=False)
    if done.returncode != 0:
        raise AssertionError(f"curl {url}: {done.stderr.decode()}")
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return int(lines[0].split()[1]), fields, body


@case
def an_upstream_s_failure_stays_inside(backend):
    with server.Server(backend, program="asking") as of:  # no server listens at the URL that the example requests
        status, _, body = curl(of.urls[0] + "/weather/bern")
        equal((status, body), (502, b'{"status":502,"title":"Bad Gateway"}\n'))
        equal(curl(of.urls[0] + "/orders/cheese", "-X", "PUT")[::2], (502, b'{"status":502,"title":"Bad Gateway"}\n'))
        equal(curl(of.urls[0] + "/weather-or-not/bern")[::2], (200, b"probably rain\n"))


@case
def conditions_keep_changes_apart(backend):
    with server.Server(backend, program="conditional") as of:
        page = of.urls[0] + "/page"
        status, fields, body = curl(page)
        equal((status, fields["etag"], body), (200, '"1"', b"Nothing yet.\n"))
        equal(curl(page, "-H", 'If-None-Match: "1"')[::2], (304, b""))
        equal(curl(page, "-X", "PUT", "-d", "new")[0], 428)
        equal(curl(page, "-X", "PUT", "-d", "new", "-H", 'If-Match: "0"')[0], 412)
        status, fields, _ = curl(page, "-X", "PUT", "-d", "new", "-H", 'If-Match: "1"')
        equal((status, fields["location"]), (303, "/page"))
        equal(curl(page)[2], b"new")
        equal(curl(of.urls[0] + "/return?/there")[1]["location"], "/there")
        equal(curl(of.urls[0] + "/return?//evil.example")[1].get("location", "/"), "/")


@case
def folders_are_served(backend):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "assets").mkdir()
        for name, text in [("index.html", "<p>start"), ("a.txt", "one"), ("assets/app.js", "1;")]:
            pathlib.Path(folder, name).write_text(text)
        with server.Server(backend, program="files", environment={"FOLDER": folder}.items()) as of:
            at = of.urls[0]
            equal(curl(at + "/static/a.txt")[::2], (200, b"one"))
            equal(curl(at + "/static/")[::2], (200, b"<p>start"))
            equal(curl(at + "/static/%2e%2e/etc/passwd")[0], 404)
            equal(curl(at + "/app/some/page")[::2], (200, b"<p>start"))
            check("immutable" in curl(at + "/app/assets/app.js")[1]["cache-control"], "an asset is not immutable")
            check(b"a.txt" in curl(at + "/downloads/")[2], "the listing has no a.txt")
            equal(curl(at + "/static/a.txt", "-H", "Range: bytes=1-")[::2], (206, b"ne"))


@case
def a_client_chooses_the_media_type(backend):
    with server.Server(backend, program="negotiation") as of:
        at = of.urls[0] + "/cities/Bern"
        status, fields, body = curl(at)
        equal((status, fields["content-type"], json.loads(body)), (200, "application/json", {"name": "Bern",
                                                                                             "people": 134506}))
        check(curl(at, "-H", "Accept: text/html")[2].startswith(b"<h1>Bern</h1>"), "no HTML")
        equal(curl(at, "-H", "Accept: image/png")[0], 406)
        equal(curl(of.urls[0] + "/cities/Rome")[0], 404)


@case
def http_leads_to_https_of_this_host_only(backend):
    listen = ["https://127.0.0.1:0", "http://127.0.0.1:0"]
    with tempfile.TemporaryDirectory() as folder, server.Server(backend, "--self-signed", program="secure",
                                                                listen=listen, folder=folder) as of:
        secure, clear = of.urls
        equal(curl(secure + "/")[::2], (200, b"Nobody else reads this.\n"))
        check("strict-transport-security" in curl(secure + "/")[1], "no HSTS")
        equal(curl(secure + "/me")[2], b"You are somebody.\n")
        status, fields, _ = curl(clear + "/me?a=b", "-H", "Host: shop.example:8080")
        equal((status, fields["location"]), (308, "https://shop.example:8443/me?a=b"))
        equal(curl(clear + "/", "-H", "Host: evil.example")[0], 421)
        equal(curl(secure + "/", "-H", "Host: evil.example")[0], 421)


@case
def errors_are_documents_for_programs_and_pages_for_people(backend):
    with server.Server(backend, program="errors") as of:
        at = of.urls[0]
        for version in "--http1.1", "--http2-prior-knowledge":
            status, fields, body = curl(at + "/api/seats/12", version, "-X", "POST")
            equal((status, fields["retry-after"], fields["content-type"]), (409, "30", "application/problem+json"))
            equal(json.loads(body), {"type": "https://example.org/problems/seat-taken", "status": 409,
                                     "title": "Seat taken",
                                     "detail": "the seat is taken", "seat": 12})
            page = "-H", "Accept: text/html,*/*;q=0.8", version
            status, fields, body = curl(at + "/api/seats/12", "-X", "POST", *page)
            equal((status, fields["retry-after"], fields["content-type"]), (409, "30", "text/html; charset=utf-8"))
            check(b"<p>the seat is taken" in body, body)
            status, _, body = curl(at + "/api/bug", *page)
            check(status == 500 and b"Something went wrong" in body and b"for the log" not in body, body)
            equal(curl(at + "/api/report", version)[1]["retry-after"], "3600")
            status, fields, body = curl(at + "/shop", "-X", "PUT", *page)
            equal((status, fields["allow"]), (405, "GET, HEAD, OPTIONS"))
            check(b"<h1>Something" in body, body)
            status, _, body = curl(at + "/shop/%3Cscript", version)
            check(status == 404 and b"No page at /shop/&lt;script" in body, body)
            equal(json.loads(curl(at + "/elsewhere", version)[2]), {"status": 404, "title": "Not Found"})
            status, fields, body = curl(at + "/v1/seats/12", version, "-X", "POST")
            equal((status, fields["retry-after"], fields["content-type"]), (409, "30", "application/json"))
            equal(json.loads(body), {"code": 409, "message": "the seat is taken"})
            equal(json.loads(curl(at + "/v1/none", version)[2]), {"code": 404, "message": ""})
            equal(curl(at + "/elsewhere", "--head", *page)[::2], (404, b""))
            check(b"Something went wrong" in curl(at + "/elsewhere", *page)[2], "no page")


@case
def each_example_is_asked_by_a_test(_backend):
    folder = ROOT / "examples"
    names = {p.stem for p in folder.glob("*.cpp")} | {p.parent.name for p in folder.glob("*/main.cpp")}
    started = "\n".join(p.read_text() for p in sorted((ROOT / "tests/e2e").glob("*.py")))
    equal(sorted(name for name in names if not re.search(rf"[\"']{name}[\"']", started)), [])


if __name__ == "__main__":
    if not shutil.which("curl"):
        print("skipped: curl is not installed")
        sys.exit(cases.SKIPPED)
    os.chdir(ROOT)
    cases.main()
