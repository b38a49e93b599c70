# SPDX-License-Identifier: Apache-2.0
"""A project, a home and an installation in which every command of the tool can be used, and the changes that a use
leaves behind. Used by hostile_test.py and interrupted_test.py."""
import contextlib
import dataclasses
import hashlib
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("APUS_BIN", ROOT / "build/dev/bin")).resolve()
NOBODY = 65534
PATIENCE = 30  # timeout in seconds; no use takes two

MANIFEST = """[project]
name = "shop"

[package]
maintainer = "Ada <ada@example.org>"

[registries]
ours = "recipes"

[dependencies]
tiny = "1"
"""
# A project whose programs are built by copying a file, so that CMake and Ninja need almost no time.
CMAKE = f"""cmake_minimum_required(VERSION 3.25)
project(shop LANGUAGES NONE)
# find_package(apus REQUIRED)
configure_file({BIN}/schemas ${{CMAKE_BINARY_DIR}}/shop COPYONLY)
add_custom_target(shop ALL)
enable_testing()
add_test(NAME one COMMAND true)
"""
PRESETS = """{"version": 6, "configurePresets": [{"name": "base", "hidden": true, "generator": "Ninja",
"binaryDir": "${sourceDir}/build/${presetName}"}, {"name": "dev", "inherits": "base"},
{"name": "gcc", "inherits": "base"}, {"name": "release", "inherits": "base"}]}
"""
APP = """// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

apus::app make_app() {
    apus::app app;
    // apus: modules
    return app;
}
"""
# A fake Conan with the only answers that `apus registry publish` needs; conan_test.py uses the real one and takes
# longer.
CONAN = """#!/bin/sh
case $1 in inspect) printf 'name: greet\\nversion: 1.0\\n';; list) echo 'greet/0.9';; esac
"""
PARTS = "core | | liburing | libc6 | HTTP\n"


@dataclasses.dataclass
class Use:
    """A use of a command that succeeds, with the files that it reads and writes."""
    words: str
    reads: str = ""     # "project", "lock", "build": each value includes the previous ones
    # "project", "home", "here", "tool" or "cache"; files that can always be created again (build/ and .apus/) do not
    # count
    writes: str = ""
    where: str = "shop"
    prints: bool = False
    home: bool = False  # fails without HOME
    tool: str = "tool/bin/apus"
    first: str = ""     # shell command that prepares the place for the use
    status: int = 0


