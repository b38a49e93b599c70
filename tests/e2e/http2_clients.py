# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 clients of other projects, without TLS. Each function takes a URL, and a body or None. It returns status and
body, or None if the client is not installed."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zlib

from server import PYTHON_TOOLS

PATIENCE = 60  # seconds
BUILD_SECONDS = 300  # enough to compile Go's own packages too

NODE = """
const [url, body] = process.argv.slice(1);
const session = require('http2').connect(url);
const path = new URL(url).pathname;
const asked = session.request({':path': path, ':method': body === undefined ? 'GET' : 'POST'});
let status, all = '';
asked.on('response', fields => { status = fields[':status']; });
asked.on('data', piece => { all += piece; });
asked.on('end', () => { session.close(); process.stdout.write(status + '\\n' + all); });
asked.end(body);
"""

GO = """
package main

import ("crypto/tls"; "crypto/x509"; "fmt"; "io"; "net/http"; "os"; "strings")

// client URL [BODY [AUTHORITIES VERSION PROTOCOL]]; an empty BODY sends no body.
func main() {
    var speaks http.Protocols
    speaks.SetUnencryptedHTTP2(true)
    var secure *tls.Config
    if len(os.Args) > 5 {
        trusted := x509.NewCertPool()
        pem, _ := os.ReadFile(os.Args[3])
        trusted.AppendCertsFromPEM(pem)
        version := uint16(tls.VersionTLS13)
        if os.Args[4] == "TLSv1.2" { version = tls.VersionTLS12 }
        secure = &tls.Config{RootCAs: trusted, MinVersion: version, MaxVersion: version}
        speaks = http.Protocols{}
        speaks.SetHTTP1(os.Args[5] == "HTTP/1.1")
        speaks.SetHTTP2(os.Args[5] == "HTTP/2")
    }
    client := http.Client{Transport: &http.Transport{Protocols: &speaks, TLSClientConfig: secure}}
    method, body := "GET", ""
    if len(os.Args) > 2 && os.Args[2] != "" { method, body = "POST", os.Args[2] }
    asked, _ := http.NewRequest(method, os.Args[1], strings.NewReader(body))
    got, err := client.Do(asked)
    if err != nil { panic(err) }
    all, _ := io.ReadAll(got.Body)
    fmt.Printf("%d\\n%s", got.StatusCode, all)
}
"""


def run(*words, seconds=PATIENCE):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds, check=False)
    if done.returncode:
        raise AssertionError(f"{words[0]} ended with {done.returncode}: {done.stderr!r}")
    return done.stdout.decode("latin-1")


def _status_and_body(text):
    status, body = text.split("\n", 1)
    return int(status), body


def curl(url, body):
    data = [] if body is None else ["--data-binary", body]
    text = run("curl", "-sS", "--http2-prior-knowledge", "-w", "\n%{http_version} %{http_code}", *data, url)
    body, _, end = text.rpartition("\n")
    version, status = end.split()
    if version != "2":
        raise AssertionError(f"curl spoke HTTP/{version}")
    return int(status), body


def nghttp(url, body):
    if not shutil.which("nghttp"):
        return None
    with tempfile.NamedTemporaryFile() as data:
        data.write((body or "").encode())
        data.flush()
        text = run("nghttp", *([] if body is None else ["-d", data.name]), url)
    return 200, text


def node(url, body):
    if not shutil.which("node"):
        return None
    return _status_and_body(run("node", "-e", NODE, url, *([] if body is None else [body])))


def go_program():
    """Returns a client in Go, which supports HTTP/2 without TLS since version 1.24; None if Go is missing or older."""
    if not shutil.which("go") or not any(f"go1.{n}" in run("go", "version") for n in range(24, 40)):
        return None
    program = pathlib.Path(tempfile.gettempdir()) / f"apus_http_client_{os.getuid()}_{zlib.crc32(GO.encode()):08x}"
    with open(program.with_suffix(".lock"), "w", encoding="ascii") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not program.exists():
            with tempfile.TemporaryDirectory() as folder:
                source, made = pathlib.Path(folder) / "main.go", pathlib.Path(folder) / "made"
                source.write_text(GO, encoding="ascii")
                run("go", "build", "-p", "1", "-o", str(made), str(source), seconds=BUILD_SECONDS)
                shutil.move(made, program)
    return str(program)


def go(url, body):
    program = go_program()
    return program and _status_and_body(run(program, url, *([] if body is None else [body])))


def hyper_h2(url, body):
    """Uses the Python package h2."""
    sys.path += map(str, PYTHON_TOOLS.glob("lib/*/site-packages"))
    try:
        import h2.connection
        import h2.events
    except ImportError:
        return None
    import socket
    host, _, path = url.removeprefix("http://").partition("/")
    name, port = host.split(":")
    with socket.create_connection((name, int(port)), timeout=PATIENCE) as line:
        session = h2.connection.H2Connection()
        session.initiate_connection()
        fields = [(":method", "GET" if body is None else "POST"), (":scheme", "http"), (":authority", host),
                  (":path", "/" + path)]
        session.send_headers(1, fields, end_stream=body is None)
        if body is not None:
            for at in range(0, len(body), 16_000):
                session.send_data(1, body[at:at + 16_000].encode())
            session.end_stream(1)
        status, got = 0, b""
        while True:
            line.sendall(session.data_to_send())
            for event in session.receive_data(line.recv(65536)):
                if isinstance(event, h2.events.ResponseReceived):
                    status = int(dict(event.headers)[b":status"])
                elif isinstance(event, h2.events.DataReceived):
                    got += event.data
                    session.acknowledge_received_data(event.flow_controlled_length, 1)
                elif isinstance(event, h2.events.StreamEnded):
                    return status, got.decode("latin-1")


CLIENTS = (curl, nghttp, node, go, hyper_h2)
