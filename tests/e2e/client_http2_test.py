#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests HTTP/2 of the HTTP client: the gateway example in front of Apus, nghttpd, nginx, h2o, Node.js and Go."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time

import certificates
import server
from cases import case, check, equal, main, skip

server.PROGRAMS["gateway"] = server.BUILD / "bin" / "gateway"
MIB = 1 << 20

# Closes each connection after 150 requests, with GOAWAY. /connections counts connections.
NODE = r"""
const http2 = require("http2"), fs = require("fs");
const [key, cert] = process.argv.slice(1);
let connections = 0;
const answer = (stream, headers) => {
  const path = headers[":path"];
  stream.on("error", () => {});
  if (headers[":method"] === "POST") {
    stream.respond({":status": 200});
    stream.pipe(stream);
  } else {
    stream.respond({":status": 200, "x-path": path});
    stream.end(path === "/big" ? Buffer.alloc(1 << 20, "b") : path === "/connections" ? String(connections) : "ok");
  }
};
const limits = {maxSessionMemory: 100};  // MB; by default, 40 bodies of 1 MiB are reset with ENHANCE_YOUR_CALM
const of = key ? http2.createSecureServer({...limits, key: fs.readFileSync(key), cert: fs.readFileSync(cert)})
               : http2.createServer(limits);
of.on("session", session => {
  let requests = 0;
  ++connections;
  session.on("error", () => {});
  session.on("stream", (stream, headers) => {
    if (++requests === 150) session.close();
    answer(stream, headers);
  });
});
of.listen(0, "127.0.0.1", () => console.log(of.address().port));
"""


