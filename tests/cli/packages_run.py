#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds, packages, installs, runs and removes a project of the template `api`. Run manually, as root; takes some
minutes, mainly for mmdebstrap's downloads:

    tests/cli/packages_run.py build/release/bin [WORK]

Each package is built twice, in two folders, and compared byte for byte. The deb is installed in a fresh Debian
(mmdebstrap), the rpm in a Debian that has rpm (apt provides no rpm-based distribution), and runc runs the images,
unpacked by umoci; each server must respond to a request. Then packaging is tested with a full disk, a folder without
write permission, a signal, and two concurrent runs. Exits with 77 if a requirement is missing.
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

NEEDED = ["mmdebstrap", "dpkg-deb", "rpm", "rpmbuild", "umoci", "runc", "chroot", "unshare", "ssh-keygen", "cmake",
          "clang++-19"]
NOTES = ("/notes", "[]")  # a path, and the expected response
MANIFEST = """
[package]
maintainer = "Ada Lovelace <ada@example.org>"
port = {port}
config = ["shop.toml"]

[package.image]
health = "/notes"
"""
INSIDE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], check=False, text=True, capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what, seen, wanted):
    if seen != wanted:
        sys.exit(f"{what}: saw {seen!r}, wanted {wanted!r}")
    print(f"{what}: {str(seen).strip()}", flush=True)


@contextlib.contextmanager
def timed(what):
    begin = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - begin:.1f} s", flush=True)


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
            time.sleep(0.05)  # there is no notification when a server in another root listens


@contextlib.contextmanager
def started(*words, **more):
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               **more)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Project:
    """A project of the template `api`, called shop, in a folder."""

    def __init__(self, binaries, folder, sdk, port):
        self.tool, self.folder = binaries / "apus", folder
        self.env = os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "APUS_SDK": str(sdk), "HOME": str(folder.parent)}
        run(self.tool, "-q", "new", folder, "--name", "shop", "--template", "api", "--no-git", env=self.env)
        with open(folder / "apus.toml", "a", encoding="utf-8") as manifest:
            manifest.write(MANIFEST.format(port=port))
        (folder / "shop.toml").write_text("as packaged\n")

    def package(self, *words):
        return run(self.tool, "-q", "package", *words, cwd=self.folder, env=self.env)


def inside(root, *words):
    return run("chroot", root, *words, env=INSIDE)


def server_answers(what, root, port, page):
    with started("chroot", "--userspec=shop:shop", root, "/usr/bin/shop", "--host", "127.0.0.1", "--port",
                 port) as server:
        expect(f"{what}: an answer", ask(port, page[0]), page[1])
        server.send_signal(signal.SIGTERM)
        expect(f"{what}: how it stops", server.wait(30), 0)


def depends_of(deb):
    return {each.split("|")[0].split("(")[0].strip() for each in run("dpkg-deb", "-f", deb, "Depends").split(",")}


def install_deb(deb, port, work, page=NOTES, also=()):
    """Installs the deb in a fresh root, or in the root of the previous call; returns this root."""
    root = work / "debian"
    if not root.exists():
        with timed("a fresh Debian"):
            run("mmdebstrap", "--quiet", "--variant=minbase", "--include="
                + ",".join(sorted(depends_of(deb) | set(also))), "bookworm", root)
    shutil.copy(deb, root / "shop.deb")
    inside(root, "dpkg", "-i", "/shop.deb")
    expect("deb: its user", inside(root, "id", "-un", "shop").strip(), "shop")
    expect("deb: its folder", inside(root, "stat", "-c", "%U:%G %a", "/var/lib/shop").strip(), "shop:shop 750")
    server_answers("deb", root, port, page)
    typed = inside(root, "bash", "-c",
                   ". /usr/share/bash-completion/completions/shop; COMP_WORDS=(shop --ho) COMP_CWORD=1; _shop shop; "
                   "echo ${COMPREPLY[*]}")
    expect("deb: what completes --ho", typed, "--host\n")
    settings = root / "etc/shop/shop.toml"
    settings.write_text("changed\n")
    inside(root, "dpkg", "-i", "/shop.deb")
    expect("deb: configuration after an upgrade", settings.read_text(), "changed\n")
    inside(root, "dpkg", "-r", "shop")
    expect("deb: the program after removing", (root / "usr/bin/shop").exists(), False)
    inside(root, "dpkg", "-P", "shop")
    expect("deb: configuration after purging", settings.exists(), False)
    expect("deb: data after purging", (root / "var/lib/shop").exists(), True)
    return root


