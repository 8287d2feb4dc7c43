"""Jobs as tables and lines for people."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from compiler.judge import observable_title
from compiler.words.held_inputs import COUNTS, count_text
from compiler.words.machine_names import machine_of
from compiler.words.plurals import how_many
from service.cli.output.encodings import print_encodings
from service.cli.output.figures import figure, money, share
from service.cli.output.fitted_columns import Column, fitted
from service.cli.output.printing import print_table, terminal_width
from service.cli.queue.parents import print_found
from service.results.scores import Score
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


def print_jobs(page: Sequence[Mapping[str, Any]], limit: int, *, quarantined: bool = False) -> None:
    """Write a page of jobs as a table that fits the terminal; see `service.answers.jobs`.

    Args:
        page: the jobs.
        limit: how many there are at most.
        quarantined: whether to say why they are in quarantine, instead of their errors.
    """
    if not page:
        print("no jobs in quarantine" if quarantined else "no jobs")
        return
    why = "quarantined" if quarantined else "error"
    columns = [
        Column("job", [row["id"] for row in page]),
        Column("state", [row["state"] for row in page]),
        Column("rounds", [_rounds_done(row) for row in page], dispensable=True),
        Column("fidelity", [share(row["normalized_fidelity"]) for row in page]),
        Column("program", [row["program"] for row in page], least=8),
        Column("backend", [machine_of(row["backend"]) for row in page], least=8),
        Column("shots", [row["shots"] for row in page], dispensable=True),
        Column(
            "reserved $",
            [money(row["estimated_cost_usd"]) for row in page],
            dispensable=True,
        ),
        Column("tag", [row["tag"] or "" for row in page], least=6, dispensable=True),
        Column("created", [_time(row["created_at"])[5:16] for row in page], dispensable=True),
        Column("target", [machine_of(row["target"]) for row in page], least=8, dispensable=True),
        Column(why, [" ".join((row[why] or "").split()) for row in page], least=20),
    ]
    width = terminal_width()
    shown = fitted(columns, width)
    print_table(
        f"Jobs, the newest first (at most {limit}; times in UTC)",
        [one.name for one in shown],
        list(zip(*(one.cells for one in shown), strict=True)),
        width,
    )


def _rounds_done(row: Mapping[str, Any]) -> str:
    return f"{row['rounds_done']}/{row['rounds_begun']}" if row["rounds_begun"] else ""


def print_job(answer: Mapping[str, Any]) -> None:
    """Write all that is known of a job; see `service.answers.jobs.job_answer`."""
    width = terminal_width()
    own = [
        (key.removesuffix("_at") + " (UTC)", _time(value))
        if key.endswith("_at")
        else (key, figure(value))
        for key, value in answer.items()
        if value not in (None, "") and not isinstance(value, list | dict) and key not in COSTS
    ]
    print_table(f"Job {answer['id']}", ("", ""), own, width)
    if answer["ledger"] or any(answer[key] is not None for key in COSTS):
        _print_costs(answer, width)
    print_found(answer, width)
    if answer["scores"]:
        scores = answer["scores"].items()
        print_table(
            "Result, with Hellinger and normalised fidelity",
            ("scores", *FIDELITIES.values()),
            [(_words(kind), *(share(score[name]) for name in FIDELITIES))
             for kind, score in scores],
            width,
        )  # fmt: skip
        rows = [(_words(kind), *row) for kind, score in scores
                for row in _observable_rows(score["observables"])]  # fmt: skip
        if rows:
            columns = ("scores", "observable", "measured", "95 % interval", "exact")
            print_table("Its observables", columns, rows, width)
    if answer["compilation"]:
        made = answer["compilation"]
        figures = [
            (key, count_text(value, from_zero=True) if made["from_zero"] and key in COUNTS
             else figure(value))
            for key, value in made.items()
            if key != "encodings"
        ]  # fmt: skip
        print_table("Its circuit", ("figure", "value"), figures, width)
        print_encodings(made["encodings"], width)
    stages = [(one["state"], _time(one["since"]), figure(one["seconds"]))
              for one in answer["stages"]]  # fmt: skip
    print_table("Stages", ("stage", "since (UTC)", "seconds"), stages, width)
    told = [(_time(one["at"]), one["state"], one["detail"])
            for one in answer["events"] if one["detail"]]  # fmt: skip
    if told:
        print_table("Events", ("at (UTC)", "state", "what"), told, width)


def _print_costs(answer: Mapping[str, Any], width: int) -> None:
    """Write the estimate beside the charge, and what the ledger says."""
    costs = [
        (words, _exact(answer[key])) for key, words in COSTS.items() if answer[key] is not None
    ]
    if costs:
        print_table("Its cost (US dollars)", ("", ""), costs, width)
    entries = [(_time(one["at"]), one["budget"], one["kind"], _exact(one["usd"]))
               for one in answer["ledger"]]  # fmt: skip
    if entries:
        columns = ("at (UTC)", "budget", "what", "US dollars")
        print_table("Its entries in the ledger", columns, entries, width)


def result_line(answer: Mapping[str, Any]) -> str:
    """Return how a job has ended, in one line."""
    state, error = answer["state"], answer["error"]
    if state != State.DONE:
        return f"{state}: {error}" if error else state
    if answer["estimate"]:
        found = answer["estimate"]
        return f"{state}: {found['estimate']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
    if answer.get("batched"):
        return _batch_line(state, answer["batched"])
    if answer["trained"]:
        found = answer["trained"]
        measured = f"{found['measured']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
        return f"{state}: P(win) {found['p_win']:.6f}, measured {measured}"
    if "raw" in answer["scores"]:
        return f"{state}: {score_words(answer['scores']['raw'])}"
    return f"{state}: {answer['different_outcomes']} different outcomes"


def _batch_line(state: str, found: Mapping[str, Any]) -> str:
    scores = [f"{one['backend']} {one['score']:.3f}" for one in found["scores"]]
    jobs = len(found["jobs"])
    told = [how_many(jobs, "job")] if jobs else []
    drifts = [one["told"] for one in found["drifts"]]
    return f"{state}: {'; '.join([*scores, *told, *drifts])}"


def score_words(score: Mapping[str, Any]) -> str:
    """Return observables with their 95 % intervals and exact values, and the fidelity."""
    fidelity = score["normalized_fidelity"]
    words = [observable_words(score["observables"])] if score["observables"] else []
    return "; ".join([*words, *([] if fidelity is None else [f"fidelity {fidelity:.3f}"])])


def observable_words(observables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return observables in one line."""
    return "; ".join(
        f"{observable_title(name, one['kind'])} {share(one['measured']) or 'unknown'}"
        + (f" {interval_words(one)}" if one["low"] is not None else "")
        + ("" if one["exact"] is None else f", exact {one['exact']:.3f}")
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


def _observable_rows(observables: Mapping[str, Mapping[str, Any]]) -> list[tuple[object, ...]]:
    return [
        (
            observable_title(name, one["kind"]),
            share(one["measured"]),
            interval_words(one),
            share(one["exact"]),
        )
        for name, one in observables.items()
    ]


def interval_words(observable: Mapping[str, Any]) -> str:
    """Return the interval of an observable, `""` if it has none."""
    low, high = observable["low"], observable["high"]
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


def _exact(amount: str) -> str:
    """Return an amount with cents, and with more digits only if it has them."""
    usd = Decimal(amount)
    return max(f"{usd:.2f}", f"{usd.normalize():f}", key=len) if usd % 1 else f"{usd:.2f}"


def _time(at: str) -> str:
    return at[:19].replace("T", " ")
