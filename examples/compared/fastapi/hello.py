# SPDX-License-Identifier: Apache-2.0
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse

app = FastAPI()


@app.get("/", response_class=PlainTextResponse)
async def hello() -> str:
    return "Hello, world!\n"
