"""A running service, and a Prometheus that watches it."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import yaml
from attrs import frozen

from tests.dashboards.rule_files import RULES
from tests.live_service import PATIENT_SECONDS, LiveService, live_service
from tests.servers.process import wait_until
from tests.servers.prometheus import PrometheusServer

SETTINGS = {
    "STICHWERK_LEASE_SECONDS": "5",
    "STICHWERK_RESEND_SECONDS": "1",
    "STICHWERK_BACKOFF_SECONDS": "0.2",
    "STICHWERK_DAY_BUDGET_USD": "1000",
    "STICHWERK_TAG_BUDGET_USD": "1000",
}


@frozen(eq=False)
class Watched:
    """The service and what watches it.

    Args:
        service: that runs.
        prometheus: scrapes every second.
    """

    service: LiveService
    prometheus: PrometheusServer

    def wait_for_jobs(self, **ended: int) -> None:
        """Wait until so many jobs have ended in each state, and no other is left."""
        states = self.service.states
        assert wait_until(lambda: states() == ended, PATIENT_SECONDS, 0.1), states()

    def wait_for(self, expression: str) -> None:
        """Wait until PromQL has an answer."""
        assert wait_until(lambda: bool(self.prometheus.query(expression)), PATIENT_SECONDS, 0.2), (
            f"nothing answers {expression}"
        )


@contextmanager
def watched_service(database: str) -> Iterator[Watched]:
    """Run a service on an empty PostgreSQL database, and a Prometheus with the rules.

    Args:
        database: its address.
    """
    with tempfile.TemporaryDirectory(prefix="stichwerk-watched-") as name:
        folder = Path(name)
        with (
            live_service(database, folder, **SETTINGS) as service,
            PrometheusServer(_configuration(service, _hurried(RULES, folder))) as prometheus,
        ):
            watched = Watched(service, prometheus)
            watched.wait_for("count(up == 1) == 2")
            yield watched


def _hurried(rules: Sequence[Path], folder: Path) -> list[Path]:
    """Return copies of rules without intervals of their own, which are too long to wait for."""
    copies = [folder / path.name for path in rules]
    for path, copy in zip(rules, copies, strict=True):
        groups = yaml.safe_load(path.read_text())["groups"]
        for group in groups:
            group.pop("interval", None)
        copy.write_text(json.dumps({"groups": groups}))
    return copies


def _configuration(service: LiveService, rules: Sequence[Path]) -> str:
    """Return a `prometheus.yml`, which is JSON, and so YAML."""
    api, exporter = (
        [{"targets": [url.removeprefix("http://")]}] for url in (service.api, service.exporter)
    )
    return json.dumps(
        {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(path) for path in rules],
            "scrape_configs": [
                {
                    "job_name": "stichwerk-api",
                    "authorization": {"credentials": service.token},
                    "static_configs": api,
                },
                {"job_name": "stichwerk-worker", "static_configs": exporter},
            ],
        }
    )
