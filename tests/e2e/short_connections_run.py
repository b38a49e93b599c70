#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens connections of one request by clients of other projects, and fails if one of them sees a reset.

Usage: short_connections_run.py [--connections 50000] [--backend uring]. Each client gets an equal part of the
connections; a client that is not installed is an error. Prints a table.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from server import Server
from wire import Wire, request

AT_ONCE = 32
PATIENCE = 600  # seconds for all connections of a client
CLOSE = ["Connection: close"]
BODY = b"x" * 10_000

GO = """
package main

import ("fmt"; "io"; "net/http"; "os"; "strconv"; "strings"; "sync"; "time")

func main() {
    count, _ := strconv.Atoi(os.Args[2])
    client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
    jobs := make(chan int)
    var all sync.WaitGroup
    for i := 0; i < 32; i++ {
        all.Add(1)
        go func() {
            defer all.Done()
            for n := range jobs {
                var got *http.Response
                var err error
                if n % 2 == 0 {
                    got, err = client.Get(os.Args[1] + "/")
                } else {
                    body := strings.NewReader(strings.Repeat("x", 10000))
                    got, err = client.Post(os.Args[1] + "/echo", "text/plain", body)
                }
                if err == nil {
                    _, err = io.Copy(io.Discard, got.Body)
                    got.Body.Close()
                }
                if err != nil { fmt.Println("failed:", err) }
            }
        }()
    }
    for n := 0; n < count; n++ { jobs <- n }
    close(jobs)
    all.Wait()
}
"""

NODE = """
const http = require('http');
const [url, count] = process.argv.slice(1);
const agent = new http.Agent({keepAlive: false, maxSockets: 32});
let left = Number(count);
function next() {
    if (left-- <= 0) return;
    const post = left % 2 === 1;
    const asked = http.request(url + (post ? '/echo' : '/'), {agent, method: post ? 'POST' : 'GET'}, got => {
        got.on('error', error => console.log('failed: ' + error.message));
        got.on('close', next);
        got.resume();
    });
    asked.on('error', error => { console.log('failed: ' + error.message); next(); });
    asked.end(post ? 'x'.repeat(10000) : undefined);
}
for (let i = 0; i < 32; ++i) next();
"""


def printed(words, count):
    """Runs a client. Returns its output, or fails if it ends with an error."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode:
        raise AssertionError(f"{words[0]}, {count} connections: status {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def lines_of_failures(text):
    return [line for line in text.splitlines() if line.startswith("failed: ")]


def go(url, count):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "main.go", pathlib.Path(folder) / "client"
        source.write_text(GO)
        printed(["go", "build", "-o", program, source], count)
        return lines_of_failures(printed([program, url, count], count))


def node(url, count):
    return lines_of_failures(printed(["node", "-e", NODE, url, count], count))


def curl(url, count):
    said = printed(["curl", "-s", "-Z", "--parallel-max", AT_ONCE, "-H", "Connection: close", "-o", "/dev/null", "-w",
                    "%{http_code} %{exitcode} %{errormsg}\n", f"{url}/?[1-{count}]"], count).splitlines()
    if len(said) != count:
        raise AssertionError(f"curl: {len(said)} transfers, not {count}")
    return [line for line in said if not line.startswith("200 0 ")]


def ab(url, count):
    said = printed(["ab", "-q", "-n", count, "-c", AT_ONCE, f"{url}/"], count)
    if f"Complete requests:      {count}\n" not in said:
        raise AssertionError(f"ab: {said}")
    return re.findall(r"^(?:Failed|Write) .*[1-9].*$|^Non-2xx .*$", said, re.M)


def wrk(url, count):
    requests, failures, end = 0, [], time.monotonic() + PATIENCE
    while requests < count and time.monotonic() < end:
        said = printed(["wrk", "-t", 1, "-c", AT_ONCE, "-d", "2s", "-H", "Connection: close", f"{url}/"], count)
        requests += int(re.search(r"(\d+) requests in", said)[1])
        failures += re.findall(r"Socket errors: .*|Non-2xx .*", said)
    return failures


# What follows the request, or how the client ends the connection.
ENDINGS = {
    "a request": (request("/", fields=CLOSE), False),
    "HTTP/1.0": (request("/", version="1.0"), False),
    "a body": (request("/echo", "POST", fields=CLOSE, body=BODY), False),
    "a pipelined rest": (request("/", fields=CLOSE) + request("/") * 50, False),
    "bytes after a body": (request("/echo", "POST", fields=CLOSE, body=BODY) + b"x" * 20_000, False),
    "an early close of sending": (request("/", fields=CLOSE), True),
    "an early close after a body": (request("/echo", "POST", fields=CLOSE, body=BODY), True),
    "an early close of a connection that stays open": (request("/"), True),
}


def one_connection(url, number):
    """Returns the failure of a connection, or None. Reads until the server closes."""
    kind, (sent, closes_early) = list(ENDINGS.items())[number % len(ENDINGS)]
    when = "before its response was read"
    host, port = url.rsplit("/", 1)[1].split(":")
    try:
        with Wire((host, int(port)), timeout=60) as client:
            # The rest may be sent after the server has closed.
            head = len(sent) if number % 3 else sent.index(b"\r\n\r\n") + 4
            client.send(sent[:head])
            with contextlib.suppress(BrokenPipeError):
                client.send(sent[head:])
            if closes_early:
                client.half_close()
            answer = client.answer()
            if answer.status != 200:
                return f"{kind}: status {answer.status}"
            when = "after its response"
            if client.rest():
                return f"{kind}: more than a response"
    except (OSError, AssertionError) as error:
        return f"{kind}, {when}: {type(error).__name__} {error}"
    return None


def python(url, count):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return [why for why in pool.map(lambda number: one_connection(url, number), range(count)) if why]


CLIENTS = {"curl": curl, "go": go, "node": node, "python3": python, "wrk": wrk, "ab": ab}


def main():
    given = argparse.ArgumentParser(usage=__doc__)
    given.add_argument("--connections", type=int, default=50_000)
    given.add_argument("--backend", default="uring")
    given = given.parse_args()
    missing = [name for name in CLIENTS if not shutil.which(name)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    each, failed = -(-given.connections // len(CLIENTS)), False
    print("| Client | Connections | Seconds | Failures |")
    print("|---|---|---|---|")
    for name, client in CLIENTS.items():
        with Server(given.backend, program="conformance") as server:
            begin = time.monotonic()
            failures = collections.Counter(client(f"http://127.0.0.1:{server.port}", each))
        print(f"| {name} | {each:,} | {time.monotonic() - begin:.1f} | {sum(failures.values())} |", flush=True)
        for why, count in failures.most_common(10):
            print(f"  {count} x {why}", flush=True)
        failed = failed or bool(failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
