#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs, runs and removes packages that the tool makes. By hand, as root, in about a minute:

    tests/cli/packages_run.py build/dev/bin [WORK]

The deb goes into a fresh Debian (mmdebstrap), the rpm below a root of its own, the images into runc by umoci;
each server is asked for a page. Then the disk is full. Ends with 77 where something that this needs is not there.
"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

NEEDED = ["mmdebstrap", "dpkg-deb", "rpm", "rpmbuild", "umoci", "runc", "chroot", "unshare"]
HELLO = ("/", "Hello, world!\n")  # a path, and what is there
MANIFEST = """[project]
name = "shop"
version = "1.0.0"

[package]
maintainer = "Ada Lovelace <ada@example.org>"
port = {port}
config = ["shop.toml"]

[package.image]
health = "/"
"""


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, text=True, capture_output=True, **more).stdout


def expect(what, seen, wanted):
    if seen != wanted:
        sys.exit(f"{what}: saw {seen!r}, wanted {wanted!r}")
    print(f"{what}: {str(seen).strip()}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def ask(port, path):
    until = time.monotonic() + 20
    while True:
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5).read().decode()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)  # nobody tells when a server of another root listens


@contextlib.contextmanager
def started(*words, **more):
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def package(binaries, project, *words):
    run(binaries / "apus", "-q", "package", *words, "--binary", binaries / "hello", cwd=project, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})


def install_deb(deb, port, work, page=HELLO):
    root = work / "debian"
    depends = [each.split("|")[0].split("(")[0].strip() for each in run("dpkg-deb", "-f", deb, "Depends").split(",")]
    run("mmdebstrap", "--quiet", "--variant=minbase", "--include=" + ",".join(depends), "bookworm", root)
    shutil.copy(deb, root / "shop.deb")

    def inside(*words):
        return run("chroot", root, *words, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
    inside("dpkg", "-i", "/shop.deb")
    expect("deb: its user", inside("id", "-un", "shop").strip(), "shop")
    expect("deb: its folder", inside("stat", "-c", "%U:%G %a", "/var/lib/shop").strip(), "shop:shop 750")
    with started("chroot", "--userspec=shop:shop", root, "/usr/bin/shop", "--host", "127.0.0.1", "--port", port) as server:
        expect("deb: an answer", ask(port, page[0]), page[1])
        server.send_signal(signal.SIGTERM)
        expect("deb: how it stops", server.wait(30), 0)
    settings = root / "etc/shop/shop.toml"
    settings.write_text("changed\n")
    inside("dpkg", "-i", "/shop.deb")
    expect("deb: configuration after an upgrade", settings.read_text(), "changed\n")
    inside("dpkg", "-r", "shop")
    expect("deb: the program after removing", (root / "usr/bin/shop").exists(), False)
    inside("dpkg", "-P", "shop")
    expect("deb: configuration after purging", settings.exists(), False)
    expect("deb: data after purging", (root / "var/lib/shop").exists(), True)


def install_rpm(rpm, work):
    root = work / "fedora"
    root.mkdir()
    expect("rpm: its digests", run("rpm", "--dbpath", work / "db", "-K", rpm).split(": ")[1], "digests OK\n")
    run("rpm", "--root", root, "--dbpath", "/db", "-i", "--nodeps", "--noscripts", rpm)
    expect("rpm: the program", os.access(root / "usr/bin/shop", os.X_OK), True)


def run_image(image, port, work, name, page=HELLO):
    layout, bundle, state = work / f"{name}-layout", work / f"{name}-bundle", work / f"{name}-runc"
    layout.mkdir()
    run("tar", "xf", image, "-C", layout)
    run("umoci", "unpack", "--image", f"{layout}:1.0.0", bundle)
    config = json.loads((bundle / "config.json").read_text())
    config["process"]["terminal"] = False
    spaces = config["linux"]["namespaces"]  # without one of its own for the network, it can be asked from here
    config["linux"]["namespaces"] = [each for each in spaces if each["type"] != "network"]
    (bundle / "config.json").write_text(json.dumps(config))
    expect(f"{name}: who runs it", (config["process"]["user"]["uid"], config["process"]["user"]["gid"]), (10001, 10001))
    ours = f"apus-{os.getpid()}-{name}"
    with started("runc", "--root", state, "run", "--bundle", bundle, ours) as server:
        try:
            expect(f"{name}: an answer", ask(port, page[0]), page[1])
            check = ["runc", "--root", str(state), "exec", ours, "/usr/bin/apus-health", str(port)]
            expect(f"{name}: its health", [subprocess.run([*check, path], check=False).returncode for path in (page[0], "/absent")], [0, 1])
            run("runc", "--root", state, "kill", ours, "TERM")
            expect(f"{name}: how it stops", server.wait(30), 0)
        finally:
            subprocess.run(["runc", "--root", str(state), "delete", "--force", ours], check=False, capture_output=True)


def fill_the_disk(binaries, project, work):
    full = work / "full"
    full.mkdir()
    script = 'mount -t tmpfs -o size=1m tmpfs "$1" && "$2" package oci --binary "$3" --out "$1/dist"; echo "$?"; ls -A "$1/dist"'
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", full, binaries / "apus", binaries / "hello"],
                          cwd=project, text=True, capture_output=True, check=True)
    expect("full disk: what is left", done.stdout, "1\n")
    expect("full disk: what is said", done.stderr.split(":")[0], "error[E0104]")


def main():
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        print("skipped: this needs root" if not missing else f"skipped: there is no {', '.join(missing)}")
        return 77
    binaries = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="apus-packages-", dir=sys.argv[2] if sys.argv[2:] else None) as folder:
        work, port = pathlib.Path(folder), free_port()
        work.chmod(0o755)
        project = work / "project"
        project.mkdir()
        (project / "apus.toml").write_text(MANIFEST.format(port=port))
        (project / "shop.toml").write_text("as packaged\n")
        package(binaries, project, "all")
        made = project / "dist"
        run_image(made / "shop-1.0.0-oci-amd64.tar", port, work, "scratch")
        install_rpm(made / "shop-1.0.0-1.x86_64.rpm", work)
        fill_the_disk(binaries, project, work)
        install_deb(made / "shop_1.0.0_amd64.deb", port, work)
        package(binaries, project, "oci", "--base", "debian", "--out", "based")
        run_image(project / "based/shop-1.0.0-oci-amd64.tar", port, work, "debian")
    print("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
