"""The dashboards as the JSON that Grafana loads."""

import json

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from dashboards.boards.benchmarks import benchmarks
from dashboards.boards.compiler import compilation
from dashboards.boards.job import job
from dashboards.boards.queue import queue


def dashboards() -> list[Dashboard]:
    """Return all dashboards, the one to begin with first."""
    return [benchmarks(), compilation(), queue(), job()]


def files() -> dict[str, str]:
    """Return the text of each dashboard by its file's name."""
    return {f"{made.uid}.json": _text(made) for made in dashboards()}


def _text(made: Dashboard) -> str:
    return json.dumps(made, cls=JSONEncoder, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
