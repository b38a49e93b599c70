# SPDX-License-Identifier: Apache-2.0
"""Collects facts about the machine of a run."""
import os
import platform
import re
import subprocess

from tools import first_line_of

GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
COMPILERS = {"clang++-19": ["clang++-19", "--version"], "g++": ["g++", "--version"], "go": ["go", "version"],
             "rustc": ["rustc", "--version"], "node": ["node", "--version"], "python3": ["python3", "--version"],
             "php": ["php", "--version"], "bun": ["bun", "--version"], "deno": ["deno", "--version"]}


def text_of(path, otherwise=""):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return otherwise


def field(text, name, otherwise="unknown"):
    found = re.search(rf"^{name}\s*[:=]\s*\"?(.*?)\"?$", text, re.M)
    return found[1] if found else otherwise


def virtual():
    try:
        ran = subprocess.run(["systemd-detect-virt"], capture_output=True, text=True, timeout=5, check=False)
        if ran.stdout.strip():
            return ran.stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        pass
    if "hypervisor" not in field(text_of("/proc/cpuinfo"), "flags", "").split():
        return "none"
    return text_of("/sys/class/dmi/id/sys_vendor") or "a hypervisor"


def describe():
    memory = re.match(r"\d+", field(text_of("/proc/meminfo"), "MemTotal", "0"))
    return {
        "cpu": field(text_of("/proc/cpuinfo"), "model name", platform.machine()),
        "cores": os.cpu_count(),
        "memory_mib": int(memory[0]) // 1024,
        "kernel": platform.release(),
        "governor": text_of(GOVERNOR, "none"),
        "distribution": field(text_of("/etc/os-release"), "PRETTY_NAME"),
        "virtual": virtual(),
    }


def commit(folder):
    """Returns the commit of a git work tree, with a note if files differ from it; "" if there is none."""
    try:
        known, changed = (subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, timeout=20,
                                         check=False)
                          for words in (["rev-parse", "--short", "HEAD"],
                                        ["status", "--porcelain", "--untracked-files=no"]))
    except (OSError, subprocess.TimeoutExpired):
        return ""
    if known.returncode:
        return ""
    return known.stdout.strip() + (" with uncommitted changes" if changed.stdout.strip() else "")


def compilers():
    """Returns the first line of the version output of each compiler and runtime on this machine."""
    found = {name: first_line_of(*command) for name, command in COMPILERS.items()}
    return {name: line for name, line in found.items() if line}
