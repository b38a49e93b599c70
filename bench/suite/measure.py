# SPDX-License-Identifier: Apache-2.0
"""Makes one measurement: runs a load tool against a server, and reads the server's resource usage meanwhile."""
import contextlib
import os
import select
import time

import priority
import usage
from tools import LoadTarget, Unreadable, ab, bombardier, h2load, load, s_time, wrk

TOOLS = {"load": load, "wrk": wrk, "h2load": h2load, "ab": ab, "bombardier": bombardier, "s_time": s_time}
BEGIN, END = b"begin", b"end"  # marks that tools print on stderr at the beginning and the end of the measured time
BUSY = 0.95
# When to read the memory, as a fraction of the duration, for tools without marks; connections are open by then.
MEMORY_AT = 0.7


class Placement:
    """The cores of server and client in a scenario, and their scheduling priority."""

    def __init__(self, settings, pinned, threads=None):
        both = sorted({*settings["server_cores"], *settings["client_cores"]})
        self.server = settings["server_cores"] if pinned else both
        self.client = settings["client_cores"] if pinned else both
        self.realtime = settings["realtime"]
        self.server_threads = threads or len(self.server)
        self.client_threads = threads or len(self.client)


class ToolRun:
    """The output and resource usage of a tool, and the server's resource usage while the tool ran."""

    def __init__(self):
        self.output = self.errors = b""
        self.client_cpu = 0.0
        self.pids = []
        self.before = self.after = None
        self.database_before = self.database_after = None  # CPU seconds
        self.rss_kib = None


def load_target(entry, server, placement, seconds, rate=0.0, requests=0):
    return LoadTarget(server.port, server.tls_port, entry["connections"], seconds, placement.client_threads,
                      entry["args"], rate, requests)


def run(command, server, placement, seconds, marks=None):
    """Runs a tool to its end, and reads the server's clocks at the beginning and the end of the measured time.

    `marks`: the texts that the tool prints on standard output at these times; None if it prints no such texts.
"""
    tool_run = ToolRun()
    tool_run.pids = list(usage.tree(server.pid))  # finding the processes is slow, reading their clocks is fast
    read_clocks(server, tool_run, True, False)
    begun = time.perf_counter()
    process = priority.spawn(command, placement.client, placement.realtime, stdin=-1, stdout=-1, stderr=-1)
    try:
        follow(process, server, tool_run, begun, seconds, marks)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
    tool_run.client_cpu = used.ru_utime + used.ru_stime
    if tool_run.after is None:
        tool_run.after = usage.cpu(tool_run.pids)
        tool_run.database_after = server.database and server.database.cpu_seconds()
    return tool_run


def follow(process, server, tool_run, begun, seconds, marks):
    """Reads both pipes until they end. Raises TimeoutError if the tool does not exit."""
    open_pipes = {process.stdout.fileno(): "output", process.stderr.fileno(): "errors"}
    deadline = begun + seconds * 3 + 40
    memory_at = deadline if marks or "--marks" in process.args else begun + seconds * MEMORY_AT
    while open_pipes:
        now = time.perf_counter()
        if now > deadline:
            raise TimeoutError
        wait = (memory_at if tool_run.rss_kib is None else deadline) - now
        readable, _, _ = select.select(list(open_pipes), [], [], max(0.0, wait))
        if not readable and tool_run.rss_kib is None:
            tool_run.rss_kib = usage.memory_kib(server.pid)
        for pipe in readable:
            piece = os.read(pipe, 1 << 16)
            setattr(tool_run, open_pipes[pipe], getattr(tool_run, open_pipes[pipe]) + piece)
            if not piece:
                del open_pipes[pipe]
            elif open_pipes[pipe] == "errors":
                mark(piece, process, server, tool_run)
            elif marks:
                read_clocks(server, tool_run, marks[0] in piece, marks[1] in piece)


def mark(piece, process, server, tool_run):
    """Handles a mark of a tool: takes the readings of this time. The tool waits for them, so latencies are
    not affected."""
    lines = piece.splitlines()
    read_clocks(server, tool_run, BEGIN in lines, END in lines)
    if BEGIN in lines or END in lines:
        with contextlib.suppress(BrokenPipeError):
            os.write(process.stdin.fileno(), b"\n")


def read_clocks(server, tool_run, begins, ends):
    if begins:
        tool_run.before = usage.cpu(tool_run.pids)
        tool_run.database_before = server.database and server.database.cpu_seconds()
    if ends:
        tool_run.after = usage.cpu(tool_run.pids)
        tool_run.database_after = server.database and server.database.cpu_seconds()
        tool_run.rss_kib = usage.memory_kib(server.pid)


def failure(scenario, peer, round_number, why):
    return {"scenario": scenario, "peer": peer, "round": round_number, "ok": False, "why": why}


def sample(entry, peer, round_number, server, placement, seconds, rate=0.0, requests=0):
    """Returns one line of samples.jsonl."""
    tool = TOOLS[entry["tool"]]
    aim = load_target(entry, server, placement, seconds, rate, requests)
    try:
        tool_run = run(tool.command(aim), server, placement, seconds, getattr(tool, "MARKS", None))
        told = tool.parse(tool_run.output.decode("utf-8", "replace"), tool_run.errors.decode("utf-8", "replace"), aim)
    except FileNotFoundError as error:
        return failure(entry["name"], peer, round_number, f"{entry['tool']} is not installed: {error.filename}")
    except Unreadable as error:
        return failure(entry["name"], peer, round_number, str(error))
    except TimeoutError:
        return failure(entry["name"], peer, round_number, f"{entry['tool']} did not end in time")
    line = {"scenario": entry["name"], "peer": peer, "round": round_number, "ok": True, "why": "", **told}
    line |= figures(told, tool_run, placement)
    if rate:
        # At a constant rate the client busy-waits, so its CPU time does not show whether it is the bottleneck.
        line |= {"offered_rate": rate, "client_bound": line["client_bound"] and line["rate"] < rate * 0.98}
    if how := server.ended():
        line |= {"ok": False, "why": how}
    elif not told["requests"]:
        line |= {"ok": False, "why": f"no request got a response: "
                                f"{told['first_error'] or 'the tool reports no reason'}"}
    return line


def figures(told, tool_run, placement):
    """Combines the tool's report with the readings of the server's clocks."""
    requests, seconds = told["requests"], told["seconds"]
    used = usage.between(tool_run.before, tool_run.after)
    wall = max(seconds, 1e-9)
    client = told["client_cpu_seconds"]
    client_busy = (tool_run.client_cpu if client is None else client) / wall / placement.client_threads
    server_busy = used.total / wall / placement.server_threads
    moved = [told[k] for k in ("bytes_received", "bytes_sent") if told[k] is not None]

    of_database = tool_run.database_after - tool_run.database_before if tool_run.database_after is not None else None

    def each(seconds_used):
        return None if seconds_used is None or not requests else seconds_used * 1e6 / requests

    return {
        "cpu_us": each(used.total), "cpu_user_us": each(used.user), "cpu_system_us": each(used.system),
        "database_cpu_us": each(of_database),
        "server_busy": round(server_busy, 4), "client_busy": round(client_busy, 4),
        "client_bound": client_busy > BUSY > server_busy, "rss_kib": tool_run.rss_kib,
        "bytes_per_second": sum(moved) / wall if moved else None,
        "bytes_per_cpu_second": sum(moved) / used.total if moved and used.total else None,
        "value": None,
    }
