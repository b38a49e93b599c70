#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests restarts while the new process is on trial, and the old process still runs: crashes, signals and stalled
processes."""

import contextlib
import os
import pathlib
import signal
import threading
import time

import wire
from cases import case, check, equal, main
from restart_load import Load
from restarting import Restarting, shows
from server import PATIENCE, PROGRAMS, soon
from wire import request

SERVER = os.path.abspath(PROGRAMS["limits"])
LISTEN = ("127.0.0.1:0", "unix:DIR/socket")
RELOADED = 'msg="certificates were reloaded"'
FAILED = 'msg="restart failed; this process continues"'


def on_trial(backend, milliseconds=60_000, started_by=(), **environment):
    """Returns a server whose new process stays on trial for this time."""
    environment |= {"TEST_TRIAL_MS": str(milliseconds), "TEST_LIMITS": "rate_window=60000"}
    return Restarting(backend, LISTEN, environment=environment, started_by=started_by)


def begin_trial(running):
    """Restarts until the new process serves beside the old one. Returns its process ID."""
    running.request_restart()
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(running.process.stdout.readline() for _ in LISTEN),
                              daemon=True)
    reader.start()
    reader.join(PATIENCE)
    equal([line.partition(" on ")[0] for line in lines], ["listening" for _ in LISTEN], running.messages())
    new = new_process(running)
    running.pids.append(new)
    return new


def new_process(running):
    shows(running, "new_process=")
    return int(running.messages().rsplit("new_process=", 1)[1].split()[0])


def busy(running, stack, milliseconds=1500):
    """Returns a client of the process that accepts, with a request in flight."""
    client = stack.enter_context(running.connect())
    client.send(request(f"/sleep/{milliseconds}"))
    return client


def held(running, stack):
    """Returns a client of the process that accepts, whose request is in flight until `released`."""
    client = stack.enter_context(running.connect())
    client.send(request("/echo", "POST", ["Content-Length: 1", "Expect: 100-continue"]))
    client.until(b"100 Continue\r\n\r\n")
    return client


def released(clients):
    """Completes the requests. Returns the statuses of the responses."""
    for client in clients:
        client.send(b"x")
    return [client.answer().status for client in clients]


def served_by(running):
    """Returns the IDs of the processes that serve new connections."""
    for where in [("127.0.0.1", running.ports[0])] * 20 + [str(running.folder / "socket")] * 5:
        with wire.Wire(where) as client:
            yield int(client.get("/process").body)


def serves(running, pid):
    """Fails unless all new connections are soon served by this process."""
    check(soon(lambda: all(one == pid for one in served_by(running))),
          f"process {pid} does not serve: {running.messages()}")


def accepts(running, pid):
    """Returns whether this process serves a new connection. Another one may accept it without serving it."""
    with contextlib.suppress(OSError, wire.Closed):
        with wire.Wire(("127.0.0.1", running.ports[0]), timeout=0.5) as client:
            return int(client.get("/process").body) == pid
    return False


def took(pid, number):
    """Returns whether the process has no such pending signal."""
    pending = pathlib.Path(f"/proc/{pid}/status").read_text().split("ShdPnd:")[1].split()[0]
    return not int(pending, 16) >> (number - 1) & 1


def descriptors(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def memory(pid):
    """Returns the kilobytes of the process's memory that no other process shares."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0])


@case
def a_new_process_that_crashes_on_trial_changes_nothing(backend):
    with on_trial(backend, TEST_RESTART_MS="9000") as running, running.connect() as kept:
        old = running.pid()
        running.replace(f'TEST_BACKGROUND="abort later" exec {SERVER} "$@"')
        for number in range(1, 6):
            running.request_restart()
            check(soon(lambda: running.messages().count(FAILED) == number), running.messages())
            equal(running.messages().count('"the new process was terminated by SIGABRT"'), number)
            if number == 2:
                before = descriptors(old), memory(old)
        check(soon(lambda: descriptors(old) <= before[0]), f"{descriptors(old)} descriptors; {before[0]} earlier")
        check(soon(lambda: memory(old) < before[1] + 1024), f"{memory(old)} kB; {before[1]} after two failed restarts")
        equal((kept.get("/").closes, running.pid()), (False, old))
        serves(running, old)
        kept.socket.close()
        equal([f.name for f in running.folder.glob("server.pid.*")], [], "prepared PID files")


@case
def a_crash_that_takes_longer_than_the_trial_changes_nothing(backend):
    """The crash report takes 10 s: the file system does not respond."""
    with on_trial(backend, 4000) as running:
        old = running.pid()
        running.replace(f'TEST_BACKGROUND="abort slowly" exec {SERVER} "$@" --crash-folder {running.folder}')
        running.pids.remove(begin_trial(running))
        check(soon(lambda: accepts(running, old)), "the old process does not accept during the crash")
        check(FAILED not in running.messages(), "the crash has ended")
        shows(running, FAILED)
        check('reason="the new process was terminated by SIGABRT"' in running.messages(), running.messages())
        check("msg=restarted" not in running.messages(), running.messages())
        serves(running, old)
        equal(running.pid(), old)


