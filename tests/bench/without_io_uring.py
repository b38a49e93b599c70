#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command with io_uring forbidden, as by Docker's default seccomp profile: without_io_uring.py COMMAND..."""

import ctypes
import os
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
IO_URING_SETUP = 425  # the same number on every architecture
LOAD_NUMBER, EQUAL, RETURN = 0x20, 0x15, 0x06  # instructions of the BPF machine (linux/bpf_common.h)
REFUSE, ALLOW = 0x00050001, 0x7fff0000  # the refusal returns EPERM


def forbid():
    """Forbids io_uring for this process and all processes that it starts."""
    code = b"".join(struct.pack("HBBI", *line) for line in (
        (LOAD_NUMBER, 0, 0, 0), (EQUAL, 0, 1, IO_URING_SETUP), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)))
    lines = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(lines))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot forbid io_uring")


if __name__ == "__main__":
    forbid()
    os.execvp(sys.argv[1], sys.argv[1:])
