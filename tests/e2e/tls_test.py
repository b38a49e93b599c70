#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests TLS: which certificate the server presents, which clients it accepts, and large bodies."""

import hashlib
import os
import pathlib
import re
import signal
import ssl
import subprocess
import tempfile
import threading
import time

import wire
from administration import LOOPBACK, scrape
from cases import case, check, equal, main, unsanitized
from certificates import Authority
from server import PROGRAMS, ended, soon
from tls_wire import SecureServer, SecureWire, client_context
from wire import request


def pattern(size):
    """Returns the content of a download of this size."""
    whole = bytes(range(251))
    return (whole * (size // 251 + 1))[:size]


@case
def both_versions_and_what_a_handler_knows_of_them(backend):
    with SecureServer(backend) as server:
        for version, context in server.each_version():
            with server.connect(context) as client:
                equal(client.socket.selected_alpn_protocol(), "http/1.1")
                for _ in range(3):
                    equal(client.get("/tls").body.decode(), f"https {client.socket.version()} localhost\n")


@case
def curl_and_openssl_are_clients(backend):
    with SecureServer(backend) as server:
        url = f"https://localhost:{server.port}"
        curl = ["curl", "-sS", "--cacert", server.authority.file, "--resolve", f"localhost:{server.port}:127.0.0.1"]
        said = subprocess.run([*curl, url + "/", url + "/tls"], capture_output=True, text=True, timeout=20)
        equal((said.stdout, said.stderr), ("ok\nhttps TLSv1.3 localhost\n", ""))
        posted = subprocess.run([*curl, "--data-binary", "@-", url + "/echo"], input="x" * 100_000, capture_output=True,
                                text=True, timeout=20)
        equal(posted.stdout == "x" * 100_000, True)
        # Without -brief and with -tls1_2, s_client can request a renegotiation, which the server must refuse.
        told = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile",
                               server.authority.file, "-tls1_2"],
                              input="R\n", capture_output=True, text=True, timeout=20)
        check("no renegotiation" in told.stderr, f"renegotiation: {told.stderr[-300:]}")
        equal(server.get("/").status, 200)


@case
def old_versions_and_weak_ciphers_are_refused(backend):
    with SecureServer(backend) as server:
        for what in (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"],
                     ["-tls1_2", "-cipher", "aNULL:@SECLEVEL=0"],
                     ["-alpn", "gopher"]):
            tried = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", *what],
                                   input="", capture_output=True, text=True, timeout=20)
            check(tried.returncode != 0, f"{what} was accepted")
        equal(server.get("/").status, 200)


@case
def large_bodies_both_ways(backend):
    with SecureServer(backend) as server:
        for version, context in server.each_version():
            with server.connect(context) as client:
                for size in (0, 1, 16384, 16385, 300_000, 5_000_000):
                    equal(client.get(f"/download/{size}").body == pattern(size), True, f"a stream of {size} bytes")
                    equal(client.get(f"/big/{size}").body == pattern(size), True, f"{size} bytes at once")


@case
def large_bodies_from_a_client_that_sends_while_it_reads(backend):
    body = os.urandom(8_000_000)
    with SecureServer(backend) as server:
        curl = ["curl", "-sS", "--cacert", server.authority.file, "--data-binary", "@-", "-H", "Expect:"]
        for version in ("1.2", "1.3"):
            for path in ("/echo/huge", "/echo/pieces"):
                for framing in ("Content-Type: text/plain", "Transfer-Encoding: chunked"):
                    came = subprocess.run([*curl, "--tls-max", version, "-H", framing,
                                           f"https://127.0.0.1:{server.port}{path}"],
                                          input=body, capture_output=True, timeout=60)
                    equal((came.stdout == body, came.stderr), (True, b""), f"{version} {path} {framing}")


@case
def many_requests_at_once(backend):
    with SecureServer(backend) as server, server.connect() as client:
        client.send(request("/") * 500 + request("/big/100000") + request("/"))
        for _ in range(500):
            equal(client.answer().body, b"ok\n")
        equal(client.answer().body == pattern(100_000), True)
        equal(client.answer().body, b"ok\n")


