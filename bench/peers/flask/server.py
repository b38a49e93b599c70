# SPDX-License-Identifier: Apache-2.0
import os
from dataclasses import dataclass

from flask import Blueprint, Flask, Response, jsonify, request

import arena

BODY_64K = "x" * 65536
BODY_1M = "x" * 1048576
PIECE = 65536

app = Flask(__name__, static_folder=os.path.join(os.environ["DATA"], "static"), static_url_path="/static")
app.config["MAX_CONTENT_LENGTH"] = 32 * 1048576 + 1  # Flask rejects a body whose size equals the limit


@dataclass
class Message:
    message: str
    id: int
    ok: bool


def text(body):
    return Response(body, mimetype="text/plain")


@app.get("/bench")
def hello():
    return text("Hello, World!")


@app.get("/json")
def json():
    return jsonify(Message("Hello, World!", 42, True))


@app.get("/body/64k")
def body_64k():
    return text(BODY_64K)


@app.get("/body/1m")
def body_1m():
    return text(BODY_1M)


@app.post("/upload")
def upload():
    count = 0
    while piece := request.stream.read(PIECE):
        count += len(piece)
    return text(str(count))


def hello_to(id):
    return hello()


def add_thousands(count):
    for i in range(count):
        path = f"/area{i % 100}/thing{i}"
        if i % 2 == 0:
            app.add_url_rule(path, view_func=hello)
        else:
            app.add_url_rule(path + "/<id>", view_func=hello_to)


def behind_middlewares():
    """Registers `before_request` functions that return None, Flask's equivalent of calling the next middleware."""
    part = Blueprint("middlewares", __name__)
    for _ in range(10):
        part.before_request(lambda: None)
    part.add_url_rule("/middlewares", view_func=hello)
    return part


add_thousands(int(os.environ["ROUTES"]))
app.register_blueprint(behind_middlewares())
app.register_blueprint(arena.part)
