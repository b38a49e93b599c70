#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests settings from files, variables and options with examples/configured.cpp: precedence, errors, `--help` and other
output, reloads."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import tomllib

import administration
import server
from cases import case, check, equal, main
from server import Server, soon

SECRET = "hunter2-hunter2"
PROGRAM = server.BUILD / "bin/configured"
server.PROGRAMS["configured"] = PROGRAM
VALID = f'session_key = "{SECRET}"\n'


@contextlib.contextmanager
def folder_with(toml=None):
    """Yields a folder with shop.toml."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if toml is not None:
            data = toml if isinstance(toml, bytes) else toml.encode()
            (folder / "shop.toml").write_bytes(data)
        yield folder


def run(folder, *arguments, **environment):
    """Runs the program until its end. Returns its exit status, output and errors, which contain no secret."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SHOP_")}
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, env=kept | environment, capture_output=True,
                          timeout=server.PATIENCE, check=False)
    output, errors = done.stdout.decode(), done.stderr.decode()
    check("hunter2" not in output + errors, f"a secret is in {output + errors}")
    return done.returncode, output, errors


def sentences(errors):
    """Returns the errors without the hint at the end."""
    text, _, hint = errors.partition("\n\nhint: ")
    check(hint.endswith(" --help\n"), f"no hint: {errors!r}")
    lines = text.splitlines()
    check(all(line.startswith("error: ") for line in lines), errors)
    return [line.removeprefix("error: ") for line in lines]


def refused(folder, *arguments, **environment):
    status, output, errors = run(folder, *arguments, **environment)
    equal((status, output), (2, ""))
    return sentences(errors)


def shown(folder, *arguments, **environment):
    """Returns the values with their sources, as `--config-show` prints them."""
    status, output, errors = run(folder, "--config-show", *arguments, **environment)
    equal((status, errors), (0, ""))
    values = tomllib.loads(output)
    return values, dict(line.split(" = ", 1) for line in output.splitlines() if not line.startswith("#"))


@case
def later_sources_win(_):
    with folder_with(VALID + "page_size = 1\norigins = ['a']\n[mail]\nhost = 'file'\n") as folder:
        values, lines = shown(folder)
        equal((values["page_size"], values["mail"]["host"], values["search"]), (1, "file", "basic"))
        equal(lines["page_size"], "1  # shop.toml:2:1")
        equal(lines["search"], '"basic"  # default')
        values, lines = shown(folder, SHOP_PAGE_SIZE="2", SHOP_ORIGINS="x, y", SHOP_MAIL__HOST="variable")
        equal((values["page_size"], values["origins"], values["mail"]["host"]), (2, ["x", "y"], "variable"))
        equal(lines["page_size"], "2  # SHOP_PAGE_SIZE")
        values, lines = shown(folder, "--page-size=3", "--origins", "p", "--origins=q", "--mail.host", "option",
                              "--debug", SHOP_PAGE_SIZE="2", SHOP_ORIGINS="x", SHOP_MAIL__HOST="v")
        equal((values["page_size"], values["origins"], values["debug"]), (3, ["p", "q"], True))
        equal(lines["page_size"], "3  # --page-size")
        equal(values["session_key"], "***")
        (folder / "other.toml").write_text(VALID + "page_size = 9\n")
        equal(shown(folder, "--config", "other.toml", SHOP_CONFIG="none")[0]["page_size"], 9)
        equal(shown(folder, SHOP_CONFIG="other.toml")[0]["page_size"], 9)