@case
def a_head_byte_by_byte(backend):
    with SecureServer(backend) as server, server.connect() as client:
        for byte in request("/query?a=b", fields=["X-Long: " + "x" * 6000]):
            client.send(bytes([byte]))
        equal(client.answer().body, b"a=b\n")


@case
def files(backend):
    with tempfile.TemporaryDirectory() as folder:
        data = os.urandom(3_000_000)
        pathlib.Path(folder, "big.bin").write_bytes(data)
        pathlib.Path(folder, "small.txt").write_text("small")
        with SecureServer(backend, environment={"TEST_FILES": folder}) as server, server.connect() as client:
            equal(client.get("/files/big.bin").body == data, True)
            equal(client.get("/files/small.txt").body, b"small")
            ranged = client.get("/files/big.bin", fields=["Range: bytes=1000000-1999999"])
            equal((ranged.status, ranged.body == data[1_000_000:2_000_000]), (206, True))


@unsanitized
@case
def a_client_that_does_not_read_holds_the_handler(backend):
    with SecureServer(backend, limits="drain_rate=1,rate_window=60000") as server:
        before = server.resident()
        with server.connect(receive_buffer=65536) as client:
            client.send(request("/download/200000000"))
            check(client.until(b"\r\n\r\n"), "no head")
            check(not soon(lambda: server.resident() > before + (16 << 20), 0.5), "memory grows")
        soon(lambda: server.cancelled() == 1)
        equal(server.cancelled(), 1)


@case
def ends_are_announced(backend):
    with SecureServer(backend) as server:
        for _, context in server.each_version():
            with server.connect(context) as client:
                client.socket.suppress_ragged_eofs = False
                client.send(request("/", fields=["Connection: close"]))
                check(client.rest().endswith(b"ok\n"), "another answer")  # an end without close_notify is an error


@case
def sessions_are_resumed_by_tickets(backend):
    with SecureServer(backend, "--cores", "2") as server:
        for version, context in server.each_version():
            with server.connect(context) as first:
                first.get("/")
                session = first.socket.session
            for _ in range(4):  # so that both cores are used
                with server.connect(context, session=session) as again:
                    equal((again.get("/").status, again.socket.session_reused), (200, True), str(version))
                    session = again.socket.session


@case
def names_choose_certificates(backend):
    with Authority() as authority:
        pairs = [authority.sign("first"), authority.sign("example.org", "DNS:example.org,DNS:*.example.org"),
                 authority.sign("a.example.org")]
        with SecureServer(backend, pairs=pairs, authority=authority) as server:
            context = server.trusting()
            context.check_hostname = False
            for name, shown in {"first": "first", "example.org": "example.org", "b.EXAMPLE.org": "example.org",
                                "a.example.org": "a.example.org",
                                "a.b.example.org": "first", "elsewhere": "first", None: "first"}.items():
                with server.connect(context, name=name) as client:
                    subject = dict(pair[0] for pair in client.socket.getpeercert()["subject"])
                    equal((subject["commonName"], client.get("/").status), (shown, 200), str(name))


@case
def clients_with_certificates(backend):
    with Authority("Other") as other, Authority() as authority:
        mine = authority.sign("worker-7", "DNS:worker-7,email:w@example.org,URI:spiffe://example.org/w",
                              subject="/O=Example/CN=worker-7")
        wrong = other.sign("worker-7")
        fingerprint = hashlib.sha256(ssl.PEM_cert_to_DER_cert(mine[0].read_text())).hexdigest()
        for tls, without in (("required", True), ("optional", False)):
            with Authority() as own, SecureServer(backend, tls=f"{tls}:{authority.file}", authority=own) as server:
                for _, context in server.each_version(shows=mine):
                    session = None
                    for _ in range(2):  # the second connection resumes the session
                        with server.connect(context, session=session) as client:
                            lines = client.get("/tls").body.decode().splitlines()
                            session = client.socket.session
                        equal(lines[1:3], ["CN=worker-7,O=Example", "CN=Test Authority"])
                        equal(lines[4:], [fingerprint, "worker-7", "w@example.org", "spiffe://example.org/w"])
                equal([server.refuses(context) for _, context in server.each_version(shows=wrong)], [True, True],
                      f"{tls}: another authority's")
                equal([server.refuses(context) for _, context in server.each_version()], [without, without],
                      f"{tls}: none")