NEWER = "sed -i s/1.4.2/1.5.0/ pc/tiny.pc"
TABLE = {
    "new": Use("new other -t api --no-git", writes="here", where="."),
    "init": Use("init --vscode --no-git", writes="here", where="bare"),
    "eject": Use("eject", reads="project", writes="project"),
    "run": Use("run -- --routes", reads="build", prints=True),
    "build": Use("build", reads="build"),
    "test": Use("test", reads="build"),
    # fails, since there is no load generator beside this tool
    "bench": Use("bench -d 1 -c 1 --rate 50 --header a:b", reads="build", status=1),
    "fmt": Use("fmt", reads="project", writes="project", first="echo 'int  x;' >> src/app.hpp"),
    "check": Use("check", reads="build"),
    "clean": Use("clean", reads="project"),
    "routes": Use("routes", reads="build", prints=True),
    "openapi": Use("openapi -o openapi.json", reads="build", writes="project"),
    # fail: the program has no configuration
    "config show": Use("config show", reads="build", status=1),
    "config check": Use("config check", reads="build", status=1),
    "config schema": Use("config schema", reads="build", status=1),
    "config example": Use("config example", reads="build", status=1),
    "dev": Use("dev --port 0", reads="build"),
    # fails: the kernel has no process with this number
    "restart": Use("restart --pid 4194304", status=1),
    # fails: nothing listens on the port
    "top": Use("top --once --admin 127.0.0.1:1", status=1),
    "db new": Use("db new create_notes", writes="project"),
    "module new": Use("module new orders --needs users", reads="project", writes="project"),
    "module list": Use("module list", reads="project", prints=True),
    "module check": Use("module check", reads="project"),
    "module graph": Use("module graph --svg modules.svg", reads="project", writes="project"),
    "add": Use("add small --offline", reads="lock", writes="project"),
    "remove": Use("remove tiny --offline", reads="lock", writes="project"),
    "update": Use("update --offline", reads="lock", writes="project", first=NEWER),
    "lock": Use("lock", reads="lock", writes="project", first=NEWER),
    "tree": Use("tree", reads="lock", prints=True),
    "outdated": Use("outdated --offline --json", reads="lock", prints=True),
    "cache": Use("cache", prints=True, home=True),
    "cache gc": Use("cache gc", writes="home", home=True),
    "licenses": Use("licenses", reads="lock", prints=True),
    "sbom": Use("sbom", reads="lock", prints=True),
    "registry add": Use("registry add theirs recipes --offline", reads="project", writes="project"),
    "registry list": Use("registry list", reads="project", prints=True),
    "registry remove": Use("registry remove ours", reads="project", writes="project"),
    "registry search": Use("registry search greet/* --offline", reads="project", writes="cache", prints=True,
                           home=True),
    "registry publish": Use("registry publish ours greet", reads="project", writes="project", home=True),
    "sdk list": Use("sdk list", prints=True, home=True),
    "sdk info": Use("sdk info 1.0.0-web", prints=True, home=True),
    "sdk install": Use("sdk install 3.0.0-web --from ../mirror", writes="home", home=True),
    "sdk use": Use("sdk use 2.0.0-web", writes="home", home=True),
    "sdk verify": Use("sdk verify 2.0.0-web", home=True),
    "sdk upgrade": Use("sdk upgrade --from ../mirror", writes="home", home=True),
    "sdk pack": Use("sdk pack 1.0.0-web --out packed", writes="project", home=True),
    "sdk remove": Use("sdk remove 2.0.0-web", writes="home", home=True),
    "package": Use(f"package tar --binary {BIN}/schemas", reads="project", writes="project"),
    "package verify": Use("package verify ../mirror/apus-sdk-3.0.0-web-linux-@machine@.tar.gz"),
    "doctor": Use("doctor --root ../machine", prints=True, status=1),
    "doctor production": Use("doctor production --root ../machine", prints=True),
    "info": Use("info", prints=True),
    "explain": Use("explain E0101", prints=True),
    "crash": Use("crash ../shop.crash", prints=True),
    "help": Use("help", prints=True),
    "manual": Use("manual --all pages", writes="project"),
    "completion": Use("completion bash", prints=True),
    "upgrade": Use("upgrade --from ../mirror", writes="home", home=True),
    "uninstall": Use("uninstall --yes", writes="tool", tool="prefix/lib/apus/sdk/0-full/bin/apus"),
}


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


