# SPDX-License-Identifier: Apache-2.0
"""Creates certificates for tests with the program openssl, in a temporary folder."""

import pathlib
import subprocess
import tempfile


class Authority:
    """A certificate authority. A context manager, which removes its folder at the end."""

    def __init__(self, name="Test Authority"):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.file = self.folder / "authority.pem"
        self._count = 0
        self._run("req", "-x509", *_new_key(self.folder / "authority.key"), "-subj", f"/CN={name}", "-days", "30",
                  "-out", self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def _run(self, *arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    def sign(self, name, alternatives="", to=None, subject="", days=30):
        """Returns the paths of a new certificate and its key. The file names derive from `name` unless `to` is set."""
        self._count += 1
        certificate = pathlib.Path(to) if to else self.folder / f"{self._count}.pem"
        key, request, more = certificate.with_suffix(".key"), self.folder / "request", self.folder / "more"
        more.write_text(f"subjectAltName={alternatives or 'DNS:' + name}\nbasicConstraints=CA:FALSE\n")
        # A server that reads a file during a write would get only a part, so each file is replaced atomically.
        new_key, new_certificate = self.folder / "new.key", self.folder / "new.pem"
        self._run("req", *_new_key(new_key), "-subj", subject or f"/CN={name}", "-out", request)
        self._run("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.folder / "authority.key",
                  "-CAcreateserial",
                  "-days", days, "-extfile", more, "-out", new_certificate)
        new_key.replace(key)
        new_certificate.replace(certificate)
        return certificate, key


    def answer_ocsp(self, certificate, revoked=False):
        """Writes the authority's OCSP response (RFC 6960) for a certificate to a file beside the certificate."""
        serial = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-serial"], check=True,
                                capture_output=True, text=True).stdout.strip().partition("=")[2]
        known, response, made = self.folder / "index.txt", certificate.with_suffix(".ocsp"), self.folder / "new.ocsp"
        known.write_text(f"{'R' if revoked else 'V'}\t491231235959Z\t{'200101000000Z' if revoked else ''}\t"
                         f"{serial}\tunknown\t/CN=-\n")
        self._run("ocsp", "-index", known, "-CA", self.file, "-rsigner", self.file, "-rkey",
                  self.folder / "authority.key", "-issuer", self.file,
                  "-cert", certificate, "-ndays", 2, "-respout", made)
        made.replace(response)
        return response


def _new_key(file):
    return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file)
