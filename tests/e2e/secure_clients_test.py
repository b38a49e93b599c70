#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests TLS, HTTP/2 over TLS and WebSockets with clients of other projects, and a stapled OCSP response with
openssl."""

import subprocess

import cases
import secure_clients
from cases import case, check, equal, skip
from certificates import Authority
from secure_clients import BODY
from server import soon
from tls_wire import SecureServer


@case
def clients_of_each_version_and_protocol(backend):
    with SecureServer(backend) as server:
        for client in secure_clients.CLIENTS:
            said = client(server.port, server.authority.file)
            if said is None:
                cases.skip(f"the client {client.__name__} is not installed")
                continue
            for how, got in said.items():
                equal(got, [f"https {how.split()[0]} \n", BODY], f"{client.__name__} by {how}")
            some = {"nghttp": ["TLSv1.3 HTTP/2"], "python": ["TLSv1.2 HTTP/1.1", "TLSv1.3 HTTP/1.1"]}
            equal(list(said), some.get(client.__name__, secure_clients.ALL), client.__name__)


@case
def node_talks_by_websocket(backend):
    with SecureServer(backend, listen=("https://127.0.0.1:0", "http://127.0.0.1:0")) as server:
        for scheme, url in (("wss", server.urls[0]), ("ws", server.urls[1])):
            said = secure_clients.node_socket(f"{scheme}{url[url.index(':'):]}/ws", server.authority.file)
            if said is None:
                return skip("Node.js is not installed, or has no WebSocket")
            equal(said, [5, 30000, 70000, 4001, True], scheme)


def stapled(server, version="-tls1_3"):
    """Returns openssl's output about the OCSP response in a handshake."""
    asked = ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-status", "-CAfile", server.authority.file,
             version]
    text = subprocess.run(asked, input="", capture_output=True, text=True, timeout=20, check=False).stdout
    return {words: words in text for words in ("OCSP response: no response sent", "OCSP Response Status: successful",
                                               "Cert Status: good", "Cert Status: revoked")}


def only(*words):
    return {each: each in words for each in ("OCSP response: no response sent", "OCSP Response Status: successful",
                                             "Cert Status: good", "Cert Status: revoked")}


@case
def an_ocsp_response_is_stapled_and_read_again(backend):
    with Authority() as authority:
        certificate, key = authority.sign("localhost", "DNS:localhost")
        response = authority.answer_ocsp(certificate)
        with SecureServer(backend, "--ocsp", str(response), pairs=[(certificate, key)], authority=authority) as server:
            for version in ("-tls1_2", "-tls1_3"):
                equal(stapled(server, version), only("OCSP Response Status: successful", "Cert Status: good"), version)
            authority.answer_ocsp(certificate, revoked=True)
            check(soon(lambda: stapled(server)["Cert Status: revoked"]), "the new response is not stapled")
            response.write_bytes(b"nothing")
            check(soon(lambda: "not an OCSP response in DER" in server.errors()), "the invalid response is not logged")
            equal(stapled(server), only("OCSP Response Status: successful", "Cert Status: revoked"))
    with SecureServer(backend) as server:
        equal(stapled(server), only("OCSP response: no response sent"))


if __name__ == "__main__":
    cases.main()
