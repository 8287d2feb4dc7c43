"""Tables of a job, which the command line, the report and the page of jobs show alike."""

from collections.abc import Callable, Container, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from compiler.judge import excess_words, observable_title
from compiler.words import NO_ENCODING
from compiler.words.held_inputs import COUNTS, count_text
from compiler.words.machine_names import calibrated, machine_of
from compiler.words.plurals import how_many
from service.results.jobs.compilations import encodings_table
from service.results.jobs.details import (
    JobCompilation,
    JobDetails,
    JobRow,
    Round,
    Rounds,
)
from service.results.jobs.device_scores import machines_table, parts_table
from service.results.jobs.runs import Interval, MitigationResult, Observable, Score, WinRateResult
from service.results.model import Table, share
from workers.jobs.states import State

FIDELITIES = {
    "hellinger_fidelity": "Hellinger fidelity",
    "normalized_fidelity": "normalised fidelity (0 noise, 1 perfect)",
    "tvd": "TVD",
    "legal_fraction": "legal shots",
}
"""Headings of the figures of every score."""
SUMS = {
    "shots": "shots of the jobs that are done",
    "usage_seconds": "time on devices (s)",
    "run_seconds": "run time (s)",
}
KINDS = ("raw", "treated", "extrapolated")
TITLES = {
    "id": "number",
    "created_at": "submitted",
    "submitted_at": "sent to the backend",
    "asked_at": "last sent to the backend",
    "finished_at": "ended",
    "asks": "times sent to the backend",
    "provider_id": "id at the provider",
    "provider_state": "state at the provider",
    "provider_address": "address of the provider",
    "queue_position": "place in the provider's queue",
    "doubtful": "in doubt",
    "quarantined": "in quarantine",
    "refusal": "refused by the provider",
    "cancel_requested": "cancellation requested",
    "retry_of": "retry of job",
    "parent_id": "parent job",
    "rounds_begun": "child jobs started",
    "rounds_done": "child jobs done",
    "normalized_fidelity": "normalised fidelity",
    "usage_seconds": "time on the device (s)",
    "run_seconds": "run time (s)",
    "executed": "executed program",
    "executed_detail": "executed program, detail",
    "verified": "proof",
    "from_zero": "input",
    "duration_ns": "duration (ns)",
    "compile_seconds": "compile time (s)",
    "calibration_age_hours": "calibration age (h)",
    "exact": "exact value",
    "low": "interval from",
    "high": "interval to",
    "reached": "requested width reached",
    "calls": "calls of the program",
    "deepest": "iterates of the deepest circuit",
    "least": "minimum",
    "width": "maximum - minimum",
    "sampling_calls": "shots by sampling, same width",
}
"""Titles of fields; those of others are their names."""
PROOFS = {
    "exact": "exact: equivalent to the program",
    "sampled": "sampled: correct in all sampled runs",
    "unverified": "unverified: neither proven nor refuted",
}
"""Levels of proof, with their meaning."""
COUNTERS = frozenset({"rounds_begun", "rounds_done", "asks"})
"""Fields that are shown from 1 on."""
MAX_DIGITS = 10_000
"""Numbers from here on are shown as integers: four digits would leave an exponent."""


class JobNumber(int):
    """Number of a job, which pages link to."""


def words(name: str) -> str:
    """Return a state, an objective or the name of a field in words, such as `at provider`."""
    return name.replace("_", " ").replace("two qubit", "two-qubit")


CELLS: Mapping[str, Callable[[Any], object]] = {
    "target": calibrated, "backend": calibrated, "retry_of": JobNumber, "parent_id": JobNumber,
    "state": words, "objective": words, "verified": lambda level: PROOFS.get(level, level),
    "from_zero": lambda _: "|0…0⟩ only",
}  # fmt: skip
"""Cells of fields that are not shown as they are."""


