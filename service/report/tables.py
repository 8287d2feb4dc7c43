"""The report's tables: compilations, their candidates, scores and outcomes."""

from collections.abc import Mapping, Sequence

from compiler.scoring import wilson_interval
from service.report.markup import Html, Number, element, table
from service.report.selection import Entry
from workers.records import Candidate, Compilation, Job, ScoreRow

MOST_OUTCOMES = 16
FIGURES = (
    "qubits", "two-qubit gates", "two-qubit depth", "depth", "duration (µs)", "expected fidelity",
)  # fmt: skip


def compilations_table(entries: Sequence[Entry]) -> Html:
    """Return one row for each newest compilation, with the figures of what was chosen."""
    older = sum(entry.older for entry in entries)
    return table(
        f"The newest compilation of every program, target, method and encoding; {_older(older)}",
        ("program", "target", "method", "encoding", "pipeline", "seed", *FIGURES, "verified",
         "compile (s)"),
        [_compilation(entry.compilation) for entry in entries],
    )  # fmt: skip


def candidates_details(entry: Entry) -> Html:
    """Return everything that one compilation tried, folded away."""
    compilation = entry.compilation
    candidates = compilation.candidates
    exact = sum(candidate.verified == "exact" for candidate in candidates)
    encoding = "" if compilation.encoding == "none" else f", {compilation.encoding} encoding"
    name = f"{compilation.program} on {compilation.target}, {compilation.method}{encoding}"
    return element(
        "details",
        element("summary", f"{name}: {exact} of {len(candidates)} candidates verified exact"),
        table(
            f"All candidates of {name}; {_older(entry.older)}",
            ("synthesis", "pipeline", "seed", *FIGURES, "verified", "lower (s)", "verify (s)",
             "detail"),
            [_candidate(candidate) for candidate in candidates],
        ),
    )  # fmt: skip


def without_choice_table(compilations: Sequence[Compilation]) -> Html:
    """Return the compilations that chose nothing, and why."""
    return table(
        "Compilations that chose nothing: everything failed or was refuted, or is under way",
        ("program", "target", "method", "encoding", "made", "what became of the candidates"),
        [
            (c.program, c.target, c.method, c.encoding, f"{c.created_at:%Y-%m-%d %H:%M}", _fates(c))
            for c in compilations
        ],
    )


def scores_table(scores: Sequence[ScoreRow]) -> Html:
    """Return the scores of one job, raw and post-selected beside each other."""
    rows: list[tuple[object, ...]] = [
        ("shots", *(score.shots for score in scores)),
        ("Hellinger fidelity", *(_figure(score.hellinger_fidelity) for score in scores)),
        ("… normalised (noise = 0)", *(_figure(score.normalized_fidelity) for score in scores)),
        ("total variation distance", *(_figure(score.tvd) for score in scores)),
        ("legal fraction", *(_figure(score.legal_fraction) for score in scores)),
        ("P(win)", *(_figure(score.p_win) for score in scores)),
        ("… 95 % interval", *(Number(f"{s.p_win_low:.3f} to {s.p_win_high:.3f}") for s in scores)),
        ("… exact", *(_figure(score.p_win_exact) for score in scores)),
    ]
    kinds = [score.kind.replace("_", "-") for score in scores]
    return table("Scores", ("score", *kinds), rows, wide=False)


def outcomes_table(counts: Mapping[int, int], bits: int) -> Html:
    """Return the outcomes measured most often.

    Args:
        counts: shots by outcome.
        bits: number of classical bits; bit 0 is written on the right.
    """
    shots = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = f"the {MOST_OUTCOMES} most frequent of " if len(ranked) > MOST_OUTCOMES else ""
    rows = []
    for outcome, n in ranked[:MOST_OUTCOMES]:
        low, high = wilson_interval(n, shots)
        bitstring = element("code", format(outcome, f"0{max(1, bits)}b"))
        share = Number(f"{100 * n / shots:.1f} %")
        rows.append((bitstring, n, share, Number(f"{100 * low:.1f} to {100 * high:.1f} %")))
    return table(
        f"Outcomes: {shown}{len(ranked):,}; classical bit 0 on the right",
        ("outcome", "shots", "share", "95 % interval"),
        rows,
        wide=False,
    )


def jobs_table(jobs: Sequence[Job]) -> Html:
    """Return the jobs that brought no counts back."""
    return table(
        "Jobs without counts",
        ("job", "program", "target", "backend", "shots", "state", "error"),
        [
            (str(job.id), job.program, job.target, job.backend, job.shots,
             job.state, job.error)
            for job in jobs
        ],
    )  # fmt: skip


def badge(word: str) -> Html:
    """Return a word in a coloured frame: green for what is proven, red for what is wrong."""
    kind = {
        "exact": "good", "sampled": "good", "signal": "good", "refuted": "bad", "failed": "bad",
        "noise": "bad", "mostly noise": "bad",
    }.get(word, "open")  # fmt: skip
    return element("span", word, class_=f"badge {kind}")


def _older(number: int) -> str:
    return f"the records hold {number or 'no'} older {'one' if number == 1 else 'ones'}"


def _compilation(compilation: Compilation) -> tuple[object, ...]:
    chosen = compilation.chosen
    return (
        compilation.program, compilation.target, compilation.method, compilation.encoding,
        chosen.pipeline, chosen.seed, *_figures(chosen), badge(compilation.verified),
        _seconds(compilation.compile_seconds),
    )  # fmt: skip


def _candidate(candidate: Candidate) -> tuple[object, ...]:
    pipeline = element("strong", candidate.pipeline, " ★") if candidate.chosen else None
    return (
        candidate.synthesis, pipeline or candidate.pipeline, candidate.seed, *_figures(candidate),
        badge(candidate.verified), _seconds(candidate.lower_seconds),
        _seconds(candidate.verify_seconds), candidate.detail or None,
    )  # fmt: skip


def _figures(candidate: Candidate) -> tuple[object, ...]:
    duration = candidate.duration_ns
    return (
        candidate.qubits, candidate.two_qubit_gates, candidate.two_qubit_depth, candidate.depth,
        None if duration is None else duration / 1000, candidate.expected_fidelity,
    )  # fmt: skip


def _fates(compilation: Compilation) -> str:
    fates = {c.verified + (f": {c.detail}" if c.detail else "") for c in compilation.candidates}
    return "; ".join(sorted(fates)) or "none were made"


def _figure(value: float | None) -> Number | None:
    return None if value is None else Number(f"{value:.3f}")


def _seconds(value: float | None) -> Number | None:
    return None if value is None else Number(f"{value:.1f}")