@case
def secrets_come_from_files(_):
    with folder_with() as folder:
        (folder / "key").write_text(SECRET + "\n")
        (folder / "session_key").write_text(SECRET)
        for arguments, environment, place in (
                ((), {"SHOP_SESSION_KEY": SECRET}, "SHOP_SESSION_KEY"),
                ((), {"SHOP_SESSION_KEY_FILE": f"{folder}/key"}, "SHOP_SESSION_KEY_FILE"),
                ((), {"CREDENTIALS_DIRECTORY": str(folder)}, "credential session_key"),
                (("--session-key-file", f"{folder}/key"), {}, "--session-key-file")):
            equal(shown(folder, *arguments, **environment)[1]["session_key"], f'"***"  # {place}')
        equal(refused(folder, "--session-key", SECRET, "--mail.password=" + SECRET)[0],
              "--session-key is not accepted, since other users can see it: use --session-key-file FILE or "
              "SHOP_SESSION_KEY")
        equal(refused(folder, SHOP_SESSION_KEY_FILE=SECRET)[0],
              "SHOP_SESSION_KEY_FILE: the file: No such file or directory")
        for bad in ("hunter2", "hunter2" * 100):
            equal(refused(folder, SHOP_SESSION_KEY=bad),
                  ["SHOP_SESSION_KEY must be a text of 8 to 200 characters; the value is secret"])


@case
def all_errors_are_reported_at_once(_):
    with folder_with('page_size = 5000\norigins = ["https://a", 3]\nmial.host = "x"\nsearch = "ful"\n'
                     '[mail]\nport = "smtp"\nhots = 1\n[server]\nprot = 9\nport = 70000\n'
                     'crash_folder = 1\nsandbox.mode = "on"\nsandbox.connect = [0]\nsandbox.raed = []\n') as folder:
        equal(refused(folder, "--page-sise", "3", "80", SHOP_DEBUG="maybe", SHOP_DATABASE_URL="\udcff"),
              ["unknown option `--page-sise`; did you mean `--page-size`?",
               "unexpected argument `80`",
               "SHOP_DATABASE_URL is not valid UTF-8",
               "shop.toml:1:1: `page_size` must be an integer from 1 to 1000, not 5000",
               "shop.toml:2:25: `origins[1]` must be a text, not 3",
               "shop.toml:3:1: unknown key `mial`; did you mean `mail`?",
               'shop.toml:4:1: `search` must be "basic" or "full", not "ful"',
               'shop.toml:6:1: `mail.port` must be an integer from 1 to 65535, not "smtp"',
               "shop.toml:7:1: unknown key `mail.hots`; did you mean `host`?",
               'SHOP_DEBUG must be true or false, not "maybe"',
               "`session_key` is missing: set it in shop.toml, by SHOP_SESSION_KEY_FILE or by --session-key-file",
               "shop.toml:9:1: unknown key `server.prot`; did you mean `port`?",
               "shop.toml:10:1: `server.port` must be an integer from 0 to 65535, not 70000",
               "shop.toml:11:1: `server.crash_folder` must be a text, not 1",
               'shop.toml:12:9: `server.sandbox.mode` must be "off", "available" or "required", not "on"',
               "shop.toml:13:20: `server.sandbox.connect[0]` must be an integer from 1 to 65535, not 0",
               "shop.toml:14:9: unknown key `server.sandbox.raed`; did you mean `read`?"])
        status, output, errors = run(folder, "--port", "http", SHOP_CONFIG="/dev/null")
        equal((status, output), (2, ""))
        check("/dev/null: is not a regular file" in errors, errors)


