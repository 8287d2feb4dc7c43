"""Games on quantum boards as jobs: simulated IBM, and the noise of its device in this process."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from games.sources import Source
from workers.records.tables import Job, ScoreRow


@pytest.mark.parametrize(
    ("where", "encoding"),
    [
        ("sparse", "points"), ("sparse", "stones"), ("provider", "points"), ("provider", "stones"),
        ("aer:torino", "stones"),
    ],
)  # fmt: skip
def test_the_papers_weiqi_is_run_and_scored(context, where, encoding):
    """Equation 21: two games of five and three black stones, four of white in each."""
    backend = context.backend if where == "provider" else where
    (job_id,) = context.submit(Source("weiqi:fig10"), backend, encoding=encoding)
    job = context.until(job_id)
    assert (job.state, job.error) == ("done", None)
    with Session(context.engine) as session:
        found = session.scalars(
            select(ScoreRow).join(Job).where(Job.id == job_id, ScoreRow.kind == "raw")
        ).one()
        values = {one.name: (one.measured, one.exact) for one in found.observables}
        compiled = session.get_one(Job, job_id).compiled
        assert (compiled.encoding, compiled.chosen.verified) == (encoding, "exact")
    black, exact = values["black_stones"]
    assert exact == 4
    assert values["white_stones"][1] == 4
    assert black == pytest.approx(4, abs=0.35)
    if where == "sparse":
        assert found.legal_fraction == 1
        assert values["white_stones"] == (4, 4)
