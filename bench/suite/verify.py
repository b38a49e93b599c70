# SPDX-License-Identifier: Apache-2.0
"""Sends one request to each endpoint and checks the response; bench/peers/README.md defines the endpoints."""
import html
import json
import os
import re
import subprocess
import zlib

import fixtures
import wire
from wire import WrongAnswer

HELLO = b"Hello, World!"
FORTUNE = re.compile(r"<tr><td>(\d+)</td><td>(.*?)</td></tr>")
UPLOAD_BYTES = 300_007  # more than one read returns, and not a multiple of usual buffer sizes


def check(server, entry, data):
    """Checks the response of this scenario's endpoint. Returns None, or a sentence about the error."""
    question = QUESTIONS.get(entry["endpoint"])
    if question is None:
        return None
    try:
        question(server, entry, data)
    except WrongAnswer as error:
        return str(error)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"the endpoint `{entry['endpoint']}` did not answer: {error}"
    return None


def ask(port, method, target, **more):
    tls = more.pop("tls", False)
    with wire.Connection(port, tls) as connection:
        connection.send(wire.request(method, target, **more))
        return connection.answer()


def shown(body):
    text = body[:60].decode("latin-1")
    return f"`{text}`" + (f" ... ({len(body):,} bytes)" if len(body) > 60 else "")


def expect(what, answer, wanted, kind=None):
    status, fields, body = answer
    if status != 200:
        raise WrongAnswer(f"{what} has status {status} instead of 200")
    if body != wanted:
        raise WrongAnswer(f"{what} answered {shown(body)} instead of {shown(wanted)}")
    if kind and not fields.get("content-type", "").lower().startswith(kind):
        raise WrongAnswer(f"{what} has the media type `{fields.get('content-type', '')}` instead of {kind}")


def text(server, _, __):
    expect("GET /bench", ask(server.port, "GET", "/bench"), HELLO, "text/plain")


def close(server, _, __):
    with wire.Connection(server.port) as connection:
        connection.send(wire.request("GET", "/bench", close=True))
        expect("GET /bench with Connection: close", connection.answer(), HELLO)
        if not connection.ended():
            raise WrongAnswer("the connection stays open despite Connection: close")


def pipeline(server, _, __):
    with wire.Connection(server.port) as connection:
        connection.send(wire.request("GET", "/bench") * 16)
        for number in range(1, 17):
            expect(f"request {number} of sixteen", connection.answer(), HELLO)


def json_text(server, _, __):
    status, fields, body = ask(server.port, "GET", "/json")
    if status != 200 or json.loads(body) != {"message": "Hello, World!", "id": 42, "ok": True}:
        raise WrongAnswer(f"GET /json answered {status} {shown(body)}")
    if "json" not in fields.get("content-type", ""):
        raise WrongAnswer(f"GET /json has the media type `{fields.get('content-type', '')}`")


def long_body(server, entry, _):
    size = 65536 if entry["endpoint"] == "body-64k" else 1 << 20
    path = entry["args"]["path"][0]
    expect(f"GET {path}", ask(server.port, "GET", path), b"x" * size, "text/plain")


def upload(server, entry, _):
    for size in (UPLOAD_BYTES, entry["args"]["body_bytes"]):
        answer = ask(server.port, "POST", "/upload", body=b"u" * size)
        expect(f"POST /upload of {size} bytes", answer, str(size).encode())


