# SPDX-License-Identifier: Apache-2.0
"""The peers: their descriptions, and how they are set up."""
import hashlib
import os
import re
import shutil
import signal
import subprocess
import time
import tomllib

import places

READY, NOT_INSTALLED, FAILED, UNKNOWN = "ready", "not installed", "failed", "not set up"
MISSING_STATUS = 77
BUILD_SECONDS = 3600
OWN_SOURCES = ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "src")


class Peer:
    """A folder of bench/peers. `state` is one of the words above; `why` is the reason, or how to change the state."""

    def __init__(self, folder, known, variables=None):
        self.folder, self.known, self.variables = folder, known, variables or {}
        self.name = os.path.basename(folder)
        self.state, self.why, self.version = UNKNOWN, "", ""
        self.title = known.get("title", self.name)
        self.language = known.get("language", "")
        self.offers = known.get("offers", [])

    @property
    def out(self):
        return os.path.join(places.BUILD, "peers", self.name)

    def environment(self, **more):
        """Returns the environment of `build`, `start` and `version`."""
        more = {"THREADS": 1, "ROUTES": 0, "PORT": 8080, "TLS_PORT": 8443, "JOBS": jobs(), **more}
        return {**os.environ, **{k: str(v) for k, v in more.items()}, **self.variables,
                "OUT": places.made(self.out), "DATA": os.path.join(places.BUILD, "data")}

    def entry(self):
        """Returns the peer's entry in run.json."""
        start = os.path.join(self.folder, "start")
        return {"name": self.name, "title": self.title, "language": self.language,
                "kind": self.known.get("kind", ""), "state": self.state, "why": self.why, "version": self.version,
                "flags": self.known.get("flags", ""), "start": read(start), "offers": self.offers,
                "faults": self.known.get("faults", [])}

    def build_with(self, seconds, log):
        """Runs the build script and returns its status. Raises TimeoutExpired if it took too long and was killed."""
        process = subprocess.Popen([os.path.join(self.folder, "build")], cwd=self.folder, env=self.environment(),
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            return process.wait(seconds)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise

    def mark_unavailable(self, state, why):
        self.state, self.why = state, why
        return self


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def jobs():
    return os.environ.get("JOBS") or str(os.cpu_count())


def read_all():
    """Returns all peers, sorted by name. A peer with an unreadable file has the state `failed`."""
    found = []
    for name in sorted(os.listdir(places.PEERS) if os.path.isdir(places.PEERS) else []):
        folder = os.path.join(places.PEERS, name)
        if not os.path.isdir(folder):
            continue
        try:
            with open(os.path.join(folder, "peer.toml"), "rb") as file:
                found.append(Peer(folder, tomllib.load(file)))
        except (OSError, tomllib.TOMLDecodeError) as error:
            found.append(Peer(folder, {}).mark_unavailable(FAILED, f"peer.toml cannot be read: {error}"))
    return found


def named(names):
    """Returns the peers with these names, in this order, or all. Raises places.Unknown."""
    by_name = {peer.name: peer for peer in read_all()}
    for name in names:
        if name not in by_name:
            raise places.Unknown(name)
    return [by_name[name] for name in names] if names else list(by_name.values())


def folder_hash(*paths):
    """Returns a hash of the content of files and folders."""
    digest = hashlib.sha256()
    for path in paths:
        for folder, folders, files in os.walk(path):
            folders.sort()
            for name in sorted(files):
                add_file(digest, os.path.join(folder, name))
        if os.path.isfile(path):
            add_file(digest, path)
    return digest.hexdigest()


def add_file(digest, path):
    with open(path, "rb") as file:
        digest.update(f"{os.path.relpath(path, places.ROOT)} {os.stat(path).st_mode & 0o111}\n".encode())
        digest.update(file.read())


def inputs(peer):
    """Returns the inputs of a build: the peer's folder, sibling folders that it names, and Apus itself if it refers
    to it."""
    paths = [peer.folder]
    text = read(os.path.join(peer.folder, "build")) + read(os.path.join(peer.folder, "start"))
    for beside in sorted(set(re.findall(r"(?<![./])\.\./([a-z][\w-]*)", text))):
        paths.append(os.path.join(places.PEERS, beside))
    if "../../.." in text:
        paths += [os.path.join(places.ROOT, name) for name in OWN_SOURCES]
    return paths


def stamp_of(peer):
    found = peer.known.get("found", {}).get("variable", "")
    kept = [f"{k}={v}" for k, v in sorted(peer.variables.items())] + [os.environ.get(found, "") if found else ""]
    return folder_hash(*inputs(peer)) + " " + " ".join(kept)


def stamp_path(peer):
    return os.path.join(peer.out, ".built")


def look(peer):
    """Determines the state of a peer, without building anything."""
    if peer.state == FAILED or not has_requirements(peer):
        return peer
    if missing := missing_packages(peer.known.get("packages", [])):
        return peer.mark_unavailable(UNKNOWN, f"`./apus bench setup {peer.name}` installs {', '.join(missing)}")
    if has_build(peer) and read(stamp_path(peer)) != stamp_of(peer):
        return peer.mark_unavailable(UNKNOWN, f"`./apus bench setup {peer.name}` builds it")
    return ready(peer)


def has_requirements(peer):
    """Returns whether the requirements that no package provides are met. Otherwise marks the peer as unavailable."""
    found = peer.known.get("found")
    if found and not os.environ.get(found["variable"]):
        peer.mark_unavailable(NOT_INSTALLED, found["how"])
        return False
    tool = peer.known.get("toolchain")
    if tool and not shutil.which(tool):
        peer.mark_unavailable(NOT_INSTALLED, f"it needs `{tool}`, which is not installed")
        return False
    return True


def has_build(peer):
    return os.path.exists(os.path.join(peer.folder, "build"))


def setup(peer, seconds=BUILD_SECONDS):
    """Installs and builds what a peer needs, within a time limit. Failures set the peer's state and raise nothing."""
    if peer.state == FAILED or not has_requirements(peer):
        return peer
    if missing := missing_packages(peer.known.get("packages", [])):
        if why := install(missing):
            return peer.mark_unavailable(NOT_INSTALLED, f"it needs {', '.join(missing)}: {why}")
    if has_build(peer):
        stamp = stamp_of(peer)
        if read(stamp_path(peer)) != stamp and not build(peer, stamp, seconds):
            return peer
    return ready(peer)


def ready(peer):
    peer.state, peer.why, peer.version = READY, "", version(peer)
    return peer


def missing_packages(names):
    if not names or not shutil.which("dpkg-query"):
        return []
    ran = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
                         capture_output=True, text=True, check=False)
    there = {line.split()[0] for line in ran.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in names if name not in there]


