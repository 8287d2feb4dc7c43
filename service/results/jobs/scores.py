"""Scores of a job's counts."""

from collections.abc import Mapping

from service.results.model import ResultModel
from workers.records.tables import Job


class Observable(ResultModel):
    """Observable of a score."""

    kind: str
    """event: a probability; number: a mean over the legal shots"""
    measured: float | None
    low: float | None
    """Lower end of the 95 % interval"""
    high: float | None
    exact: float | None
    """Exact value; null if the distribution is too large"""
    bound: float | None = None
    """Largest probability without entanglement"""
    sigmas: float | None = None
    """Excess of the counts over the bound, in standard deviations"""


class Score(ResultModel):
    """Score of a job's counts."""

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    tvd: float | None
    legal_fraction: float
    observables: Mapping[str, Observable]
    """Observables by name, such as win and points"""


class SelectedScore(Score):
    """Score of all counts, beside that of the legal ones."""

    post_selected: Score | None


def scores_of(job: Job) -> dict[str, Score]:
    """Return a job's scores by kind; none before it is scored, and none without a reference."""
    return {kind: Score.from_objects(score) for kind, score in job.scored.items()}


def selected(scores: Mapping[str, Score], kind: str, legal: str) -> SelectedScore | None:
    """Return the score of a kind beside that of the legal counts; None before it is scored."""
    if kind not in scores:
        return None
    return SelectedScore.from_objects(scores[kind], post_selected=scores.get(legal))