@case
def unusual_files(_):
    with folder_with() as folder:
        os.mkfifo(folder / "fifo")
        (folder / "directory").mkdir()
        files = {
            "empty": (b"", None),
            "comments": (b"# x\n\n", None),
            "bom": (b"\xef\xbb\xbfpage_size = 1\n", None),
            "large": (b"\n" * ((1 << 20) + 1), "large: is larger than 1048576 bytes"),
            "binary": (b"\x7fELF\x02\x01\x01" + bytes(100), "binary:1: "),
            "utf8": (b"database_url = '\xff'", "utf8:1:"),
            "duplicate": (b"page_size = 1\npage_size = 2", "duplicate:2:"),
            "no key": (b"[=]", "no key:1:"),
            "open": (f'session_key = "{SECRET}'.encode(), "open:1:"),
            "bare": (f"session_key = {SECRET}".encode(), "bare:1:"),
            "deep": (b"a" + b".a" * 300_000 + b" = 1", "deep:1: nested deeper than 24 levels"),
            "brackets": (b"a = " + b"[" * 500_000, "brackets:1: nested deeper than 24 levels"),
            "many": (b"".join(b"k%d = 1\n" % i for i in range(60_000)), "many:1:1: unknown key `k0`"),
            "long": (b"database_url = '" + b"x" * 1_000_000 + b"'", None),
            "fifo": (None, "fifo: is not a regular file"),
            "directory": (None, "directory: is a directory, not a file"),
            "missing": (None, "missing: No such file or directory"),
            "missing/x": (None, "missing/x: No such file or directory"),
            "empty/x": (None, "empty/x: Not a directory"),
            "": (None, None),
        }
        if os.geteuid() != 0:
            files["unreadable"] = (b"", "unreadable: Permission denied")
        for name, (data, error) in files.items():
            if data is not None:
                (folder / name).write_bytes(data)
            if name == "unreadable":
                (folder / name).chmod(0)
            if error is None:
                equal(run(folder, "--config-check", "--config=" + name, SHOP_SESSION_KEY=SECRET),
                      (0, "the configuration is valid\n", ""), name)
            else:
                found = refused(folder, "--config-check", "--config", name, SHOP_SESSION_KEY=SECRET)
                check(found[0].startswith(error), f"{name}: {found[:3]}")
                check(len(found) <= 33, f"{len(found)} errors")


@case
def pages_describe_the_settings(_):
    with folder_with("page_size = 5000") as folder:  # an invalid value does not prevent the output
        status, output, errors = run(folder, "--help")
        equal((status, errors), (0, ""))
        for words in ("--page-size VALUE\n      Products on a page\n      An integer from 1 to 1000; default 50\n"
                      "      Environment: SHOP_PAGE_SIZE\n",
                      "--session-key-file FILE", "--port NUMBER", "--config FILE",
                      "--mail.password-file FILE"):
            check(words in output, f"{words!r} is not in {output}")
        status, output, errors = run(folder, "--config-example")
        equal((status, errors, tomllib.loads(output)), (0, "", {}))
        check('# database_url = "sqlite:shop.db"' in output, output)
        status, output, errors = run(folder, "--config-schema")
        equal((status, errors), (0, ""))
        schema = json.loads(output)
        equal(schema["$defs"]["settings"]["properties"]["page_size"]["maximum"], 1000)
    with folder_with(VALID) as folder:
        equal(run(folder, "--config-check", SHOP_PAGE_SISE="1"),
              (0, "warning: unused variable SHOP_PAGE_SISE; did you mean SHOP_PAGE_SIZE?\n"
                  "the configuration is valid\n", ""))
        status, output, errors = run(folder, "--port=1", "--routes")
        equal((status, errors), (0, ""))
        check("/page" in output, output)
        equal(run(folder, "--port")[0], 2)
        check("65535" in run(folder, "--port=x")[2], "an invalid option of the server")


def page(of):
    return json.loads(of.get("/page").body)


