# SPDX-License-Identifier: Apache-2.0
"""Data that peers serve and clients send; created once below build/bench."""
import gzip
import json
import os
import random
import subprocess

import places

SMALL, LARGE = 1024, 1 << 20
# The files of the arena's site, with their names and sizes. Compressible files have a .gz file beside them.
SITE = {
    "analytics.js": 12288, "app.js": 204800, "bold.woff2": 22528, "components.css": 204800, "footer.html": 56320,
    "header.html": 122880, "helpers.js": 22528, "hero.webp": 46080, "icon-sprite.svg": 71680, "layout.css": 25600,
    "logo.svg": 15344, "manifest.json": 2883, "regular.woff2": 18432, "reset.css": 8192, "router.js": 35840,
    "theme.css": 18432, "thumb1.webp": 8192, "thumb2.webp": 6144, "utilities.css": 61440, "vendor.js": 307200,
}


def routes(count):
    """Returns a path for each route, in order."""
    return [f"/area{i % 100}/thing{i}" + (f"/{i * 7}" if i % 2 else "") for i in range(count)]


def folder():
    """Creates and returns the folder that the peers get as DATA."""
    data = places.made(places.BUILD, "data")
    static = places.made(data, "static")
    write(os.path.join(static, "small.txt"), b"".join(b"line %04d of a file\n" % i for i in range(60))[:SMALL])
    write(os.path.join(static, "large.bin"), bytes(i * i % 251 for i in range(4096)) * (LARGE // 4096))
    site(static)
    write(os.path.join(data, "dataset.json"), dataset())
    certificate(data)
    return data


def site(static):
    chance = random.Random(20)
    words = ["".join(chance.choices("etaoinshrdlu{}();:.- ", k=chance.randint(2, 12))) for _ in range(1500)]
    for name, size in SITE.items():
        if name.endswith((".woff2", ".webp")):
            write(os.path.join(static, name), chance.randbytes(size))
            continue
        content = " ".join(chance.choices(words, k=size // 2))[:size].encode()
        write(os.path.join(static, name), content)
        write(os.path.join(static, name + ".gz"), gzip.compress(content, 9, mtime=0))


def dataset():
    """Returns the arena's items from examples/arena. If they are missing, generates the same number of similar
    items."""
    there = os.path.join(places.ROOT, "examples", "arena", "dataset.json")
    if os.path.exists(there):
        with open(there, "rb") as file:
            return file.read()
    kinds = ("electronics", "tools", "books", "toys", "garden")
    items = [{"id": i, "name": f"Thing number {i}", "category": kinds[i % 5], "price": 1 + i * 7919 % 500,
              "quantity": 1 + i * 31 % 97, "active": i % 3 > 0, "tags": ["light", "strong", "new", "blue"][i % 3:],
              "rating": {"score": 1 + i * 13 % 50, "count": i * 57 % 400}} for i in range(1, 51)]
    return json.dumps(items, indent=2).encode()


def write(path, content):
    if not os.path.exists(path) or os.path.getsize(path) != len(content):
        with open(path, "wb") as file:
            file.write(content)


def certificate(data):
    key, certified = os.path.join(data, "key.pem"), os.path.join(data, "cert.pem")
    if os.path.exists(certified):
        return
    ran = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certified],
        capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"error: openssl could not create a certificate in {data}: {ran.stderr.strip()[-200:]}")


def paths_file(count):
    """Returns a file with the path of each route, one per line."""
    path = os.path.join(places.made(places.BUILD, "data"), f"routes-{count}.txt")
    write(path, "".join(line + "\n" for line in routes(count)).encode())
    return path


def body_file(size):
    """Returns a file with a request body of this size."""
    path = os.path.join(places.made(places.BUILD, "data"), f"body-{size}")
    write(path, b"x" * size)
    return path


def sum_mix_file():
    """Returns a file with the arena's three kinds of request, in the format of `load --mix`."""
    target = "/baseline11?a=13&b=42"
    # `load --chunked` applies to all bodies of a mix, so this chunked body is a part of the last header field.
    chunked = "Transfer-Encoding: chunked\r\n\r\n2\r\n20\r\n0"
    lines = [{"path": target, "bytes": 2}, {"method": "POST", "path": target, "body": "20", "bytes": 2},
             {"method": "POST", "path": target, "headers": [chunked], "bytes": 2}]
    path = os.path.join(places.made(places.BUILD, "data"), "sum.mix")
    write(path, "".join(json.dumps(line) + "\n" for line in lines).encode())
    return path
