#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens /docs of the showcase in a browser, sends requests there, one of them with a token, and checks the displayed
responses.

Playwright comes from PyPI by `./apus check openapi`, Chromium from the distribution. Skipped without them, or if
Apus was built without npm.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import server

TOKEN = "open sesame"
TOOLS = pathlib.Path(__file__).resolve().parents[2] / "build/openapi-tools/bin"


def missing():
    """Returns a sentence that names a missing program, or None."""
    if not shutil.which("chromium"):
        return "Chromium is not installed: apt-get install chromium"
    if not (TOOLS / "playwright").exists():
        return "Playwright is not installed; `./apus check openapi` does that"
    return None


def sent(page, operation):
    """Executes the operation on the page, and returns the displayed response."""
    page.locator(f"#operations-default-{operation} .execute").click()
    return page.locator(f"#operations-default-{operation} .live-responses-table .response").first


def authorize(page, token):
    """Authorizes with the button at the top of the page."""
    page.locator(".auth-wrapper .authorize").first.click()
    page.locator(".modal-ux input").fill(token)
    page.locator(".modal-ux button[type=submit]").click()
    page.locator(".modal-ux .btn-done").click()


def browse(url):
    """Runs in the Python environment that contains Playwright."""
    from playwright.sync_api import expect, sync_playwright

    troubles = []
    refused = "the server responded with a status of 401"
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 1400})
        page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning")
                and refused not in said.text else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith((url, "data:"))
                else troubles.append(f"asked {asked.url}"))
        page.goto(f"{url}/docs")
        page.locator("#operations-default-get_users_id .opblock-summary-control").click()
        page.locator("#operations-default-get_users_id input").fill("7")
        answer = sent(page, "get_users_id")
        expect(answer).to_contain_text("user 7", timeout=server.PATIENCE * 1000)
        expect(answer).to_contain_text("200")
        page.locator("#operations-default-get_admin_visits .opblock-summary-control").click()
        expect(sent(page, "get_admin_visits")).to_contain_text("send a valid bearer token")
        authorize(page, TOKEN)
        expect(sent(page, "get_admin_visits")).to_contain_text("visit 1 to this core")
        page.screenshot(path=server.BUILD / "openapi_page.png")
        browser.close()
    print("\n".join(troubles))
    return 1 if troubles else 0


def main():
    if lacking := missing():
        print(f"skipped: {lacking}")
        return 77
    server.PROGRAMS["showcase"] = server.BUILD / "bin/showcase"
    with tempfile.TemporaryDirectory() as folder, server.Server("epoll", program="showcase",
                                                                environment={"ADMIN_TOKEN": TOKEN},
                                                                folder=folder) as of:
        if "The renderer of this page is missing" in of.get("/docs").body.decode():
            print("skipped: apus was built without npm, so the page has no renderer")
            return 77
        return subprocess.run([TOOLS / "python", "-B", __file__, of.urls[0]], timeout=120).returncode


if __name__ == "__main__":
    sys.exit(browse(sys.argv[1]) if len(sys.argv) > 1 else main())
