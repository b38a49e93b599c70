#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the login example as a process: a password yields a token, which gives access by its roles and scopes."""

import base64
import hashlib
import hmac
import json
import os

import server
from cases import case, check, equal, main

server.PROGRAMS["login"] = server.BUILD / "bin" / "login"
SECRET = "a secret of the tests, of 32 bytes or more"
os.environ["TOKEN_SECRET"] = SECRET


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(header, claims, secret=SECRET):
    """Signs a token with an independent implementation."""
    text = encoded(json.dumps(header).encode()) + "." + encoded(json.dumps(claims).encode())
    return text + "." + encoded(hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest())


def ask(client, path, authorization=None, method="GET"):
    fields = f"Authorization: {authorization}\r\n" if authorization else ""
    length = "Content-Length: 0\r\n" if method == "POST" else ""
    client.send(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{fields}{length}\r\n".encode())
    return client.answer()


def basic(name, password):
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def log_in(client, name, password):
    return ask(client, "/login", basic(name, password), "POST")


@case
def a_password_gives_a_token_and_the_token_opens_doors(backend):
    with server.Server(backend, program="login") as of, of.connect() as client:
        tokens = {}
        for name in ("ann", "ben"):
            answer = log_in(client, name, "correct-horse")
            equal(answer.status, 200, name)
            tokens[name] = "Bearer " + answer.body.decode()
        for who, path, status, body in [
                ("ann", "/me", 200, b"ann\n"), ("ben", "/me", 200, b"ben\n"),
                ("ann", "/admin", 200, b"only for admins\n"), ("ben", "/admin", 403, None),
                ("ann", "/robots", 401, None)]:
            answer = ask(client, path, tokens[who])
            equal(answer.status, status, f"{who} {path}")
            check(body is None or answer.body == body, f"{who} {path}: {answer.body}")
        claims = json.loads(ask(client, "/profile", tokens["ann"]).body)
        equal((claims["sub"], claims["roles"], claims["scope"]), ("ann", ["admin"], "profile"))
        check(0 < claims["exp"] - claims["iat"] <= 900, claims)


@case
def wrong_passwords_and_unknown_users_are_told_the_same(backend):
    with server.Server(backend, program="login") as of, of.connect() as client:
        answers = [log_in(client, "ann", "wrong"), log_in(client, "nobody", "correct-horse"), log_in(client, "", "")]
        for answer in answers:
            equal((answer.status, answer.body), (401, answers[0].body))


@case
def tokens_of_others_are_taken_by_the_same_rules(backend):
    claims = {"iss": "https://login.example", "aud": "https://login.example", "sub": "eve", "exp": 4102444800}
    header = {"alg": "HS256", "kid": "2026"}
    with server.Server(backend, program="login") as of, of.connect() as client:
        for token, status in [
                (signed(header, claims), 200),
                (signed(header, claims, "another secret of the tests, as long"), 401),
                (signed(header, {**claims, "exp": 1}), 401),
                (signed(header, {**claims, "aud": "other"}), 401),
                (signed({**header, "alg": "none"}, claims), 401),
                (signed(header, claims).rsplit(".", 1)[0] + ".", 401)]:
            equal(ask(client, "/me", "Bearer " + token).status, status, token)


if __name__ == "__main__":
    main()
