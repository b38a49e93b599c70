# SPDX-License-Identifier: Apache-2.0
"""Databases for tests."""
import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

BINARIES = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parent.name), default=None)


@contextlib.contextmanager
def postgres_server():
    """Starts the distribution's PostgreSQL server; as root, under another user, since PostgreSQL refuses to run as
    root."""
    other = {} if os.getuid() else {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        if other:
            os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
        as_other = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "timeout": 60, **other}
        subprocess.run([BINARIES / "initdb", "-D", folder / "data", "-U", "apus", "-A", "trust", "--no-sync"],
                       **as_other)
        control = [BINARIES / "pg_ctl", "-D", folder / "data", "-w"]
        subprocess.run([*control, "-l", folder / "log", "-o", f"-k {folder} -h '' -F", "start"], **as_other)
        try:
            yield f"postgres://apus@/postgres?host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **as_other)
    finally:
        shutil.rmtree(folder)
