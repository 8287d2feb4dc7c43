"""Keep scores in the form that has standard benchmarks, whose parts may have several circuits."""

import json
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"

OUTCOMES = {"played": "completed", "failed": "error"}
"""Outcomes that have other names now."""


def upgrade() -> None:
    """Rewrite requests and results of scores."""
    connection = op.get_bind()
    jobs = sa.table(
        "jobs",
        sa.column("id", sa.Integer),
        sa.column("kind", sa.String),
        sa.column("request", sa.JSON),
        sa.column("result", sa.JSON),
    )
    batches = sa.select(jobs.c.id, jobs.c.request, jobs.c.result).where(jobs.c.kind == "batch")
    for number, request, result in connection.execute(batches).all():
        changed = {}
        if request and request.get("scores"):
            changed["request"] = {**request, "scores": list(map(_planned, request["scores"]))}
        if result and result.get("scores"):
            changed["result"] = {**result, "scores": list(map(_scored, result["scores"]))}
        if changed:
            connection.execute(sa.update(jobs).where(jobs.c.id == number).values(**changed))


def _planned(score: dict[str, Any]) -> dict[str, Any]:
    parts = [
        {
            "jobs": [part["job"]] if part["job"] else [],
            "refused": part["refused"],
            "outcome": "unsupported",
        }
        for part in score["parts"]
    ]
    return {**score, "parts": parts}


def _scored(score: dict[str, Any]) -> dict[str, Any]:
    parts = [_part(part) for part in score["parts"]]
    changed = {**score, "format": "stichwerk-score/3", "parts": parts}
    content = {name: value for name, value in changed.items() if name != "digest"}
    written = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return {**changed, "digest": sha256(written.encode()).hexdigest()}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in part.items() if name != "job"}
    return {
        **kept,
        "outcome": OUTCOMES.get(part["outcome"], part["outcome"]),
        "benchmark": "",
        "figures": {},
        "circuits": None if part["job"] is None else 1,
        "input_two_qubit_gates": None,
        "jobs": [] if part["job"] is None else [part["job"]],
    }
