# SPDX-License-Identifier: Apache-2.0
import os

from aiohttp import WSMsgType, web

everybody = set()


async def send(socket, message):
    if message.type == WSMsgType.TEXT:
        await socket.send_str(message.data)
    elif message.type == WSMsgType.BINARY:
        await socket.send_bytes(message.data)


async def echo(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for message in socket:
        await send(socket, message)
    return socket


async def broadcast(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    everybody.add(socket)
    try:
        async for message in socket:
            for other in list(everybody):
                await send(other, message)
    finally:
        everybody.discard(socket)
    return socket


routes = [web.get("/ws", echo)]
if int(os.environ["THREADS"]) == 1:
    routes.append(web.get("/broadcast", broadcast))
