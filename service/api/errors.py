"""Errors as answers: a status that a program can act on, and one line for people."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm.exc import StaleDataError
from starlette.exceptions import HTTPException

from backends import BackendError
from compiler.errors import StichwerkError, meant
from play.hosted.kept_match import MoveConflictError, NoRoomError, UnknownMatchError
from service.api.writers import BusyWritersError
from service.pages.rendering import render
from workers.jobs.control import RefusedError
from workers.jobs.journal import TransitionError
from workers.jobs.lookup import UnknownJobError
from workers.jobs.request import ConflictError
from workers.jobs.submission import QuotaError
from workers.logs import redacted
from workers.records.database import described, is_busy
from workers.untrusted_programs.tenant_turns import BusyError

COOKIE = "stichwerk_token"
"""Cookie that holds the token of a browser that has signed in."""
LONGEST_DETAIL = 500
QUOTA_SECONDS = 10
AWAY_SECONDS = 1

STATUSES: Sequence[tuple[type[Exception], int, int | None]] = (
    (UnknownJobError, 404, None),
    (UnknownMatchError, 404, None),
    (MoveConflictError, 409, None),
    (NoRoomError, 503, QUOTA_SECONDS),
    (RefusedError, 409, None),
    (TransitionError, 409, None),
    (ConflictError, 409, None),
    (QuotaError, 429, QUOTA_SECONDS),
    (BusyError, 503, QUOTA_SECONDS),
    (BusyWritersError, 503, AWAY_SECONDS),
    (BackendError, 503, QUOTA_SECONDS),
    (StichwerkError, 422, None),
)
"""The first class that fits decides the status, and the seconds after which to come back."""


CHOICE = re.compile(r"'([^']*)'")
NO_OBJECT = frozenset({"missing", "model_attributes_type", "model_type"})


class Problem(BaseModel):
    """Reason why a request was refused."""

    detail: str = Field(description="One line for people")


def refusals(texts: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """Return the meanings of statuses of refusals, as the description of the API has them."""
    return {status: {"model": Problem, "description": text} for status, text in texts.items()}


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return an answer that refuses, without secrets."""
    return JSONResponse({"detail": told(detail)}, status, headers)


def told(detail: str) -> str:
    """Return the fault in one line without secrets."""
    return " ".join(redacted(detail).split())[:LONGEST_DETAIL].encode(errors="replace").decode()


def refusal(error: StichwerkError) -> tuple[int, dict[str, str] | None] | None:
    """Return the status and the headers for an error; None for an unexpected one."""
    for kind, status, seconds in STATUSES:
        if isinstance(error, kind):
            return status, _later(seconds)
    return None


def add_refusals(app: FastAPI) -> None:
    """Let an application answer errors this way."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(StichwerkError, _refused)
    app.add_exception_handler(StaleDataError, _overtaken)
    for away in (OperationalError, InterfaceError, PoolTimeoutError):
        app.add_exception_handler(away, _away)


def _http(request: Request, error: Any) -> Response:
    if request.method != "GET" or not accepts_page(request):
        return problem(error.status_code, str(error.detail), error.headers)
    if error.status_code in (401, 403):
        query = f"?{request.url.query}" if request.url.query else ""
        # Other cookies are those of a proxy that signs users in.
        has_token = COOKIE in request.cookies or "authorization" in request.headers
        detail = str(error.detail) if has_token else ""
        return sign_in_page(error.status_code, detail, request.url.path + query, error.headers)
    page = render("problem.html", detail=told(str(error.detail)))
    return HTMLResponse(page, error.status_code, error.headers)


def accepts_page(request: Request) -> bool:
    """Return whether a request is that of a browser that opens an address."""
    return "text/html" in request.headers.get("accept", "")


def sign_in_page(
    status: int, detail: str, address: str, headers: Mapping[str, str] | None
) -> HTMLResponse:
    """Return the form for a token.

    Args:
        status: of the response.
        detail: fault of the token that was sent; empty if there was none.
        address: that is opened with a valid token.
        headers: of the response.
    """
    page = render("sign_in.html", detail=told(detail).partition("; send ")[0], address=address)
    return HTMLResponse(page, status, headers)


def _invalid(_: Request, error: Any) -> JSONResponse:
    first = error.errors()[0]
    if first["loc"] == ("body",) and first["type"] in NO_OBJECT:
        return problem(422, "send a JSON object, with 'Content-Type: application/json'")
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    what = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] in ("enum", "literal_error"):
        choices = CHOICE.findall(first["ctx"]["expected"])
        what = f"unknown value '{first['input']}'; {meant(str(first['input']), choices)}"
    return problem(422, f"{where}: {what}" if where else what)


def _refused(_: Request, error: Any) -> JSONResponse:
    refused = refusal(error)
    if refused is None:
        raise error
    return problem(refused[0], str(error), refused[1])


def _overtaken(_: Request, error: Exception) -> JSONResponse:
    return problem(409, "the job has changed in the meantime; read it again, then retry")


def _away(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, SQLAlchemyError) and is_busy(error):
        return problem(503, described(error), _later(AWAY_SECONDS))
    return problem(503, "the database is unavailable", _later(AWAY_SECONDS))


def _later(seconds: int | None) -> dict[str, str] | None:
    return None if seconds is None else {"Retry-After": str(seconds)}
