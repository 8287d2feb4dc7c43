"""Answers that need not be sent again: whoever has one already is told so."""

from hashlib import sha256
from typing import Annotated, Any

from fastapi import Header, Response
from fastapi.responses import JSONResponse

from service.results.model import ResultModel

UNCHANGED: dict[int | str, dict[str, Any]] = {
    304: {"description": "As in the answer whose ETag was sent"}
}
KnownTag = Annotated[
    str | None, Header(max_length=200, description="The ETag of an answer that is known")
]


def unless_known(
    result: ResultModel, known: str | None, tagged: ResultModel | None = None
) -> Response:
    """Return a result with its entity tag, or 304 if the client has it.

    Args:
        result: The answer.
        known: The header `If-None-Match`.
        tagged: The part of the result that the tag depends on, by default all of it.
    """
    text = (tagged or result).model_dump_json()
    # Weak: two results with the same tag may differ in other parts.
    tag = f'W/"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Vary": "Accept, Authorization"}
    if known is not None and tag in (one.strip() for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return JSONResponse(result.model_dump(mode="json"), headers=headers)
