#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tool as users do, and compares all of its output. Called by CTest with the program's path, and manually:
  tests/cli/sessions.py build/dev/bin/apus [--update] [CASE...]

A case is a folder in cases/: `session` is the text of a terminal session, `in/` contains the initial files. Lines of
a session:
    $ COMMAND     run by sh in a copy of in/
    text          its standard output
    ! text        its standard error
    = 2           its exit status, if not 0
    > COMMAND     run as soon as the first command, which is still running, has written the line above; `> ^C` sends
                  the signal of that key
    < text        the output of that second command
In the compared text, [ROOT] stands for the case's folder, [HOME] for its home, [VERSION] for the tool's version,
[PORT] for a free port, which commands know as $FREE_PORT, and [TIME] for a duration. `session` may begin with
`# needs: PROGRAM...`; the case is skipped if a program is missing. There, `root` means permission to call chroot,
`conan` the program named by APUS_CONAN, and `sanitizers` clang 19's run-time libraries for sanitizers. --update
writes the actual output into the session.
"""
import concurrent.futures
import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
TIME = re.compile(r"\b\d+(\.\d+)? (ms|s|sec|min)\b")
RUN_TIMES = pathlib.Path("/usr/lib/llvm-19/lib/clang/19/lib/linux")
PATIENCE = 120  # seconds
NEVER = "never seen: "
MARKS = {"out": "", "error": "!"}


def free_port():
    """Returns a free port below the range of ephemeral ports, which the kernel assigns."""
    while True:
        with socket.socket() as probe:
            port = random.randrange(10000, 30000)
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


def can(need):
    others = {"root": lambda: os.geteuid() == 0, "conan": lambda: "APUS_CONAN" in os.environ,
              "sanitizers": lambda: any(RUN_TIMES.glob("libclang_rt.asan*"))}
    return others.get(need, lambda: shutil.which(need))()


class Terminal:
    """The environment of a session: a copy of the case's files, and a home."""

    def __init__(self, case, tool, version, scratch):
        self.root, self.home, self.version, self.port = scratch / "root", scratch / "home", version, free_port()
        self.home.mkdir()
        if (case / "in").exists():
            shutil.copytree(case / "in", self.root, symlinks=True)
        else:
            self.root.mkdir()
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR", "ASAN_OPTIONS", "CCACHE_DIR", "APUS_CONAN")
                if name in os.environ}
        self.env = kept | {"PATH": f"{tool.parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                           "HOME": str(self.home), "TERM": "dumb",
                           "APUS_SOURCE": str(HERE.parent.parent), "APUS_BUILD": str(tool.parent.parent),
                           "FREE_PORT": str(self.port)}

    def run(self, command, talk):
        """Runs a command and returns its output. `talk` lists actions while it runs: (the line that triggers the
        action, the action)."""
        running = Running(self, command)
        seen = []
        for awaited, step in talk:
            seen += running.until(awaited) + ["> " + step] + running.do(step)
        return seen + running.end()

    def start(self, command, **how):
        return subprocess.Popen(["sh", "-c", command], cwd=self.root, env=self.env, text=True, errors="replace",
                                stdin=subprocess.DEVNULL, **how)

    def shown(self, lines, mark):
        return [mark + (" " if mark and line else "") + self.normal(line) for line in lines]

    def normal(self, text):
        text = text.replace(str(self.root), "[ROOT]").replace(str(self.home), "[HOME]").replace(f":{self.port}",
                                                                                                ":[PORT]")
        return TIME.sub("[TIME]", text.replace(self.version, "[VERSION]"))


