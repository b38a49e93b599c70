# SPDX-License-Identifier: Apache-2.0
import json
import os

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, TypeAdapter

DATASET = os.path.join(os.environ["DATA"], "dataset.json")

router = APIRouter()


class Rating(BaseModel):
    score: int
    count: int


class Item(BaseModel):
    id: int
    name: str
    category: str
    price: int
    quantity: int
    active: bool
    tags: list[str]
    rating: Rating


class TotalledItem(Item):
    total: int


class TotalledItems(BaseModel):
    items: list[TotalledItem]
    count: int


@router.get("/baseline11", response_class=PlainTextResponse)
async def sum_of_query(a: int, b: int):
    return str(a + b)


@router.post("/baseline11", response_class=PlainTextResponse)
async def sum_of_query_and_body(a: int, b: int, request: Request):
    return str(a + b + int(await request.body()))


async def first_items(count: int, m: int = 1) -> TotalledItems:
    chosen = [TotalledItem(**dict(item), total=item.price * item.quantity * m) for item in items[:count]]
    return TotalledItems(items=chosen, count=len(chosen))


if os.path.exists(DATASET):
    with open(DATASET, encoding="utf-8") as file:
        items = TypeAdapter(list[Item]).validate_python(json.load(file))
    router.add_api_route("/json/{count}", first_items)
