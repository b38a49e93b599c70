#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bills of materials contain every component that is linked or loaded, and no component that is absent. With a
CycloneDX validator, their validity is checked too: python3 -m venv ve && ve/bin/pip install
'cyclonedx-python-lib[json-validation]', and
APUS_CYCLONEDX=$PWD/ve/bin/python3."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("APUS_BIN", ROOT / "build/dev/bin")).resolve()
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
why = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
sys.exit(str(why) if why else 0)
"""
MANIFEST = '[project]\nname = "shop"\nlicense = "sold, not given"\n\n[dependencies]\nfmt = "9"\n'
LOCK = f"""format = 1

[[package]]
name = "fmt"
wanted = "9"
source = "conan"
version = "9.1.0"
revision = "{'a' * 32}"
sha256 = "{'b' * 64}"
license = "MIT"
needs = ["tiny+"]

[[package]]
name = "tiny+"
source = "git"
version = "1:2~3"
from = "https://example.org/tiny.git"
revision = "{'c' * 40}"
license = "MIT OR Apache-2.0"
"""


class Bills(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="apus-bill-")
        self.addCleanup(scratch.cleanup)
        self.project = pathlib.Path(scratch.name)
        (self.project / "apus.toml").write_text(MANIFEST)
        (self.project / "apus.lock").write_text(LOCK)

    def apus(self, *words):
        done = subprocess.run([BINARIES / "apus", "-q", *words], cwd=self.project, env=os.environ
                              | {"SOURCE_DATE_EPOCH": "0"}, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check(self, text):
        """Checks rules that the schema does not express, and returns the components by name."""
        bill = json.loads(text)
        parts = {part["name"]: part for part in bill["components"]}
        references = [bill["metadata"]["component"]["bom-ref"]] + [part["bom-ref"] for part in bill["components"]]
        self.assertEqual(len(references), len(set(references)), "references are unique")
        self.assertEqual([each["ref"] for each in bill["dependencies"]], references)
        self.assertLessEqual({to for each in bill["dependencies"] for to in each["dependsOn"]}, set(references))
        self.assertEqual(bill["metadata"]["component"]["licenses"], [{"license": {"name": "sold, not given"}}])
        self.assertEqual(parts["fmt"]["hashes"], [{"alg": "SHA-256", "content": "b" * 64}])
        self.assertEqual(parts["fmt"]["purl"], f"pkg:conan/fmt@9.1.0?rrev={'a' * 32}")
        self.assertEqual(parts["tiny+"]["purl"],
                         f"pkg:generic/tiny%2B@1%3A2~3?vcs_url=git%2Bhttps%3A%2F%2Fexample.org%2Ftiny.git%40{'c' * 40}")
        self.assertEqual(parts["tiny+"]["licenses"], [{"expression": "MIT OR Apache-2.0"}])
        self.assertEqual(parts["apus"]["licenses"], [{"expression": "Apache-2.0"}])
        if validator := os.environ.get("APUS_CYCLONEDX"):
            subprocess.run([validator, "-c", VALIDATE], input=text, text=True, check=True)
        return parts

    def test_of_a_project(self):
        self.assertEqual(list(self.check(self.apus("sbom"))), ["fmt", "tiny+", "apus"])

    @unittest.skipUnless(shutil.which("strip") and shutil.which("dpkg-query"), "binutils or dpkg is not there")
    def test_of_a_package(self):
        self.apus("package", "tar", "--binary", str(BINARIES / "hello"))
        bill, = (self.project / "dist").glob("*.cdx.json")
        parts = self.check(bill.read_text())
        libc = parts["libc6"]
        self.assertRegex(libc["purl"], r"^pkg:deb/\w+/libc6@[\w.%+~-]+\?arch=\w+$")
        self.assertIn("libc.so.6", "".join(each["name"] for each in libc["components"]))
        self.assertTrue(all(len(each["hashes"][0]["content"]) == 64 for each in libc["components"]))

    @unittest.skipUnless(shutil.which("strip") and shutil.which("objcopy"), "binutils is not there")
    def test_of_a_page(self):
        (self.project / "bundle").write_text('exports.SwaggerUIBundle=o();a={PACKAGE_VERSION:"5.35.0",BUILD_TIME:"x"}')
        subprocess.run(["objcopy", "--add-section", ".bundle=bundle", BINARIES / "hello", "program"], cwd=self.project,
                       check=True)
        self.apus("package", "tar", "--binary", "program")
        bill, = (self.project / "dist").glob("*.cdx.json")
        self.assertEqual(self.check(bill.read_text())["swagger-ui-dist"]["purl"], "pkg:npm/swagger-ui-dist@5.35.0")


if __name__ == "__main__":
    sys.exit(unittest.main())
