# SPDX-License-Identifier: Apache-2.0
import json
import os
from contextlib import asynccontextmanager

import asyncpg
from fastapi import APIRouter, FastAPI, HTTPException, Request
from pydantic import BaseModel

from arena import Item, Rating

QUERY = """SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count
    FROM items WHERE price BETWEEN $1 AND $2 LIMIT $3"""

router = APIRouter()


class Items(BaseModel):
    items: list[Item]
    count: int


async def prepare(connection):
    await connection.set_type_codec("jsonb", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.pool = None
    if url := os.environ.get("DATABASE_URL"):
        share = int(os.environ.get("DATABASE_MAX_CONN", "10")) // int(os.environ["THREADS"])
        app.state.pool = await asyncpg.create_pool(url, min_size=1, max_size=max(1, share), init=prepare)
    yield
    if app.state.pool:
        await app.state.pool.close()


@router.get("/async-db")
async def cheap_items(request: Request, min: int = 10, max: int = 50, limit: int = 50) -> Items:
    pool = request.app.state.pool
    if pool is None:
        raise HTTPException(503, "DATABASE_URL is not set")
    async with pool.acquire() as connection:
        rows = await connection.fetch(QUERY, min, max, sorted((1, limit, 50))[1])
    found = [Item(**row, rating=Rating(score=row["rating_score"], count=row["rating_count"])) for row in rows]
    return Items(items=found, count=len(found))
