#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages a project for aarch64 on a machine of another architecture, and runs the result under qemu. Run manually,
as root; takes some minutes, mainly to compile Apus once more:

    tests/cli/aarch64_run.py build/release/bin [BUILDER]

mmdebstrap installs clang 19, the C++ library of g++-aarch64-linux-gnu and the arm64 libraries in a separate root, so
that this machine is not changed. In that root, Apus is built for aarch64, and a project of the template `api` is
packaged by `apus package all --target aarch64`. The root is the folder BUILDER, which is kept and reused, or else a
temporary folder. Then the deb is unpacked in a fresh arm64 root, the image by umoci, and the servers of both, run by
qemu-aarch64-static, must respond to a request. Exits with 77 if a requirement is missing.
"""
import os
import pathlib
import shutil
import signal
import sys
import tempfile

from packages_run import INSIDE, MANIFEST, NOTES, ask, depends_of, expect, free_port, run, started, timed

NEEDED = ["mmdebstrap", "dpkg-deb", "umoci", "chroot", "unshare", "qemu-aarch64-static", "cmake"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["clang-19", "g++-aarch64-linux-gnu", "cmake", "ninja-build", "pkg-config", "dpkg-dev", "rpm", "gzip",
         "libtomlplusplus3"]
LIBRARIES = ["liburing-dev", "libsodium-dev", "libssl-dev", "zlib1g-dev", "libdeflate-dev", "libbrotli-dev",
             "libzstd-dev", "libtomlplusplus-dev", "libstdc++6"]
TOOLCHAIN = """set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
"""


def make_builder(root):
    names = TOOLS + [each + ":arm64" for each in LIBRARIES]
    run("mmdebstrap", "--quiet", "--variant=minbase", "--architectures=amd64,arm64", "--include=" + ",".join(names),
        "bookworm", root)
    (root / "toolchain.cmake").write_text(TOOLCHAIN)


def inside(root, *words, **more):
    script = 'mount -t proc proc "$1/proc" && exec chroot "$@"'
    return run("unshare", "-m", "sh", "-c", script, "sh", root, *words, env=INSIDE
               | {"HOME": "/root", "SOURCE_DATE_EPOCH": "1700000000"} | more)


def build_apus(root):
    """Builds Apus for aarch64 and installs it in /sdk of the root."""
    inside(root, "cmake", "-G", "Ninja", "-S", "/apus", "-B", "/build", "-DCMAKE_TOOLCHAIN_FILE=/toolchain.cmake",
           "-DCMAKE_BUILD_TYPE=Release",
           "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DAPUS_JOIN=ON", "-DAPUS_TESTS=OFF", "-DAPUS_EXAMPLES=OFF")
    inside(root, "nice", "-n", "10", "ninja", "-C", "/build", "-j", str(os.cpu_count()), "apus", "apus_tool",
           "apus_health")
    inside(root, "cmake", "--install", "/build", "--prefix", "/sdk")


def package(root, port):
    inside(root, "/native/bin/apus", "-q", "new", "/shop", "--name", "shop", "--template", "api", "--no-git")
    with open(root / "shop/apus.toml", "a", encoding="utf-8") as manifest:
        manifest.write(MANIFEST.format(port=port))
    (root / "shop/shop.toml").write_text("as packaged\n")
    inside(root, "/native/bin/apus", "-q", "-C", "/shop", "package", "all", "--target", "aarch64", APUS_SDK="/sdk")


def answers(what, root, port):
    with started("qemu-aarch64-static", "-L", root, root / "usr/bin/shop", "--host", "127.0.0.1", "--port", port,
                 "--cores", "1") as server:
        expect(f"{what}: an answer", ask(port, NOTES[0]), NOTES[1])
        server.send_signal(signal.SIGTERM)
        expect(f"{what}: how it stops", server.wait(30), 0)


def main():
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        print("skipped: this needs root" if not missing else f"skipped: there is no {', '.join(missing)}")
        return 77
    binaries = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="apus-aarch64-") as folder:
        work, port = pathlib.Path(folder), free_port()
        work.chmod(0o755)
        builder, fresh = pathlib.Path(sys.argv[2]).resolve() if sys.argv[2:] else work / "builder", work / "arm64"
        if not (builder / "toolchain.cmake").exists():
            with timed("a root with the cross-compiler"):
                make_builder(builder)
        for each in ("apus", "native", "shop"):
            shutil.rmtree(builder / each, ignore_errors=True)
        shutil.copytree(ROOT, builder / "apus", ignore=shutil.ignore_patterns("build", ".git"))
        run("cmake", "--install", binaries.parent, "--prefix", builder / "native")
        with timed("Apus for aarch64"):
            build_apus(builder)
        with timed("the project, built and packaged"):
            package(builder, port)
        made = builder / "shop/dist"
        for each in sorted(made.iterdir()):
            print(f"{each.name}, {each.stat().st_size} bytes", flush=True)
        deb = made / "shop_0.1.0_arm64.deb"
        expect("deb: its architecture", run("dpkg-deb", "-f", deb, "Architecture").strip(), "arm64")
        with timed("a fresh root for arm64"):
            run("mmdebstrap", "--quiet", "--variant=extract", "--architectures=arm64", "--include="
                + ",".join(sorted(depends_of(deb))), "bookworm", fresh)
        run("dpkg-deb", "-x", deb, fresh)
        answers("deb", fresh, port)
        layout, bundle = work / "layout", work / "bundle"
        layout.mkdir()
        run("tar", "xf", made / "shop-0.1.0-oci-arm64.tar", "-C", layout)
        run("umoci", "unpack", "--image", f"{layout}:0.1.0", bundle)
        answers("image", bundle / "rootfs", port)
        health = ["qemu-aarch64-static", "-L", str(bundle / "rootfs"), str(bundle / "rootfs/usr/bin/apus-health")]
        expect("image: its health check says what it takes", os.waitstatus_to_exitcode(os.system(" ".join(health))), 2)
    print("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
