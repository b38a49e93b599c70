#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dependencies by Conan 2: from a folder of recipes, and from a real conan-server on loopback. Takes half a minute.
Skipped (77) without Conan, conan-server and a CycloneDX validator:
    python3 -m venv ve && ve/bin/pip install conan==2.34.0 conan-server==2.33.0
    'cyclonedx-python-lib[json-validation]'
    APUS_CONAN=$PWD/ve/bin/conan python3 tests/cli/conan_test.py
"""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = pathlib.Path(os.environ.get("APUS_BIN", ROOT / "build/dev/bin")).resolve() / "apus"
CONAN = os.environ.get("APUS_CONAN", "")
PYTHON = pathlib.Path(CONAN).parent / "python3"
SERVER = """
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server
from conans.server.server_launcher import app
class Quiet(WSGIRequestHandler):
    def log_message(self, *_): pass
make_server("127.0.0.1", int(sys.argv[1]), app, handler_class=Quiet).serve_forever()
"""
SETTINGS = """[server]
jwt_secret: not-a-secret-of-anybody
jwt_expire_minutes: 120
ssl_enabled: False
port: {port}
public_port: {port}
host_name: 127.0.0.1
authorize_timeout: 1800
disk_storage_path: ./data
disk_authorize_timeout: 1800
updown_secret: neither-is-this
[write_permissions]
*/*@*/*: someone
[read_permissions]
*/*@*/*: *
[users]
someone: password
"""
RECIPE = """from conan import ConanFile
from conan.tools.files import save
class Greet(ConanFile):
    name = "greet"
    version = "{version}"
    license = "MIT"
    def package(self):
        save(self, self.package_folder + "/include/greet.hpp", 'inline const char* greet() {{ return "hello"; }}\\n')
    def package_id(self):
        self.info.clear()
    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
"""


class Dependencies(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="apus-conan-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.project = self.root / "shop"
        self.project.mkdir()
        (self.project / "apus.toml").write_text('[project]\nname = "shop"\n')

    def apus(self, *words, status=0, home="home"):
        env = os.environ | {"APUS_HOME": str(self.root / home), "CONAN_LOGIN_USERNAME": "someone",
                            "CONAN_PASSWORD": "password"}
        done = subprocess.run([TOOL, *words], cwd=self.project, env=env, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def recipe(self, version):
        folder = self.root / f"greet-{version}"
        folder.mkdir()
        (folder / "conanfile.py").write_text(RECIPE.format(version=version))
        return str(folder)

    def published(self, registry):
        self.apus("registry", "publish", registry, self.recipe("1.0.0"))
        self.apus("add", "greet")
        self.assertIn("1.0.0", self.apus("tree"))
        self.assertIn("Checked", self.apus("lock", "--frozen"))
        self.apus("registry", "publish", registry, self.recipe("1.1.0"))
        self.assertIn("Checked", self.apus("lock"), "what is locked stays")
        self.assertIn("1.0.0 -> 1.1.0", self.apus("outdated", status=1))
        self.assertIn("1.0.0 (conan, " + registry + ") -> 1.1.0", self.apus("update", "greet"))
        self.assertIn("has 1.1.0, 1.0.0", self.apus("add", "greet@2", status=1))
        self.assertIn("greet/1.1.0  " + registry, self.apus("registry", "search", "gre*"))
        self.assertIn("MIT: greet 1.1.0", self.apus("licenses"))

    def test_a_folder_of_recipes(self):
        (self.root / "ours/recipes").mkdir(parents=True)
        self.apus("registry", "add", "ours", "../ours")
        self.published("ours")
        self.assertIn("has greet 1.1.0 already", self.apus("registry", "publish", "ours",
                                                           str(self.root / "greet-1.1.0"), status=1))
        self.builds()
        lock = self.project / "apus.lock"
        lock.write_text(lock.read_text().replace('sha256 = "', 'sha256 = "00'))
        self.assertIn("E0404", self.apus("lock", status=1))

    def test_a_git_repository_that_declines(self):
        bare, work = self.root / "ours.git", self.root / "work"
        git = lambda *words: subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True,
                                            capture_output=True)
        git("init", "--bare", "-b", "main", bare)
        git("clone", bare, work)
        (work / "recipes").mkdir()
        (work / "recipes/.keep").touch()
        git("-C", work, "add", ".")
        git("-C", work, "commit", "-m", "begun")
        git("-C", work, "push", "origin", "HEAD:main")
        self.apus("registry", "add", "ours", str(bare))
        hook = bare / "hooks/pre-receive"
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
        os.environ |= {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        recipe = self.recipe("1.0.0")
        self.assertIn("E0408", self.apus("registry", "publish", "ours", recipe, status=1))
        hook.unlink()
        self.assertIn("Published", self.apus("registry", "publish", "ours", recipe))

    def test_a_registry_inside_of_a_recipe(self):
        recipe = pathlib.Path(self.recipe("1.0.0"))
        (recipe / "registry/recipes").mkdir(parents=True)
        self.apus("registry", "add", "ours", str(recipe / "registry"))
        self.assertIn("is inside of the recipe's folder", self.apus("registry", "publish", "ours", str(recipe),
                                                                    status=1))
        self.assertEqual(list((recipe / "registry/recipes").iterdir()), [])

    def test_a_server(self):
        port = self.serve()
        self.apus("registry", "add", "company", f"http://127.0.0.1:{port}")
        self.published("company")
        # A colleague has the files from version control, and an empty cache.
        self.assertIn("Checked", self.apus("lock", "--frozen", home="colleague"))
        self.bill_is_valid()

    def serve(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        home = self.root / "server"
        home.mkdir(parents=True)
        (home / "server.conf").write_text(SETTINGS.format(port=port))
        server = subprocess.Popen([PYTHON, "-c", SERVER, str(port)], env=os.environ
                                  | {"CONAN_SERVER_HOME": str(self.root / "server"), "HOME": str(self.root)},
                                  cwd=self.root, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(lambda: (server.kill(), server.wait()))
        while True:
            self.assertIsNone(server.poll(), "the server has ended")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return port

    def builds(self):
        (self.project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(shop LANGUAGES "
                                                     "CXX)\ninclude(cmake/dependencies.cmake)\n"
                                                     "add_executable(shop main.cpp)\ntarget_link_libraries(shop "
                                                     "PRIVATE ${apus_dependencies})\n")
        (self.project / "main.cpp").write_text("#include <greet.hpp>\nint main() "
                                               "{ return greet()[0] == 'h' ? 0 : 1; }\n")
        for words in (["-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug"], ["--build", "build"]):
            subprocess.run(["cmake", *words], cwd=self.project, check=True, capture_output=True)
        subprocess.run([self.project / "build/shop"], check=True)

    def bill_is_valid(self):
        bill = self.apus("sbom")
        code = ("import sys\nfrom cyclonedx.schema import SchemaVersion\nfrom cyclonedx.validation.json import "
                "JsonStrictValidator\n"
                "print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()))")
        said = subprocess.run([PYTHON, "-c", code], input=bill, text=True, capture_output=True, check=True).stdout
        self.assertEqual(said.strip(), "None")


if __name__ == "__main__":
    needs = "import conans.server.server_launcher, cyclonedx.validation.json, jsonschema"
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", needs], capture_output=True).returncode:
        print("skipped: Conan's server and a validator of CycloneDX are not installed; see the head of "
              "tests/cli/conan_test.py")
        sys.exit(77)
    unittest.main()
