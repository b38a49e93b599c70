# SPDX-License-Identifier: Apache-2.0
"""Runs the examples as processes: checks the responses that curl receives, their output, and their exit status."""

import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import cases
import server
import wire
from cases import case, check, equal

EXAMPLES = ["hello", "showcase", "todos", "schemas", "greeter", "streaming", "limits", "blocking", "middleware",
            "routing", "options", "pages", "concurrency"]
server.PROGRAMS.update({name: server.BUILD / "bin" / name for name in EXAMPLES})
os.environ["ADMIN_TOKEN"] = "secret"  # as the page of the showcase recommends
NOTES = tempfile.TemporaryDirectory()
os.environ["DATABASE_URL"] = f"sqlite:{NOTES.name}/notes.db"
os.environ["TEMPLATES"] = "examples/pages_templates"

MEGABYTE = 1_000_000
MEBIBYTE = 1 << 20


def running(backend, program, *arguments):
    return server.Server(backend, *arguments, program=program)


def curl(of, path, *options, stdin=None):
    """Returns the status, content type and body that curl receives."""
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "60", "--write-out", r"\n%{http_code} %{content_type}",
         *options, of.urls[0] + path],
        input=stdin, capture_output=True, timeout=90)
    if done.returncode != 0:
        raise AssertionError(f"curl {path}: {done.stderr.decode()}")
    body, _, told = done.stdout.rpartition(b"\n")
    status, _, kind = told.decode().partition(" ")
    return int(status), kind, body


def check_table(of, table):
    for options, path, status, body in table:
        got = curl(of, path, *options)
        equal((got[0], got[2]), (status, body), f"{options} {path}")


def check_problems(of, table):
    for options, path, status, detail in table:
        got_status, kind, body = curl(of, path, *options)
        equal((got_status, kind), (status, "application/problem+json"), f"{options} {path}")
        document = json.loads(body)
        equal(document["status"], status, path)
        check(detail in document.get("detail", ""), f"{path}: {document}")


@case
def showcase_answers_each_route(backend):
    with running(backend, "showcase") as of:
        check_table(of, [
            ([], "/bench", 200, b"Hello, World!"),
            ([], "/json", 200, b'{"message":"Hello, World!"}'),
            ([], "/users/7", 200, b"user 7\n"),
            (["-d", "hello"], "/echo", 200, b"hello"),
            (["-H", "Transfer-Encoding: chunked", "-d", "hello"], "/echo", 200, b"hello"),
            ([], "/slow?ms=20", 200, b"waited for 20 ms\n"),
            ([], "/blocking?below=1000", 200, b"168 primes below 1000\n"),
            (["-T", "-", "-X", "POST"], "/upload", 200, b"0 bytes\n"),
        ])
        status, kind, page = curl(of, "/")
        equal((status, kind), (200, "text/html; charset=utf-8"))
        check((of.urls[0] + "/bench").encode() in page, "the page has no command for /bench")


@case
def commands_of_the_showcase_s_page_work(backend):
    with running(backend, "showcase") as of, tempfile.TemporaryDirectory() as folder:
        page = curl(of, "/")[2].decode()
        commands = [html.unescape(c) for c in re.findall(r"<pre><code>(.*?)</code></pre>", page)]
        check(len(commands) >= 12, f"only {len(commands)} commands")
        check(re.search(r"^  pre {[^}]*white-space: pre-wrap", page, re.M),
              "a long command is cut at the edge of its box")
        for command in commands:
            done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, timeout=60)
            # After an upgrade, curl cannot use the connection and waits for its time limit.
            equal(done.returncode, 28 if "Upgrade" in command else 0, f"{command}: {done.stderr!r}")
            wanted = {"/upload": b"50000000 bytes\n", "/admin/visits": b"visit 1 to this core\n", "/echo": b"hello"}
            target = command.rstrip("'").split(of.urls[0])[1]
            check(done.stdout.endswith(wanted.get(target, b"")), f"{command} gave {done.stdout!r}")
        equal(os.path.getsize(os.path.join(folder, "x.bin")), 50 * MEBIBYTE)


@case
def showcase_names_what_is_wrong(backend):
    with running(backend, "showcase") as of:
        check_problems(of, [
            ([], "/users/seven", 400, "`id` must be an integer"),
            ([], "/slow?ms=soon", 400, "ms must be a number from 0 to 20000"),
            ([], "/error", 409, "the order has been sent already"),
            ([], "/crash", 500, "internal error"),
            ([], "/nothing/here", 404, ""),
            (["-X", "DELETE"], "/bench", 405, "this method is not allowed for the path"),
            ([], "/upgrade", 426, "shout"),
            ([], "/admin/visits", 401, "bearer token"),
        ])
        equal(of.get("/bench", method="PUT").field("allow"), "GET, HEAD, OPTIONS")
        of.stop()
        check("only the log sees this text" in of.errors(), "the log does not say what was thrown")