@case
def connections_that_a_crashed_process_has_not_accepted_are_answered(backend):
    with on_trial(backend) as running, contextlib.ExitStack() as stack:
        old, new = running.pid(), begin_trial(running)
        serves(running, new)
        os.kill(new, signal.SIGSTOP)
        threads = list(pathlib.Path(f"/proc/{new}/task").glob("*/status"))
        check(soon(lambda: all("stopped" in one.read_text() for one in threads)), "the new process runs")
        waiting = [busy(running, stack, 1) for _ in range(20)]
        os.kill(new, signal.SIGKILL)
        running.pids.remove(new)
        equal([client.answer().status for client in waiting], [200] * 20)
        serves(running, old)


@case
def no_request_is_lost_if_the_new_process_is_stopped_on_trial(backend):
    with on_trial(backend) as running:
        load = Load({kind: (1, running.ports[0]) for kind in ("http1", "opening")})
        for _ in range(3):
            new = begin_trial(running)
            serves(running, new)
            os.kill(new, signal.SIGTERM)
            serves(running, running.pid())
            check(soon(lambda: FAILED in running.messages().rsplit("msg=restarting", 1)[1]), running.messages())
            running.pids.remove(new)
        results = load.end()
        equal([f for r in results.values() for f in r.failures], [])
        check(all(r.requests > 50 for r in results.values()), "no load")


@case
def the_old_process_leaves_after_the_trial(backend):
    with on_trial(backend, 300) as running, running.connect() as kept:
        running.restart()
        check(soon(lambda: kept.get("/").closes), "the old process does not drain")
        check(soon(lambda: running.messages().count("msg=stopped") == 1), running.messages())
        serves(running, running.pid())


@case
def a_stop_on_trial_completes_the_requests_of_both_processes(backend):
    with on_trial(backend) as running, contextlib.ExitStack() as stack:
        clients = [busy(running, stack, 3000)]
        old, new = running.pid(), begin_trial(running)
        serves(running, new)
        clients.append(busy(running, stack))
        os.kill(old, signal.SIGTERM)
        equal([client.answer().status for client in clients], [200, 200], running.messages())
        running.pids.remove(new)  # the old process waits for the new one
        equal(running.statuses(), [0])
        check(not pathlib.Path(f"/proc/{new}").exists(), "the new process still runs")
        equal([p.exists() for p in (running.folder / "socket", running.pid_file)], [False, False])


@case
def a_stop_of_both_processes_on_trial_completes_their_requests(backend):
    """systemd sends SIGTERM to all processes of a service; the new one is also stopped by the old one."""
    with on_trial(backend) as running, contextlib.ExitStack() as stack:
        clients = [held(running, stack)]
        old, new = running.pid(), begin_trial(running)
        serves(running, new)
        clients.append(held(running, stack))
        os.kill(old, signal.SIGTERM)
        check(soon(lambda: running.messages().count("msg=draining") == 2), running.messages())
        os.kill(new, signal.SIGTERM)
        check(soon(lambda: took(new, signal.SIGTERM)), "SIGTERM is pending")
        equal(released(clients), [200, 200], running.messages())
        running.pids.remove(new)
        equal(running.statuses(), [0])


@case
def a_stop_at_the_end_of_the_trial_completes_the_requests_of_both_processes(backend):
    with on_trial(backend, 5000) as running, contextlib.ExitStack() as stack:
        clients = [held(running, stack)]
        old, new = running.pid(), begin_trial(running)
        serves(running, new)
        ends = time.monotonic() + 5
        clients.append(held(running, stack))
        os.kill(old, signal.SIGSTOP)  # it sees the end of the trial and the signal at the same time
        check(soon(lambda: time.monotonic() > ends), "no end of the trial")
        os.kill(old, signal.SIGTERM)
        os.kill(old, signal.SIGCONT)
        check(soon(lambda: running.messages().count("msg=draining") == 2), running.messages())
        equal(released(clients), [200, 200], running.messages())
        running.pids.remove(new)
        equal(running.statuses(), [0])


@case
def a_new_process_that_is_stopped_on_trial_completes_its_requests(backend):
    with on_trial(backend) as running, contextlib.ExitStack() as stack:
        old, new = running.pid(), begin_trial(running)
        serves(running, new)
        client = busy(running, stack)
        os.kill(new, signal.SIGTERM)
        serves(running, old)
        equal(client.answer().status, 200)
        client.socket.close()
        shows(running, 'reason="the new process exited with status 0"')
        running.pids.remove(new)
        serves(running, old)
        equal(running.pid(), old)
        serves(running, begin_trial(running))
        running.pids.pop()


