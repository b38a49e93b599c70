#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests crash reports: a server that crashes leaves a report in a folder, and `apus crash` shows it."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

import administration
from cases import case, check, equal, main, unsanitized
from server import BUILD, Server, ended, soon
from wire import request

TOOL = BUILD / "bin/apus"
SECRET = "5up3r-s3cr3t"


def running(backend, folder, *arguments, **options):
    return Server(backend, "--crash-folder", folder, *arguments, program="blocked", log="info,json", **options)


def crashed(backend, path, *arguments, number=None, folder=None):
    """Lets a server crash. Returns its report: lists of fields, by key; and the lines of its log."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(folder or temporary)
        with running(backend, folder, *arguments) as server, server.connect() as client:
            client.send(request(path, fields=[f"Authorization: Bearer {SECRET}", f"Cookie: id={SECRET}"]))
            status = server.wait()
            log = server.errors()
        if number:
            equal(status, -number, "exit status")
        file, = folder.glob("*.crash")
        equal(file.stat().st_mode & 0o777, 0o600)
        text = file.read_text()
        check(SECRET not in text, f"the report has a secret: {text}")
        check(SECRET not in log, f"the log has a secret: {log}")
        lines = text.splitlines()
        equal([lines[0], lines[-1]], ["apus crash report 1", "end"])
        report = {}
        for line in lines[1:]:
            key, *fields = line.split("\t")
            report.setdefault(key, []).append(fields)
        return report, log, shown(file)


def shown(file):
    if not TOOL.exists():
        return None  # builds with sanitizers do not contain the tool
    done = subprocess.run([TOOL, "crash", file], capture_output=True, text=True, timeout=60)
    equal([done.returncode, done.stderr], [0, ""])
    return done.stdout


def functions(report):
    return [frame[4] for frame in report["frame"]]


@unsanitized
@case
def each_kind_of_crash_leaves_a_report(backend):
    kinds = {"segv": ("SIGSEGV", "crash"), "overflow": ("SIGSEGV", "overflow"), "abort": ("SIGABRT", "crash"),
             "fpe": ("SIGFPE", "crash"), "ill": ("SIGILL", "crash"), "bus": ("SIGBUS", "crash"),
             "null": ("SIGSEGV", "call_nothing"), "terminate": ("SIGABRT", "crash")}
    for how, (name, function) in kinds.items():
        report, log, text = crashed(backend, f"/crash/{how}?token={SECRET}", number=getattr(signal, name))
        equal(report["signal"], [[name]], how)
        check(any(function in each for each in functions(report)), f"{how}: the stack is {functions(report)}")
        core, method, route, request_id = report["request"][0]
        equal([core, method, route, len(request_id)], ["0", "GET", "/crash/{how}", 32])
        equal([report["thread"], report["apus"]], [[["core 0"]], [["0.1.0"]]])
        equal(pathlib.Path(report["program"][0][0]).name, "blocked_server")
        check(len(report["build_id"][0][0]) >= 16, f"the build ID is {report['build_id']}")
        check(function in log and report["build_id"][0][0] in log, f"{how}: the log is {log}")
        if text:
            check(text.startswith(name + ": ") and request_id in text and f"{function}(" in text, text)
            check("incomplete" not in text, text)


@unsanitized
@case
def the_report_has_the_cause(backend):
    report, log, text = crashed(backend, "/crash/terminate")
    equal(report["exception"], [["std::runtime_error", "thrown from noexcept"]])
    check('"exception":"std::runtime_error"' in log, log)
    check(text is None or "std::runtime_error: thrown from noexcept\n" in text, text)
    equal(crashed(backend, "/crash/segv")[0]["address"], [["10"]])
    equal(crashed(backend, "/crash/null")[0]["address"], [["0"]])


@unsanitized
@case
def blocking_calls_leave_reports(backend):
    for how in ("segv", "overflow", "terminate"):
        report = crashed(backend, f"/crash/blocking/{how}")[0]
        equal(report["thread"], [["apus-blocking"]])
        wanted = "overflow" if how == "overflow" else "crash"
        check(any(wanted in each for each in functions(report)), f"{how}: the stack is {functions(report)}")


@unsanitized
@case
def requests_of_other_cores_are_in_the_report(backend):
    with tempfile.TemporaryDirectory() as folder, running(backend, folder, "--cores", "2") as server:
        with server.connect() as blocking:
            blocking.send(request("/block/4000"))
            check(soon(lambda: "the core is blocked" in server.errors()), "not blocked: " + server.errors())
            clients = [server.connect() for _ in range(16)]  # on both cores
            for client in clients:
                client.send(request("/crash/segv"))
            server.wait()
            for client in clients:
                client.socket.close()
        lines = [line.split("\t") for line in next(pathlib.Path(folder).glob("*.crash")).read_text().splitlines()]
        equal(sorted(line[2:4] for line in lines if line[0] == "request"),
              [["GET", "/block/{ms}"], ["GET", "/crash/{how}"]])


@unsanitized
@case
def requests_that_wait_are_in_the_report(backend):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as open_until_end, \
            running(backend, folder, "--cores", "2", admin=administration.LOOPBACK) as server:
        for _ in range(100):  # more than are reported of a core
            client = open_until_end.enter_context(server.connect())
            client.send(request(f"/wait/600000?token={SECRET}", fields=[f"Authorization: Bearer {SECRET}"]))
        check(soon(lambda: tasks_of(server) == 100), "100 tasks that wait")
        with server.connect() as client:
            client.send(request("/crash/segv"))
            equal(server.wait(), -signal.SIGSEGV)
        file = next(pathlib.Path(folder).glob("*.crash"))
        lines = [line.split("\t") for line in file.read_text().splitlines()]
        waiting = [line[1:] for line in lines if line[0] == "waiting"]
        check(50 <= len(waiting) <= 2 * 64, f"{len(waiting)} requests")
        equal({tuple(each[1:3]) for each in waiting}, {("GET", "/wait/{ms}")})
        equal({each[0] for each in waiting}, {"0", "1"})
        equal(len({each[3] for each in waiting}), len(waiting))  # request IDs
        equal({each[5] for each in waiting}, {"blocked_server.cpp"})
        check(all(int(each[4]) < 600_000 and int(each[6]) > 0 for each in waiting), waiting)
        equal(lines[-1], ["end"])
        check(SECRET not in file.read_text() + server.errors(), "a secret")
        text = shown(file)
        check(text is None or "\nRequests that waited\n  core 0  GET /wait/{ms}  request ID " in text, text)


def tasks_of(server):
    return administration.get(server, "/debug/tasks").body.count(b"/wait/{ms}")


@unsanitized
@case
def reports_are_written_in_the_sandbox(backend):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        report, log, _ = crashed(backend, "/crash/segv", "--sandbox", folder=folder, number=signal.SIGSEGV)
        check('"msg":"sandbox"' in log, log)
        check(any("crash" in each for each in functions(report)), f"the stack is {functions(report)}")


@case
def a_folder_that_is_not_writable_is_an_error_of_the_start(backend):
    with tempfile.NamedTemporaryFile() as file:
        for folder, why in (("/nowhere", "No such file or directory"), (file.name, "Not a directory")):
            status, _, errors = ended("blocked", "--port", "0", "--crash-folder", folder, APUS_IO=backend)
            equal(status, 1)
            check(f"error: crash_folder: cannot write to `{folder}`: {why}" in errors, errors)


@unsanitized
@case
def a_folder_that_is_gone_does_not_change_the_end_of_the_process(backend):
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with tempfile.TemporaryDirectory() as folder, running(backend, folder) as server, server.connect() as client:
        os.rmdir(folder)
        client.send(request("/crash/segv"))
        equal(server.wait(), -signal.SIGSEGV)
        check('"msg":"the process crashed"' in server.errors(), server.errors())
        os.mkdir(folder)


if __name__ == "__main__":
    main()
