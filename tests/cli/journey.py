#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The steps of a new user on a bare Debian 12, with the time that each takes. Run manually, as root:

    tests/cli/journey.py WORK [--edits N]

The fresh root has git and no other developer tools. In it, this checkout's last commit is cloned and installed; a
project is created, served, edited, tested, given a dependency and a module, and packaged. Then the deb is installed
in another fresh root, runc runs the image, and each must respond to a request. Takes some 10 minutes; exits with 77
if a requirement is missing.
"""
import argparse
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request

from packages_run import NEEDED, free_port, install_deb, run, run_image

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
OWN_MOUNTS = "APUS_JOURNEY_HAS_ITS_OWN_MOUNTS"


class Machine:
    """A fresh root, in which commands run as its user would run them."""

    def __init__(self, root):
        self.root = root
        run("mmdebstrap", "--quiet", "--variant=minbase", "--include=git,ca-certificates", "bookworm", root)
        for name in ("proc", "sys", "dev"):
            run("mount", "--rbind", f"/{name}", root / name)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        (root / "checkout").mkdir()
        run("mount", "--bind", "-o", "ro", CHECKOUT, root / "checkout")
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/srv",
                            "LANG": "C.UTF-8"}

    def words(self, folder, command):
        return ["chroot", str(self.root), "sh", "-c", f"cd {folder} && exec {command}"]

    def step(self, folder, command, shows=None):
        """Runs a command to its end, and prints how long it took."""
        begin = time.monotonic()
        done = subprocess.run(self.words(folder, command), env=self.environment, text=True, capture_output=True,
                              check=False)
        said = done.stdout + done.stderr
        took(time.monotonic() - begin, command)
        if done.returncode != 0 or (shows and shows not in said):
            sys.exit(f"it ended with {done.returncode}:\n{said[-4000:]}")
        return said


def took(seconds, what):
    print(f"{seconds:8.2f} s  {what}", flush=True)


def answer(port, path):
    return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30).read().decode()


def wait_for(port, path, words, begin, patience=120):
    """Sends requests until the response contains these words, and returns the seconds since `begin`."""
    while True:
        try:
            if words in answer(port, path):
                return time.monotonic() - begin
        except OSError:
            pass
        if time.monotonic() - begin > patience:
            sys.exit(f"no answer has `{words}`")
        time.sleep(0.005)  # clients are not notified of a new version


def develop(machine, project, edits):
    port, begin = free_port(), time.monotonic()
    words = machine.words(project, f"apus dev --port {port}")
    with subprocess.Popen(words, env=machine.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as dev:
        try:
            took(wait_for(port, "/openapi.json", "openapi", begin), "apus dev: the first answer")
            source = machine.root / project.lstrip("/") / "src/app.cpp"
            times = []
            for i in range(edits):
                text = source.read_text()
                old = f"of {i - 1} edits" if i else "The first notes"
                assert old in text, f"`{old}` is not in {source}"
                beside = source.with_name(".app.cpp.swp")
                beside.write_text(text.replace(old, f"of {i} edits"))
                begin = time.monotonic()
                beside.rename(source)
                times.append(wait_for(port, "/openapi.json", f"of {i} edits", begin))
            took(statistics.median(times), f"apus dev: from an edit to the new answer, the middle of {edits} "
                                           f"({min(times):.2f} to {max(times):.2f})")
        finally:
            dev.send_signal(signal.SIGINT)
            dev.wait(60)


def use(machine, edits):
    """Runs all steps inside the fresh root; returns the folder of packages."""
    machine.step("/srv", "git clone -q /checkout apus")
    machine.step("/srv/apus", "./apus install")
    machine.step("/srv", "apus --version")
    machine.step("/srv", "apus new shop -t api")
    develop(machine, "/srv/shop", edits)
    machine.step("/srv/shop", "apus test", "Passed")
    machine.step("/srv/shop", "apus routes", "/notes")
    machine.step("/srv/shop", "apus add fmt --install-packages")
    machine.step("/srv/shop", "apus module new auth")
    machine.step("/srv/shop", "apus module check")
    machine.step("/srv/shop", "apus test", "Passed")
    port = free_port()
    manifest = machine.root / "srv/shop/apus.toml"
    manifest.write_text(manifest.read_text()
                        + f'\n[package]\nmaintainer = "Ada <ada@example.org>"\nport = {port}\nconfig = '
                          f'["shop.toml"]\n\n[package.image]\nhealth = "/auth"\n')
    (machine.root / "srv/shop/shop.toml").write_text("as packaged\n")
    # The message of `apus package` advises to install these packages.
    machine.step("/srv", "apt-get install -y --no-install-recommends dpkg-dev rpm")
    machine.step("/srv/shop", "apus package all")
    return machine.root / "srv/shop/dist", port


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--edits", type=int, default=10)
    given = parser.parse_args()
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        print("skipped: this needs root" if not missing else f"skipped: there is no {', '.join(missing)}")
        return 77
    if OWN_MOUNTS not in os.environ:  # so that the kernel unmounts them when the last process ends
        os.execvpe("unshare", ["unshare", "-m", sys.executable, "-B", *sys.argv], os.environ | {OWN_MOUNTS: "1"})
    work = given.work.resolve()
    work.mkdir()
    work.chmod(0o755)
    dist, port = use(Machine(work / "bare"), given.edits)
    for package in sorted(dist.iterdir()):
        print(f"{package.stat().st_size:10} bytes  {package.name}")
    begin = time.monotonic()
    install_deb(next(dist.glob("*.deb")), port, work, ("/auth", "auth\n"))
    took(time.monotonic() - begin, "the deb, from a fresh root to an answer and away again")
    begin = time.monotonic()
    run_image(next(dist.glob("*-oci-*.tar")), port, work, "image", ("/auth", "auth\n"))
    took(time.monotonic() - begin, "the image, from its file to an answer and its end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
