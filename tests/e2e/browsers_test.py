# SPDX-License-Identifier: Apache-2.0
"""Tests browser-related responses with curl's cookie jar: the examples of docs/browsers.md and related pages."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cases
import server
from cases import case, check, equal

for name in ("browser", "cookies", "forms", "proxied", "request_values", "sessions"):
    server.PROGRAMS[name] = server.BUILD / "bin" / name


class Browser:
    """curl with a cookie jar, which can be used with several servers."""

    def __init__(self, folder):
        self.jar = os.path.join(folder, "jar")

    def ask(self, of, path, *options):
        """Returns status, head and body."""
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--max-time", "60", "--include", "--cookie", self.jar, "--cookie-jar",
             self.jar,
             *options, of.urls[0] + path], capture_output=True, timeout=90)
        equal(done.returncode, 0, done.stderr)
        head, _, body = done.stdout.decode().partition("\r\n\r\n")
        return int(head.split(" ")[1]), head.lower(), body


def browsing(check_with):
    """Gives a case a browser without cookies."""
    def run(backend):
        with tempfile.TemporaryDirectory() as folder:
            check_with(backend, Browser(folder))
    run.__name__ = check_with.__name__
    return case(run)


@browsing
def a_session_survives_a_restart_and_ends_with_a_log_out(backend, browser):
    with server.Server(backend, program="sessions") as of:
        equal(browser.ask(of, "/")[0], 401)
        equal(browser.ask(of, "/login", "-d", "Ada")[0], 204)
        equal(browser.ask(of, "/")[2], "Hello, Ada.\n")
    with server.Server(backend, "--cores", "2", program="sessions") as of:
        status, head, body = browser.ask(of, "/")
        equal((status, body), (200, "Hello, Ada.\n"))
        check("set-cookie" not in head, head)
        equal(browser.ask(of, "/logout", "-X", "POST")[0], 204)
        equal(browser.ask(of, "/")[0], 401)


@browsing
def a_form_needs_the_token_of_its_page(backend, browser):
    with server.Server(backend, program="forms") as of:
        page = browser.ask(of, "/")[2]
        token = re.search(r"name=csrf_token value=([\w-]+)>", page)[1]
        status, _, body = browser.ask(of, "/comments", "-d", f"text=hi&csrf_token={token}")
        equal((status, body), (200, "Got 83 bytes.\n"))
        equal(browser.ask(of, "/comments", "-d", "text=hi")[0], 403)
        problem = json.loads(browser.ask(of, "/comments", "-H", "Origin: https://evil.example", "-d",
                                         f"csrf_token={token}")[2])
        equal(problem["detail"], "cross-origin request rejected (CSRF protection)")


@browsing
def a_cookie_is_kept_and_forgotten(backend, browser):
    with server.Server(backend, program="cookies") as of:
        equal(browser.ask(of, "/")[2], "Your theme is light.\n")
        head = browser.ask(of, "/theme/dark", "-X", "PUT")[1]
        check("set-cookie: theme=dark; path=/; max-age=31536000; secure; httponly; samesite=lax" in head, head)
        equal(browser.ask(of, "/", "-b", "theme=dark")[2], "Your theme is dark.\n")
        check("set-cookie: theme=; path=/; max-age=0" in browser.ask(of, "/theme", "-X", "DELETE")[1], "not forgotten")


@browsing
def a_page_has_its_fields_and_its_nonce(backend, browser):
    with server.Server(backend, program="browser") as of:
        _, head, page = browser.ask(of, "/")
        nonce = re.search(r'nonce="([\w-]{22})"', page)[1]
        check(f"script-src 'self' 'nonce-{nonce.lower()}'" in head, head)
        check("x-content-type-options: nosniff" in head, head)


@browsing
def another_origin_s_page_reads_the_interface(backend, browser):
    preflight = ["-X", "OPTIONS", "-H", "Access-Control-Request-Method: PUT"]
    with server.Server(backend, program="browser") as of:
        status, head, _ = browser.ask(of, "/api/items/fig", *preflight, "-H", "Origin: https://app.example")
        equal(status, 204)
        check("access-control-allow-origin: https://app.example" in head, head)
        status, _, body = browser.ask(of, "/api/items/fig", *preflight, "-H", "Origin: https://evil.example")
        equal((status, json.loads(body)["detail"]), (403, "the origin https://evil.example is not allowed"))
        head = browser.ask(of, "/api/items", "-H", "Origin: https://app.example")[1]
        check("access-control-expose-headers: x-total" in head and "vary: origin" in head, head)


@browsing
def a_proxy_is_believed_and_ids_go_through(backend, browser):
    with server.Server(backend, program="proxied") as of:
        told = ["-H", "X-Forwarded-For: 6.6.6.6, 192.0.2.1", "-H", "X-Forwarded-Proto: https", "-H",
                "X-Request-Id: abc-1"]
        _, head, body = browser.ask(of, "/", *told)
        equal(body, "You are 192.0.2.1 and came by https.\n")
        check("x-request-id: abc-1" in head, head)
        equal(browser.ask(of, "/orders", "-X", "POST")[0], 201)


@browsing
def values_reach_handlers(backend, browser):
    with server.Server(backend, program="request_values") as of:
        _, head, body = browser.ask(of, "/me", "-H", "X-User: ada")
        equal(body, "ada\n")
        check("x-served: ada" in head, head)
        equal(browser.ask(of, "/page", "-X", "PUT", "-H", "X-User: ada", "-d", "x")[0], 403)
        equal(browser.ask(of, "/page", "-X", "PUT", "-H", "X-User: admin", "-d", "x")[2], "admin wrote: x")


if __name__ == "__main__":
    if not shutil.which("curl"):
        print("skipped: curl is not installed")
        sys.exit(cases.SKIPPED)
    cases.main()
