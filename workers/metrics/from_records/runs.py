"""Scores of the newest finished run of every combination on every backend."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy import CTE, func, select
from sqlalchemy.orm import Session, joinedload, load_only, selectinload

from workers.jobs.states import State
from workers.metrics.family import Family, gauge
from workers.metrics.from_records.combination import COLUMNS, LABELS, MOST, combination, different
from workers.metrics.labels import backend_label, plain
from workers.records.queries.runs import UNTREATED
from workers.records.tables import Compilation, Job, ScoreRow

BY_RUN = (*LABELS, "backend")

SCORES: dict[str, Family] = {
    name: gauge(f"stichwerk_benchmark_{name}", meaning, *BY_RUN, "selection")
    for name, meaning in (
        ("hellinger_fidelity_ratio", "Hellinger fidelity to the exact distribution"),
        ("normalized_fidelity_ratio", "The same with uniform noise at 0"),
    )
}
RUNS: dict[str, Family] = {
    name: gauge(f"stichwerk_benchmark_{name}", meaning, *BY_RUN)
    for name, meaning in (
        ("legal_ratio", "Shots whose outcome the rules allow"),
        ("shots", "Shots"),
        ("run_timestamp_seconds", "When the run ended, in Unix time"),
        ("run_duration_seconds", "Time that a simulator of this project took"),
    )
}

OBSERVABLES: dict[str, Family] = {
    name: gauge(f"stichwerk_benchmark_{name}", meaning, *BY_RUN, "observable", "selection")
    for name, meaning in (
        ("observable", "An observable as it was measured, such as the probability of a win"),
        ("observable_error", "How far that is from the exact value, absolutely"),
    )
}
EXACT = gauge(
    "stichwerk_benchmark_observable_exact", "The exact value of an observable", *BY_RUN,
    "observable",
)  # fmt: skip


def run_metrics(kept: Sequence[tuple[Sequence[str], Job]]) -> Iterator[Metric]:
    """Yield the scores of runs by their labels."""
    scores = {name: family.read() for name, family in SCORES.items()}
    runs = {name: family.read() for name, family in RUNS.items()}
    observables = {name: family.read() for name, family in OBSERVABLES.items()}
    exact = EXACT.read()
    for labels, job in kept:
        raw = next(score for score in job.scores if score.kind == "raw")
        values = {
            "legal_ratio": raw.legal_fraction,
            "shots": job.shots,
            "run_timestamp_seconds": None if (at := job.finished_at) is None else at.timestamp(),
            "run_duration_seconds": job.run_seconds,
        }
        for name, value in values.items():
            if value is not None:
                runs[name].add_metric(labels, value)
        for one in raw.observables:
            if one.exact is not None:
                exact.add_metric([*labels, plain(one.name)], one.exact)
        for score in job.scores:
            for name, ratio in _ratios(score).items():
                if ratio is not None:
                    scores[name].add_metric([*labels, plain(score.kind)], ratio)
            for one in score.observables:
                named = [*labels, plain(one.name), plain(score.kind)]
                if one.measured is not None:
                    observables["observable"].add_metric(named, one.measured)
                if one.measured is not None and one.exact is not None:
                    error = abs(one.measured - one.exact)
                    observables["observable_error"].add_metric(named, error)
    yield from scores.values()
    yield from runs.values()
    yield from observables.values()
    yield exact


def newest_runs(session: Session) -> tuple[list[tuple[Sequence[str], Job]], int]:
    """Return the newest scored job of each combination on each backend, newest first.

    Also return how many are left out.
    """
    # In two steps, the first of which looks up no more than the ends of an index: there may be
    # many jobs of each compilation, but not of many backends.
    backends = _backends()
    last = (
        select(
            select(func.max(Job.id))
            .where(
                Job.state == State.DONE,
                Job.backend == backends.c.backend,
                Job.compilation_id == Compilation.id,
                UNTREATED,
            )
            .scalar_subquery()
            .label("id"),
            backends.c.backend,
            Compilation.id.label("compilation_id"),
        )
        .join(backends, backends.c.backend.is_not(None))
        .subquery()
    )
    newest = func.max(last.c.id)
    ids = session.scalars(
        select(newest)
        .join(Compilation, Compilation.id == last.c.compilation_id)
        .where(select(ScoreRow.id).where(ScoreRow.job_id == last.c.id).exists())
        .group_by(last.c.backend, *COLUMNS)
        .order_by(newest.desc())
    ).all()
    jobs = session.scalars(
        select(Job)
        .where(Job.id.in_(ids[:MOST]))
        .order_by(Job.id.desc())
        .options(
            load_only(Job.backend, Job.shots, Job.finished_at, Job.run_seconds),
            selectinload(Job.scores),
            joinedload(Job.compilation).load_only(
                Compilation.program, Compilation.target, Compilation.method,
                Compilation.encoding, Compilation.objective, Compilation.any_input,
                Compilation.without, Compilation.qubits_saved,
            ),
        )
    )  # fmt: skip
    kept = different(
        ((*combination(job.compiled), backend_label(job.backend)), job) for job in jobs
    )
    return list(kept), max(0, len(ids) - MOST)


def _backends() -> CTE:
    """Return a table of the backends that jobs were done on, each found in an index by the last."""
    first = select(func.min(Job.backend)).where(Job.state == State.DONE)
    backends = select(first.scalar_subquery().label("backend")).cte("backends", recursive=True)
    following = first.where(Job.backend > backends.c.backend).scalar_subquery()
    return backends.union_all(select(following).where(backends.c.backend.is_not(None)))


def _ratios(score: ScoreRow) -> dict[str, float | None]:
    return {
        "hellinger_fidelity_ratio": score.hellinger_fidelity,
        "normalized_fidelity_ratio": score.normalized_fidelity,
    }
