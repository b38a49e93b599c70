# SPDX-License-Identifier: Apache-2.0
"""Measurements without load: memory, start-up time, compile time."""
import contextlib
import json
import os
import resource
import select
import subprocess
import sys
import time

import measure
import places
import priority
import process
import usage
from tools import load

SETTLE_SECONDS = 0.3
OPEN_SECONDS = 30


def blank(entry, peer, round_number, **more):
    return {"scenario": entry["name"], "peer": peer.name, "round": round_number, "ok": True, "why": "",
            "value": None, "rss_kib": None, **more}


def cold_start(entry, peer, round_number, server):
    return blank(entry, peer, round_number, value=server.seconds_to_answer * 1000)


def start_memory(entry, peer, round_number, server):
    time.sleep(SETTLE_SECONDS)
    return blank(entry, peer, round_number, rss_kib=usage.memory_kib(server.pid))


def idle(entry, peer, round_number, server, placement):
    """Measures the memory per open connection: the bytes that the second half of many connections adds.

    The first half may use memory that the server has allocated and freed during its start.
"""
    process.ask(server.port)
    few = entry["connections"] // 2
    with contextlib.ExitStack() as clients:
        read = []
        for more in (few, entry["connections"] - few):
            opened = clients.enter_context(hold_open(holding(entry, server, more), placement))
            if opened < more:
                return measure.failure(entry["name"], peer.name, round_number,
                                       f"only {opened:,} of {more:,} connections could be opened")
            time.sleep(SETTLE_SECONDS)
            read.append(usage.written_kib(server.pid))
    value = max(0.0, (read[1] - read[0]) * 1024 / more)
    return blank(entry, peer, round_number, rss_kib=read[1], value=value)


def holding(entry, server, connections):
    """Returns the command that opens this number of connections of the scenario's kind and keeps them open."""
    kind = entry["args"].get("held")
    if kind is None:
        return load.idle_command(server.port, connections)
    port = server.tls_port if kind in ("tls", "h2") else server.port
    return [sys.executable, os.path.join(places.SUITE, "idle_connections.py"), kind, str(port), str(connections)]


@contextlib.contextmanager
def hold_open(command, placement):
    """Runs a command that opens connections and keeps them open. Yields the number of connections that it reports."""
    with priority.running_as(placement.client, False):
        client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield await_open(client)
    finally:
        for pipe in (client.stdin, client.stdout, client.stderr):
            pipe.close()
        client.terminate()
        client.wait()


def await_open(client):
    """Returns the number of connections that the command reports; 0 if there is no report in time."""
    readable, _, _ = select.select([client.stdout], [], [], OPEN_SECONDS)
    line = client.stdout.readline() if readable else b""
    try:
        return int(json.loads(line)["open"])
    except (ValueError, KeyError, TypeError):
        return 0


def can_compile(peer):
    return os.path.exists(os.path.join(peer.folder, "compile"))


def compile_time(entry, peer, round_number, where):
    """Measures the CPU seconds of the peer's own `compile` script, which compiles a hello world program at -O0 into
    $OUT."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with priority.running_as(where, False):
        ran = subprocess.run([os.path.join(peer.folder, "compile")], cwd=peer.folder, env=peer.environment(),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or ["no output"])[0]
        return measure.failure(entry["name"], peer.name, round_number, f"`compile` failed: {said[:200]}")
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return blank(entry, peer, round_number, value=taken)
