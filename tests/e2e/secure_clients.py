# SPDX-License-Identifier: Apache-2.0
"""TLS clients of other projects, as far as they are installed. Each function sends a GET to /tls and a POST of BODY to
/echo, with each TLS version and HTTP version that the client supports. It returns {"TLSv1.2 HTTP/1.1": (body of /tls,
body of /echo)}, or None if the client is not installed."""

import http.client
import itertools
import json
import os
import shutil
import subprocess

from http2_clients import PATIENCE, go_program, run
from tls_wire import NEW, OLD, client_context

BODY = "x" * 60_000
VERSIONS, PROTOCOLS = ("TLSv1.2", "TLSv1.3"), ("HTTP/1.1", "HTTP/2")
ALL = [f"{version} {protocol}" for version, protocol in itertools.product(VERSIONS, PROTOCOLS)]

NODE = """
const [port, ca, body] = process.argv.slice(1), said = {};
const all = from => new Promise((done, no) => { let text = ''; from.on('data', p => text += p)
    .on('end', () => done(text)).on('error', no); });
const ask1 = (tls, path, body) => new Promise((done, no) => require('https').request(
    {...tls, host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', agent: false},
    got => done(all(got))).on('error', no).end(body));
const ask2 = (session, path, body) => {
    const asked = session.request({':path': path, ':method': body ? 'POST' : 'GET'});
    asked.end(body); return all(asked); };
(async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
        const tls = {ca: require('fs').readFileSync(ca), minVersion: version, maxVersion: version};
        said[version + ' HTTP/1.1'] = [await ask1(tls, '/tls'), await ask1(tls, '/echo', body)];
        const session = require('http2').connect('https://127.0.0.1:' + port, tls);
        said[version + ' HTTP/2'] = [await ask2(session, '/tls'), await ask2(session, '/echo', body)];
        session.close();
    }
    console.log(JSON.stringify(said));
})();
"""

NODE_SOCKET = """
const socket = new WebSocket(process.argv[1]), seen = [];
socket.binaryType = 'arraybuffer';
socket.onopen = () => { for (const m of ['hello', 'h\\u00e9llo '.repeat(5000), new Uint8Array(70000).buffer])
    socket.send(m); };
socket.onmessage = e => { seen.push(e.data.length ?? e.data.byteLength);
    if (seen.length == 3) socket.close(4001, 'enough'); };
socket.onerror = e => { seen.push('' + (e.error ?? e.message)); };
socket.onclose = e => { console.log(JSON.stringify([...seen, e.code, e.wasClean])); };
"""


def curl(port, authorities):
    said = {}
    for version, protocol in itertools.product(VERSIONS, PROTOCOLS):
        number = version.removeprefix("TLSv")
        words = ["curl", "-sS", "--cacert", str(authorities), "--tls-max", number, f"--tlsv{number}", "--http1.1"
                 if protocol == "HTTP/1.1" else "--http2",
                 "-w", "%{http_version}"]
        got = [run(*words, *more, f"https://127.0.0.1:{port}{path}") for path,
               more in (("/tls", ()), ("/echo", ("-d", BODY)))]
        end = protocol.removeprefix("HTTP/")
        said[f"{version} {protocol}"] = [text.removesuffix(end) if text.endswith(end) else f"by HTTP/{text[-3:]}"
                                         for text in got]
    return said


def nghttp(port, _):
    """Does not verify certificates, and uses HTTP/2 with the newest TLS version."""
    if not shutil.which("nghttp"):
        return None
    posted = subprocess.run(["nghttp", "-d", "-", f"https://127.0.0.1:{port}/echo"], input=BODY, capture_output=True,
                            text=True, timeout=PATIENCE, check=True)
    return {"TLSv1.3 HTTP/2": [run("nghttp", f"https://127.0.0.1:{port}/tls"), posted.stdout]}


def node(port, authorities):
    if not shutil.which("node"):
        return None
    return json.loads(run("node", "-e", NODE, str(port), str(authorities), BODY))


def node_socket(url, authorities):
    """Returns the sizes of the messages received on a WebSocket, the close code, and whether it was closed cleanly;
    None if Node.js has no WebSocket."""
    if not shutil.which("node"):
        return None
    words = ["node", "--experimental-websocket"]
    environment = dict(os.environ, NODE_EXTRA_CA_CERTS=str(authorities))
    done = subprocess.run([*words, "-e", NODE_SOCKET, url], capture_output=True, text=True, timeout=PATIENCE,
                          check=False, env=environment)
    if "bad option" in done.stderr:
        return None
    return json.loads(done.stdout)


def go(port, authorities):
    program = go_program()
    if not program:
        return None
    said = {}
    for version, protocol in itertools.product(VERSIONS, PROTOCOLS):
        got = [run(program, f"https://127.0.0.1:{port}{path}", body, str(authorities), version, protocol).split("\n", 1)
               for path, body in (("/tls", ""), ("/echo", BODY))]
        said[f"{version} {protocol}"] = [text for _, text in got]
    return said


def python(port, authorities):
    said = {}
    for name, version in zip(VERSIONS, (OLD, NEW)):
        asking = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE,
                                             context=client_context(authorities, version, version))
        got = []
        for path, method, body in (("/tls", "GET", None), ("/echo", "POST", BODY)):
            asking.request(method, path, body)
            got.append(asking.getresponse().read().decode())
        asking.close()
        said[f"{name} HTTP/1.1"] = got
    return said


CLIENTS = (curl, nghttp, node, go, python)