@case
def certificates_change_while_it_serves(backend):
    with SecureServer(backend, log="info") as server:
        certificate, key = server.pairs[0]

        def shown():
            with server.connect(server.trusting()) as client:
                client.get("/")
                return client.socket.getpeercert()["serialNumber"]

        with server.connect() as stays:
            stays.get("/")
            serials = [shown()]
            for send in (None, signal.SIGHUP):  # the server detects new files by itself, and on SIGHUP
                server.authority.sign("localhost", "DNS:localhost", to=certificate)
                if send:
                    server.signal(send)
                check(soon(lambda: shown() not in serials), "the server presents the old certificate")
                serials.append(shown())
            # The server reports a broken certificate and keeps the last valid one.
            good = certificate.read_bytes()
            certificate.write_text("nothing")
            server.signal(signal.SIGHUP)
            check(soon(lambda: "contains no certificate" in server.errors()), "the error is not logged")
            check(str(certificate) in server.errors(), "the file is not named")
            equal(shown(), serials[-1])
            certificate.write_bytes(good)
            equal(stays.get("/").status, 200)


@case
def the_expiry_of_certificates_is_a_metric(backend):
    authority = Authority()
    pairs = [authority.sign("localhost", days=30), authority.sign("shop.example", days=5)]
    with SecureServer(backend, authority=authority, pairs=pairs, admin=LOOPBACK) as server:
        def days():
            at = scrape(server).value("apus_tls_certificate_expiry_timestamp_seconds")
            return round((at - time.time()) / 86400, 1)
        equal(days(), 5.0, "the first certificate that expires")
        authority.sign("shop.example", to=pairs[1][0], days=90)
        server.signal(signal.SIGHUP)
        check(soon(lambda: days() == 30.0), f"expires in {days()} days after the reload")


@case
def certificates_change_under_load(backend):
    with SecureServer(backend) as server:
        failures, asked, done = [], [], threading.Event()

        def ask():
            context = client_context(server.authority.file)
            with server.connect(context) as kept:
                while not done.is_set():
                    try:
                        equal(kept.get("/").status, 200)
                        with server.connect(context) as client:
                            equal(client.get("/").status, 200)
                        asked.append(1)
                    except Exception as error:  # any exception in this thread is a failure
                        failures.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(5):
            server.authority.sign("localhost", "DNS:localhost", to=server.pairs[0][0])
            server.signal(signal.SIGHUP)
            before = len(asked)
            soon(lambda: len(asked) > before + 20 or failures)
        done.set()
        for thread in threads:
            thread.join()
        equal(failures, [])