def routes(server, entry, _):
    paths = fixtures.routes(entry["routes"])
    with wire.Connection(server.port) as connection:
        for path in (paths[0], paths[1], paths[len(paths) // 2], paths[-2], paths[-1]):
            connection.send(wire.request("GET", path))
            expect(f"GET {path}", connection.answer(), HELLO)


def middlewares(server, _, __):
    expect("GET /middlewares", ask(server.port, "GET", "/middlewares"), HELLO)


def plain(answer):
    """Returns the response body, decompressed by its Content-Encoding."""
    status, fields, body = answer
    if fields.get("content-encoding") != "gzip":
        return answer
    try:
        return status, fields, zlib.decompress(body, wbits=31)
    except zlib.error as error:
        raise WrongAnswer(f"invalid gzip data: {error}") from error


def static(server, entry, data):
    fields = [("Accept-Encoding", "gzip")] if "header" in entry["args"] else []
    for path in entry["args"]["path"]:
        with open(os.path.join(data, path.lstrip("/")), "rb") as file:
            expect(f"GET {path}", plain(ask(server.port, "GET", path, fields=fields)), file.read())


def websocket(server, _, __):
    with wire.Connection(server.port) as connection:
        connection.upgrade("/ws")
        for message in (b"spin", b"w" * 300):
            connection.send_message(message)
            if (came := connection.message()) != message:
                raise WrongAnswer(f"the message {shown(message)} came back as {shown(came)}")


def broadcast(server, _, __):
    with wire.Connection(server.port) as one, wire.Connection(server.port) as other:
        one.upgrade("/broadcast")
        other.upgrade("/broadcast")
        one.send_message(b"to all")
        for who, connection in (("the sender", one), ("the other", other)):
            if (came := connection.message()) != b"to all":
                raise WrongAnswer(f"{who} got {shown(came)} instead of the broadcast message")


def tls(server, _, __):
    expect("GET /bench over TLS", ask(server.tls_port, "GET", "/bench", tls=True), HELLO)


def http2(server, entry, _):
    clear = entry["endpoint"] == "h2c"
    where = f"http://127.0.0.1:{server.port}" if clear else f"https://127.0.0.1:{server.tls_port}"
    try:
        ran = subprocess.run(["nghttp", "--no-verify-peer", "--timeout=5", where + "/bench"],
                             capture_output=True, timeout=15, check=False)
    except FileNotFoundError as error:
        raise WrongAnswer("nghttp, which tests HTTP/2, is not installed: install nghttp2-client") from error
    except subprocess.TimeoutExpired as error:
        raise WrongAnswer("no HTTP/2 response within 15 s") from error
    if ran.stdout != HELLO:
        said = ran.stderr.decode("latin-1").strip().splitlines()
        raise WrongAnswer(f"GET /bench by HTTP/2 answered {shown(ran.stdout)}" + (f": {said[-1]}" if said else ""))


def sums(server, _, __):
    target = "/baseline11?a=13&b=42"
    expect(f"GET {target}", ask(server.port, "GET", target), b"55")
    for chunked in (False, True):
        answer = ask(server.port, "POST", target, body=b"20", chunked=chunked)
        expect(f"POST {target} {'chunked' if chunked else 'with a length'}", answer, b"75")


def compressed_items(server, entry, data):
    items(server, entry, data)
    path = entry["args"]["path"][-1]
    as_it_is = ask(server.port, "GET", path)
    if "content-encoding" in as_it_is[1]:
        raise WrongAnswer(f"GET {path} without Accept-Encoding is compressed")
    for accepted in ("gzip", "gzip, br"):
        answer = ask(server.port, "GET", path, fields=[("Accept-Encoding", accepted)])
        if answer[1].get("content-encoding") not in accepted.split(", "):
            raise WrongAnswer(f"GET {path} with Accept-Encoding: {accepted} is not compressed")
        if accepted == "gzip" and json.loads(plain(answer)[2]) != json.loads(as_it_is[2]):
            raise WrongAnswer(f"GET {path} differs from the uncompressed response")


def items(server, _, __):
    answer = ask(server.port, "GET", "/json/5?m=7")
    found = json.loads(answer[2])
    if answer[0] != 200 or found.get("count") != 5 or len(found.get("items", [])) != 5:
        raise WrongAnswer(f"GET /json/5?m=7 answered {answer[0]} {shown(answer[2])}")
    for item in found["items"]:
        if item["total"] != item["price"] * item["quantity"] * 7:
            raise WrongAnswer(f"item {item.get('id')} of GET /json/5?m=7 has the total {item['total']}")


def database(server, _, __):
    answer = ask(server.port, "GET", "/async-db?min=10&max=50&limit=20")
    found = json.loads(answer[2])
    if answer[0] != 200 or found.get("count") != 20 or not all(10 <= i["price"] <= 50 for i in found["items"]):
        raise WrongAnswer(f"GET /async-db answered {answer[0]} {shown(answer[2])}")


def worlds(server, target, count):
    """Returns the rows that a target responds with, as (id, number)."""
    status, fields, body = ask(server.port, "GET", target)
    found = json.loads(body)
    rows = [(one["id"], one["randomNumber"]) for one in (found if isinstance(found, list) else [found])]
    if status != 200 or len(rows) != count or "json" not in fields.get("content-type", ""):
        raise WrongAnswer(f"GET {target} answered {status} {shown(body)}")
    return rows


def stored(server, target, rows):
    """Compares rows with those of the database."""
    ids = ",".join(str(int(number)) for number, _ in rows)
    lines = server.database.rows(f"select id, randomnumber from world where id in ({ids})")
    kept = dict(tuple(int(cell) for cell in line.split("|")) for line in lines)
    for number, value in rows:
        if kept.get(number) != value:
            raise WrongAnswer(f"GET {target} says {value} for row {number}, and the database {kept.get(number)}")


def row(server, entry, _):
    target = entry["args"]["path"][0]
    rows = [worlds(server, target, 1)[0] for _ in range(10)]
    if len(set(rows)) < 5:
        raise WrongAnswer(f"GET {target} answered ten times with {len(set(rows))} different rows")
    stored(server, target, rows)


def queries(server, entry, _):
    target = entry["args"]["path"][0]
    rows = worlds(server, target, 20)
    stored(server, target, rows)
    if len(set(rows)) < 10 or set(rows) == set(worlds(server, target, 20)):
        raise WrongAnswer(f"GET {target} does not select rows at random")


def updates(server, entry, _):
    target = entry["args"]["path"][0]
    before = set(server.database.rows("select * from world"))
    rows = worlds(server, target, 20)
    stored(server, target, rows)
    changed = set(server.database.rows("select * from world")) - before
    if not 15 <= len(changed) <= 20:
        raise WrongAnswer(f"GET {target} changed {len(changed)} rows instead of 20")


def fortunes(server, _, __):
    status, fields, body = ask(server.port, "GET", "/fortunes")
    found = [(int(number), html.unescape(text)) for number, text in FORTUNE.findall(body.decode())]
    lines = [line.split("|", 1) for line in server.database.rows("select * from fortune")]
    wanted = [(int(number), text) for number, text in lines] + [(0, "Additional fortune added at request time.")]
    wanted.sort(key=lambda each: each[1].encode())
    if status != 200 or found != wanted or b"<script>" in body:
        raise WrongAnswer(f"GET /fortunes answered {status} and {len(found)} rows, some of which are missing, not "
            "sorted, or not escaped")
    if not fields.get("content-type", "").lower().startswith("text/html"):
        raise WrongAnswer(f"GET /fortunes has the media type `{fields.get('content-type', '')}`")


QUESTIONS = {
    "text": text, "close": close, "pipeline": pipeline, "json": json_text, "body-64k": long_body,
    "body-1m": long_body, "upload": upload, "routes": routes, "middlewares": middlewares, "static": static,
    "websocket": websocket, "broadcast": broadcast, "tls": tls, "h2c": http2, "h2": http2, "sum": sums,
    "items": items, "items-compressed": compressed_items, "database": database,
    "row": row, "queries": queries, "updates": updates, "fortunes": fortunes,
}
