# SPDX-License-Identifier: Apache-2.0
"""Sessions, and all errors in the form {"error": "..."}."""

import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request, Response, status
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pwdlib import PasswordHash
from pydantic import BaseModel, SecretStr
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.sessions import SessionMiddleware

ANN = "$argon2id$v=19$m=19456,t=2,p=1$YXB1cy1leGFtcGxlLTE2Yg$7DVnLU7904aoJ0FrbftbL/O4BTk2q08Tx0w2d19DQ/s"
passwords = PasswordHash.recommended()

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=os.environ["SESSION_SECRET"])


class Credentials(BaseModel):
    name: str
    password: SecretStr


class User(BaseModel):
    name: str


@app.exception_handler(StarletteHTTPException)
async def http_error(request: Request, why: StarletteHTTPException) -> Response:
    return JSONResponse({"error": why.detail}, why.status_code, why.headers)


@app.exception_handler(RequestValidationError)
async def invalid(request: Request, why: RequestValidationError) -> Response:
    first = why.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return JSONResponse({"error": f"{place}: {first['msg']}"}, 422)


@app.exception_handler(Exception)
async def failed(request: Request, why: Exception) -> Response:
    return JSONResponse({"error": "internal error"}, 500)


def current_user(request: Request) -> User:
    name = request.session.get("user")
    if name is None:
        raise HTTPException(status.HTTP_401_UNAUTHORIZED, "log in first")
    return User(name=name)


# Not async: Argon2 takes milliseconds of CPU time, so it runs in the thread pool.
@app.post("/login", status_code=status.HTTP_204_NO_CONTENT)
def login(sent: Credentials, request: Request) -> None:
    # Computes the hash for unknown names too, so that the time does not reveal which names exist.
    correct = passwords.verify(sent.password.get_secret_value(), ANN)
    if not correct or sent.name != "ann":
        raise HTTPException(status.HTTP_401_UNAUTHORIZED, "wrong name or password")
    request.session.clear()
    request.session["user"] = sent.name


@app.get("/me")
async def me(user: Annotated[User, Depends(current_user)]) -> User:
    return user


@app.post("/logout", status_code=status.HTTP_204_NO_CONTENT)
async def logout(request: Request) -> None:
    request.session.clear()
