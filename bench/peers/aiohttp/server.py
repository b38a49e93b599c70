# SPDX-License-Identifier: Apache-2.0
import os
from dataclasses import asdict, dataclass

from aiohttp import web

import arena
import sockets

BODY_64K = "x" * 65536
BODY_1M = "x" * 1048576

routes = web.RouteTableDef()


@dataclass
class Message:
    message: str
    id: int
    ok: bool


@routes.get("/bench")
async def hello(request):
    return web.Response(text="Hello, World!")


@routes.get("/json")
async def json(request):
    return web.json_response(asdict(Message("Hello, World!", 42, True)))


@routes.get("/body/64k")
async def body_64k(request):
    return web.Response(text=BODY_64K)


@routes.get("/body/1m")
async def body_1m(request):
    return web.Response(text=BODY_1M)


@routes.post("/upload")
async def upload(request):
    count = 0
    async for piece in request.content.iter_any():
        count += len(piece)
    return web.Response(text=str(count))


def thousands(count):
    for i in range(count):
        path = f"/area{i % 100}/thing{i}"
        yield web.get(path if i % 2 == 0 else path + "/{id}", hello)


@web.middleware
async def only_call_next(request, handler):
    return await handler(request)


def behind_middlewares():
    part = web.Application(middlewares=[only_call_next] * 10)
    part.router.add_get("", hello)
    return part


app = web.Application(client_max_size=32 * 1048576)
app.add_routes(routes)
app.add_routes(sockets.routes)
app.add_routes(arena.routes)
app.add_routes(thousands(int(os.environ["ROUTES"])))
app.add_routes([web.static("/static", os.path.join(os.environ["DATA"], "static"))])
app.add_subapp("/middlewares", behind_middlewares())