@case
def showcase_answers_head(backend):
    with running(backend, "showcase") as of, of.connect() as client:
        for path, length in [("/bench", "13"), ("/json", "27"), ("/users/7", "7"), ("/crash", None)]:
            whole, head = client.get(path), client.get(path, method="HEAD")
            equal(head.status, whole.status, path)
            equal(head.field("content-length"), length or str(len(whole.body)), path)
        equal(client.get("/download?mb=5", method="HEAD").status, 200)
        equal(client.get("/bench").body, b"Hello, World!")


@case
def showcase_streams_a_download(backend):
    with running(backend, "showcase") as of:
        for mebibytes in (1, 40):
            status, kind, body = curl(of, f"/download?mb={mebibytes}")
            equal((status, kind, len(body)), (200, "application/octet-stream", mebibytes * MEBIBYTE))
            equal(body.count(b"x"), len(body))


@cases.unsanitized
@case
def showcase_keeps_little_of_what_a_client_does_not_take(backend):
    with running(backend, "showcase") as of, of.connect(receive_buffer=64 * 1024) as client:
        before = of.resident()
        client.send(wire.request("/download?mb=1000"))
        client.head()
        client.exactly(MEBIBYTE)
        check(of.resident() - before < 8 * MEBIBYTE, f"{of.resident() - before} bytes more")


@case
def showcase_counts_an_upload(backend):
    size = 50 * MEGABYTE
    with running(backend, "showcase") as of:
        body = b"x" * size
        for framing in (["-T", "-", "-X", "POST"], ["--data-binary", "@-"]):
            equal(curl(of, "/upload", *framing, stdin=body)[2], b"50000000 bytes\n", framing)
        with of.connect() as client:
            client.send(wire.request("/upload", "POST", [f"Content-Length: {(1 << 30) + 1}"]))
            equal(client.answer().status, 413)


@case
def showcase_answers_others_while_one_waits(backend):
    with running(backend, "showcase") as of, of.connect() as slow, of.connect() as other:
        slow.send(wire.request("/slow?ms=1000"))
        for _ in range(50):
            equal(other.get("/bench").body, b"Hello, World!")
        answer = slow.answer()
        equal(answer.body, b"waited for 1000 ms\n")
        milliseconds = float(answer.field("server-timing").removeprefix("app;dur="))
        check(milliseconds >= 999, f"it says {milliseconds} ms")


@case
def showcase_upgrades(backend):
    with running(backend, "showcase") as of, of.connect() as client:
        client.send(wire.request("/upgrade", fields=["Connection: Upgrade", "Upgrade: shout"]))
        head = client.head()
        equal((head.status, head.field("upgrade")), (101, "shout"))
        for word in (b"hello", b"again"):
            client.send(word)
            equal(client.exactly(5), word.upper())
        client.half_close()
        equal(client.rest(), b"")


@case
def showcase_admin_wants_the_token(backend):
    with running(backend, "showcase") as of:
        def asked(*options):
            return curl(of, "/admin/visits", *options)
        equal(asked()[0], 401)
        equal(asked("-H", "Authorization: Bearer wrong")[0], 401)
        equal(asked("-H", "Authorization: Bearer secret")[2], b"visit 1 to this core\n")


def json_body(text):
    return ["-H", "Content-Type: application/json", "-d", text]


@case
def todos_are_shared_by_all_cores(backend):
    milk = b'{"what":"buy milk","priority":3}'
    sleep = b'{"what":"sleep","priority":5}'
    put = ["-X", "PUT"]
    with running(backend, "todos", "--cores", "3") as of:
        check_table(of, [
            ([], "/todos", 200, b"{}"),
            (put + json_body('{"what":"buy milk"}'), "/todos/a", 200, milk),
            (put + json_body('{"what":"sleep","priority":5}'), "/todos/b", 200, sleep),
            ([], "/todos/a", 200, milk),
            ([], "/todos", 200, b'{"a":' + milk + b',"b":' + sleep + b"}"),
            (["-X", "DELETE"], "/todos/a", 204, b""),
            ([], "/todos", 200, b'{"b":' + sleep + b"}"),
        ])
        check_problems(of, [
            ([], "/todos/a", 404, ""),
            (["-X", "DELETE"], "/todos/a", 404, "unknown todo"),
            (put + ["-d", "what=x"], "/todos/a", 415, "application/json"),
            (put + json_body("{"), "/todos/a", 400, "not valid JSON"),
            (put + json_body('{"what":""}'), "/todos/a", 422, "does not match the expected structure"),
        ])


