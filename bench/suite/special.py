# SPDX-License-Identifier: Apache-2.0
"""Measurements that are no load: memory, starts, compilations."""
import json
import os
import resource
import select
import subprocess
import time

import measure
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


def idle(entry, peer, round_number, server, place):
    """Bytes that each of many open connections adds."""
    process.ask(server.port)
    time.sleep(SETTLE_SECONDS)
    before = usage.memory_kib(server.pid)
    command = load.idle_command(server.port, entry["connections"])
    with priority.running_as(place.client, False):
        client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        opened = await_open(client)
        if opened < entry["connections"]:
            return measure.failure(entry["name"], peer.name, round_number,
                                   f"only {opened:,} of {entry['connections']:,} connections could be opened")
        time.sleep(SETTLE_SECONDS)
        after = usage.memory_kib(server.pid)
    finally:
        client.stdin.close()
        client.stdout.close()
        client.stderr.close()
        client.terminate()
        client.wait()
    return blank(entry, peer, round_number, rss_kib=after, value=max(0.0, (after - before) * 1024 / opened))


def await_open(client):
    """How many connections `load --idle` says it holds."""
    readable, _, _ = select.select([client.stdout], [], [], OPEN_SECONDS)
    line = client.stdout.readline() if readable else b""
    try:
        return int(json.loads(line)["open"])
    except (ValueError, KeyError, TypeError):
        return 0


def can_compile(peer):
    return os.path.exists(os.path.join(peer.folder, "compile"))


def compile_time(entry, peer, round_number, where):
    """CPU seconds of the peer's own `compile` script, which compiles a hello world at -O0 into $OUT."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with priority.running_as(where, False):
        ran = subprocess.run([os.path.join(peer.folder, "compile")], cwd=peer.folder, env=peer.environment(),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or ["it said nothing"])[0]
        return measure.failure(entry["name"], peer.name, round_number, f"`compile` failed: {said[:200]}")
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return blank(entry, peer, round_number, value=taken)