class Running:
    def __init__(self, terminal, command):
        self.terminal, self.news = terminal, threading.Condition()
        self.process = terminal.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.written, self.open = {name: [] for name in MARKS}, len(MARKS)
        self.readers = [threading.Thread(target=self.read, args=(name, stream))
                        for name, stream in (("out", self.process.stdout), ("error", self.process.stderr))]
        for reader in self.readers:
            reader.start()

    def read(self, name, stream):
        with stream:
            for line in stream:
                with self.news:
                    self.written[name] += line.splitlines()
                    self.news.notify_all()
        with self.news:
            self.open -= 1
            self.news.notify_all()

    def take(self, name, count=None):
        with self.news:
            taken, self.written[name] = self.written[name][:count], self.written[name][count:] if count else []
        return self.terminal.shown(taken, MARKS[name])

    def until(self, awaited):
        """Returns the output up to and including the line `awaited`, read from the stream that this line belongs to."""
        if awaited is None:
            return []
        name = "error" if awaited.startswith("!") else "out"

        def place():
            lines = self.terminal.shown(self.written[name], MARKS[name])
            return lines.index(awaited) + 1 if awaited in lines else None
        with self.news:
            self.news.wait_for(lambda: place() or not self.open, PATIENCE)
            count = place()
        if count:
            return self.take(name, count)
        self.send(signal.SIGKILL)
        return [NEVER + awaited]

    def send(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def do(self, step):
        if step == "^C":
            self.send(signal.SIGINT)
            return []
        with self.terminal.start(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as done:
            said = done.communicate(timeout=PATIENCE)[0].splitlines()
        return self.terminal.shown(said + ([f"= {done.returncode}"] if done.returncode else []), "<")

    def end(self):
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            status = self.process.wait()
        for reader in self.readers:
            reader.join()
        return self.take("out") + self.take("error") + ([f"= {status}"] if status else [])


def talk_of(lines):
    """Converts the session lines between one command and the next to a list of actions, each with the line before
    it."""
    talk, awaited = [], None
    for line in lines:
        if line.startswith("> "):
            talk.append((awaited, line[2:]))
            awaited = None
        elif not line.startswith("<"):
            awaited = line.removeprefix(NEVER)
    return talk


def session_of(case, tool, version):
    """Returns the session of a case with this tool, and the recorded session; None and a reason if the case cannot
    run on this machine."""
    wanted = (case / "session").read_text().splitlines()
    commands = [index for index, line in enumerate(wanted) if line.startswith("$ ")]
    seen = wanted[:commands[0]]
    needs = [word for line in seen if line.startswith("# needs:") for word in line[8:].split()]
    if lacking := [need for need in needs if not can(need)]:
        return None, "there is no " + ", ".join(lacking)
    with tempfile.TemporaryDirectory(prefix="apus-case-") as folder:
        terminal = Terminal(case, tool, version, pathlib.Path(folder))
        for at, next_one in zip(commands, commands[1:] + [len(wanted)]):
            seen += [wanted[at]] + terminal.run(wanted[at][2:], talk_of(wanted[at + 1:next_one]))
    return seen, wanted


def check(case, tool, version, update):
    seen, wanted = session_of(case, tool, version)
    if seen is None:
        return "skipped", f"{case.name}: {wanted}", ""
    if seen == wanted:
        return "passed", case.name, ""
    if update:
        (case / "session").write_text("\n".join(seen) + "\n")
        return "updated", case.name, ""
    import difflib
    return "failed", case.name, "\n".join(difflib.unified_diff(wanted, seen, "the session", "what was seen",
                                                               lineterm=""))


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    tool = pathlib.Path(words[0]).resolve()
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    cases = sorted(path.parent for path in (HERE / "cases").glob("*/session") if not words[1:]
                   or path.parent.name in words[1:])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: check(case, tool, version, "--update" in sys.argv), cases))
    for state, name, text in results:
        if state != "passed":
            print(f"{state}: {name}\n{text}")
    print(f"{sum(state == 'passed' for state, _, _ in results)} of {len(results)} sessions are as written")
    if results and all(state == "skipped" for state, _, _ in results):
        return 77
    return 1 if not results or any(state in ("failed", "updated") for state, _, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
