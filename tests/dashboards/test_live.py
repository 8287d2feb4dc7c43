"""A running service seen through the dashboards: every question gets an answer."""

import subprocess
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.api.metrics import REQUESTS
from tests.dashboards.asking import choices_of, problems_of_panels, selectors_in
from tests.dashboards.boards import choices
from tests.dashboards.doings import CASE, a_day_at_work
from tests.dashboards.records_view import problems_of_records, records_view
from tests.dashboards.rule_files import alerts, rules
from tests.dashboards.watched import Watched, watched_service
from tests.live_service import PATIENT_SECONDS, LiveService
from tests.servers.fixtures import present
from tests.servers.process import wait_until
from tests.servers.prometheus import prometheus_program
from tests.workers.metrics.exposed import Series
from workers.metrics.family import FAMILIES
from workers.records.queries.scope import NOT_FOR_A_ROUND
from workers.records.tables import Compilation, Job, ObservableRow, ScoreRow

MAY_BE_NOTHING = {"benchmark:stichwerk_calibration_change_ratio:most"}
"""What is recorded of machines that get worse only; rules are tested with some."""


@pytest.mark.full
def test_every_question_has_an_answer(postgres_server):
    present(prometheus_program)
    database = "watched"
    with watched_service(postgres_server.create(database)) as watched:
        jobs = a_day_at_work(watched)
        # What Prometheus knows and records may be a scrape and an evaluation behind.
        wait_until(lambda: not any(_problems(watched)), PATIENT_SECONDS, 0.5)
        problems = [*_problems(watched)]
        with records_view(postgres_server, database) as view:
            problems += problems_of_records(view, watched.service.engine, jobs)
        assert not problems, "\n".join(problems)
        _outage(watched)
    postgres_server.drop(database)


def _problems(watched: Watched) -> Iterator[str]:
    yield from problems_of_panels(watched.prometheus)
    yield from _problems_of_variables(watched)
    yield from _problems_of_rules(watched)
    yield from _problems_of_metrics(watched.service)


def _problems_of_metrics(service: LiveService) -> Iterator[str]:
    """Yield what promtool objects to, and metrics with other labels than are declared."""
    declared = {
        name: (str(family.kind), {tuple(sorted(family.labels))})
        for name, family in FAMILIES.items()
    }
    assert REQUESTS.name in declared
    with urlopen(f"{service.exporter}/metrics") as answer:
        worker = answer.read().decode()
    for text in (service.ask("/metrics"), worker):
        words = [prometheus_program("promtool"), "check", "metrics"]
        checked = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        if checked.stdout + checked.stderr:
            yield checked.stdout + checked.stderr
        series = Series(text)
        for family in series.families:
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = series.labels(name)
            if labels and declared.get(name) != (family.type, labels):
                yield f"{name}: {labels}, declared as {declared.get(name)}"


def _problems_of_variables(watched: Watched) -> Iterator[str]:
    with Session(watched.service.engine) as session:
        compiled = session.scalars(select(Compilation).where(NOT_FOR_A_ROUND)).all()
        expected = {
            "program": {one.program for one in compiled},
            "target": {one.target for one in compiled},
            "method": {one.method for one in compiled},
            "provider": {"ibm", "braket"},
            "selection": {
                score.kind
                for score in session.scalars(select(ScoreRow))
                if score.normalized_fidelity is not None
            },
            "observable": set(session.scalars(select(ObservableRow.name))),
            "suite": {CASE.suite},
            "form": {str(CASE.form)},
        }
        ran = {
            "stichwerk-benchmarks": session.scalars(select(Job.backend).where(Job.scores.any())),
            "stichwerk-queue": session.scalars(select(Job.backend)),
        }
        devices = {board: set(found) for board, found in ran.items()}
    for variable in choices():
        if not variable.sql:
            offered = set(choices_of(watched.prometheus, variable))
            wanted = expected.get(variable.panel) or devices[variable.board]
            if offered != wanted:
                yield f"{variable}: {offered}, not {wanted}"


def _problems_of_rules(watched: Watched) -> Iterator[str]:
    groups = watched.prometheus.ask("rules")["groups"]
    loaded = {rule["name"]: rule for group in groups for rule in group["rules"]}
    if loaded.keys() != {rule.name for rule in rules()}:
        yield f"other rules: {sorted(loaded)}"
    for name, rule in loaded.items():
        if rule["health"] != "ok":
            yield f"{name}: {rule['health']} {rule.get('lastError')}"
    for rule in rules():
        recorded = rule.kind == "record" and rule.name not in MAY_BE_NOTHING
        if recorded and not watched.prometheus.query(rule.name):
            yield f"{rule.name}: recorded nothing"
    for alert in alerts():
        for selector in selectors_in(alert.expression):
            if not watched.prometheus.query(selector):
                yield f"{alert.name}: nothing is selected by {selector}"
        if loaded[alert.name]["state"] == "firing":
            yield f"{alert.name}: fires in a service that is well"


def _outage(watched: Watched) -> None:
    """Kill the worker and Redis, and wait until alerts would follow."""
    watched.service.worker.kill()
    watched.service.redis.kill()
    expressions = {alert.name: alert.expression for alert in alerts()}
    for name in ("StichwerkBrokerDown", "StichwerkTargetDown", "StichwerkNoWorkers"):
        watched.wait_for(expressions[name])