@case
def schemas_do_what_the_guides_say(backend):
    article = (b'{"id":1,"title":"Hello","tags":["news"],"summary":null,"state":"published",'
               b'"changed":"2026-11-22T12:30:00Z"}')
    booking = ('{"name":"Ada","email":"ada@example.com","seats":2,"code":"AB-1234","side":"aisle",'
               '"days":["2026-11-22"],"room":4}')
    with running(backend, "schemas") as of:
        check_table(of, [
            ([], "/articles/first", 200, article),
            (json_body(article.decode()), "/articles", 201, article),
            (json_body('{"class":"x"}'), "/users", 200, b'{"class":"x","note":"none"}'),
            (json_body('{"shapes":[{"type":"circle","radius":1.5}]}'), "/drawings", 200, b"1 shapes\n"),
            (json_body(booking), "/bookings", 200, booking.encode()),
            ([], "/search?q=a+b&tag=x&tag=y", 200, b'{"q":"a b","limit":20,"tag":["x","y"]}'),
            (["-d", "q=a&limit=5"], "/search", 200, b'{"q":"a","limit":5,"tag":[]}'),
            (["-H", "X-Tenant: acme", "-b", "theme=dark"], "/report", 200, b"for acme, dark\n"),
            (["-H", "X-Tenant: acme"], "/report", 200, b"for acme\n"),
            (json_body('{"items":[{"price":7}]}'), "/any", 200, b"the first price is 7\n"),
            (json_body('{"name":"1.2","size":[1],"notes":null}'), "/releases", 200,
             b'{"name":"1.2","notes":"no notes"}'),
        ])
        status, _, body = curl(of, "/releases", *json_body('{"name":7}'))
        check(status == 502 and b"name" not in body, (status, body))
        status, _, body = curl(of, "/bookings", *json_body('{"name":"Ada","email":"x","seats":9,"code":"AB-1234"}'))
        document = json.loads(body)
        equal((status, [e["pointer"] for e in document["errors"]]), (422, ["/email", "/seats", "/days"]))
        equal(document["errors"][1]["detail"], "found 9, expected an integer from 1 to 8")
        status, _, body = curl(of, "/bookings", *json_body(booking.replace(":2,", ":5,").replace("aisle", "window")))
        equal((status, json.loads(body)["errors"][0]["detail"]), (422, "at most 4 seats are at the windows"))
        check_problems(of, [
            (json_body("{}"), "/any", 422, "/items/0/price: found nothing"),
            ([], "/report", 400, "the header field `x-tenant` is missing: it must be a text of 1 to 20 characters"),
            (["-H", "X-Tenant: acme", "-b", "theme=pink"], "/report", 400,
             'the cookie `theme` must be "light" or "dark", not "pink"'),
        ])


@case
def small_examples_do_what_the_guides_say(backend):
    tables = {
        "hello": [([], "/", 200, b"Hello, world!\n")],
        "greeter": [([], "/hello/Ada", 200, b"Hello, Ada!\n"), ([], "/hello/Ada/2", 200,
                                                                b"Hello, Ada!\nHello, Ada!\n")],
        "streaming": [
            ([], "/count", 200, b"".join(b"%d\n" % i for i in range(1, 11))),
            ([], "/repeat/ab/3", 200, b"ababab"),
            (["--data-binary", "a\nb\n"], "/lines", 200, b"2 lines\n"),
            (["-d", "to and fro"], "/mirror", 200, b"to and fro"),
        ],
        "limits": [(["-d", "x" * 10_000], "/comments", 200, b"10000 bytes\n"), ([], "/report", 200, b"done\n")],
        "blocking": [([], "/motto", 200, b"no motto\n")],
        "concurrency": [
            ([], "/users/7", 200, b"user 7 has 7 orders\n"),
            ([], "/users/1000", 404, b'{"status":404,"title":"Not Found","detail":"no such user"}\n'),
            ([], "/fastest", 200, b"replica 1 was first\n"),
        ],
        "options": [([], "/", 200, b"hello, 127.0.0.1\n")],
        "middleware": [([], "/", 200, b"hello\n"), (["-H", "Authorization: Bearer s3cret"], "/admin/stats", 200,
                                                    b"fine\n")],
    }
    for program, table in tables.items():
        with running(backend, program) as of:
            check_table(of, table)


