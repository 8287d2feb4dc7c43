"""Answers that need not be sent again: whoever has one already is told so."""

import json
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Header, Response
from fastapi.responses import JSONResponse

UNCHANGED: dict[int | str, dict[str, Any]] = {
    304: {"description": "As in the answer whose ETag was sent"}
}
KnownTag = Annotated[
    str | None, Header(max_length=200, description="The ETag of an answer that is known")
]


def unless_known(answer: Any, known: str | None, news: Any = None) -> Response:
    """Return an answer with its entity tag, or 304 if whoever asks has it.

    Args:
        answer: JSON.
        known: what `If-None-Match` says.
        news: what makes one answer another, if that is not all of it.
    """
    text = json.dumps(answer if news is None else news, sort_keys=True)
    # Weak: two answers may differ in what is no news.
    tag = f'W/"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Vary": "Accept, Authorization"}
    if known is not None and tag in (one.strip() for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return JSONResponse(answer, headers=headers)
