#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests pages in Chromium: restarts of the server, WebSockets and TLS. Skipped if Chromium is missing."""

import sys

import cases
import server
from cases import case, check, equal, unsanitized
from chromium import Chromium, is_there
from server import Server, soon
from tls_wire import SecureServer

CUT_OFF = 3  # exit status of a server that aborted requests in flight, such as endless streams

for name in ("events", "sessions", "echo", "chat"):
    server.PROGRAMS[name] = server.BUILD / "bin" / name


@unsanitized
@case
def events_go_on_where_they_were_when_the_server_is_another_one(backend):
    with Chromium() as browser:
        with Server(backend, "--drain", "0", program="events") as first:
            browser.open(first.urls[0])
            browser.run("seen = []; new EventSource('/count').addEventListener('number', e => "
                        "seen.push(Number(e.data))); 0")
            check(soon(lambda: browser.run("seen.length") >= 2), "no events came")
            equal(first.stop(), CUT_OFF)
        before = browser.run("seen.length")
        with Server(backend, "--drain", "0", program="events", listen=[f"127.0.0.1:{first.port}"]) as second:
            check(soon(lambda: browser.run("seen.length") >= before + 2), f"no events came again after {before}")
            seen = browser.run("seen")
            equal(second.stop(), CUT_OFF)
        equal(seen, list(range(1, len(seen) + 1)))


@unsanitized
@case
def a_session_survives_a_restart(backend):
    with Chromium() as browser:
        with Server(backend, program="sessions") as first:
            browser.open(first.urls[0])
            equal(browser.run("fetch('/').then(a => a.status)"), 401)
            equal(browser.run("fetch('/login', {method: 'POST', body: 'Ada'}).then(a => a.status)"), 204)
            equal(browser.run("document.cookie"), "", "a script reads the cookie")
        with Server(backend, program="sessions", listen=[f"127.0.0.1:{first.port}"]):
            equal(browser.run("fetch('/').then(a => a.text())"), "Hello, Ada.\n")
            equal(browser.run("fetch('/logout', {method: 'POST'}).then(a => a.status)"), 204)
            equal(browser.run("fetch('/').then(a => a.status)"), 401)


@unsanitized
@case
def pages_talk_by_websocket(backend):
    for environment, extension in (({}, ""), ({"COMPRESS": "0"},
                                              "permessage-deflate; server_max_window_bits=12; "
                                              "client_max_window_bits=12")):
        with Server(backend, program="echo", environment=environment) as here, Chromium() as browser:
            browser.open(here.urls[0] + "/")
            equal(browser.run("""new Promise(done => {
                const socket = new WebSocket(`ws://${location.host}/ws`), seen = [];
                socket.binaryType = 'arraybuffer';
                socket.onopen = () => { for (const m of
                    ['hello', 'h\u00e9llo '.repeat(5000), new Uint8Array(70000).buffer]) socket.send(m); };
                socket.onmessage = e => { seen.push(e.data.length ?? e.data.byteLength);
                    if (seen.length == 3) socket.close(4001, 'enough'); };
                socket.onclose = e => done([...seen, e.code, e.wasClean, socket.extensions]);
            })"""), [5, 30000, 70000, 4001, True, extension])


@unsanitized
@case
def a_page_over_tls(backend):
    with SecureServer(backend, "--access-log",
                      log="info") as server, Chromium("--ignore-certificate-errors") as browser:
        browser.open(f"https://localhost:{server.port}/tls")
        equal(browser.run("document.body.innerText"), "https TLSv1.3 localhost\n")
        equal(browser.run("performance.getEntriesByType('navigation')[0].nextHopProtocol"), "h2")
        equal(browser.run("fetch('/echo', {method: 'POST', body: 'x'.repeat(300000)}).then(a => a.text()).then(t => "
                          "t.length)"), 300_000)
        equal(browser.run("""new Promise(done => {
            const socket = new WebSocket(`wss://${location.host}/ws`);
            socket.onopen = () => socket.send('hello '.repeat(1000));
            socket.onmessage = e => { got = e.data.length; socket.close(4001); };
            socket.onclose = e => done([got, e.code, e.wasClean]);
        })"""), [6000, 4001, True])
        server.stop()
        check('"method":"CONNECT","target":"/ws","status":200' in server.errors(),
              "the WebSocket is not on a stream of HTTP/2")


@unsanitized
@case
def two_pages_chat(backend):
    with Server(backend, program="chat") as here, Chromium() as ann, Chromium() as bob:
        for page in (ann, bob):
            page.open(here.urls[0])
            check(soon(lambda: page.run("socket.readyState == 1")), "the page has not joined")
        ann.run("document.forms[0].text.value = 'hello', document.forms[0].requestSubmit(); 0")
        for page in (ann, bob):
            check(soon(lambda: page.run("document.querySelector('pre').textContent") == "hello\n"),
                  "the message is not on the page")


if __name__ == "__main__":
    if not is_there():
        print("skipped: Chromium is not installed: apt-get install chromium")
        sys.exit(cases.SKIPPED)
    cases.main()
