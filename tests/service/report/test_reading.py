"""What is read of the records, and how much of it at most."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from service.report import records
from service.report.records import read_records
from workers.records.queries import queueing, runs
from workers.records.queries.compilations import read_compiled
from workers.records.tables import Candidate, Compilation, Event, Job, ScoreRow

from .conftest import START


@pytest.fixture
def many(empty: Session) -> Session:
    """Thirty scored jobs of three compilations, the tenth of them failed."""
    made = [
        Compilation(
            program="toy", source=b"", source_digest="a" * 64, target="star:4", method="fast",
            encoding="paper", objective="two_qubit_gates", seed=0, program_verified="exact",
            versions={}, without=["placement", "fusion"][:place],
            candidates=[Candidate(synthesis="s", pipeline="p", seed=0, chosen=True,
                                  two_qubit_gates=10 - place, verified="exact")],
        )
        for place in range(3)
    ]  # fmt: skip
    for number in range(30):
        at = START + timedelta(hours=number)
        failed = number == 9
        job = Job(
            compilation=made[number % 3], program="toy", target="star:4", backend="aer", shots=10,
            seed=0, state="failed" if failed else "done", created_at=at, error="gone" * failed,
            finished_at=at + timedelta(seconds=number),
        )  # fmt: skip
        if not failed:
            job.scores = [ScoreRow(kind="raw", shots=10, hellinger_fidelity=0.9, legal_fraction=1,
                                   normalized_fidelity=number / 100)]  # fmt: skip
        job.events = [
            Event(at=at, state="queued"), Event(at=at + timedelta(seconds=2), state="queued"),
            Event(at=at + timedelta(seconds=number), state=job.state),
        ]  # fmt: skip
        empty.add(job)
    empty.commit()
    return empty


def test_runs_are_read_with_their_kind(many: Session) -> None:
    found, total = runs.read_runs(many), runs.count_runs(many)
    assert total == 29
    assert [run.job for run in found] == [n for n in range(30, 0, -1) if n != 10]
    assert found[0].scores["raw"].normalized_fidelity == 0.29
    assert found[0].at == START + timedelta(hours=29, seconds=29)
    groups = read_records(many).runs_by_kind
    assert [len(group) for group in groups] == [10, 10, 9]
    assert [group[0].configuration.variant for group in groups] == [
        "without fusion, without placement", "without placement", "",
    ]  # fmt: skip
    assert groups[0][0].configuration.way == "fast · paper · without fusion, without placement"
    assert [group[0].two_qubit_gates for group in groups] == [8, 9, 10]


def test_no_more_is_read_than_is_shown(many: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((runs, "MAX_RUNS"), (records, "MAX_JOBS"), (queueing, "MAX_TIMED")):
        monkeypatch.setattr(module, name, 4)
    found, total = runs.read_runs(many), runs.count_runs(many)
    assert ([run.job for run in found], total) == ([30, 29, 28, 27], 29)
    listed, number = records.read_jobs(many)
    assert ([job.row.id for job in listed], number) == ([30, 29, 28, 27], 30)
    newest, number = read_compiled(many, 2)
    assert ([one.id for one in newest], number) == ([3, 2], 3)
    seen = queueing.read_queueing(many)
    assert seen.numbers == {("done", "aer"): 29, ("failed", "aer"): 1}
    assert [(stay.job, stay.seconds) for stay in seen.stays] == [
        (30, 29.0), (29, 28.0), (28, 27.0), (27, 26.0),
    ]  # fmt: skip
    assert [one.job for one in seen.ended] == [30, 29, 28, 27]