@case
def a_server_reloads_what_is_reloadable(backend):
    with folder_with(VALID + "page_size = 1\nmail.host = 'a'\n[server]\ncores = 7\n") as folder, \
            Server(backend, "--search", "full", program="configured", folder=folder, log="info") as of:
        equal(page(of), {"size": 1, "search": "full", "origins": []})
        equal(of.get("/mail").body, b"a\n")
        check(soon(lambda: '"cores":1' in of.errors()), "the command line overrides the file")

        def reload(toml, record):
            before = len(of.errors())
            (folder / "shop.toml").write_text(toml)
            of.signal(signal.SIGHUP)
            check(soon(lambda: record in of.errors()[before:]), f"{record} is not in {of.errors()[before:]}")
            return of.errors()[before:]

        text = reload(VALID + "page_size = 2\norigins = ['x']\nsearch = 'basic'\n[server]\ncores = 7\n",
                      '"configuration reloaded"')
        check('"setting":"page_size","from":"1","to":"2"' in text, text)
        check('"changed setting needs a restart"' in text and '"setting":"mail"' in text, text)
        equal(page(of), {"size": 2, "search": "full", "origins": ["x"]})
        equal(of.get("/mail").body, b"a\n")
        for toml, reason in ((VALID + "page_size = 2000", "`page_size` must be an integer"),
                             ("", "`session_key` is missing"), (VALID + "pages = 1", "unknown key `pages`"),
                             (VALID + "{", "shop.toml:2:"),
                             (f"session_key = {SECRET}", "shop.toml:1:")):
            text = reload(toml, reason)  # an invalid file has two records, the second for the missing key
            check('"configuration not reloaded"' in text, text)
            equal(page(of)["size"], 2)
        reload(VALID.replace("hunter2-", "hunter2+") + "page_size = 3", '"configuration reloaded"')
        equal(page(of)["size"], 3)
        check("hunter2" not in of.errors(), of.errors())


@case
def the_administration_shows_the_current_settings(backend):
    with folder_with(VALID + "page_size = 1\nmail.host = 'a'\n") as folder, \
            Server(backend, program="configured", folder=folder, admin=administration.LOOPBACK,
                   environment={"SHOP_DEBUG": "true"}) as of:
        def read():
            answer = administration.get(of, "/debug/config")
            equal((answer.status, answer.field("content-type")), (200, "application/toml"))
            equal(answer.field("cache-control"), "no-store")
            check("hunter2" not in answer.body.decode(), "a secret")
            return tomllib.loads(answer.body.decode()), answer.body.decode()

        values, text = read()
        equal((values["page_size"], values["mail"]["host"], values["debug"]), (1, "a", True))
        for line in ('session_key = "***"  # shop.toml:1:1', "page_size = 1  # shop.toml:2:1",
                     "debug = true  # SHOP_DEBUG"):
            check(line in text.splitlines(), f"{line} is not in {text}")
        (folder / "shop.toml").write_text(VALID + "page_size = 0")
        of.signal(signal.SIGHUP)
        check(soon(lambda: '"configuration not reloaded"' in of.errors()), "an invalid file")
        equal(read()[0]["page_size"], 1)
        (folder / "shop.toml").write_text(VALID + "page_size = 2\nmail.host = 'b'\n")
        of.signal(signal.SIGHUP)
        check(soon(lambda: read()[0]["page_size"] == 2), "the new value")
        equal(read()[0]["mail"]["host"], "a")  # this setting changes only at a restart
        equal(of.get("/debug/config").status, 404)
        document = administration.scrape(of)
        counts = {outcome: document.value("apus_configuration_reloads_total", outcome=outcome)
                  for outcome in ("changed", "unchanged", "refused")}
        equal(counts, {"changed": 1, "unchanged": 0, "refused": 1})


@case
def programs_without_settings_show_none(backend):
    with administration.running(backend) as of:
        equal(administration.get(of, "/debug/config").status, 404)


@case
def reloads_under_load_lose_no_request(backend):
    with folder_with(VALID + "page_size = 1") as folder, \
            Server(backend, "--cores", "2", program="configured", folder=folder, log="off") as of:
        for number in range(2, 40):
            (folder / "shop.toml").write_text(VALID + f"page_size = {number}")
            of.signal(signal.SIGHUP)
            for _ in range(5):
                check(1 <= page(of)["size"] <= number, "a value that was in no file")
        check(soon(lambda: page(of)["size"] == 39), "the last value")


if __name__ == "__main__":
    main()
