"""Asks the records what the dashboard *Job* would ask, as the role that Grafana has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from attrs import frozen
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from tests.dashboards.boards import BOARDS, choices, panels
from tests.dashboards.rule_files import ROOT
from tests.servers.postgres import PostgresServer
from workers.jobs.states import JobKind
from workers.records.tables import Job

OF_A_CIRCUIT = frozenset(
    {"Counts", "Scores", "Observables", "Compilation", "Gates after each pass", "Passes",
     "Candidates"}
)  # fmt: skip
"""Panels that are empty for an estimate, whose rounds have the circuits."""

ROLE = "stichwerk_reader"
READER = ROOT / "dashboards" / "provisioning" / "reader.sql"
JOB = BOARDS["stichwerk-job"]


@frozen
class Table:
    """The answer to a query."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def column(self, name: str) -> list[Any]:
        """Return the cells below a heading."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


@frozen(eq=False)
class RecordsView:
    """A connection of the role that only reads."""

    connection: psycopg.Connection

    def table(self, text: str, **values: Sequence[str]) -> Table:
        """Return the answer to SQL with Grafana's variables filled in."""

        def quoted(found: re.Match[str]) -> str:
            return ", ".join("'" + one.replace("'", "''") + "'" for one in values[found[1]])

        sql = re.sub(r"\$\{(\w+):sqlstring\}", quoted, text)
        with self.connection.cursor() as cursor:
            cursor.execute(sql.encode())
            columns = [column.name for column in cursor.description or ()]
            return Table(columns, cursor.fetchall())

    def offered(self) -> dict[str, list[str]]:
        """Return the values of the dashboard's variables, the first ones chosen."""
        texts = {question.panel: question.text for question in choices() if question.sql}
        values = {name: self.table(texts[name]).column(name) for name in ("program", "backend")}
        return values | {
            "job": self.table(texts["job"], **values).column("__value"),
            "estimated": self.table(texts["estimated"], **values).column("backend"),
        }

    def panels(self, job: int) -> dict[str, Table]:
        """Return what the panels of a job show, by their titles."""
        values = self.offered() | {"job": [str(job)]}
        return {
            panel["title"]: self.table(panel["targets"][0]["rawSql"], **values)
            for panel in panels(JOB)
        }


@contextmanager
def records_view(server: PostgresServer, database: str) -> Iterator[RecordsView]:
    """Make the role as the documentation says, and connect as it."""
    with server.connect(database) as owner:
        owner.execute(READER.read_text().replace(":'password'", "'secret'").encode())
        try:
            with psycopg.connect(
                host="127.0.0.1", port=server.port, user=ROLE, dbname=database, autocommit=True
            ) as connection:
                yield RecordsView(connection)
        finally:
            owner.execute(f"DROP OWNED BY {ROLE}".encode())
            owner.execute(f"DROP ROLE {ROLE}".encode())


def problems_of_records(view: RecordsView, engine: Engine, jobs: Mapping[str, int]) -> list[str]:
    """Return what is wrong with the answers to the questions to the records."""
    found = [*_problems_of_the_role(view)]
    with Session(engine) as session:
        offered = view.offered()["job"]
        if offered != [str(number) for number in sorted(jobs.values(), reverse=True)]:
            found.append(f"job: {offered} is offered")
        for name, number in jobs.items():
            job = session.get_one(Job, number)
            found += [f"{name}, {problem}" for problem in _problems_of_job(view, job)]
    return found


def _problems_of_the_role(view: RecordsView) -> Iterator[str]:
    for sql in ("SELECT digest FROM tokens", "DELETE FROM events", "CREATE TABLE t (i int)"):
        try:
            view.table(sql)
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
            continue
        yield f"the role may {sql}"


def _problems_of_job(view: RecordsView, job: Job) -> Iterator[str]:
    tables = view.panels(job.id)
    lacking = {"Counts", "Scores", "Observables"} if job.state == "failed" else set()
    if job.program.endswith(".qasm"):
        lacking = {"Observables"}
    if job.kind == JobKind.ESTIMATION:
        lacking = OF_A_CIRCUIT
    for panel in panels(JOB):
        title = panel["title"]
        if bool(tables[title].rows) == (title in lacking):
            yield f"{title}: {len(tables[title].rows)} rows"
        named = {
            override["matcher"]["options"]
            for override in panel["fieldConfig"].get("overrides", ())
            if override["matcher"]["id"] == "byName"
        }
        for name in named - set(tables[title].columns):
            yield f"{title}: no column {name}"
    if job.kind != JobKind.ESTIMATION:
        yield from _differences(tables, job)
    elif tables["Estimates"].column("estimate") != [(job.result or {})["estimate"]]:
        yield f"Estimates: {tables['Estimates'].rows}"


def _differences(tables: Mapping[str, Table], job: Job) -> Iterator[str]:
    """Yield where panels do not say what the records do."""
    bits = {int(text, 2): shots for text, shots in tables["Counts"].rows}
    counts = {int(key): shots for key, shots in (job.counts or {}).items()}
    scores = tables["Scores"]
    expected: dict[str, tuple[object, object]] = {
        "error": (dict(tables["Facts"].rows).get("error"), job.error),
        "scores": (
            dict(zip(scores.column("scored"), scores.column("normalised fidelity"), strict=True)),
            {score.kind.replace("_", " "): score.normalized_fidelity for score in job.scores},
        ),
        "counts": (bits, {key: counts.get(key) for key in bits}),
        "events": (tables["Timeline"].column("state"), [event.state for event in job.events]),
        "candidates": (len(tables["Candidates"].rows), len(job.compiled.candidates)),
        "passes": (
            tables["Passes"].column("two-qubit gates"),
            [step["two_qubit_gates"] for step in job.compiled.chosen.steps],
        ),
    }
    for name, (shown, recorded) in expected.items():
        if shown != recorded:
            yield f"{name}: {shown} is shown, {recorded} recorded"