def install_rpm(rpm, port, root):
    """Installs the rpm, with rpm's own database and scripts. The root's libraries belong to dpkg, so rpm's dependency
    check is skipped."""
    shutil.copy(rpm, root / "shop.rpm")
    run("chroot", root, "userdel", "shop", env=INSIDE)
    shutil.rmtree(root / "var/lib/shop")
    expect("rpm: its digests", inside(root, "rpm", "-K", "/shop.rpm"), "/shop.rpm: digests OK\n")
    inside(root, "rpm", "-i", "--nodeps", "/shop.rpm")
    expect("rpm: its user", inside(root, "id", "-un", "shop").strip(), "shop")
    server_answers("rpm", root, port, NOTES)
    inside(root, "rpm", "-e", "shop")
    expect("rpm: the program after removing", (root / "usr/bin/shop").exists(), False)
    expect("rpm: data after removing", (root / "var/lib/shop").exists(), True)


def run_image(image, port, work, name, page=NOTES):
    layout, bundle, state = work / f"{name}-layout", work / f"{name}-bundle", work / f"{name}-runc"
    layout.mkdir()
    run("tar", "xf", image, "-C", layout)
    notes = json.loads((layout / "index.json").read_text())["manifests"][0]["annotations"]
    tag = notes["org.opencontainers.image.ref.name"]
    run("umoci", "unpack", "--image", f"{layout}:{tag}", bundle)
    config = json.loads((bundle / "config.json").read_text())
    config["process"]["terminal"] = False
    # Without a network namespace of its own, the container can be reached from here.
    spaces = config["linux"]["namespaces"]
    config["linux"]["namespaces"] = [each for each in spaces if each["type"] != "network"]
    (bundle / "config.json").write_text(json.dumps(config))
    expect(f"{name}: who runs it", (config["process"]["user"]["uid"], config["process"]["user"]["gid"]), (10001, 10001))
    ours = f"apus-{os.getpid()}-{name}"
    with started("runc", "--root", state, "run", "--bundle", bundle, ours) as server:
        try:
            expect(f"{name}: an answer", ask(port, page[0]), page[1])
            check = ["runc", "--root", str(state), "exec", ours, "/usr/bin/apus-health", str(port)]
            expect(f"{name}: its health", [subprocess.run([*check, path], check=False).returncode
                                           for path in (page[0], "/absent")], [0, 1])
            run("runc", "--root", state, "kill", ours, "TERM")
            expect(f"{name}: how it stops", server.wait(30), 0)
        finally:
            subprocess.run(["runc", "--root", str(state), "delete", "--force", ours], check=False, capture_output=True)


def mounted(what, options, project, program, work, wanted):
    """Packages into a file system of its own."""
    place = work / what.replace(" ", "-")
    place.mkdir()
    script = (f'mount -t tmpfs -o {options} tmpfs "$1" && "$2" package all --binary "$3" --out "$1/dist" ; '
              f'echo "$?"; ls -A "$1" | tr "\\n" " "; ls -A "$1/dist" 2>&1; true')
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", place, project.tool, program], cwd=project.folder,
                          env=project.env, text=True, capture_output=True, check=True)
    expect(f"{what}: what is said", done.stderr.split(":")[0], wanted)
    expect(f"{what}: its status, and files left", (done.stdout.split()[0], ".deb" in done.stdout
                                                   or ".tar" in done.stdout), ("1", False))


