# SPDX-License-Identifier: Apache-2.0
"""Runs a server program of the repository as a process."""

import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

import wire

BUILD = pathlib.Path(os.environ.get("APUS_BUILD", "build/dev")).resolve()
# Packages from PyPI, which `./apus test` installs:
PYTHON_TOOLS = pathlib.Path(__file__).resolve().parents[2] / "build/python-tools"
PROGRAMS = {"conformance": BUILD / "bin/conformance", "limits": BUILD / "tests/limits_server",
            "blocked": BUILD / "tests/blocked_server", "operations": BUILD / "tests/operations_server",
            "smallest": BUILD / "tests/smallest"}
SANDBOXED = os.environ.get("APUS_TEST_SANDBOX") == "1"  # all servers run in the sandbox
PATIENCE = 20  # timeout in seconds for operations that take milliseconds on an idle machine


def sandbox(words=(), environment=(), ports=()):
    """Returns the options for a server in the sandbox if APUS_TEST_SANDBOX is 1, otherwise none.

    The server may use the temporary folder, Unix sockets, and what tests choose at random: `ports`, and all ports in
    the arguments and in the environment of the test, and folders in the environment.
    """
    if not SANDBOXED:
        return []
    values = [str(value) for value in dict(environment).values()]
    texts = [*map(str, words), *values]
    folders = [tempfile.gettempdir(), *(value for value in values if value.startswith("/") and os.path.isdir(value))]
    named = {int(port) for text in texts for port in re.findall(r":(\d{1,5})\b", text)}
    ports = sorted(port for port in {*named, *ports} if 0 < port < 65536)
    return ["--sandbox", *(word for folder in folders for word in ("--sandbox-write", folder)),
            *(word for each in ("unix", *ports) for word in ("--sandbox-connect", str(each)))]


class Server:
    """A server that runs until the end of its `with` block. It must still run then, and stop with status 0.

    The parameter `admin` is the address for `--admin`, and the member `admin` is its URL. `limits` is the text for
    TEST_LIMITS, `descriptors` the maximum number of open descriptors. `connects` has the ports to which it connects.
    `errors()` returns its standard error output.
"""

    def __init__(self, backend, *arguments, program="limits", limits="", log="warn", listen=None, stderr=None,
                 environment=(), descriptors=None, folder=None, admin=None, connects=()):
        self.backend, self.ends_by_itself = backend, False
        self._errors = tempfile.TemporaryFile()
        self._stderr = stderr or self._errors
        confined = sandbox(arguments, environment, connects)
        environment = dict(os.environ, APUS_IO=backend, APUS_LOG=log, TEST_LIMITS=limits, **dict(environment))
        listeners = [word for where in listen or ["127.0.0.1:0"] for word in ("--listen", where)]
        administration = ("--admin", admin) if admin else ()
        self.process = subprocess.Popen(
            [os.path.abspath(PROGRAMS[program]), "--cores", "1", *listeners, *administration, *confined, *arguments],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=self._stderr, text=True,
            preexec_fn=descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))))
        self.admin = self._url("administration on") if admin else None
        self.urls = [self._url() for _ in listeners[::2]]
        self.port = next((int(u.rsplit(":", 1)[1]) for u in self.urls if u.startswith("http://127.")), 0)

    def _url(self, words="listening on"):
        line = self.process.stdout.readline()
        match = re.fullmatch(rf"{words} (\S+)\n", line)
        if not match:
            self.process.kill()
            raise AssertionError(f"the server printed {line!r}, not `{words}`; errors: {self.errors()!r}")
        return match.group(1)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if not self.ends_by_itself:
                crashed = self.process.poll() is not None
                status = self.stop()
                if crashed or (kind is None and status != 0):
                    raise AssertionError(f"the server ended with status {status}: {self.errors()}")
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self._errors.close()

    def connect(self, **options):
        return wire.Wire(("127.0.0.1", self.port), **options)

    def get(self, path, **options):
        """Sends one GET on a new connection."""
        with self.connect() as client:
            return client.get(path, **options)

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def stop(self):
        """Sends SIGTERM, waits, and returns the exit status."""
        if self.process.poll() is None:
            self.signal()
        return self.wait()

    def wait(self, seconds=PATIENCE + 20):
        self.ends_by_itself = True
        return self.process.wait(seconds)

    def errors(self):
        # seek cannot be used: the server shares the file offset.
        size = os.fstat(self._errors.fileno()).st_size
        return os.pread(self._errors.fileno(), size, 0).decode(errors="replace")

    def cancelled(self):
        """Returns how many handler tasks were destroyed before they ended."""
        return int(self.get("/cancelled").body)

    def resident(self):
        """Returns the memory in use, in bytes."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    def waits(self):
        """Returns how often the server's threads have gone to sleep so far."""
        total = 0
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            status = (thread / "status").read_text()
            total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M).group(1))
        return total


def ended(program, *arguments, **environment):
    """Runs a server that is expected to end by itself. Returns its status, output and messages."""
    done = subprocess.run([PROGRAMS[program], *sandbox(arguments, environment), *arguments], capture_output=True,
                          text=True, timeout=PATIENCE, env=dict(os.environ, **environment))
    return done.returncode, done.stdout, done.stderr


def soon(true, seconds=PATIENCE):
    """Returns whether `true()` becomes true within these seconds."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