def job_tables(job: JobDetails) -> list[Table]:
    """Return the tables of a job that are not empty."""
    tables = [
        Table("Facts", (), _pairs(job)),
        Table("Cost", (), _costs(job, job.max_cost_usd)),
        *child_tables(job),
        score_table(job.scores),
        Table(
            "Observables",
            ("scores", "observable", "measured", "95 % interval", "exact", "classical bound"),
            [
                (_kind(kind), *row)
                for kind, score in job.scores.items()
                for row in _observables(score)
            ],
        ),
        *([] if job.compilation is None else compilation_tables(job.compilation)),
        Table(
            "Stages",
            ("stage", "since (UTC)", "seconds"),
            [
                (words(stage.state), _time(stage.since), _figure(stage.seconds))
                for stage in job.stages
            ],
        ),
        Table(
            "Events",
            ("time (UTC)", "state", "detail"),
            [
                (_time(event.at), words(event.state), event.detail)
                for event in job.events
                if event.detail
            ],
        ),
        Table(
            "Ledger",
            ("time (UTC)", "budget", "kind", "change (USD)"),
            [(_time(row.at), row.budget, row.kind, _exact(row.usd)) for row in job.ledger],
        ),
    ]
    return [table for table in tables if table.rows]


def score_table(scores: Mapping[str, Score]) -> Table:
    """Return the figures of scores, by their kinds."""
    return Table(
        "Scores",
        ("scores", "shots", *FIDELITIES.values()),
        [
            (_kind(kind), score.shots, *(share(getattr(score, name)) for name in FIDELITIES))
            for kind, score in scores.items()
        ],
    )


def child_tables(job: JobDetails) -> list[Table]:
    """Return the result of a job's child jobs, these jobs, and their sums; none without any."""
    batched, tables = job.batched or {}, []
    if job.estimate:
        tables.append(Table("Estimate", (), _pairs(job.estimate)))
    if job.trained:
        tables.append(_training(job.trained))
    if batched.get("scores"):
        tables += [machines_table(batched["scores"]), parts_table(batched["scores"])]
    if batched.get("win_rate"):
        tables.append(win_rate_table(WinRateResult.model_validate(batched["win_rate"])))
    if batched.get("mitigated"):
        tables.append(mitigation_table(MitigationResult.model_validate(batched["mitigated"])))
    changes = [(row["told"],) for row in batched.get("drifts", ())]
    rounds = [] if job.rounds is None else _rounds(job.rounds)
    return [*tables, Table("Changes", ("",), changes), *rounds]


def compilation_tables(compilation: JobCompilation) -> list[Table]:
    """Return the figures of a circuit, and the encodings that were tried."""
    versions = ", ".join(f"{name} {version}" for name, version in compilation.versions.items())
    return [
        Table(
            "Circuit",
            (),
            [
                *_pairs(
                    compilation,
                    {"encoding"} if compilation.encoding == NO_ENCODING else (),
                    from_zero=compilation.from_zero,
                ),
                ("versions", versions),
            ],
        ),
        encodings_table(compilation.encodings),
    ]


def win_rate_table(result: WinRateResult) -> Table:
    """Return the win rate of a nonlocal game against the best of classical players."""
    undone = "" if result.mitigated is None else f"{result.mitigated:.4f}"
    return Table(
        f"Win rate of {result.game}",
        ("wins", "shots", "win rate", "95 % interval", "mitigated", "quantum value",
         "classical players"),
        [
            (result.wins, result.shots, f"{result.win_rate:.4f}",
             f"[{result.low:.4f}, {result.high:.4f}]", undone, f"{result.quantum:.4f}",
             excess_words(result.bound, result.sigmas))
        ],
    )  # fmt: skip