@case
def it_does_not_start_without_what_it_needs(backend):
    with tempfile.TemporaryDirectory() as folder, Authority() as authority:
        certificate, key = map(str, authority.sign("localhost"))
        _, another = map(str, authority.sign("localhost"))
        empty, locked = pathlib.Path(folder, "empty.pem"), pathlib.Path(folder, "locked.key")
        empty.write_text("")
        subprocess.run(["openssl", "ec", "-in", key, "-aes128", "-passout", "pass:x", "-out", locked], check=True,
                       capture_output=True)
        https = ("--listen", "https://127.0.0.1:0")
        for arguments, tls, words in (
                (https, "", "https needs certificates"),
                (https, "none", "https needs a certificate: set its file"),
                (("--listen", "http://127.0.0.1:0", "--self-signed"), "none",
                 "no address to listen on begins with https://"),
                (("--listen", "127.0.0.1:0", "--self-signed"), "none", "add http:// or https://"),
                ((*https, "--certificate", f"{folder}/none.pem"), "none",
                 f"cannot read `{folder}/none.pem`: No such file"),
                ((*https, "--certificate", str(empty), "--key", key), "none",
                 f"in `{empty}`: it contains no certificate"),
                ((*https, "--certificate", certificate), "none", f"in `{certificate}`: it contains no private key"),
                ((*https, "--certificate", certificate, "--key", another), "none",
                 f"in `{another}`: it does not match the certificate in `{certificate}`"),
                ((*https, "--certificate", certificate, "--key", str(locked)), "none",
                 f"in `{locked}`: it needs a passphrase"),
                ((*https, "--self-signed"), f"required:{empty}", f"in `{empty}`: it contains no certificate")):
            status, printed, errors = ended("limits", *arguments, TEST_TLS=tls, APUS_IO=backend)
            equal((status, printed), (1, ""), errors)
            check(words in errors, f"{errors!r} does not say {words!r}")


@case
def a_certificate_of_its_own_for_development(backend):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "dev.pem")
        for _ in range(2):  # the second server uses the file of the first server
            with SecureServer(backend, "--self-signed", pairs=[(file, file)]) as server:
                equal(file.stat().st_mode & 0o777, 0o600)
                with SecureWire(("127.0.0.1", server.port), client_context(file), "localhost") as client:
                    equal(client.get("/").status, 200)


@case
def plain_and_secure_side_by_side(backend):
    with SecureServer(backend, listen=("https://127.0.0.1:0", "http://127.0.0.1:0")) as server:
        equal(server.get("/tls").body, b"https TLSv1.3 localhost\n")
        plain = int(server.urls[1].rsplit(":", 1)[1])
        with wire.Wire(("127.0.0.1", plain)) as client:
            equal(client.get("/tls").body, b"http\n")


@case
def an_upgraded_connection(backend):
    with SecureServer(backend) as server, server.connect() as client:
        client.send(request("/upgrade", fields=["Connection: upgrade", "Upgrade: echo"]))
        equal(client.head().status, 101)
        equal(client.exactly(8), b"welcome\n")
        client.send(b"over TLS\n")
        equal(client.exactly(9), b"over TLS\n")
        client.send(b"bye\n")
        equal(client.rest(), b"goodbye\n")


@case
def a_page_of_http_is_of_another_origin(backend):
    upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    origins = {"https://localhost": (101, 200), "http://localhost": (403, 403), "http://localhost:443": (403, 403),
               "https://localhost:8443": (403, 403), "https://evil.example": (403, 403), "null": (403, 403)}
    with SecureServer(backend, listen=("https://127.0.0.1:0", "http://127.0.0.1:0")) as server:
        for origin, statuses in origins.items():
            with server.connect() as socket, server.connect() as poster:
                socket.send(request("/ws", fields=[*upgrade, f"Origin: {origin}"]))
                poster.send(request("/guarded", "POST", [f"Origin: {origin}"], b""))
                equal((socket.head().status, poster.head().status), statuses, origin)
        # On a connection without TLS, a proxy may have terminated TLS without reporting the scheme.
        for origin, status in (("http://localhost", 200), ("https://localhost", 200), ("http://evil.example", 403)):
            with wire.Wire(("127.0.0.1", int(server.urls[1].rsplit(":", 1)[1]))) as client:
                client.send(request("/guarded", "POST", [f"Origin: {origin}"], b""))
                equal(client.head().status, status, origin)


@case
def a_program_that_does_not_use_it_does_not_need_its_library(backend):
    for name, program in PROGRAMS.items():
        linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        usage = subprocess.run([program, "--help"], env=dict(os.environ, TEST_TLS="none"), capture_output=True,
                               text=True, check=True).stdout
        equal("libssl" in linked, "--certificate" in usage, f"{name}: its library, and options of TLS")
        equal("libssl" in linked, name == "limits", f"{name}: its library")


if __name__ == "__main__":
    main()