@case
def templates_are_filled_in(backend):
    with running(backend, "pages") as of:
        status, kind, body = curl(of, "/")
        equal((status, kind), (200, "text/html; charset=utf-8"))
        for part in (b"<title>Mine &amp; yours - Tasks</title>", b'1. <a href="/tasks/1">write &lt;templates&gt;</a>',
                     b'<a href="https://example.com/?a=1&amp;b=2">', b'"name":"write \\u003Ctemplates\\u003E"'):
            equal(part in body, True)


@case
def routing_is_as_the_guide_says(backend):
    with running(backend, "routing") as of:
        check_table(of, [
            ([], "/paths/users/new", 200, b"a form\n"),
            ([], "/paths/users/7", 200, b"user 7\n"),
            ([], "/paths/users/7/posts/a%20b", 200, b"7 wrote a b\n"),
            ([], "/paths/files/a/b", 200, b"file a/b\n"),
            ([], "/paths/de/start", 200, b"de start\n"),
            (["-X", "PUT", "-d", "abc"], "/parameters/notes/1", 200, b"note 1 has 3 bytes\n"),
            (["-A", "us"], "/parameters/agent", 200, b"us\n"),
            ([], "/parameters/search?a=b&c", 200, b"query: a=b&c\n"),
            ([], "/answers/text", 200, b"a text\n"),
            ([], "/answers/nothing", 204, b""),
            ([], "/answers/maybe/1", 200, b"odd\n"),
            (["-X", "POST"], "/answers/made", 201, b"the new one\n"),
            (["-X", "PUT"], "/answers/files/a%2Fb%20c", 201, b"a/b c is kept\n"),
            (["-L"], "/answers/archive/50%25%20off", 200, b"50% off\n"),
            ([], "/answers/status/418", 418, b"as you wish\n"),
            ([], "/answers/xml", 203, b"<a/>"),
            (["-X", "OPTIONS"], "/answers/made", 204, b""),
        ])
        check_problems(of, [
            ([], "/paths/users", 404, ""),
            ([], "/paths/users/", 404, ""),
            (["--path-as-is"], "/paths/files/a/%2e%2e/b", 404, ""),
            ([], "/answers/maybe/2", 404, ""),
            ([], "/answers/failing", 409, "not now"),
            ([], "/answers/throwing", 500, "internal error"),
            ([], "/answers/status/600", 500, "the handler set an invalid status"),
        ])
        equal(of.get("/answers/made", method="OPTIONS").field("allow"), "POST, OPTIONS")


@case
def small_examples_refuse_what_the_guides_say(backend):
    with running(backend, "limits") as of:
        check_problems(of, [
            (["-d", "x" * 10_001], "/comments", 413, "exceeds the limit of this route"),
            ([], "/quick", 503, "took too long"),
        ])
    with running(backend, "greeter") as of:
        check_problems(of, [([], "/hello/Ada/11", 400, "at most 10"), ([], "/hello/Ada/many", 400, "`times`")])
    with running(backend, "streaming") as of, of.connect() as client:
        equal(client.get("/repeat/ab/3").trailers, [("x-times", "3")])


@case
def a_server_prints_one_line_and_ends_with_0(backend):
    for program in EXAMPLES:
        process = subprocess.Popen([server.PROGRAMS[program], *server.sandbox(), "--host", "127.0.0.1", "--port", "0",
                                    "--cores", "2"],
                                   env=dict(os.environ, APUS_IO=backend, APUS_LOG="off"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            line = process.stdout.readline()
            check(line.startswith("listening on http://127.0.0.1:") and not line.endswith(":0\n"),
                  f"{program}: {line!r}")
            process.send_signal(signal.SIGTERM)
            rest, errors = process.communicate(timeout=server.PATIENCE)
            equal((process.returncode, rest, errors), (0, "", ""), program)
        finally:
            process.kill()


@case
def a_stop_lets_the_slow_route_end(backend):
    with running(backend, "showcase") as of:
        with of.connect() as client, of.connect() as other:
            client.send(wire.request("/slow?ms=500"))
            equal(other.get("/bench").status, 200)  # the core has therefore processed everything that was sent before
            of.signal()
            answer = client.answer()
            equal((answer.status, answer.body, answer.closes), (200, b"waited for 500 ms\n", True))
        equal(of.wait(), 0)


if __name__ == "__main__":
    if not shutil.which("curl"):
        print("skipped: curl is not installed")
        sys.exit(cases.SKIPPED)
    cases.main()
