# SPDX-License-Identifier: Apache-2.0
"""Weather from another server, with a fallback response if that server fails or is slow."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

import httpx
from fastapi import FastAPI, HTTPException, Request, status
from pydantic import BaseModel, ValidationError

log = logging.getLogger("uvicorn.error")


class Weather(BaseModel):
    sky: str


class Report(BaseModel):
    city: str
    sky: str
    live: bool


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with httpx.AsyncClient(base_url=os.environ["UPSTREAM"]) as client:
        app.state.http = client
        yield


app = FastAPI(lifespan=lifespan)


async def ask(http: httpx.AsyncClient, city: str) -> Weather | None:
    # The timeouts of httpx apply to each read, not to the whole request.
    async with asyncio.timeout(0.5):
        answer = await http.get(f"/cities/{quote(city, safe='')}")
    if answer.status_code == status.HTTP_404_NOT_FOUND:
        return None
    answer.raise_for_status()
    return Weather.model_validate_json(answer.content)


@app.get("/weather/{city}")
async def report(city: str, request: Request) -> Report:
    try:
        weather = await ask(request.app.state.http, city)
    except (httpx.HTTPError, TimeoutError, ValidationError) as why:
        log.warning("upstream: %r", why)
        return Report(city=city, sky="unknown", live=False)
    if weather is None:
        raise HTTPException(status.HTTP_404_NOT_FOUND)
    return Report(city=city, sky=weather.sky, live=True)