@case
def a_second_signal_on_trial_ends_both_processes(backend):
    with on_trial(backend) as running, contextlib.ExitStack() as stack:
        busy(running, stack, 60_000)
        old, new = running.pid(), begin_trial(running)
        serves(running, new)
        busy(running, stack, 60_000)
        os.kill(old, signal.SIGTERM)
        shows(running, "msg=draining")
        os.kill(old, signal.SIGTERM)
        running.pids.remove(new)
        equal(running.statuses(), [128 + signal.SIGTERM])
        check(not pathlib.Path(f"/proc/{new}").exists(), "the new process still runs")


@case
def another_restart_is_rejected_on_trial_and_while_draining(backend):
    with on_trial(backend, 6000) as running, contextlib.ExitStack() as stack:
        client = held(running, stack)
        old, new = running.pid(), begin_trial(running)
        for number, pid in enumerate((old, new), 1):
            os.kill(pid, signal.SIGUSR2)
            check(soon(lambda: running.messages().count('reason="a restart is already in progress"') == number),
                  running.messages())
        check(soon(lambda: running.pid() == new), "no new main process")
        shows(running, "msg=draining")
        os.kill(old, signal.SIGUSR2)
        shows(running, 'reason="the server is starting or stopping"')
        serves(running, new)
        equal(released([client]), [200])


@case
def a_killed_old_process_leaves_the_service_to_the_new_one(backend):
    with on_trial(backend) as running:
        new = begin_trial(running)
        os.kill(running.pids[0], signal.SIGKILL)
        check(soon(lambda: running.pid() == new), running.messages())
        serves(running, new)
        os.kill(new, signal.SIGTERM)
        equal(running.statuses(), [-signal.SIGKILL, 0])
        equal([p.exists() for p in (running.folder / "socket", running.pid_file)], [False, False])


@case
def a_stopped_old_process_does_not_block_the_new_one(backend):
    """SIGSTOP stops the old process before it can let the new one serve, and while the new one is on trial."""
    with on_trial(backend, 3000, TEST_RESTART_MS="10000") as running:
        old = running.pid()
        running.replace(f'kill -STOP {old}; exec {SERVER} "$@"')
        running.request_restart()
        shows(running, "error: the old process did not let this process serve in time")
        os.kill(old, signal.SIGCONT)
        shows(running, "the new process reports: the old process did not let this process serve in time")
        serves(running, old)
        running.replace()
        new = begin_trial(running)
        os.kill(old, signal.SIGSTOP)
        shows(running, f'reason="it did not leave the service to this process in time" old_process={old}')
        os.kill(old, signal.SIGCONT)
        check(soon(lambda: running.pid() == new), running.messages())
        serves(running, new)


@case
def a_reload_on_trial_reaches_both_processes(backend):
    with Restarting(backend, ("https://127.0.0.1:0",), tls=True, environment={"TEST_TRIAL_MS": "60000"}) as running:
        running.request_restart()
        running.process.stdout.readline()
        running.pids.append(new_process(running))
        before = running.messages().count("certificate")
        os.kill(running.pids[0], signal.SIGHUP)
        check(soon(lambda: running.messages().count("certificate") >= before + 2), running.messages())
        running.pids.pop()


@case
def a_reload_before_the_new_process_serves_reaches_it_without_a_trial(backend):
    with Restarting(backend, ("https://127.0.0.1:0",), tls=True, environment={"TEST_TRIAL_MS": "0"}) as running:
        old, gate = running.pid(), running.folder / "gate"
        running.replace(f'until [ -e {gate} ]; do sleep 0.05; done; exec {SERVER} "$@"')
        running.request_restart()
        running.pids.append(new_process(running))
        os.kill(old, signal.SIGHUP)
        shows(running, RELOADED)
        gate.touch()
        check(soon(lambda: running.messages().count(RELOADED) == 2), running.messages())
        check(soon(lambda: running.pid() != old), "no new main process")


@case
def a_crash_on_trial_does_not_end_a_container(backend):
    """In its own PID namespace, the old process is process 1, and the new one is its child."""
    with on_trial(backend, started_by=["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc",
                                       "--kill-child"]) as running:
        def child_of(pid):
            children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            return next(int(one) for one in children if "starter" not in pathlib.Path(f"/proc/{one}/comm").read_text())

        first = child_of(running.process.pid)
        for number in range(1, 3):
            os.kill(first, signal.SIGUSR2)
            check(soon(lambda: int(running.get("/process").body) != 1), running.messages())
            os.kill(child_of(first), signal.SIGKILL)
            check(soon(lambda: running.messages().count(FAILED) == number), running.messages())
            serves(running, 1)
        equal(running.pid_file.read_text(), "1\n")
        os.kill(first, signal.SIGTERM)
        equal(running.process.wait(20), 0, running.messages())
        running.pids.clear()


@case
def a_program_that_is_a_folder_changes_nothing(backend):
    with on_trial(backend, 100) as running:
        running.program.unlink()
        running.program.mkdir()
        running.request_restart()
        shows(running, "cannot be started: Permission denied")
        serves(running, running.pid())
        running.program.rmdir()
        running.restart()


if __name__ == "__main__":
    main()
