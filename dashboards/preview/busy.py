"""`python -m dashboards.preview.busy` keeps a service busy, so that dashboards have much to show.

Start `stichwerk up --simulate-providers --queue-seconds 15` and a Prometheus first; each job here
is a real one, over HTTP: compiled, submitted to the simulated providers or run on a simulator
with a device's noise, and scored. One in twelve may cost too little, and is refused at once.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from typing import Annotated, Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import typer
from typer.exceptions import TyperException

from compiler.errors import InputError, StichwerkError

EXAMPLES = Path(__file__).parents[2] / "examples"

MIX: tuple[Mapping[str, Any], ...] = (
    {"program": "skat-4", "backend": "aer:torino", "tag": "nightly"},
    {"program": "skat-4", "backend": "ibm:torino", "max_cost_usd": 50, "tag": "nightly"},
    {"program": "skat-4", "backend": "aer:torino", "method": "fast"},
    {"program": "skat-4", "backend": "braket:garnet", "method": "fast", "tag": "nightly"},
    {"program": "skat-4", "backend": "aer:fez", "method": "fast", "encoding": "paper"},
    {"program": "skat-9", "backend": "sparse", "method": "fast"},
    {"program": "skat-4", "backend": "aer:fez", "method": "fast"},
    {"program": "skat-4", "backend": "ibm:marrakesh", "method": "fast", "max_cost_usd": 50},
    {"game": "null.toml", "backend": "sparse", "method": "fast"},
    {"program": "skat-4", "backend": "ibm:torino", "method": "fast", "max_cost_usd": 0.01},
    {"game": "skat-5.toml", "backend": "sparse", "method": "fast"},
    {"program": "skat-4", "backend": "braket:emerald", "method": "fast", "max_cost_usd": 50},
)
SHOTS = (1000, 4000, 2000, 500, 8000)


def busy(
    *,
    api: Annotated[str, typer.Option(help="URL of the HTTP API.")] = "http://127.0.0.1:8000",
    token_file: Annotated[Path, typer.Option(help="Holds a token that may submit and read.")],
    minutes: Annotated[float, typer.Option(min=0, help="How long.")] = 20.0,
    every: Annotated[float, typer.Option(min=0, help="Seconds from job to job.")] = 4.0,
) -> int:
    """Submit jobs one by one, and look at them as users do."""
    try:
        token = token_file.read_text().split()[-1]
    except (OSError, IndexError) as error:
        raise InputError(f"{token_file} holds no token") from error
    end = time.monotonic() + minutes * 60
    made = 0
    for job in _jobs():
        if time.monotonic() >= end:
            break
        if answer := _ask(api, token, "/jobs", job):
            made += len(answer["jobs"])
            _ask(api, token, f"/jobs/{answer['jobs'][0]['id']}")
        _ask(api, token, "/jobs?limit=50")
        time.sleep(every)
    print(f"{made} jobs submitted")
    return 0


def _jobs() -> Iterator[dict[str, Any]]:
    for job, shots in zip(cycle(MIX), cycle(SHOTS), strict=False):
        asked = {**job, "shots": shots}
        if "game" in job:
            file = EXAMPLES / job["game"]
            asked["file"] = {"name": file.name, "content": file.read_text()}
            del asked["game"]
        yield asked


def _ask(api: str, token: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        with urlopen(Request(api + path, data, headers), timeout=60) as answer:
            return json.load(answer)
    except HTTPError as error:
        if error.code == HTTPStatus.UNPROCESSABLE_ENTITY:
            return None
        raise StichwerkError(f"{path}: {error.code} {error.read().decode()[:200]}") from error
    except URLError as error:
        raise InputError(f"no API at {api}: {error.reason}") from error


def main() -> None:
    """Run the command and exit with its code."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(busy)
    try:
        app(prog_name="busy", standalone_mode=False)
    except (TyperException, StichwerkError) as error:
        text = error.format_message() if isinstance(error, TyperException) else str(error)
        print(f"busy: {' '.join(text.split())}", file=sys.stderr)
        sys.exit(1 if type(error) is StichwerkError else 2)


if __name__ == "__main__":
    main()
