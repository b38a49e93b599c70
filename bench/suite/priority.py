# SPDX-License-Identifier: Apache-2.0
"""CPU affinity and scheduling priority of processes.

Server and client run under SCHED_RR if this is permitted, so that other processes of a small machine do not disturb
them. Time slices are short, since server and client may share a core.
"""
import atexit
import contextlib
import os
import subprocess

# The kernel suspends SCHED_RR processes for 50 ms of each second if they leave no time to others (sched_rt_runtime_us).
# A measurement must end, with its warm-up, before this pause, or its latencies would include the pause.
SECONDS = 0.7
TURN = "/proc/sys/kernel/sched_rr_timeslice_ms"
TIME_SLICE_MS = "4"
NORMAL = os.sched_param(0)


def cores(available):
    """Returns (cores of the server, cores of the client), chosen from the cores that this process may use."""
    half = max(1, len(available) // 2)
    return (available[:half], available[half:]) if len(available) > 1 else (available, available)


def permitted():
    """Returns whether SCHED_RR may be used. As root, also shortens the time slices until this process ends."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, NORMAL)
    except OSError:
        return False
    shorten_time_slices()
    return True


def shorten_time_slices():
    with contextlib.suppress(OSError):
        with open(TURN, encoding="ascii") as file:
            before = file.read().strip()
        if before != TIME_SLICE_MS:
            set_time_slice(TIME_SLICE_MS)
            atexit.register(set_time_slice, before)


def set_time_slice(text):
    with contextlib.suppress(OSError), open(TURN, "w", encoding="ascii") as file:
        file.write(text)


@contextlib.contextmanager
def running_as(where, realtime):
    """Within this context, spawned processes run on these cores. They inherit the settings, which is cheaper than
    setting them between fork and exec."""
    before = os.sched_getaffinity(0)
    policy, level = os.sched_getscheduler(0), os.sched_getparam(0)
    os.sched_setaffinity(0, where)
    if realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, level)
        os.sched_setaffinity(0, before)


def raise_own_priority(settings):
    """Moves this process to the client's cores, with a higher priority than server and client, so that it reads clocks
    on time. This process sleeps most of the time."""
    os.sched_setaffinity(0, settings["client_cores"])
    if settings["realtime"]:
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(2))


def spawn(command, where, realtime, **more):
    with running_as(where, realtime):
        return subprocess.Popen(command, **{"stdin": subprocess.DEVNULL, **more})
