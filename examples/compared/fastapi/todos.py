# SPDX-License-Identifier: Apache-2.0
"""A to-do list in memory. Uses one process, since each worker process would have its own list."""

from itertools import count

from fastapi import FastAPI, HTTPException, Response, status
from pydantic import BaseModel, ConfigDict, Field


class NewTodo(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, max_length=200)
    priority: int = Field(default=3, ge=1, le=5)


class Todo(NewTodo):
    id: int


app = FastAPI(title="Todos")
ids = count(1)
todos: dict[int, Todo] = {}


def find(id: int) -> Todo:
    if id not in todos:
        raise HTTPException(status.HTTP_404_NOT_FOUND)
    return todos[id]


@app.get("/todos")
async def list_todos() -> list[Todo]:
    return list(todos.values())


@app.post("/todos", status_code=status.HTTP_201_CREATED)
async def add(sent: NewTodo, response: Response) -> Todo:
    todo = Todo(id=next(ids), **sent.model_dump())
    todos[todo.id] = todo
    response.headers["Location"] = app.url_path_for("show", id=todo.id)
    return todo


@app.get("/todos/{id}")
async def show(id: int) -> Todo:
    return find(id)


@app.put("/todos/{id}")
async def change(id: int, sent: NewTodo) -> Todo:
    find(id)
    todos[id] = Todo(id=id, **sent.model_dump())
    return todos[id]


@app.delete("/todos/{id}", status_code=status.HTTP_204_NO_CONTENT)
async def remove(id: int) -> None:
    find(id)
    del todos[id]
