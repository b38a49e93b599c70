# SPDX-License-Identifier: Apache-2.0
"""CPU affinity and scheduling priority of processes.

Both sides run under SCHED_RR where that is permitted, so that other work on a small machine
does not distort them, with a short turn for the case that they share a core.
"""
import atexit
import contextlib
import os
import subprocess

# The kernel throttles processes under SCHED_RR for 50 ms of each second if they leave no time to others
# (sched_rt_runtime_us). Measurements longer than this, with the warm-up, would have it in their latency.
SECONDS = 0.7
TURN = "/proc/sys/kernel/sched_rr_timeslice_ms"
TIME_SLICE_MS = "4"
NORMAL = os.sched_param(0)


def cores(available):
    """Returns (cores of the server, cores of the client), from the cores that this process may use."""
    half = max(1, len(available) // 2)
    return (available[:half], available[half:]) if len(available) > 1 else (available, available)


def permitted():
    """Returns whether SCHED_RR may be used. As root it also shortens the time slices until this process ends."""
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
    """Binds processes spawned meanwhile to these cores. Setting nothing between fork and exec makes spawning
    cheaper."""
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
    """Puts this process beside the client and ahead of both sides, so that it reads clocks in time; it mostly
    sleeps."""
    os.sched_setaffinity(0, settings["client_cores"])
    if settings["realtime"]:
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(2))


def spawn(command, where, realtime, **more):
    with running_as(where, realtime):
        return subprocess.Popen(command, **{"stdin": subprocess.DEVNULL, **more})
