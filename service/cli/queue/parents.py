"""What came of jobs that others are run under, as tables: estimates, trainings, batches."""

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.judge import observable_title
from compiler.words.machine_names import machine_of
from compiler.words.plurals import how_many
from service.cli.output.figures import figure, money, share
from service.cli.output.fitted_columns import Column, fitted
from service.cli.output.printing import print_rows, print_table, terminal_width
from service.results.jobs.details import JobDetails, Rounds
from service.results.jobs.runs import Interval, MitigationResult

SUMS = {
    "shots": "shots of those that are done",
    "estimated_cost_usd": "estimated, and reserved (US dollars)",
    "charged_cost_usd": "charged by providers (US dollars)",
    "usage_seconds": "seconds of providers' machines",
    "run_seconds": "seconds that they ran",
}
"""What all rounds took together, one below the other."""


def print_parent_result(job: JobDetails) -> None:
    """Print the result of a parent job."""
    print(f"job {job.id}, {job.program}: {job.state}")
    print_children(job, terminal_width())


def print_children(job: JobDetails, width: int) -> None:
    """Print a job's child jobs, their sums, and their result; nothing for a job without any.

    Args:
        job: Any job.
        width: Characters of a line.
    """
    batched = job.batched or {}
    if job.rounds is not None:
        _print_rounds(job.rounds, "jobs" if batched else "rounds", width)
    if job.estimate:
        figures = [
            (key, figure(value))
            for key, value in job.estimate
            if key != "rounds" and value is not None
        ]
        print_table("Its estimate", ("figure", "value"), figures, width)
    if job.trained:
        _print_training(job.trained, width)
    if batched.get("scores"):
        print_machines(batched["scores"], width)
    if batched.get("mitigated"):
        print_mitigated(MitigationResult.model_validate(batched["mitigated"]), width)
    if batched.get("drifts"):
        told = [(one["told"],) for one in batched["drifts"]]
        print_table("What has changed", ("",), told, width)


def _print_rounds(rounds: Rounds, name: str, width: int) -> None:
    rows = rounds.jobs
    if rows:
        columns = [
            Column("job", [row.id for row in rows]),
            Column("state", [row.state for row in rows]),
            Column("program", [row.program for row in rows], least=8),
            Column("backend", [machine_of(row.backend) for row in rows], least=8),
            Column("shots", [row.shots for row in rows], dispensable=True),
            Column("fidelity", [share(row.normalized_fidelity) for row in rows]),
            Column("reserved $", [money(row.estimated_cost_usd) for row in rows]),
            Column("charged $", [money(row.charged_cost_usd) for row in rows]),
        ]
        shown = fitted(columns, width)
        cells = list(zip(*(one.cells for one in shown), strict=True))
        print_table(f"Its {name}", [one.name for one in shown], cells, width)
    sums = [
        (words, figure(value))
        for key, words in SUMS.items()
        if (value := getattr(rounds, key)) is not None
    ]
    print_table(f"All {name} together", ("", ""), sums, width)


def _print_training(trained: Mapping[str, Any], width: int) -> None:
    """Write what the weights win, step by step, exactly and as it was measured."""
    rows = [
        (
            one["step"],
            f"{one['p_win']:.6f}",
            f"{one['measured']:.3f} ({one['low']:.3f} to {one['high']:.3f})",
        )
        for one in trained["backends"][-1]["training"]
    ]
    print_table("Its steps", ("step", "P(win), exact", "measured, 95 %"), rows, width)


def print_score(found: Mapping[str, Any]) -> None:
    """Print the number, its families and its parts."""
    parts, nothing = found["parts"], dict.fromkeys(("score", "low", "high"))
    total = sum(part["weight"] for part in parts)
    print_rows(
        f"Score suite {found['suite']} on {found['backend']}: 1 exact, 0 noise",
        [
            (part | nothing if part["outcome"] == "failed" else part,
             f"{100 * part['weight'] / total:.1f} %",
             ": ".join(filter(None, (part["outcome"], part["why"]))))
            for part in parts
        ],
        "part=0.name", "0.family", "weight=1", "0.score", "0.low", "0.high",
        "fidelity=0.hellinger_fidelity", "0.noise", "legal=0.legal_fraction",
        "two-qubit gates (from |0…0⟩)=0.two_qubit_gates", "0.qubits", "0.job", "outcome=2",
    )  # fmt: skip
    print_rows("Families", found["families"].items(), "family=0", "score=1")
    volume = ", ".join(f"{cards} cards at {at}" for at, cards in found["game_volume"].items())
    print(f"game volume: {volume}")
    print(score_line(found))


def print_machines(scores: Sequence[Mapping[str, Any]], width: int) -> None:
    """Write the scores of machines that a job has led to, each as one number.

    Args:
        scores: their documents.
        width: of a line.
    """
    played = [sum(part["outcome"] == "played" for part in one["parts"]) for one in scores]
    print_rows(
        "Its scores of machines",
        [
            (one, one if one["complete"] else None, f"{count} of {len(one['parts'])}")
            for one, count in zip(scores, played, strict=True)
        ],
        "0.backend", "0.suite", "1.score", "1.low", "1.high", "0.complete", "parts played=2",
        width=width,
    )  # fmt: skip


def score_line(found: Mapping[str, Any]) -> str:
    """Return the number in one line."""
    told = f"{found['suite']} on {found['backend']}, run {found['run']}"
    if not found["complete"]:
        missing = sum(part["outcome"] == "failed" for part in found["parts"])
        parts = how_many(missing, "part")
        return f"score {told}: not complete, {parts} failed; the same --run goes on"
    low, high = found["low"], found["high"]
    return f"score {told}: {found['score']:.3f} (95 %: {low:.3f} to {high:.3f})"


KINDS = ("raw", "treated", "extrapolated")


def print_mitigated(result: MitigationResult, width: int | None = None) -> None:
    """Print raw values beside mitigated ones."""
    values = result.observables.values()
    shown = [kind for kind in KINDS if kind == "raw" or any(getattr(one, kind) for one in values)]
    rows: list[tuple[object, ...]] = [
        (
            observable_title(name, one.kind),
            *(_value(getattr(one, kind)) for kind in shown),
            _number(one.exact),
        )
        for name, one in result.observables.items()
    ]
    fidelity = result.normalized_fidelity.model_dump()
    rows.append(("normalised fidelity", *(_number(fidelity.get(kind)) for kind in shown), ""))
    extra = result.extra
    circuits = how_many(extra.circuits, "more circuit")
    money = f", {extra.cost_usd} USD" if extra.cost_usd else ""
    print_table(
        f"Mitigated by {', '.join(result.methods)}, with 95 % intervals "
        f"({circuits}, {how_many(extra.shots, 'more shot')}{money})",
        ("", *shown, "exact"),
        rows,
        width,
    )


def _value(value: Interval | None) -> str:
    if value is None or value.measured is None:
        return ""
    if value.low is None:
        return f"{value.measured:.3f}"
    return f"{value.measured:.3f} [{value.low:.3f}, {value.high:.3f}]"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
