"""Page of the HTTP API: the routes and types of its OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup, escape

from service.pages.rendering import render
from service.pages.tables import table

FIELDS = ("name", "type", "default", "meaning")
LIMITS = {
    "minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "minLength": "min. length",
    "maxLength": "max. length", "pattern": "pattern",
}  # fmt: skip
"""Keywords of JSON Schema, and how the page writes them."""


def api_html(description: Mapping[str, Any]) -> str:
    """Return the page of an OpenAPI description.

    Args:
        description: of the API; every operation has a tag of its `tags`.
    """
    operations: dict[str, list[dict[str, Any]]] = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            of_tag = operations.setdefault(operation["tags"][0], [])
            of_tag.append(_operation(method, path, operation))
    return render(
        "api.html",
        about=_prose(description["info"]["description"]),
        tags=[
            (tag["name"], tag["description"], operations[tag["name"]])
            for tag in description["tags"]
        ],
        types=[
            (name, _prose(schema.get("description", "")), _fields(name, schema))
            for name, schema in description["components"]["schemas"].items()
        ],
    )  # fmt: skip


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    name = f"{method.upper()} {path}"
    parameters = [
        (
            parameter["name"],
            f"{parameter['in']}",
            parameter["schema"] | parameter,
            parameter["required"],
        )
        for parameter in operation.get("parameters", ())
    ]
    rows = [
        (Markup("{} <span class=soft>{}</span>").format(key, place), _type(schema),
         _default(schema, required=required), _inline(schema.get("description", "")))
        for key, place, schema, required in parameters
    ]  # fmt: skip
    body = operation.get("requestBody")
    responses = [
        (status, _inline(response["description"]), _content(response))
        for status, response in sorted(operation["responses"].items())
    ]
    return {
        "name": name,
        "summary": operation["summary"],
        "about": _prose(operation.get("description", "")),
        "needs_token": "security" in operation,
        "call": " ".join(_call(method, path, operation)),
        "parameters": table(f"Parameters of {name}", FIELDS, rows) if rows else "",
        "body": _content(body) if body else "",
        "responses": table(f"Responses of {name}", ("status", "meaning", "type"), responses),
    }


def _call(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a call by curl."""
    yield "curl"
    if "security" in operation:
        yield '-H "Authorization: Bearer $STICHWERK_TOKEN"'
    if "requestBody" in operation:
        yield "-H 'Content-Type: application/json' -d @body.json"
    elif method == "post":
        yield "-X POST"
    yield f"http://127.0.0.1:8000{path}"


def _fields(name: str, schema: Mapping[str, Any]) -> Markup:
    """Return the table of the fields of a type, or its values."""
    required = schema.get("required", ())
    rows = [
        (key, _type(field), _default(field, required=key in required),
         _inline(field.get("description", "")))
        for key, field in schema.get("properties", {}).items()
    ]  # fmt: skip
    return table(f"Fields of {name}", FIELDS, rows) if rows else _type(schema)


def _default(schema: Mapping[str, Any], *, required: bool) -> str:
    return "required" if required else json.dumps(schema.get("default"))


def _content(part: Mapping[str, Any]) -> Markup:
    """Return the type of a body, which has one media type."""
    return Markup(", ").join(
        _type(media.get("schema", {})) for media in part.get("content", {}).values()
    )


def _type(schema: Mapping[str, Any]) -> Markup:
    """Return a type in words, with links to the named ones."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            markup = Markup('<a href="#type-{0}">{0}</a>').format(name)
        case {"anyOf": choices}:
            markup = Markup(" or ").join(map(_type, choices))
        case {"const": value}:
            markup = escape(json.dumps(value))
        case {"enum": values}:
            markup = escape(" or ".join(map(json.dumps, values)))
        case {"type": "array", "items": items}:
            markup = Markup("list of {}").format(_type(items))
        case {"type": "object", "additionalProperties": dict(values)}:
            markup = Markup("object of {}").format(_type(values))
        case _:
            limits = [f"{name} {schema[key]}" for key, name in LIMITS.items() if key in schema]
            markup = escape(", ".join([schema.get("format") or schema.get("type", "any"), *limits]))
    return markup


def _prose(text: str) -> Markup:
    """Return paragraphs, with code between backticks."""
    paragraphs = [_inline(part) for part in text.strip().split("\n\n") if part]
    return Markup("").join(Markup("<p>{}</p>").format(part) for part in paragraphs)


def _inline(text: str) -> Markup:
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )
