"""Jobs as tables and lines for people."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from compiler.judge import observable_title
from compiler.words.held_inputs import COUNTS, count_text
from compiler.words.plurals import how_many
from service.cli.output.figures import figure, print_encodings, share
from service.cli.output.printing import print_table, terminal_width
from service.cli.queue.parents import print_children
from service.results.jobs.details import JobDetails
from service.results.jobs.scores import Observable, Score
from workers.jobs.states import State

FIDELITIES = {
    "hellinger_fidelity": "Hellinger",
    "normalized_fidelity": "normalised",
    "legal_fraction": "legal",
}
"""Headings of what is told of every score; both fidelities go by their own names alone."""
COSTS = {
    "max_cost_usd": "allowed",
    "estimated_cost_usd": "estimated, and reserved",
    "charged_cost_usd": "charged by its provider",
    "charged_beyond_estimate_usd": "charged beyond the estimate",
}
"""What is told of a job's cost, one below the other."""


def print_job(job: JobDetails) -> None:
    """Write all that is known of a job."""
    width = terminal_width()
    own = [
        (key.removesuffix("_at") + " (UTC)", _time(value))
        if isinstance(value, datetime)
        else (key, figure(value))
        for key, value in job
        if isinstance(value, str | int | float | datetime) and value != "" and key not in COSTS
    ]
    print_table(f"Job {job.id}", ("", ""), own, width)
    _print_costs(job, width)
    print_children(job, width)
    if job.scores:
        scores = job.scores.items()
        print_table(
            "Result, with Hellinger and normalised fidelity",
            ("scores", *FIDELITIES.values()),
            [(_words(kind), *(share(getattr(score, name)) for name in FIDELITIES))
             for kind, score in scores],
            width,
        )  # fmt: skip
        rows = [(_words(kind), *row) for kind, score in scores
                for row in _observable_rows(score.observables)]  # fmt: skip
        if rows:
            columns = ("scores", "observable", "measured", "95 % interval", "exact")
            print_table("Its observables", columns, rows, width)
    if job.compilation:
        compilation = job.compilation
        figures = [
            (key, count_text(value, from_zero=True) if compilation.from_zero and key in COUNTS
             else figure(value))
            for key, value in compilation
            if key != "encodings"
        ]  # fmt: skip
        print_table("Its circuit", ("figure", "value"), figures, width)
        print_encodings(compilation.encodings, width)
    stages = [(stage.state, _time(stage.since), figure(stage.seconds)) for stage in job.stages]
    print_table("Stages", ("stage", "since (UTC)", "seconds"), stages, width)
    events = [(_time(event.at), event.state, event.detail) for event in job.events if event.detail]
    if events:
        print_table("Events", ("at (UTC)", "state", "what"), events, width)


def _print_costs(job: JobDetails, width: int) -> None:
    """Write the estimate beside the charge, and what the ledger says."""
    costs = [
        (words, _exact(amount))
        for key, words in COSTS.items()
        if (amount := getattr(job, key)) is not None
    ]
    if costs:
        print_table("Its cost (US dollars)", ("", ""), costs, width)
    entries = [
        (_time(entry.at), entry.budget, entry.kind, _exact(entry.usd)) for entry in job.ledger
    ]
    if entries:
        columns = ("at (UTC)", "budget", "what", "US dollars")
        print_table("Its entries in the ledger", columns, entries, width)


def result_line(job: JobDetails) -> str:
    """Return how a job has ended, in one line."""
    state = job.state
    if state != State.DONE:
        return f"{state}: {job.error}" if job.error else state
    if job.estimate:
        low, high = job.estimate.low, job.estimate.high
        return f"{state}: {job.estimate.estimate:.3f} [{low:.3f}, {high:.3f}]"
    if job.batched:
        return _batch_line(state, job.batched)
    if job.trained:
        trained = job.trained
        measured = f"{trained['measured']:.3f} [{trained['low']:.3f}, {trained['high']:.3f}]"
        return f"{state}: P(win) {trained['p_win']:.6f}, measured {measured}"
    if "raw" in job.scores:
        return f"{state}: {score_words(job.scores['raw'])}"
    return f"{state}: {job.different_outcomes} different outcomes"


def _batch_line(state: str, batched: Mapping[str, Any]) -> str:
    scores = [f"{one['backend']} {one['score']:.3f}" for one in batched["scores"]]
    jobs = len(batched["jobs"])
    number = [how_many(jobs, "job")] if jobs else []
    drifts = [one["told"] for one in batched["drifts"]]
    return f"{state}: {'; '.join([*scores, *number, *drifts])}"


def score_words(score: Score) -> str:
    """Return observables with their 95 % intervals and exact values, and the fidelity."""
    fidelity = score.normalized_fidelity
    words = [observable_words(score.observables)] if score.observables else []
    return "; ".join([*words, *([] if fidelity is None else [f"fidelity {fidelity:.3f}"])])


def observable_words(observables: Mapping[str, Observable]) -> str:
    """Return observables in one line."""
    return "; ".join(
        f"{observable_title(name, one.kind)} {share(one.measured) or 'unknown'}"
        + (f" {interval_words(one)}" if one.low is not None else "")
        + ("" if one.exact is None else f", exact {one.exact:.3f}")
        for name, one in observables.items()
    )


def change_words(before: Mapping[str, Score], after: Mapping[str, Score]) -> str:
    """Return what the raw scores were and are, to follow a job's state; nothing if it has none."""
    if "raw" not in after:
        return ""
    old, new = _shown_changes(before.get("raw")), _shown_changes(after["raw"])
    return "".join(
        f"; {name} {share(old.get(name)) or 'none'} → {share(value)}"
        for name, value in new.items()
        if value is not None
    )


def _observable_rows(observables: Mapping[str, Observable]) -> list[tuple[object, ...]]:
    return [
        (
            observable_title(name, one.kind),
            share(one.measured),
            interval_words(one),
            share(one.exact),
        )
        for name, one in observables.items()
    ]


def interval_words(observable: Observable) -> str:
    """Return the interval of an observable, `""` if it has none."""
    low, high = observable.low, observable.high
    return "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def _shown_changes(score: Score | None) -> dict[str, float | None]:
    if score is None:
        return {}
    averages = {
        observable_title(name, one.kind): one.measured for name, one in score.observables.items()
    }
    return averages | {"fidelity": score.normalized_fidelity}


def _words(kind: str) -> str:
    return kind.replace("post_selected", "post-selected").replace("_", ", ")


def _exact(usd: Decimal) -> str:
    """Return an amount with cents, and with more digits only if it has them."""
    return max(f"{usd:.2f}", f"{usd.normalize():f}", key=len) if usd % 1 else f"{usd:.2f}"


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}"
