# SPDX-License-Identifier: Apache-2.0
import json
import os

from flask import Blueprint, Response, jsonify, request

DATASET = os.path.join(os.environ["DATA"], "dataset.json")

part = Blueprint("arena", __name__)


@part.route("/baseline11", methods=["GET", "POST"])
def add_up():
    total = request.args.get("a", type=int) + request.args.get("b", type=int)
    if request.method == "POST":
        total += int(request.get_data())
    return Response(str(total), mimetype="text/plain")


def first_items(count):
    m = request.args.get("m", 1, type=int)
    chosen = [dict(item, total=item["price"] * item["quantity"] * m) for item in items[:count]]
    return jsonify(items=chosen, count=len(chosen))


if os.path.exists(DATASET):
    with open(DATASET, encoding="utf-8") as file:
        items = json.load(file)
    part.add_url_rule("/json/<int:count>", view_func=first_items)
