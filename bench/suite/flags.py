# SPDX-License-Identifier: Apache-2.0
"""Apus as a peer, compiled with different flags. `--scenarios flags` measures all variants."""
import os
import subprocess

import peers
import places
import priority
import process

COMPILER = "clang++-19"
VARIANTS = {  # name: (flags, whether to use link-time optimization, whether to use profile-guided optimization)
    "clang-o2": ("-O2", False, False),
    "clang-o2-lto": ("-O2", True, False),
    "clang-o3-lto": ("-O3", True, False),
    "clang-o3-lto-native": ("-O3 -march=native", True, False),
    "clang-o2-lto-pgo": ("-O2", True, True),
}
TRAINING_SECONDS = 3


class Variant(peers.Peer):
    """A variant: the folder bench/peers/apus with its own build."""

    of_flags = True

    def __init__(self, folder, known, name):
        super().__init__(folder, known)
        self.options, self.lto, self.pgo = VARIANTS[name]
        said = " ".join([COMPILER, self.options, *(["LTO"] if self.lto else []), *(["PGO"] if self.pgo else [])])
        self.name, self.title = f"apus-{name}", f"Apus, {said}"
        self.known = {**known, "flags": said, "packages": ["clang-19"]}

    def build_with(self, seconds, log):
        """Builds in one or more steps and returns the exit status."""
        if not self.pgo:
            return self.compile(self.options, seconds, log)
        profile = places.made(self.out, "profile")
        merged = os.path.join(self.out, "merged.profdata")
        status = self.compile(f"{self.options} -fprofile-generate={profile}", seconds, log)
        if status == 0:
            status = self.train(profile, merged, log)
        return status or self.compile(f"{self.options} -fprofile-use={merged}", seconds, log)

    def compile(self, options, seconds, log):
        lto = "ON" if self.lto else "OFF"
        library, prefix, program = (os.path.join(self.out, part) for part in ("library", "prefix", "build"))
        common = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                  f"-DCMAKE_CXX_FLAGS_RELEASE={options} -DNDEBUG", f"-DAPUS_LTO={lto}",
                  f"-DCMAKE_INTERPROCEDURAL_OPTIMIZATION={lto}"]
        steps = [
            ["cmake", "--fresh", "-S", places.ROOT, "-B", library, *common, "-DAPUS_TESTS=OFF", "-DAPUS_EXAMPLES=OFF"],
            ["cmake", "--build", library, "-j", str(peers.jobs())],
            ["cmake", "--install", library, "--prefix", prefix],
            ["cmake", "--fresh", "-S", self.folder, "-B", program, *common, f"-DCMAKE_PREFIX_PATH={prefix}"],
            ["cmake", "--build", program, "-j", str(peers.jobs())],
        ]
        for step in steps:
            status = subprocess.run(step, stdout=log, stderr=log, timeout=seconds, check=False).returncode
            if status:
                return status
        return 0

    def train(self, profile, merged, log):
        """Runs the instrumented server under a small load, to record the profile for the next build."""
        from tools import LoadTarget, load
        where, _ = priority.cores(sorted(os.sched_getaffinity(0)))
        server = process.start(self, 1, 0, where, False, os.path.join(self.out, "training.log"))
        try:
            for options in ({}, {"pipeline": 16}, {"close": True}):
                command = load.command(LoadTarget(server.port, 0, 50, TRAINING_SECONDS, 1, options))
                subprocess.run(command, stdout=log, stderr=log, check=False)
        finally:
            process.stop(server)
        raw = [os.path.join(profile, name) for name in sorted(os.listdir(profile))]
        return subprocess.run(["llvm-profdata-19", "merge", "-o", merged, *raw], stdout=log, stderr=log,
                              check=False).returncode


def variants():
    """Returns every variant, if Apus can be compiled."""
    apus = next((peer for peer in peers.read_all() if peer.name == "apus"), None)
    return [Variant(apus.folder, apus.known, name) for name in VARIANTS] if apus else []
