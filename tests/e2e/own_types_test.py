#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the example `own_types`: a program's own types in every kind of input, and secrets, which must not appear in
any response or log."""

import json
import urllib.parse

import server
import wire
from cases import case, check, equal, main

server.PROGRAMS["own_types"] = server.BUILD / "bin/own_types"
SECRET = "hunter2"
JSON = "Content-Type: application/json"
FORM = "Content-Type: application/x-www-form-urlencoded"
PARTS = "Content-Type: multipart/form-data; boundary=b"


def ask(of, path, method="GET", fields=(), body=None):
    with of.connect() as client:
        client.send(wire.request(path, method, list(fields), None if body is None else body.encode()))
        answer = client.answer(method)
        return answer.status, answer.body.decode()


@case
def own_types_come_from_every_source(backend):
    with server.Server(backend, program="own_types") as of:
        whole = {"name": "a", "price": "12.50 EUR", "trial": 5, "support": "very-high", "size": [2, 3]}
        status, body = ask(of, "/plans", "PUT", [JSON], json.dumps(whole))
        equal((status, json.loads(body)), (200, whole))
        status, body = ask(of, "/plans", "PUT", [JSON], '{"name":"a","price":"0.05 EUR"}')
        equal(json.loads(body), {"name": "a", "price": "0.05 EUR", "trial": 30, "support": "low", "size": [1, 1]})
        status, body = ask(of, "/plans", "PUT", [JSON],
                           '{"name":"a","price":"1 EUR","trial":1.5,"support":"high","size":[1]}')
        equal(status, 422)
        equal([each["detail"] for each in json.loads(body)["errors"]], [
            'found "1 EUR", expected an amount such as "12.50 EUR"', "found 1.5, expected a whole number of minutes",
            'found "high", expected "low" or "very-high"', "found 1 value, expected a list of 2 values"])
        equal(json.loads(ask(of, "/plans?most=7.00%20EUR&within=60")[1])["price"], "7.00 EUR")
        equal(ask(of, "/plans?most=7")[0], 422)
        equal(json.loads(ask(of, "/prices/7.00%20EUR/very-high")[1])["support"], "very-high")
        status, body = ask(of, "/prices/7/low")
        equal((status, json.loads(body)["detail"]), (400, '`price` must be an amount such as "12.50 EUR", not "7"'))
        described = json.loads(ask(of, "/openapi.json")[1])
        fields = described["components"]["schemas"]["sign_up"]["properties"]
        equal(fields["password"], {"type": "string", "minLength": 8, "maxLength": 200, "format": "password",
                                   "writeOnly": True})


@case
def a_field_has_its_own_message(backend):
    with server.Server(backend, program="own_types") as of:
        status, body = ask(of, "/sign-up", "POST", [FORM], "email=a@b.example&password=long-enough&code=x")
        equal((status, json.loads(body)["errors"]),
              (422, [{"detail": "Enter the code of your invitation, such as ABC-1234.", "pointer": "/code"}]))


def hostile():
    """Yields requests that contain the secret, mostly in an invalid place: path, method, fields, body."""
    account = '{"email":"a@b.example","code":"ABC-1234","password":%s}'
    for value in (f'"{SECRET}"', f'["{SECRET}-long-enough"]', f'{{"{SECRET}":1}}', SECRET, f'"{SECRET}\\q"',
                  f'"{SECRET}', f'12{SECRET}',
                  f'"{SECRET * 40}"', f'"{SECRET}\x01-long"', f'"{SECRET}-accepted"'):
        yield "/accounts", "POST", [JSON], account % value
    yield "/accounts", "POST", [JSON], f'"{SECRET}-long-enough"'
    yield "/accounts", "POST", [JSON], (account % f'"{SECRET}-accepted"').replace("a@b", "")
    form = "email=a@b.example&code=ABC-1234&password="
    for value in (SECRET, SECRET * 40, SECRET + "%zz", SECRET + "%ff-long", SECRET + "%00-long", SECRET + "&password="
                  + SECRET):
        yield "/sign-up", "POST", [FORM], form + value
    for head in ('name="password"', 'name="password"; filename="x"'):
        yield "/sign-up", "POST", [PARTS], f"--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{SECRET}\r\n--b--\r\n"
    for method in ("GET", "HEAD", "POST", "DELETE"):
        yield "/reset?token=" + SECRET, method, [], None
        yield "/reset/" + SECRET, method, [], None
    yield "/reset?a=b&token=" + SECRET + "%zz", "GET", [], None
    yield "/reset/" + SECRET + "%ff", "GET", [], None
    for key, pin in ((SECRET, "1234"), (SECRET * 40, "1234"), (SECRET + "\xff" + SECRET * 3, "1234"),
                     ("test-0123456789abcdef", SECRET),
                     ("test-0123456789abcdef", "99999999" + SECRET)):
        yield "/keys", "GET", [f"X-Key: {key}", f"Cookie: pin={pin}"], None


@case
def nothing_repeats_a_secret(backend):
    with server.Server(backend, "--access-log", program="own_types", log="trace,json") as of:
        accepted = 0
        for path, method, fields, body in hostile():
            status, answer = ask(of, path, method, fields, body)
            check(status != 500, f"{method} {path} {body}: {answer}")
            accepted += status == 200
            check(SECRET not in answer and "'h'" not in answer, f"{method} {path} {body}: {answer}")
        equal(accepted, 1)
        # A second account with this address violates a unique key; the database's message, which contains the value,
        # must not be logged.
        sent = '{"email":"a@b.example","code":"ABC-1234","password":"%s-accepted"}' % SECRET
        equal(ask(of, "/accounts", "POST", [JSON], sent)[0], 409)
        token = "7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11"
        equal(ask(of, "/reset?token=" + token)[0], 200)
        equal(ask(of, "/reset/" + token)[0], 200)
        check(server.soon(lambda: '"/reset/{token}"' in of.errors()), "the route is not in the log")
        check(SECRET not in of.errors() and token not in of.errors(), of.errors())
        check('"/reset"' in of.errors(), of.errors())


if __name__ == "__main__":
    main()