def install(names):
    """Installs packages of the distribution. Returns None, or the reason why that failed."""
    if os.environ.get("APUS_NO_INSTALL"):
        return "APUS_NO_INSTALL is set"
    ran = subprocess.run([os.path.join(places.ROOT, "tools", "install_packages"), "--named", *names],
                         stderr=subprocess.PIPE, text=True, check=False)
    if ran.returncode == 0:
        return None
    errors = [line for line in ran.stderr.splitlines() if line.startswith("error: ")]
    return errors[0].removeprefix("error: ") if errors else "tools/install_packages failed"


def build(peer, stamp, seconds):
    log = os.path.join(places.made(peer.out), "build.log")
    with open(log, "w", encoding="utf-8") as output:
        try:
            status = peer.build_with(seconds, output)
        except subprocess.TimeoutExpired:
            status = None
        except OSError as error:
            peer.mark_unavailable(FAILED, f"its build script cannot be started: {error.strerror}")
            return False
    lines = [line for line in read(log).splitlines() if line.strip()]
    last = lines[-1].strip()[:300] if lines else "no output"
    if status is None:
        peer.mark_unavailable(UNKNOWN,
                              f"its build takes longer than the time limit of this run; "
                              f"`./apus bench setup {peer.name}` builds it")
    elif status == MISSING_STATUS:
        peer.mark_unavailable(NOT_INSTALLED, last)
    elif status:
        peer.mark_unavailable(FAILED, f"its build failed: {last} (complete output: {places.shown(log)})")
    else:
        with open(stamp_path(peer), "w", encoding="utf-8") as file:
            file.write(stamp)
    return status == 0


def version(peer):
    command = peer.known.get("version")
    if not command:
        return ""
    try:
        ran = subprocess.run(["sh", "-c", command], cwd=peer.folder, env=peer.environment(), capture_output=True,
                             text=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return ""
    lines = ran.stdout.strip().splitlines()
    return lines[0][:100] if lines and ran.returncode == 0 else ""


def set_up_all(chosen, say, seconds=None):
    """Sets up each peer in turn, within a total time limit, and prints its state."""
    begun = time.monotonic()
    for peer in chosen:
        left = BUILD_SECONDS if seconds is None else max(0.1, seconds - (time.monotonic() - begun))
        setup(peer, left)
        say(f"{peer.name}: {peer.state}" + (f" ({peer.version})" if peer.version else "")
            + (f": {peer.why}" if peer.why else ""))
