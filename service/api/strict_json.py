"""JSON as everybody reads it the same way: nothing that parsers or databases differ about."""

import json
import math
from collections.abc import Sequence
from typing import Any

from fastapi import HTTPException, Request

LONGEST_NUMBER = 40
"""Characters of a number; no field of the API needs more than 20."""


class NotStrictError(ValueError):
    """A text is no JSON, or not one that everybody reads the same way."""


def strict_json(body: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        NotStrictError: if it is none, is no UTF-8, names a key twice, or has NaN, an infinite or
            a very long number, half of a surrogate pair, or too many levels.
    """
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_float,
        )
        json.dumps(value, ensure_ascii=False).encode()
    except NotStrictError:
        raise
    except UnicodeDecodeError as error:
        raise NotStrictError("the body is no UTF-8") from error
    except UnicodeEncodeError as error:
        raise NotStrictError("a text holds half of a surrogate pair") from error
    except RecursionError as error:
        raise NotStrictError("the body is nested too deeply") from error
    except ValueError as error:
        raise NotStrictError(f"the body is no JSON: {error}") from error
    return value


class StrictRequest(Request):
    """A request whose body is read by `strict_json`."""

    async def json(self) -> Any:
        """Return the body's value."""
        body = await self.body()
        try:
            return strict_json(body)
        except NotStrictError as error:
            raise HTTPException(422, str(error)) from error


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotStrictError(f"the key {twice[:40]!a} is there twice")
    return result


def _constant(text: str) -> None:
    raise NotStrictError(f"{text} is no number of JSON")


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise NotStrictError(f"a number of {len(text)} digits is too long")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if len(text) > LONGEST_NUMBER or not math.isfinite(value):
        raise NotStrictError(f"the number {text[:20]} is too long or too large")
    return value
