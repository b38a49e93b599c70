#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a server whose program is replaced while clients use it, and new programs that fail, which have no effect."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import sockets
import wire
from cases import case, check, equal, main, skip, unsanitized
from restart_load import Load
from restarting import Restarting, shows
from server import BUILD, PROGRAMS, SANDBOXED, soon
from wire import request

RESTARTS = 3
PROGRAMS["restarting"] = BUILD / "bin/restarting"
SERVER = os.path.abspath(PROGRAMS["limits"])


def kinds(running):
    plain, secure = running.ports
    return {"http1": (1, plain), "pausing": (1, plain), "opening": (1, plain), "http2": (1, secure),
            "websocket": (1, plain)}


@case
def no_request_is_lost(backend):
    listen = ("http://127.0.0.1:0", "https://127.0.0.1:0")
    with Restarting(backend, listen, tls=True) as running:
        load = Load(kinds(running), running.authority.file)
        for _ in range(RESTARTS):
            time.sleep(0.7)
            running.restart()
        time.sleep(1.5)
        results = load.end()
        print({kind: (r.requests, r.connections) for kind, r in results.items()}, file=sys.stderr)
        equal([f for r in results.values() for f in r.failures], [])
        check(all(r.requests > 50 for r in results.values()), "no load")
        equal(len(set(running.pids)), 1 + RESTARTS)


FAILING = {
    "kill -SEGV $$": "the new process was terminated by SIGSEGV",
    "exit 7": "the new process exited with status 7",
    "exec sleep 1000": "the new process was not ready in time",
    f'exec {SERVER} "$@" --listen 256.0.0.1:1': "the new process reports: cannot listen on `256.0.0.1`",
    None: "cannot be started: No such file or directory",
}


@case
def a_new_program_that_fails_changes_nothing(backend):
    # On a busy machine, the client pauses for more than 10 s.
    environment = {"TEST_RESTART_MS": "1500", "TEST_LIMITS": "head=60000,idle=60000"}
    with Restarting(backend, environment=environment) as running, running.connect() as kept:
        for script, why in FAILING.items():
            running.replace(script)
            if script is None:
                running.program.unlink()
            running.request_restart()
            shows(running, why)
            check('msg="restart failed; this process continues"' in running.messages(), running.messages())
            equal(kept.get("/").closes, False, script)
            equal(running.get("/").status, 200, script)
        children = pathlib.Path(f"/proc/{running.pid()}/task/{running.pid()}/children").read_text().split()
        names = [pathlib.Path(f"/proc/{pid}/comm").read_text().strip() for pid in children]
        equal([name for name in names if name != "apus-starter"], [], "children")  # a sandbox needs apus-starter
        kept.socket.close()
        running.restart()
        equal(running.get("/").status, 200)


def taking_over(action):
    """Returns a program that reports that it is ready, and does this when it may serve."""
    return f"""exec python3 -c 'import os, socket, time
old = socket.socket(fileno=int(os.environ["APUS_RESTART"]))
old.send(b"ready")
old.recv(100)
{action}' """


FAILING_LATE = {
    taking_over("os.abort()"): "the new process was terminated by SIGABRT",
    taking_over("os._exit(5)"): "the new process exited with status 5",
    taking_over("time.sleep(1000)"): "the new process did not serve in time",
    taking_over('os.closerange(3, old.fileno()); time.sleep(1000)'): "the new process did not serve in time",
    taking_over("old.close(); time.sleep(1000)"): "the new process does not serve",
    taking_over('old.send(b"failed no sandbox"); time.sleep(1000)'): "the new process reports: no sandbox",
    f'TEST_BACKGROUND=abort exec {SERVER} "$@"': "the new process was terminated by SIGABRT",
    f'TEST_BACKGROUND=close exec {SERVER} "$@"': "the new process reports: the program has closed descriptor ",
    f'TEST_BACKGROUND=block exec {SERVER} "$@"':
        "the new process reports: a background task blocks its core",
}


@case
def a_new_program_that_fails_while_it_takes_over_loses_nothing(backend):
    with Restarting(backend, environment={"TEST_RESTART_MS": "3000"}) as running:
        load = Load({kind: (1, running.ports[0]) for kind in ("http1", "pausing", "opening", "websocket")})
        for number, (script, why) in enumerate(FAILING_LATE.items(), 1):
            running.replace(script)
            before = len(running.messages())
            running.request_restart()
            failed = 'msg="restart failed; this process continues"'
            check(soon(lambda: running.messages().count(failed) == number), f"{script}: {running.messages()}")
            check(why in running.messages()[before:], f"{script}: {running.messages()[before:]}")
            equal(running.pid(), running.pids[0], f"{script}: PID file")
        running.restart()
        time.sleep(0.5)
        results = load.end()
        equal([f for r in results.values() for f in r.failures], [])
        check(all(r.requests > 50 for r in results.values()), "no load")
        equal([f.name for f in running.folder.glob("server.pid.*")], [], "prepared PID files")


