# SPDX-License-Identifier: Apache-2.0
import os

from fastapi import APIRouter, WebSocket

router = APIRouter()
everybody: set[WebSocket] = set()


async def messages(socket: WebSocket):
    """Yields the ASGI events with text or bytes, until the client disconnects."""
    while (event := await socket.receive())["type"] == "websocket.receive":
        yield event


def as_sent(event):
    return {**event, "type": "websocket.send"}


@router.websocket("/ws")
async def echo(socket: WebSocket):
    await socket.accept()
    async for event in messages(socket):
        await socket.send(as_sent(event))


async def broadcast(socket: WebSocket):
    await socket.accept()
    everybody.add(socket)
    try:
        async for event in messages(socket):
            for other in list(everybody):
                await other.send(as_sent(event))
    finally:
        everybody.discard(socket)


if int(os.environ["THREADS"]) == 1:
    router.add_api_websocket_route("/broadcast", broadcast)
