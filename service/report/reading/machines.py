"""Native circuits by kind and backend, and their newest runs against those before."""

from collections.abc import Callable, Sequence

from attrs import frozen

from service.report.reading.limits import MOST_KINDS
from workers.records.queries.comparisons import Comparison, compare_runs
from workers.records.queries.configurations import Configuration
from workers.records.queries.runs import Run


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
        comparison: with the runs before.
    """

    played: Played
    comparison: Comparison


def runs_of_kind(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs of each kind on each backend, newest first; the kinds by their newest."""
    groups: dict[tuple[Configuration, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.configuration, run.backend), []).append(run)
    return list(groups.values())[:MOST_KINDS]


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


def newest_runs(
    circuits: Sequence[Played], runs: Sequence[Run], outcomes: Callable[[Run], int | None]
) -> list[NewestRun]:
    """Compare the newest run of every current circuit with the runs before; see `compare_runs`."""
    current = [played for played in circuits if played.current]
    comparisons = compare_runs([played.runs[0] for played in current], runs, outcomes)
    return [NewestRun(*pair) for pair in zip(current, comparisons, strict=True)]