def mitigation_table(result: MitigationResult) -> Table:
    """Return raw values beside mitigated ones."""
    values = result.observables.values()
    shown = [
        kind for kind in KINDS if kind == "raw" or any(getattr(value, kind) for value in values)
    ]
    rows: list[tuple[object, ...]] = [
        (
            observable_title(name, observable.kind),
            *(_interval(getattr(observable, kind)) for kind in shown),
            share(observable.exact),
        )
        for name, observable in result.observables.items()
    ]
    fidelity = result.normalized_fidelity.model_dump()
    rows.append(("normalised fidelity", *(share(fidelity.get(kind)) for kind in shown), ""))
    extra = result.extra
    circuits = how_many(extra.circuits, "more circuit")
    money = f", {extra.cost_usd} USD" if extra.cost_usd else ""
    return Table(
        f"Mitigated by {', '.join(result.methods)}, with 95 % intervals "
        f"({circuits}, {how_many(extra.shots, 'more shot')}{money})",
        ("", *shown, "exact"),
        rows,
    )


def result_line(job: JobDetails) -> str:
    """Return how a job has ended, in one line."""
    state = words(job.state)
    if job.state != State.DONE:
        return f"{state}: {job.error}" if job.error else state
    if job.estimate:
        low, high = job.estimate.low, job.estimate.high
        return f"{state}: {job.estimate.estimate:.3f} [{low:.3f}, {high:.3f}]"
    if job.batched:
        return f"{state}: {'; '.join(_batch(job.batched))}"
    if job.trained:
        trained = job.trained
        measured = f"{trained['measured']:.3f} [{trained['low']:.3f}, {trained['high']:.3f}]"
        return f"{state}: P(win) {trained['p_win']:.6f}, measured {measured}"
    if "raw" in job.scores:
        return f"{state}: {score_words(job.scores['raw'])}"
    return f"{state}: {job.different_outcomes} different outcomes"


def score_words(score: Score) -> str:
    """Return observables with their 95 % intervals and exact values, and the fidelity."""
    fidelity = score.normalized_fidelity
    parts = [observable_words(score.observables)] if score.observables else []
    return "; ".join([*parts, *([] if fidelity is None else [f"fidelity {fidelity:.3f}"])])


def observable_words(observables: Mapping[str, Observable]) -> str:
    """Return observables in one line."""
    return "; ".join(
        f"{observable_title(name, observable.kind)} {_interval(observable) or 'unknown'}"
        + ("" if observable.exact is None else f", exact {observable.exact:.3f}")
        + (
            ""
            if observable.bound is None
            else f", {excess_words(observable.bound, observable.sigmas)}"
        )
        for name, observable in observables.items()
    )


def change_words(before: Mapping[str, Score], after: Mapping[str, Score]) -> str:
    """Return former and present raw scores, to follow a job's state; nothing if it has none."""
    if "raw" not in after:
        return ""
    old, new = _averages(before.get("raw")), _averages(after["raw"])
    return "".join(
        f"; {name} {share(old.get(name)) or 'none'} → {share(value)}"
        for name, value in new.items()
        if value is not None
    )


def fidelity_words(row: JobRow) -> str:
    """Return the fidelity of a job, or the score of the device that it has measured."""
    if row.score is not None:
        return f"{row.score:.3f} score"
    return "" if row.normalized_fidelity is None else f"{row.normalized_fidelity:.3f}"


def _batch(batched: Mapping[str, Any]) -> list[str]:
    jobs = len(batched["jobs"])
    return [
        *(f"{score['backend']}: score {score['score']:.3f}" for score in batched["scores"]),
        *([how_many(jobs, "job")] if jobs else []),
        *(drift["told"] for drift in batched["drifts"]),
    ]


def _averages(score: Score | None) -> dict[str, float | None]:
    if score is None:
        return {}
    averages = {
        observable_title(name, observable.kind): observable.measured
        for name, observable in score.observables.items()
    }
    return averages | {"fidelity": score.normalized_fidelity}


def _pairs(
    values: Iterable[tuple[str, object]], without: Container[str] = (), *, from_zero: bool = False
) -> list[tuple[str, object]]:
    """Return the fields of one value that are set, by their names in words."""
    pairs: list[tuple[str, object]] = []
    for name, value in values:
        title = TITLES.get(name) or words(name.removesuffix("_at"))
        if name in without or value == "" or value is False or (name in COUNTERS and not value):
            continue
        if isinstance(value, datetime):
            pairs.append((f"{title} (UTC)", _time(value)))
        elif isinstance(value, str | int | float):
            is_count = from_zero and name in COUNTS
            cell = CELLS.get(name, _figure)(value)
            pairs.append((title, count_text(value, from_zero=True) if is_count else cell))
    return pairs


