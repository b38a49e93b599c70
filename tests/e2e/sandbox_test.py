#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what code inside a server can do with and without the sandbox. Needs a kernel with Landlock; some cases need
root."""

import ctypes
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.parse

import cases
import server
import wire
from cases import case, check, equal
from restarting import Restarting, shows
from tls_wire import SecureServer

server.PROGRAMS["sandbox"] = server.BUILD / "tests/sandbox_server"
server.PROGRAMS["sandboxed"] = server.BUILD / "bin/sandboxed"
server.SANDBOXED = False  # these tests give their own options
THREADS = ("", "blocking", "new", "old")
# LeakSanitizer stops the threads of a process with ptrace when it ends, which the sandbox does not allow.
UNCHECKED = {"ASAN_OPTIONS": "detect_leaks=0"} if cases.SANITIZED else {}
UNCHECKED["TMPDIR"] = tempfile.gettempdir()  # otherwise the server may also create files in /var/tmp


def landlock_version():
    return ctypes.CDLL(None, use_errno=True).syscall(444, 0, 0, 1)


class Confined(server.Server):
    """A server in the sandbox, with a folder to write to."""

    def __init__(self, backend, *options, mode="--sandbox", **more):
        more.setdefault("environment", UNCHECKED.items())
        more.setdefault("log", "info,logfmt")
        super().__init__(backend, mode, *options, program="sandbox", **more)

    def attack(self, name, target="", thread=""):
        words = urllib.parse.urlencode({"target": str(target), "thread": thread})
        return self.get(f"/attack/{name}?{words}").body.decode()


def outside(folder):
    """Makes files that belong to this test, in a folder that the server may not use."""
    place = pathlib.Path(folder, "outside")
    place.mkdir()
    (place / "file").write_text("secret")
    return place


def temporary():
    # Not in /tmp, where the server may create temporary files.
    return tempfile.TemporaryDirectory(dir="/var/tmp")


@case
def files_outside_are_refused_on_every_thread(backend):
    with temporary() as folder, _inside(backend, folder) as of:
        place = outside(folder)
        for thread in THREADS:
            for name, target in [("read", "/etc/shadow"), ("read", "/etc/passwd"), ("read", place / "file"),
                                 ("list", "/"), ("list", "/etc"), ("write", place / "new"), ("write", place / "file"),
                                 ("remove", place / "file"), ("rename", place / "file"), ("truncate", place / "file"),
                                 ("read", f"{folder}/inside/../outside/file"), ("read", f"{folder}/inside/link"),
                                 ("read", "/proc/1/environ"), ("read", "/proc/self/root/etc/shadow")]:
                equal(of.attack(name, target, thread), "EACCES", f"{name} {target} {thread}")
            equal(of.attack("chmod", place / "file", thread), "EPERM", thread)


def _inside(backend, folder, *options, **more):
    inside = pathlib.Path(folder, "inside")
    inside.mkdir()
    (inside / "link").symlink_to("../outside/file")
    (inside / "file").write_text("")
    return Confined(backend, "--sandbox-write", str(inside), *options, **more)


@case
def named_files_and_needs_of_the_library_work(backend):
    with temporary() as folder, _inside(backend, folder, "--sandbox-read", "/etc/passwd") as of:
        place = pathlib.Path(folder, "inside")
        for thread in THREADS:
            for name, target in [("read", place / "file"), ("write", place / ("new" + thread)), ("list", place),
                                 ("rename", place / ("new" + thread)), ("remove", place / f"new{thread}.renamed"),
                                 ("truncate", place / "file"), ("read", "/etc/passwd"), ("read", "/dev/urandom"),
                                 ("read", "/proc/self/stat"), ("write", "/dev/null"), ("signal", of.process.pid),
                                 ("write", tempfile.gettempdir() + f"/sandbox-test-{os.getpid()}-{backend}"),
                                 ("remove", tempfile.gettempdir() + f"/sandbox-test-{os.getpid()}-{backend}")]:
                equal(of.attack(name, target, thread), "ok", f"{name} {target} {thread}")
        equal(of.attack("write", "/etc/passwd"), "EACCES")
        check(server.soon(lambda: "msg=sandbox " in of.errors()), of.errors())
        check("incomplete" not in of.errors() or cases.SANITIZED, of.errors())


@case
def the_default_folder_for_uploads_is_allowed(backend):
    with Confined(backend, environment={**UNCHECKED, "TMPDIR": ""}.items()) as of:
        for name in ("write", "remove"):
            equal(of.attack(name, f"/var/tmp/sandbox-test-{os.getpid()}-{backend}"), "ok", name)


@case
def programs_and_processes_are_refused(backend):
    with Confined(backend) as of:
        for thread in THREADS:
            for name, target in [("exec", "/bin/sh"), ("exec", "/bin/true"), ("execve", "/bin/true"), ("fork", ""),
                                 ("user_namespace", ""), ("clone_namespace", ""), ("signal", os.getpid()),
                                 ("ring", ""), ("become", ""), ("terminal", "")]:
                equal(of.attack(name, target, thread), "EPERM", f"{name} {target} {thread}")
            equal(of.attack("new_call", "", thread), "ENOSYS", "a call that is newer than the table")


@case
def allowed_programs_run_in_the_sandbox(backend):
    with temporary() as folder:
        script = pathlib.Path(folder, "script")
        script.write_text("#!/bin/sh\ncat /etc/shadow > /dev/null 2>&1 && exit 1\nexit 0\n")
        script.chmod(0o755)
        with Confined(backend, *(w for p in (script, "/bin/sh", "/bin/cat", "/bin/true") for w in ("--sandbox-exec", p)
                                 )) as of:
            equal(of.attack("exec", script), "ok", "a program that cannot read outside files")
            equal(of.attack("exec", "/bin/true", "old"), "ok")
            equal(of.attack("exec", "/bin/ls"), "EACCES")
            equal(of.attack("user_namespace"), "EPERM")


@case
def connections_need_a_port(backend):
    with socket.create_server(("127.0.0.1", 0)) as allowed, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [s.getsockname()[1] for s in (allowed, other)]
        with Confined(backend) as of:
            for thread in THREADS:
                equal([of.attack("connect", p, thread) for p in ports], ["EPERM", "EPERM"], thread)
                equal(of.attack("bind", "", thread), "EPERM")
        with Confined(backend, "--sandbox-connect", str(ports[0])) as of:
            for thread in THREADS:
                equal([of.attack("connect", p, thread) for p in ports], ["ok", "EACCES"], thread)
                equal([of.attack(n, "", thread) for n in ("bind", "raw", "packets")], ["EACCES", "EPERM", "EPERM"])
            equal(of.attack("resolve", "localhost"), "ok")
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as local:
        path = folder + "/socket"
        local.bind(path)
        local.listen()
        with Confined(backend) as of:
            equal(of.attack("connect_unix", path), "EPERM")
        with Confined(backend, "--sandbox-connect", "unix") as of:
            equal((of.attack("connect_unix", path), of.attack("connect", ports[0])), ("ok", "EPERM"))


@case
def dangerous_calls_end_the_process_and_name_themselves(backend):
    for name, thread in [("ptrace", ""), ("mount", "blocking"), ("mount", "old")]:
        with Confined(backend) as of:
            try:
                got = of.attack(name, "/mnt", thread)
            except wire.Closed:
                got = None
            equal((got, of.wait()), (None, -31), name)  # SIGSYS
            check(f"signal=SIGSYS system_call={name}" in of.errors(), of.errors())


@case
def the_example_serves_its_folder_only(backend):
    with temporary() as folder, \
            server.Server(backend, program="sandboxed", log="info,logfmt",
                          environment={"FOLDER": folder, **UNCHECKED}) as of, of.connect() as client:
        client.send(wire.request("/guests", "POST", ["Content-Length: 3"]) + b"Ada")
        equal((client.answer().status, of.get("/guests").body), (204, b"Ada\n"))
        equal(of.get(f"/files{folder}/guests.txt").body, b"Ada\n")
        for path in ("/etc/passwd", "/etc/shadow", "/proc/1/cmdline"):
            equal(of.get("/files" + path).status, 404, path)
        check(server.soon(lambda: "msg=sandbox " in of.errors()), of.errors())


@case
def restarts_leave_the_sandbox_and_enter_it_again(backend):
    # The old process cannot execute programs, and the new process may need other files.
    with temporary() as folder, Restarting(backend, ("127.0.0.1:0", "unix:DIR/socket"), program="sandbox",
                                           arguments=["--sandbox=required", "--sandbox-read", folder],
                                           environment={**UNCHECKED, "TEST_TRIAL_MS": "20"}) as running:
        for _ in range(18):  # the kernel permits 16 sandboxes inside each other
            running.restart()
            equal(running.get("/attack/execve?target=/bin/true&thread=").body, b"EPERM")
            equal(running.get(f"/attack/list?target={folder}&thread=old").body, b"ok")
        running.replace("exit 7")
        running.request_restart()
        shows(running, "the new process exited with status 7")
        pathlib.Path(folder).rename(folder + ".away")
        running.replace()
        running.request_restart()
        shows(running, f"the new process reports: sandbox: cannot allow `{folder}`: No such file or directory")
        pathlib.Path(folder + ".away").rename(folder)
        equal(running.get("/").status, 200)
        paths = (running.folder / "socket", running.pid_file)
        check(all(path.exists() for path in paths), "the failed restarts have removed files")
        os.kill(running.pid(), signal.SIGTERM)
        equal(set(running.statuses()), {0})
        equal([path.exists() for path in paths], [False, False])
        equal(subprocess.run(["pgrep", "-f", str(running.program)], capture_output=True, check=False).stdout, b"")


@case
def certificates_are_renewed_in_the_sandbox(backend):
    with temporary() as folder, SecureServer(backend, "--sandbox", log="info,logfmt",
                                               environment={**UNCHECKED, "TMPDIR": folder}) as of:
        authority, (certificate, key) = of.authority, of.pairs[0]
        before = ssl.get_server_certificate(("127.0.0.1", of.port))
        fresh = authority.sign("localhost", "DNS:localhost,IP:127.0.0.1")
        for new, old in zip(fresh, (certificate, key)):
            os.replace(new, old)
        of.signal(signal.SIGHUP)
        check(server.soon(lambda: ssl.get_server_certificate(("127.0.0.1", of.port)) != before), of.errors())


@case
def without_it_nothing_is_refused(backend):
    with server.Server(backend, program="sandbox", environment=UNCHECKED.items()) as of:
        equal(of.get("/attack/read?target=/etc/passwd&thread=").body, b"ok")
        equal(of.get("/attack/exec?target=/bin/true&thread=").body, b"ok")


@case
def a_missing_path_ends_the_start(backend):
    status, out, err = server.ended("sandbox", "--port", "0", "--sandbox-read", "/no/such/file", APUS_IO=backend)
    equal((status, out), (1, ""))
    check("error: sandbox: cannot allow `/no/such/file`: No such file or directory" in err, err)


if __name__ == "__main__":
    if landlock_version() < 4:
        print("skipped: the kernel has no Landlock of version 4 (Linux 6.7)")
        sys.exit(cases.SKIPPED)
    if os.environ.get("APUS_SANITIZE") == "thread":
        print("skipped: with ThreadSanitizer, the sandbox does not restrict files")
        sys.exit(cases.SKIPPED)
    cases.main()