# /small and /big are files. nginx closes each connection after 100 requests, with GOAWAY.
NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 64; }}
http {{
  access_log off; keepalive_requests 100; client_max_body_size 4m;
  client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/proxied;
  server {{
    listen 127.0.0.1:{port} http2 {tls}; {pair}
    root {folder};
    location /echo {{ proxy_pass http://127.0.0.1:{back}; proxy_http_version 1.1; proxy_request_buffering off; }}
  }}
}}
"""

H2O = """
listen: {{host: 127.0.0.1, port: {port}{tls}}}
error-log: {folder}/errors
hosts:
  default:
    paths:
      /echo: {{proxy.reverse.url: "http://127.0.0.1:{back}/echo"}}
      /: {{file.dir: {folder}}}
"""

GO = r"""
package main

import (
    "bytes"
    "fmt"
    "io"
    "net"
    "net/http"
    "os"
)

func main() {
    big := bytes.Repeat([]byte("b"), 1<<20)
    type request = http.Request
    type response = http.ResponseWriter
    http.HandleFunc("/small", func(w response, _ *request) { io.WriteString(w, "ok") })
    http.HandleFunc("/big", func(w response, _ *request) { w.Write(big) })
    http.HandleFunc("/echo", func(w response, r *request) { io.Copy(w, r.Body) })
    at, err := net.Listen("tcp", "127.0.0.1:0")
    if err != nil {
        panic(err)
    }
    fmt.Println(at.Addr().(*net.TCPAddr).Port)
    panic(http.ServeTLS(at, nil, os.Args[1], os.Args[2]))
}
"""


def installed(program):
    """Returns whether a server is installed that is not a package of this project; otherwise reports a skipped part."""
    if shutil.which(program):
        return True
    skip(f"{program} is not installed")
    return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port):
    for _ in range(500):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    raise AssertionError(f"no server listens on port {port}")


@contextlib.contextmanager
def process(words, **options):
    started = subprocess.Popen([str(w) for w in words], **options)
    try:
        yield started
    finally:
        started.kill()
        started.wait()
        if started.stdout:
            started.stdout.close()


@contextlib.contextmanager
def apus(secure, pair, _):
    """Yields the URL, and the paths of a small body, of 1 MiB and of an echo."""
    at = ["https://127.0.0.1:0"] if secure else None
    words = ("--certificate", str(pair[0]), "--key", str(pair[1])) if secure else ()
    with server.Server("epoll", *words, program="limits", listen=at,
                       environment={"TEST_TLS": "none"} if secure else {}) as of:
        yield of.urls[0], "/big/2", "/big/1048576", "/echo/huge"


@contextlib.contextmanager
def nghttpd(secure, pair, folder):
    (folder / "big").write_bytes(b"b" * MIB)
    (folder / "small").write_text("ok")
    port = free_port()
    tls = (port, pair[1], pair[0]) if secure else ("--no-tls", port)
    with process(["nghttpd", "-a", "127.0.0.1", "-d", folder, "--echo-upload", *tls], stdout=subprocess.DEVNULL):
        await_port(port)
        yield f"http{'s' if secure else ''}://127.0.0.1:{port}", "/small", "/big", "/echo"


@contextlib.contextmanager
def node(secure, pair, _):
    words = ("node", "-e", NODE, *((pair[1], pair[0]) if secure else ()))
    with process(words, stdout=subprocess.PIPE, text=True) as of:
        port = int(of.stdout.readline())
        yield f"http{'s' if secure else ''}://127.0.0.1:{port}", "/small", "/big", "/echo"


@contextlib.contextmanager
def configured(words, text, secure, folder, **known):
    """Starts a server with files for /small and /big, and Apus behind it for /echo. `text` is its configuration."""
    folder.chmod(0o755)  # h2o reads as the user nobody
    (folder / "big").write_bytes(b"b" * MIB)
    (folder / "small").write_text("ok")
    port = free_port()
    with server.Server("epoll", program="limits") as back:
        (folder / "configuration").write_text(text.format(folder=folder, port=port, back=back.port, **known))
        with process([*words, folder / "configuration"], stdout=subprocess.DEVNULL):
            await_port(port)
            yield f"http{'s' if secure else ''}://127.0.0.1:{port}", "/small", "/big", "/echo/huge"


@contextlib.contextmanager
def nginx(secure, pair, folder):
    certificate = f"ssl_certificate {pair[0]}; ssl_certificate_key {pair[1]};" if secure else ""
    words = ["nginx", "-p", folder, "-e", folder / "errors", "-c"]
    with configured(words, NGINX, secure, folder, tls="ssl" if secure else "", pair=certificate) as of:
        yield of


@contextlib.contextmanager
def h2o(secure, pair, folder):
    tls = f", ssl: {{certificate-file: {pair[0]}, key-file: {pair[1]}}}" if secure else ""
    with configured(["h2o", "-m", "worker", "-c"], H2O, secure, folder, tls=tls) as of:
        yield of


@contextlib.contextmanager
def go(_, pair, folder):
    (folder / "main.go").write_text(GO)
    subprocess.run(["go", "build", "-o", "main", "main.go"], cwd=folder, check=True)
    with process([folder / "main", *pair], stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL) as of:
        yield f"https://127.0.0.1:{int(of.stdout.readline())}", "/small", "/big", "/echo"


def load(url, requests=1000):
    """Sends requests to the gateway over four connections, 100 at a time; all must succeed."""
    text = subprocess.run(["h2load", "-n", str(requests), "-c", "4", "-m", "25", url], capture_output=True, text=True,
                          timeout=60, check=True).stdout
    check(f"status codes: {requests} 2xx" in text, text)


def curl(*words, stdin=None):
    done = subprocess.run(["curl", "-sS", "--max-time", "30", "-H", "Expect:", *words], input=stdin,
                          capture_output=True, timeout=60)
    check(done.returncode == 0, done.stderr.decode())
    return done.stdout


def try_upstream(backend, start, secure):
    with certificates.Authority() as authority, tempfile.TemporaryDirectory() as folder:
        pair = authority.sign("localhost", "DNS:localhost,IP:127.0.0.1")
        with start(secure, pair, pathlib.Path(folder)) as (url, small, big, echo):
            known = {"UPSTREAM_CA": str(authority.file)} if secure else {"UPSTREAM_HTTP2": "1"}
            with server.Server(backend, program="gateway", environment={"UPSTREAM": url, **known}) as gateway:
                base = gateway.urls[0] + "/api"
                load(base + small)
                equal(len(curl(base + big)), MIB)
                body = os.urandom(MIB)
                for more in ([], ["-H", "Transfer-Encoding: chunked"]):
                    check(curl("--data-binary", "@-", *more, base + echo, stdin=body) == body, "the body has changed")
                load(base + big, 40)
                return curl(base + "/connections") if start is node else b""


@case
def works_with_apus(backend):
    try_upstream(backend, apus, secure=False)
    try_upstream(backend, apus, secure=True)


@case
def works_with_nghttpd(backend):
    try_upstream(backend, nghttpd, secure=False)
    try_upstream(backend, nghttpd, secure=True)


@case
def works_with_nginx(backend):
    if installed("nginx"):
        try_upstream(backend, nginx, secure=False)
        try_upstream(backend, nginx, secure=True)


@case
def works_with_h2o(backend):
    if installed("h2o"):
        try_upstream(backend, h2o, secure=False)
        try_upstream(backend, h2o, secure=True)


@case
def works_with_go(backend):
    if installed("go"):
        try_upstream(backend, go, secure=True)


@case
def loses_no_request_when_node_sends_goaway(backend):
    if installed("node"):
        for secure in (False, True):
            connections = int(try_upstream(backend, node, secure))
            check(7 <= connections <= 30, f"{connections} connections for about 1,050 requests, 150 each")


@case
def an_upstream_that_restarts_is_used_again(backend):
    with server.Server("epoll", program="limits") as first:
        port = first.port
        known = {"UPSTREAM": f"http://127.0.0.1:{port}", "UPSTREAM_HTTP2": "1"}
        gateway = server.Server(backend, program="gateway", environment=known)
        with gateway:
            equal(curl(gateway.urls[0] + "/api/query?up"), b"up\n")
            first.ends_by_itself = True
            equal(first.stop(), 0)
            check(re.match(b"(HTTP/1.1 502|.*upstream)", curl("-i", gateway.urls[0] + "/api/query"), re.S), "an error")
            with server.Server("epoll", program="limits", listen=[f"127.0.0.1:{port}"]):
                equal(curl(gateway.urls[0] + "/api/query?up"), b"up\n")


if __name__ == "__main__":
    main()