def _rounds(rounds: Rounds) -> list[Table]:
    sums = [(title, _figure(getattr(rounds, name))) for name, title in SUMS.items()]
    return [
        Table(
            "Child jobs",
            ("job", "state", "program", "backend", "shots", "fidelity", "cost (USD)"),
            [
                (
                    JobNumber(row.id), words(row.state), row.program, machine_of(row.backend),
                    row.shots,
                    share(row.normalized_fidelity),
                    cost_words(row)
                    if row.leader_id in (None, row.id)
                    else f"with job {row.leader_id}",
                )
                for row in rounds.jobs
            ],
        ),
        Table("Totals of the child jobs", (), [*sums, *_costs(rounds)]),
    ]  # fmt: skip


def _training(trained: Mapping[str, Any]) -> Table:
    """Return the gain by the weights, step by step, exact and measured."""
    rows = [
        (
            row["step"],
            f"{row['p_win']:.6f}",
            f"{row['measured']:.3f} ({row['low']:.3f} to {row['high']:.3f})",
        )
        for row in trained["backends"][-1]["training"]
    ]
    return Table("Training", ("step", "P(win), exact", "measured, 95 %"), rows)


def _observables(score: Score) -> list[tuple[object, ...]]:
    return [
        (
            observable_title(name, observable.kind),
            share(observable.measured),
            _ends(observable.low, observable.high),
            share(observable.exact),
            "" if observable.bound is None else excess_words(observable.bound, observable.sigmas),
        )
        for name, observable in score.observables.items()
    ]


def _interval(value: Interval | Observable | None) -> str:
    if value is None:
        return ""
    return f"{share(value.measured)} {_ends(value.low, value.high)}".strip()


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None else f"[{share(low)}, {share(high)}]"


def _kind(kind: str) -> str:
    return kind.replace("post_selected", "post-selected").replace("_", ", ")


def _figure(value: object) -> object:
    """Return any value, a large number without its decimals."""
    return round(value) if isinstance(value, float) and value >= MAX_DIGITS else value


def cost_words(row: JobRow | Round) -> str:
    """Return the newest amount that is known of a job's cost, and its meaning."""
    return next((f"{_short(usd)} {kind}" for kind, usd in _amounts(row)), "")


def _amounts(values: object) -> list[tuple[str, Decimal]]:
    kinds = ("charged", "reserved", "estimated")  # each replaces those after it
    amounts = ((kind, getattr(values, f"{kind}_cost_usd", None)) for kind in kinds)
    return [(kind, usd) for kind, usd in amounts if usd is not None]


def _costs(values: JobDetails | Rounds, limit: Decimal | None = None) -> list[tuple[str, object]]:
    """Return the limit, and one amount, so that a charge and its estimate are never added."""
    rows: list[tuple[str, object]] = [] if limit is None else [("limit", f"{_exact(limit)} USD")]
    for kind, usd in (amounts := _amounts(values))[:1]:
        estimate = f" (estimate: {_exact(amounts[1][1])} USD)" if amounts[1:] else ""
        rows.append((kind, f"{_exact(usd)} USD{estimate}"))
    return rows


def _short(usd: Decimal) -> str:
    """Return an amount with cents, or below one dollar with up to four decimals."""
    return f"{usd:.2f}" if usd >= 1 or not usd else f"{usd:.4f}".rstrip("0")


def _exact(usd: Decimal) -> str:
    """Return an amount with cents, and with more digits only if it has them."""
    return max(f"{usd:.2f}", f"{usd.normalize():f}", key=len) if usd % 1 else f"{usd:.2f}"


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}"