@case
def helpers_of_a_failed_program_are_killed(backend):
    with Restarting(backend, environment={"TEST_RESTART_MS": "1000"}) as running:
        running.replace(f"sleep 1000 & echo $! > {running.folder}/helper; wait")
        running.request_restart()
        shows(running, "not ready in time")
        helper = int((running.folder / "helper").read_text())
        check(soon(lambda: not running_process(helper)), "a process of the new program's group still runs")


@case
def helpers_of_a_program_that_fails_while_it_takes_over_are_killed(backend):
    if SANDBOXED:
        return skip("the sandbox does not let the program start another process")
    with Restarting(backend) as running:
        helpers = running.folder / "helpers"
        running.replace(f'TEST_HELPERS={helpers} TEST_BACKGROUND=fork exec {SERVER} "$@"')
        running.request_restart()
        shows(running, "the new process was terminated by SIGABRT")
        started = [int(word) for word in helpers.read_text().split()]
        check(started, "no helper was started")
        check(soon(lambda: not any(map(running_process, started))), "a process that the new program started still runs")
        equal(running.get("/").status, 200)


def running_process(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass
    return pathlib.Path(f"/proc/{pid}").exists()


@case
def a_restart_does_not_wait_for_a_reader_of_standard_output(backend):
    with Restarting(backend) as running:
        output = os.open(f"/proc/{running.pid()}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
        try:
            while os.write(output, b"x" * 4096):
                pass
        except BlockingIOError:
            os.close(output)
        running.restart()
        equal(running.get("/").status, 200)
        shows(running, 'msg="addresses not printed"')
        running.restart()


@case
def a_second_request_is_rejected(backend):
    with Restarting(backend, environment={"TEST_RESTART_MS": "1500"}) as running:
        running.replace("exec sleep 1000")
        running.request_restart()
        shows(running, "msg=restarting")
        running.request_restart()
        shows(running, 'msg="SIGUSR2 has no effect" thread=server reason="a restart is already in progress"')
        shows(running, "not ready in time")
        equal(running.messages().count("msg=restarting"), 1)


@case
def a_stop_ends_a_restart(backend):
    with Restarting(backend) as running:
        running.replace(f"echo $$ > {running.folder}/new; exec sleep 1000")
        running.request_restart()
        started = running.folder / "new"
        check(soon(lambda: started.exists() and started.read_text()), "the new program does not start")
        os.kill(running.pid(), signal.SIGTERM)
        equal(running.statuses(), [0])
        new = int(started.read_text())
        check(soon(lambda: not running_process(new)), "the new program still runs")


@case
def requests_in_flight_and_bodies_are_completed(backend):
    with Restarting(backend) as running, running.connect() as slow, running.connect() as sending:
        slow.send(request("/sleep/4000"))
        sending.send(request("/echo", "POST", ["Content-Length: 8"]) + b"half")
        with running.connect() as pipelined:
            pipelined.send(request("/sleep/3000"))
            running.restart()
            answer = pipelined.answer()
            equal((answer.status, answer.closes), (200, True))
        sending.send(b"half")
        answer = sending.answer()
        equal((answer.status, answer.body, answer.closes), (200, b"halfhalf", True))
        answer = slow.answer()
        equal((answer.status, answer.closes), (200, True))


@case
def pipelined_requests_are_answered(backend):
    with Restarting(backend, cores=1) as running, running.connect() as client, running.connect() as other:
        equal((client.get("/").closes, other.get("/").closes), (False, False))
        running.restart()
        check(soon(lambda: other.get("/").closes), "the old process does not drain")
        client.send(request("/") * 20)
        answers = [client.answer() for _ in range(20)]
        equal([a.closes for a in answers], [False] * 19 + [True])


@case
def a_socket_with_a_path_is_handed_over(backend):
    with Restarting(backend, ("127.0.0.1:0", "unix:DIR/socket")) as running:
        path = running.folder / "socket"
        for _ in range(2):
            running.restart()
            with wire.Wire(str(path)) as client:
                equal(client.get("/").status, 200)
        running.replace("exit 1")
        running.request_restart()
        shows(running, "exited with status 1")
        equal(path.exists(), True, "the path after a failed restart")
        os.kill(running.pid(), signal.SIGTERM)
        equal(running.statuses(), [0, 0, 0])
        equal((path.exists(), running.pid_file.exists()), (False, False))


@case
def the_administration_is_handed_over(backend):
    with Restarting(backend, arguments=["--admin", "unix:DIR/admin"]) as running:
        path = str(running.folder / "admin")

        def ready():
            with wire.Wire(path) as client:
                return client.get("/readyz").status
        equal(ready(), 200)
        with running.connect() as slow:
            slow.send(request("/sleep/1000"))
            for _ in range(2):
                running.restart()
                equal([ready() for _ in range(10)], [200] * 10)
            equal(slow.answer().status, 200)


@case
def another_number_of_cores_is_served(backend):
    for before, after in ((1, 3), (3, 1)):
        with Restarting(backend, cores=before) as running:
            running.replace(f'[ "$1" = --cores ] && shift 2\nexec {SERVER} --cores {after} "$@"')
            pid = running.pid()
            running.request_restart()
            check(soon(lambda: running.pid() != pid), running.messages())
            running.pids.append(running.pid())
            for _ in range(50):
                equal(running.get("/").status, 200)


@case
def websockets_get_1012_and_a_hint(backend):
    with Restarting(backend) as running, sockets.Socket(_place(running), "/ws") as plain, \
            sockets.Socket(_place(running), "/ws/resumed") as hinted:
        equal(hinted.frame(), (sockets.FINAL | sockets.TEXT, b"hello"))
        running.restart()
        equal(plain.frame(), (sockets.FINAL | sockets.CLOSE, b"\x03\xf4the server restarts"))
        equal(hinted.frame(), (sockets.FINAL | sockets.CLOSE, b"\x03\xf4resume=7"))
        for client in (plain, hinted):
            client.send(sockets.close(1012))
            equal(client.rest(), b"")


class _place:
    def __init__(self, running):
        self.port = running.ports[0]


@case
def a_message_in_progress_is_answered_first(backend):
    with Restarting(backend) as running, sockets.Socket(_place(running), "/ws/slow") as client:
        client.send(sockets.frame(sockets.FINAL | sockets.TEXT, b"a"))
        time.sleep(0.05)
        running.restart()
        equal(client.frame(), (sockets.FINAL | sockets.TEXT, b"a"))
        equal(client.frame()[0], sockets.FINAL | sockets.CLOSE)


@case
def the_first_process_of_a_container_stays_as_parent(backend):
    """In its own PID namespace, the server is process 1. If it exits, the kernel kills all other processes."""
    with tempfile.TemporaryDirectory() as folder:
        pid_file = pathlib.Path(folder) / "pid"
        with (pathlib.Path(folder) / "log").open("w+") as log:
            outer = subprocess.Popen(
                ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", SERVER,
                 "--cores", "1", "--port", "0", "--drain", "5", "--pid-file", str(pid_file)], text=True,
                stdout=subprocess.PIPE, stderr=log, env=dict(os.environ, APUS_IO=backend, APUS_LOG="info"))
            try:
                port = int(outer.stdout.readline().rsplit(":", 1)[1])
                equal(pid_file.read_text(), "1\n")
                children = pathlib.Path(f"/proc/{outer.pid}/task/{outer.pid}/children")
                first = int(children.read_text())
                for _ in range(3):  # from the second time on, process 1 forwards the signal
                    before = pid_file.read_text()
                    os.kill(first, signal.SIGUSR2)
                    check(soon(lambda: pid_file.read_text() != before), pathlib.Path(log.name).read_text())
                    with wire.Wire(("127.0.0.1", port)) as client:
                        equal(client.get("/").status, 200)
                os.kill(first, signal.SIGTERM)
                equal(outer.wait(20), 0, pathlib.Path(log.name).read_text())
            finally:
                outer.kill()
                outer.wait()
                outer.stdout.close()


@case
def the_example_resumes_where_it_was(backend):
    with Restarting(backend, program="restarting") as running:
        with sockets.Socket(_place(running), "/count/5") as client:
            client.send(sockets.frame(sockets.FINAL | sockets.TEXT, b"+"))
            equal(client.frame()[1], b"6")
            running.restart()
            equal(client.frame(), (sockets.FINAL | sockets.CLOSE, b"\x03\xf4/count/6"))
            client.send(sockets.close(1012))

        def resumed():
            with sockets.Socket(_place(running), "/count/6") as client:
                client.send(sockets.frame(sockets.FINAL | sockets.TEXT, b"+"))
                return client.frame()[1]

        # A core of the old process that does not drain yet may accept the client; it also closes the session.
        check(soon(lambda: resumed() == b"7"), "the count does not continue")


def apus_restart(*words):
    done = subprocess.run([BUILD / "bin/apus", "restart", *map(str, words)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


@unsanitized  # builds with sanitizers do not contain the tool
@case
def the_tool_waits_for_the_result(backend):
    with Restarting(backend) as running:
        status, text = apus_restart("--pid-file", running.pid_file, "--wait", 30)
        running.pids.append(running.pid())
        equal((status, f"Restarted process {running.pid()} serves" in text), (0, True), text)
        equal(len(set(running.pids)), 2)
        running.replace("exit 3")
        status, text = apus_restart("--pid", running.pid())
        equal((status, "restart failed: the new process exited with status 3" in text), (1, True), text)
        equal(running.get("/").status, 200)
    with subprocess.Popen(["sleep", "100"]) as other:
        status, text = apus_restart("--pid", other.pid)
        equal((status, "is not a server that can be restarted" in text, other.poll()), (1, True, None), text)
        other.kill()


if __name__ == "__main__":
    main()
