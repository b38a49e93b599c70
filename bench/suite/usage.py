# SPDX-License-Identifier: Apache-2.0
"""CPU time and memory of a process and its descendants."""
import os
import time
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: proc_pid_stat(5) counts from 1, and the name is 2.
STATE, PARENT, SESSION, USER, SYSTEM, DEAD_USER, DEAD_SYSTEM = (n - 3 for n in (3, 4, 6, 14, 15, 16, 17))


class Cpu(NamedTuple):
    """Seconds of CPU time since the start. `user` and `system` are measured in ticks, `total` in nanoseconds."""
    total: float
    user: float
    system: float


def stat(pid):
    """Returns the fields of /proc/PID/stat after the name, or None if the process does not exist."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    return text[text.rindex(")") + 2:].split()


def processes():
    """Returns the fields of /proc/PID/stat of every process, by process id."""
    found = {int(name): stat(name) for name in os.listdir("/proc") if name.isdigit()}
    return {pid: fields for pid, fields in found.items() if fields}


def tree(root):
    """Returns the processes of the session that `root` leads, and their descendants, by process id."""
    everyone = processes()
    ours = {pid for pid, fields in everyone.items() if pid == root or int(fields[SESSION]) == root}
    grown = True
    while grown:
        more = {pid for pid, fields in everyone.items() if int(fields[PARENT]) in ours} - ours
        ours |= more
        grown = bool(more)
    return {pid: everyone[pid] for pid in ours if everyone[pid][STATE] != "Z"}


def process_clock(pid):
    """Returns the CPU time in seconds of all threads of a process, including its kernel workers."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) / 1e9  # a clock id as clock_getcpuclockid(3) computes it
    except OSError:
        return None


def cpu(pids):
    """Returns the CPU time of these processes so far, including children that have exited and were waited for."""
    total = user = system = 0.0
    for pid in pids:
        fields = stat(pid)
        if fields is None:
            continue
        own = [int(fields[i]) / TICKS for i in (USER, SYSTEM)]
        dead = [int(fields[i]) / TICKS for i in (DEAD_USER, DEAD_SYSTEM)]
        user += own[0] + dead[0]
        system += own[1] + dead[1]
        clock = process_clock(pid)
        total += (sum(own) if clock is None else clock) + sum(dead)
    return Cpu(total, user, system)


def between(before, after):
    """Returns the resources used between two readings; the ratio of user to system time is measured in ticks, and
    scaled to the exact total."""
    total = max(0.0, after.total - before.total)
    user, system = max(0.0, after.user - before.user), max(0.0, after.system - before.system)
    if user + system == 0:
        return Cpu(total, None, None)
    return Cpu(total, total * user / (user + system), total * system / (user + system))


def memory_kib(root):
    """Returns the memory of the process tree in KiB. A page that several processes share is counted once if /proc
    reports it."""
    return sum(memory_of(pid) for pid in tree(root))


def written_kib(root):
    """Returns the private dirty memory of the process tree in KiB. Other programs that map the same files do not affect
    it."""
    return sum(memory_of(pid, "Private_Dirty:") for pid in tree(root))


def memory_of(pid, rollup="Pss:"):
    for path, label in ((f"/proc/{pid}/smaps_rollup", rollup), (f"/proc/{pid}/status", "VmRSS:")):
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                for line in file:
                    if line.startswith(label):
                        return int(line.split()[1])
        except OSError:
            continue
    return 0
