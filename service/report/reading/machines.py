"""Whether machines got better: runs of one native circuit on one backend, side by side."""

from collections.abc import Callable, Sequence

from attrs import frozen

from compiler.scores.run_comparison import Change, Play, comparable, compare
from service.report.reading.runs import Run

Outcomes = Callable[[Run], int | None]
"""Returns how many outcomes the exact distribution of what ran has, None if that is not known."""


@frozen
class Played:
    """One native circuit of a kind on a backend.

    Args:
        runs: of it, the newest first.
        replaced: the run before its first, of another circuit; None if there was none.
        current: whether it has run since a newer circuit of its kind first did, or is the newest.
    """

    runs: Sequence[Run]
    replaced: Run | None
    current: bool


@frozen
class NewestRun:
    """The newest run of a circuit against those before.

    Args:
        played: the circuit's runs.
        change: None if it was not run before, or with shots that cannot be compared only.
        compared: runs that it was compared with, the newest first.
    """

    played: Played
    change: Change | None
    compared: Sequence[Run]


def circuits_of(runs: Sequence[Run]) -> list[Played]:
    """Return the circuits of one kind on one backend, by their newest runs.

    Args:
        runs: all of the kind on the backend, the newest first.
    """
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.circuit, []).append(run)
    newest_begun = max(group[-1].job for group in groups.values())
    return [
        Played(
            group,
            next((r for r in runs if r.job < group[-1].job and r.circuit != circuit), None),
            group[0].job >= newest_begun,
        )
        for circuit, group in groups.items()
    ]


def newest_runs(circuits: Sequence[Played], outcomes: Outcomes) -> list[NewestRun]:
    """Compare the newest run of every current circuit with its runs before.

    Intervals are wide enough for all of these comparisons together; see `compare`.
    """
    known: list[tuple[Played, int | None, list[Run]]] = []
    for played in filter(lambda one: one.current, circuits):
        newest = played.runs[0]
        alike = len({run.shots for run in played.runs}) == 1
        number = None if alike else outcomes(newest)
        known.append((played, number, _comparable(played.runs, number)))
    comparisons = sum(bool(compared) for _, _, compared in known)
    return [
        NewestRun(played, _change(played.runs[0], compared, comparisons, number), compared)
        for played, number, compared in known
    ]


def _comparable(runs: Sequence[Run], outcomes: int | None) -> list[Run]:
    new = _play(runs[0])
    if new is None:
        return []
    return [
        run
        for run in runs[1:]
        if (old := _play(run)) is not None and comparable(new, old, outcomes)
    ]


def _change(
    newest: Run, compared: Sequence[Run], comparisons: int, outcomes: int | None
) -> Change | None:
    new = _play(newest)
    old = [play for run in compared if (play := _play(run)) is not None]
    return compare(new, old, comparisons, outcomes) if new is not None and old else None


def _play(run: Run) -> Play | None:
    """Return a run's raw score, None if it has no fidelity."""
    raw = run.scores.get("raw")
    if raw is None or raw.hellinger_fidelity is None:
        return None
    return Play(raw.shots, raw.hellinger_fidelity, raw.normalized_fidelity)
