"""What a Prometheus on this machine needs to know of `stichwerk up`."""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from secrets import token_hex

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.accounts.tokens import Scope, caller, create_token

MOST_BYTES = 200
"""Of a token that is kept; all are shorter."""

RULES = Path(__file__).parents[3] / "dashboards" / "rules"


def write_scraping(engine: Engine, folder: Path, api: int, workers: Sequence[int]) -> Path:
    """Write a token and a configuration to a folder, and return the configuration's path.

    Args:
        engine: of the database that holds the tokens.
        folder: where `metrics.token` and `prometheus.yml` are kept.
        api: port of the HTTP API on 127.0.0.1.
        workers: ports of the workers' metrics there.

    Raises:
        InputError: if they cannot be written.
    """
    here = folder.absolute()
    token, configuration = here / "metrics.token", here / "prometheus.yml"
    try:
        if not _opens(engine, token):
            with Session(engine) as session:
                text = create_token(session, f"prometheus-{token_hex(4)}", [Scope.METRICS])
            _write_secret(token, text)
        token.chmod(0o600)
        configuration.write_text(_configuration(token, api, workers))
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be written: {error.strerror}") from error
    return configuration


def _opens(engine: Engine, token: Path) -> bool:
    """Tell whether a token is kept that opens the metrics."""
    try:
        with token.open("rb") as kept:
            text = kept.read(MOST_BYTES).decode(errors="replace").strip()
    except FileNotFoundError:
        return False
    with Session(engine) as session:
        found = caller(session, text)
    return found is not None and Scope.METRICS in found.scopes


def _write_secret(path: Path, text: str) -> None:
    """Write a file that nobody else could read at any time."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def _configuration(token: Path, api: int, workers: Iterable[int]) -> str:
    """Return Prometheus's configuration; what is written as JSON is YAML, too."""
    rules = [str(RULES / "*.yml")] if RULES.is_dir() else []
    targets = json.dumps([f"127.0.0.1:{port}" for port in workers])
    return f"""\
global:
  scrape_interval: 5s
  evaluation_interval: 5s
rule_files: {json.dumps(rules)}
scrape_configs:
  - job_name: stichwerk-api
    authorization:
      credentials_file: {json.dumps(str(token))}
    static_configs:
      - targets: ["127.0.0.1:{api}"]
  - job_name: stichwerk-worker
    static_configs:
      - targets: {targets}
"""
