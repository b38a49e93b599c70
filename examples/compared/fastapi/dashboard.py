# SPDX-License-Identifier: Apache-2.0
"""One task measures the load; every browser gets each value."""

import asyncio
import os
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

PAGE = """<!doctype html>
<meta charset="utf-8"><title>Load</title><h1>?</h1>
<script>
new EventSource("/load").onmessage = e => document.querySelector("h1").textContent = JSON.parse(e.data).load;
</script>
"""


class Sample(BaseModel):
    number: int
    load: float


class Samples:
    """The latest sample, with a wait for the next one."""

    def __init__(self) -> None:
        self.latest: Sample | None = None
        self.changed = asyncio.Condition()

    async def put(self, sample: Sample) -> None:
        async with self.changed:
            self.latest = sample
            self.changed.notify_all()

    async def after(self, number: int) -> Sample:
        async with self.changed:
            await self.changed.wait_for(
                lambda: self.latest and self.latest.number > number
            )
            return self.latest


samples = Samples()


async def measure() -> None:
    number = 0
    while True:
        number += 1
        await samples.put(Sample(number=number, load=os.getloadavg()[0]))
        await asyncio.sleep(0.1)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    task = asyncio.create_task(measure())
    yield
    task.cancel()


app = FastAPI(lifespan=lifespan)


@app.get("/", response_class=HTMLResponse)
async def page() -> str:
    return PAGE


@app.get("/load", response_class=EventSourceResponse)
async def show() -> AsyncIterable[ServerSentEvent]:
    number = 0
    while True:
        sample = await samples.after(number)
        number = sample.number
        yield ServerSentEvent(data=sample, id=str(number))
