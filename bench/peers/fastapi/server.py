# SPDX-License-Identifier: Apache-2.0
import os

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.routing import Route

import arena
import database
import sockets

BODY_64K = "x" * 65536
BODY_1M = "x" * 1048576

app = FastAPI(lifespan=database.lifespan)


class Message(BaseModel):
    message: str
    id: int
    ok: bool


@app.get("/bench", response_class=PlainTextResponse)
async def hello():
    return "Hello, World!"


@app.get("/json")
async def json() -> Message:
    return Message(message="Hello, World!", id=42, ok=True)


@app.get("/body/64k", response_class=PlainTextResponse)
async def body_64k():
    return BODY_64K


@app.get("/body/1m", response_class=PlainTextResponse)
async def body_1m():
    return BODY_1M


@app.post("/upload", response_class=PlainTextResponse)
async def upload(request: Request):
    count = 0
    async for piece in request.stream():
        count += len(piece)
    return str(count)


async def hello_to(id: str):
    return "Hello, World!"


def add_thousands(count):
    for i in range(count):
        path = f"/area{i % 100}/thing{i}"
        if i % 2 == 0:
            app.add_api_route(path, hello, response_class=PlainTextResponse)
        else:
            app.add_api_route(path + "/{id}", hello_to, response_class=PlainTextResponse)


async def only_call_next(request, call_next):
    return await call_next(request)


async def hello_behind_middlewares(request):
    return PlainTextResponse("Hello, World!")


# The same as @app.middleware("http"), but for one route instead of all routes.
ten_middlewares = [Middleware(BaseHTTPMiddleware, dispatch=only_call_next) for _ in range(10)]

add_thousands(int(os.environ["ROUTES"]))
app.router.routes.append(Route("/middlewares", hello_behind_middlewares, middleware=ten_middlewares))
app.include_router(sockets.router)
app.include_router(arena.router)
app.include_router(database.router)
app.mount("/static", StaticFiles(directory=os.path.join(os.environ["DATA"], "static")))
