# SPDX-License-Identifier: Apache-2.0
"""Notes in a table, with pages, validation, migrations and an API description. SQLite, or DATABASE_URL."""

import os
from contextlib import asynccontextmanager
from typing import Annotated

from alembic.migration import MigrationContext
from alembic.operations import Operations
from fastapi import Depends, FastAPI, HTTPException, Query, status
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Column, Integer, String, create_engine, inspect, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class NewNote(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, max_length=200)
    priority: int = Field(default=3, ge=1, le=5)


class ShownNote(NewNote):
    model_config = ConfigDict(from_attributes=True)

    id: int


class Page(BaseModel):
    rows: list[ShownNote]
    next: str | None


class Base(DeclarativeBase):
    pass


class Note(Base):
    __tablename__ = "note"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String, unique=True)
    priority: Mapped[int]


engine = create_engine(os.environ.get("SQLALCHEMY_URL", "sqlite:///notes.db"))


def migrate() -> None:
    with engine.begin() as connection:
        if not inspect(connection).has_table("note"):
            Operations(MigrationContext.configure(connection)).create_table(
                "note",
                Column("id", Integer, primary_key=True),
                Column("title", String, nullable=False, unique=True),
                Column("priority", Integer, nullable=False),
            )


@asynccontextmanager
async def lifespan(_: FastAPI):
    migrate()
    yield


def open_session():
    with Session(engine) as session:
        yield session


Opened = Annotated[Session, Depends(open_session)]
app = FastAPI(title="Notes", version="1.0", lifespan=lifespan)


def find(session: Session, id: int) -> Note:
    if (note := session.get(Note, id)) is None:
        raise HTTPException(status.HTTP_404_NOT_FOUND)
    return note


def commit(session: Session) -> None:
    try:
        session.commit()
    except IntegrityError:
        raise HTTPException(status.HTTP_409_CONFLICT) from None


@app.get("/notes")
def list_notes(
    session: Opened, limit: Annotated[int, Query(ge=1, le=100)] = 20, after: int = 0
) -> Page:
    query = select(Note).where(Note.id > after).order_by(Note.id).limit(limit + 1)
    rows = session.scalars(query).all()
    more = str(rows[limit - 1].id) if len(rows) > limit else None
    return Page(rows=rows[:limit], next=more)


@app.post("/notes", status_code=status.HTTP_201_CREATED)
def add(session: Opened, sent: NewNote) -> ShownNote:
    note = Note(**sent.model_dump())
    session.add(note)
    commit(session)
    return note


@app.get("/notes/{id}")
def show(session: Opened, id: int) -> ShownNote:
    return find(session, id)


@app.put("/notes/{id}")
def change(session: Opened, id: int, sent: NewNote) -> ShownNote:
    note = find(session, id)
    note.title, note.priority = sent.title, sent.priority
    commit(session)
    return note


@app.delete("/notes/{id}", status_code=status.HTTP_204_NO_CONTENT)
def remove(session: Opened, id: int) -> None:
    session.delete(find(session, id))
    session.commit()
