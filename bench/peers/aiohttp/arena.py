# SPDX-License-Identifier: Apache-2.0
import json
import os

from aiohttp import web

DATASET = os.path.join(os.environ["DATA"], "dataset.json")


async def add_up(request):
    total = int(request.query["a"]) + int(request.query["b"])
    if request.method == "POST":
        total += int(await request.text())
    return web.Response(text=str(total))


async def first_items(request):
    m = int(request.query.get("m", 1))
    chosen = [{**item, "total": item["price"] * item["quantity"] * m}
              for item in items[:int(request.match_info["count"])]]
    return web.json_response({"items": chosen, "count": len(chosen)})


routes = [web.get("/baseline11", add_up), web.post("/baseline11", add_up)]
if os.path.exists(DATASET):
    with open(DATASET, encoding="utf-8") as file:
        items = json.load(file)
    routes.append(web.get("/json/{count}", first_items))