def interrupted(project, program, work):
    """Sends a signal at twenty different times: either all packages exist afterwards or none."""
    for moment in range(20):
        out = work / f"interrupted-{moment}"
        process = subprocess.Popen([project.tool, "-q", "package", "all", "--binary", program, "--out", out],
                                   cwd=project.folder, env=project.env, stderr=subprocess.DEVNULL)
        time.sleep(moment * 0.25)
        process.send_signal(signal.SIGINT)
        status = process.wait(60)
        left = sorted(path.name for path in out.iterdir()) if out.exists() else []
        if (status, len(left)) not in ((130, 0), (-2, 0), (0, 12)):
            sys.exit(f"interrupted after {moment * 0.25} s: status {status}, left {left}")
    print("interrupted at twenty moments: all or nothing was left", flush=True)


def two_at_once(project):
    """Two concurrent runs, with and without a build: both succeed, and the packages are complete."""
    both = [subprocess.Popen([project.tool, "-q", "package", "all"], cwd=project.folder, env=project.env)
            for _ in range(2)]
    expect("two at once: how they end", [each.wait(300) for each in both], [0, 0])
    for sums in (project.folder / "dist").glob("*.sha256"):
        run("sha256sum", "--quiet", "-c", sums.name, cwd=sums.parent)


def packaged_twice(binaries, work, sdk, port):
    """Returns the project, and the folder of its packages."""
    first, second = (Project(binaries, work / name / "shop", sdk, port) for name in ("one", "another folder"))
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", work / "key")
    with timed("built and packaged as deb, rpm, tar and image"):
        first.package("all", "--out", work / "packages", "--sign", work / "key")
    second.package("all", "--out", work / "again", "--sign", work / "key")
    run("diff", "-r", work / "packages", work / "again")
    expect("the same bytes from another folder, files", len(list((work / "packages").iterdir())), 20)
    for package in (work / "packages").glob("*shop*"):
        if package.suffix not in (".sig", ".sha256"):
            run(binaries / "apus", "package", "verify", package, "--key", work / "key.pub")
            print(f"signed {package.name}, {package.stat().st_size} bytes", flush=True)
    return first, work / "packages"


def main():
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        print("skipped: this needs root" if not missing else f"skipped: there is no {', '.join(missing)}")
        return 77
    binaries = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="apus-packages-", dir=sys.argv[2] if sys.argv[2:] else None) as folder:
        work, port = pathlib.Path(folder), free_port()
        work.chmod(0o755)
        run("cmake", "--install", binaries.parent, "--prefix", work / "sdk")
        project, packages = packaged_twice(binaries, work, work / "sdk", port)
        root = install_deb(packages / "shop_0.1.0_amd64.deb", port, work, also=["rpm"])
        install_rpm(packages / "shop-0.1.0-1.x86_64.rpm", port, root)
        run_image(packages / "shop-0.1.0-oci-amd64.tar", port, work, "image")
        with timed("an image based on Debian"):
            project.package("oci", "--no-build", "--base", "debian", "--out", work / "based")
        run_image(work / "based/shop-0.1.0-oci-amd64.tar", port, work, "debian")
        scanned = sorted(path.name for path in (work / "debian-bundle/rootfs/var/lib/dpkg/status.d").iterdir())
        bill = json.loads((work / "based/shop-0.1.0-oci-amd64.tar.cdx.json").read_text())
        expect("the image's packages, and those of its bill", sorted(part["name"] for part in bill["components"]
                                                                     if part["purl"].startswith("pkg:deb/")), scanned)
        program = project.folder / "build/package/shop"
        mounted("full disk", "size=1m", project, program, work, "error[E0104]")
        mounted("read-only folder", "size=9m,ro", project, program, work, "error[E0105]")
        interrupted(project, program, work)
        two_at_once(project)
    print("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
