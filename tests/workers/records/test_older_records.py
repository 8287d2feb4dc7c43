"""A file of records that an older version has made opens with this one, and nothing is lost."""

import gzip
import json
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.answers.jobs import job_answer
from service.report.page import report_html
from workers.records.database import open_database
from workers.records.tables import Compilation, Job

MADE = Path(__file__).parent / "records_of_0006.sqlite.gz"
"""`stichwerk run skat-4 -b sparse -t star --method fast --encoding lean --shots 100 --seed 7`."""


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "old.sqlite"
    path.write_bytes(gzip.decompress(MADE.read_bytes()))
    engine = open_database(str(path))
    with Session(engine) as session:
        yield session
    engine.dispose()


def test_win_and_points_are_observables(session):
    [job] = session.scalars(select(Job))
    for kind in ("raw", "post_selected"):
        score = job_answer(session, job)["scores"][kind]
        assert score["hellinger_fidelity"] == pytest.approx(0.9768327511280265)
        assert list(score["observables"]) == ["win", "points"]
        win, points = score["observables"].values()
        assert win == {
            "kind": "event",
            "measured": 0.32,
            "low": pytest.approx(0.2366901081545688),
            "high": pytest.approx(0.4166280225367919),
            "exact": pytest.approx(5 / 12),
        }
        assert points == {
            "kind": "number", "measured": 12.23, "low": None, "high": None, "exact": 14.0,
        }  # fmt: skip


def test_the_report_shows_them(session):
    [compilation] = session.scalars(select(Compilation))
    assert compilation.verified == "exact"
    page = report_html(session)
    assert "P(win) 0.320 [0.237, 0.417]" in page
    assert "observable-points" in page


def test_they_can_be_scored_again_with_an_interval_for_the_points(session):
    from workers.scoring import scored

    [job] = session.scalars(select(Job))
    raw, _ = scored(job)
    assert json.loads(json.dumps(raw.figures))["observables"]["win"]["measured"] == 0.32
    points = raw.observables[1]
    assert points.measured == pytest.approx(12.23)
    assert 10 < points.low < points.measured < points.high < 14.5
