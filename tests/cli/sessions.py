#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tool as people do, and compares all that it says. Called by CTest with the program's path,
and by hand:   tests/cli/sessions.py build/dev/bin/apus [--update] [CASE...]

A case is a folder in cases/: `session` is what a terminal would show, `in/` the files there are before.
Lines of a session:
    $ COMMAND     run by sh in a copy of in/
    text          what it writes to standard output
    ! text        what it writes to standard error
    = 2           its exit status, where that is not 0
In what is compared, [ROOT] stands for the case's folder, [HOME] for its home, [VERSION] for the tool's
version and [TIME] for how long something took. `session` may begin with `# needs: PROGRAM...`; without
one of those the case is skipped. --update writes what was seen into the session.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TIME = re.compile(r"\b\d+(\.\d+)? (ms|s|min)\b")


def environment(tool, scratch):
    home = scratch / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR", "ASAN_OPTIONS", "CCACHE_DIR") if name in os.environ}
    return kept | {"PATH": f"{tool.parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(home), "TERM": "dumb",
                   "APUS_SOURCE": str(HERE.parent.parent), "APUS_BUILD": str(tool.parent.parent)}


def normal(text, scratch, version):
    text = text.replace(str(scratch / "root"), "[ROOT]").replace(str(scratch / "home"), "[HOME]")
    return TIME.sub("[TIME]", text.replace(version, "[VERSION]"))


def shown(result, scratch, version):
    lines = normal(result.stdout, scratch, version).splitlines()
    lines += ["!" + (" " + line if line else "") for line in normal(result.stderr, scratch, version).splitlines()]
    return lines + ([f"= {result.returncode}"] if result.returncode else [])


def session_of(case, tool, version):
    """What the session of a case is with this tool; None if it cannot run here."""
    wanted = (case / "session").read_text().splitlines()
    needs = [word for line in wanted if line.startswith("# needs:") for word in line[8:].split()]
    if not all(shutil.which(program) for program in needs):
        return None, wanted
    with tempfile.TemporaryDirectory(prefix="apus-case-") as folder:
        scratch = pathlib.Path(folder)
        if (case / "in").exists():
            shutil.copytree(case / "in", scratch / "root", symlinks=True)
        else:
            (scratch / "root").mkdir()
        env, seen = environment(tool, scratch), []
        for line in wanted:
            if line.startswith("# ") and not any(other.startswith("$ ") for other in seen):  # what is written may have such lines
                seen.append(line)
            if line.startswith("$ "):
                done = subprocess.run(["sh", "-c", line[2:]], cwd=scratch / "root", env=env, text=True, errors="replace",
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
                seen += [line] + shown(done, scratch, version)
    return seen, wanted


def check(case, tool, version, update):
    seen, wanted = session_of(case, tool, version)
    if seen is None:
        return "skipped", case.name, ""
    if seen == wanted:
        return "passed", case.name, ""
    if update:
        (case / "session").write_text("\n".join(seen) + "\n")
        return "updated", case.name, ""
    import difflib
    return "failed", case.name, "\n".join(difflib.unified_diff(wanted, seen, "the session", "what was seen", lineterm=""))


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    tool = pathlib.Path(words[0]).resolve()
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    cases = sorted(path.parent for path in (HERE / "cases").glob("*/session") if not words[1:] or path.parent.name in words[1:])
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