class Place:
    """A folder with a project, a home and an installation. If `made` is set, copies that folder."""

    def __init__(self, folder, made=None):
        self.folder = pathlib.Path(folder)
        if made:
            subprocess.run(["cp", "-a", f"{made}/.", folder], check=True)
        else:
            self.make()

    def make(self):
        shop, home, tool, prefix = (self.folder / name for name in ("shop", "home", "tool",
                                                                    "prefix/lib/apus/sdk/0-full"))
        for path, text in {"apus.toml": MANIFEST, "CMakeLists.txt": CMAKE, "CMakePresets.json": PRESETS,
                           "src/app.hpp": APP,
                           ".clang-format": "IndentWidth: 4\n",
                           "pc/small.pc": "Name: small\nDescription: small\nVersion: 0.3.1\nLibs:\n",
                           "pc/tiny.pc": "Name: tiny\nDescription: tiny\nVersion: 1.4.2\nLibs:\n",
                           "greet/conanfile.py": "greet\n",
                           "recipes/recipes/.keep": "", "modules/users/module.toml": 'name = "users"\n',
                           "modules/users/include/users/users.hpp": "#pragma once\n"}.items():
            write(shop / path, text)
        for path in ("bare", "tmp", "machine", "home/.cache/apus/git/0123"):
            (self.folder / path).mkdir(parents=True)
        write(home / ".cache/apus/git/0123/sha256", "0\n")
        write(self.folder / "conan", CONAN, 0o755)
        write(self.folder / "shop.crash", "apus crash report 1\nsignal\tSIGSEGV\nend\n")
        for name in ("1.0.0-web", "2.0.0-web", "3.0.0-web"):
            self.make_sdk(home / ".local/share/apus/sdk" / name)
        for folder in (tool, prefix):
            (folder / "bin").mkdir(parents=True)
            subprocess.run(["strip", "-o", folder / "bin/apus", BIN / "apus"], check=True)
        for part in ("templates", "libraries"):
            shutil.copytree(ROOT / part, tool / "share/apus" / part)
        self.make_mirror()
        self.run(Use("lock -q"))

    def make_sdk(self, folder):
        write(folder / "include/apus/app.hpp", "")
        write(folder / "lib/cmake/apus/apus-config.cmake", "set(apus_installed_components core)\n")
        write(folder / "lib/cmake/apus/components.txt", PARTS)
        write(folder / "lib/cmake/apus/apus_application.cmake", "")
        sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
                       for path in sorted(folder.rglob("*")) if path.is_file())
        write(folder / "SHA256SUMS", sums)

    def make_mirror(self):
        store = self.folder / "home/.local/share/apus/sdk"
        (store / "current").symlink_to("1.0.0-web")
        self.run(Use("sdk pack 3.0.0-web --out ../mirror -q"))
        package = next((self.folder / "mirror").glob("*.gz"))
        write(self.folder / "mirror/index.toml", f'[[sdk]]\nname = "3.0.0-web"\nfile = "{package.name}"\n'
                                                 f'sha256 = "{hashlib.sha256(package.read_bytes()).hexdigest()}"\n')
        shutil.rmtree(store / "3.0.0-web")

    def environment(self):
        kept = {name: os.environ[name] for name in ("LANG", "ASAN_OPTIONS") if name in os.environ}
        return kept | {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.folder / "home"),
                       "TERM": "dumb",
                       "TMPDIR": str(self.folder / "tmp"), "APUS_CONAN": str(self.folder / "conan"),
                       "PKG_CONFIG_LIBDIR": str(self.folder / "shop/pc"),
                       "SOURCE_DATE_EPOCH": "1700000000"}

    def prepare(self, use):
        if use.first:
            subprocess.run(["sh", "-c", use.first], cwd=self.folder / use.where, check=True)

    def start(self, use, env=None, by=(), **more):
        words = use.words.replace("@machine@", os.uname().machine).split()
        return subprocess.Popen([*by, self.folder / use.tool, *words], cwd=self.folder / use.where,
                                env=self.environment() if env is None else env,
                                text=True, errors="replace", start_new_session=True,
                                **({"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                                    "stderr": subprocess.PIPE} | more))

    def run(self, use, **more):
        with self.start(use, **more) as process:
            try:
                return Seen(process, *process.communicate(timeout=PATIENCE))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise

    def state(self, *without):
        """Returns path, kind, mode and content of all files except generated ones."""
        seen = {}
        for path in sorted(self.folder.rglob("*")):
            name, about = str(path.relative_to(self.folder)), path.lstat()
            if name.startswith(("shop/build", "shop/.apus", "shop/compile_commands.json", "home/.cache/apus/conan",
                                *without)) or name.endswith(".apus-lock"):
                continue
            content = os.readlink(path) if path.is_symlink() else ""
            if stat.S_ISREG(about.st_mode):  # programs are large and never changed
                content = hashlib.sha256(path.read_bytes()).hexdigest() if about.st_size < 1_000_000 else about.st_size
            seen[name] = (stat.filemode(about.st_mode), content)
        return seen

    def leftovers(self):
        """Returns leftovers: temporary files of the tool, and everything in the folder for temporary files."""
        names = [str(path.relative_to(self.folder)) for path in self.folder.rglob(".*.apus-*")]
        return names + [str(path.relative_to(self.folder)) for path in (self.folder / "tmp").iterdir()]


class Seen:
    """The outcome of a use."""

    def __init__(self, process, out, error):
        self.status, self.out, self.error = process.returncode, out or "", error or ""
        self.left = processes_of(process.pid)


def is_there(group):
    """Returns whether a process group has a process that has not ended. A process that has ended but was not yet
    waited for does not count."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
            if int(of) == group and state != "Z":
                return True
    return False


def processes_of(group):
    """Returns whether a started process still runs. Terminated processes get a second to end."""
    for _ in range(100):
        if not is_there(group):
            return False
        time.sleep(0.01)
    os.killpg(group, signal.SIGKILL)
    return True


def remove(folder):
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.geteuid():
            path.chmod(0o755)
    shutil.rmtree(folder)
