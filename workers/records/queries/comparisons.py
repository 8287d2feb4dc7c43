"""Comparisons of runs: whether a machine got better.

The only place with the rules of comparing. A run is compared with earlier runs of the same native
circuit of the same program in the same encoding on the same backend. All of them ran untreated
(`workers.records.queries.runs`), their shots are comparable, and the intervals of all comparisons
that are shown together hold together (`compiler.scores.run_comparison`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from attrs import frozen
from sqlalchemy import or_
from sqlalchemy.orm import Session

from compiler.scores.run_comparison import Change, comparable, compare
from compiler.words.plurals import how_many
from workers.records.queries.programs import Programs
from workers.records.queries.runs import Run, read_runs
from workers.records.tables import Compilation, Job

MAX_EARLIER_RUNS = 30
"""Earlier runs that a run is compared with, the newest ones."""

MAX_NAMED = 3
"""Changes that an answer names."""

MINUS = "\u2212"


@frozen
class Comparison:
    """A run against earlier runs.

    Args:
        newest: the run.
        earlier: runs that it is compared with, the newest first; none if there are none with
            comparable shots.
        change: their difference; None without earlier runs.
    """

    newest: Run
    earlier: Sequence[Run]
    change: Change | None

    @property
    def summary(self) -> str:
        """Its circuit, machine, difference, interval and runs."""
        assert self.change is not None
        run = self.newest
        return (
            f"{run.configuration.program} ({run.configuration.way}) on {run.backend}, "
            f"{interval_text(self.change)} in fidelity, job {run.job} against "
            f"{how_many(self.change.runs, 'run')} of the same circuit since "
            f"{self.earlier[-1].at:%Y-%m-%d}"
        )


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
    """The newest run of a circuit against the runs before.

    Args:
        played: the circuit's runs.
        comparison: with the runs before.
    """

    played: Played
    comparison: Comparison


@frozen
class GatesChange:
    """Difference of the gates of two circuits.

    Args:
        difference: the newer minus the older number.
        verdict: `better`, `worse` or `same`.
    """

    difference: int
    verdict: str


def gates_change(new: int | None, old: int | None) -> GatesChange | None:
    """Compare two numbers of gates, of which fewer are better; None if one is not known."""
    if new is None or old is None:
        return None
    verdict = "same" if new == old else "better" if new < old else "worse"
    return GatesChange(new - old, verdict)


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


def compare_newest(
    circuits: Sequence[Played], runs: Sequence[Run], outcomes: Callable[[Run], int | None]
) -> list[NewestRun]:
    """Compare the newest run of every current circuit with the runs before; see `compare_runs`."""
    current = [played for played in circuits if played.current]
    comparisons = compare_runs([played.runs[0] for played in current], runs, outcomes)
    return [NewestRun(*pair) for pair in zip(current, comparisons, strict=True)]


def compare_runs(
    newest: Iterable[Run], runs: Iterable[Run], outcomes: Callable[[Run], int | None]
) -> list[Comparison]:
    """Compare each of some runs with the runs before it.

    Args:
        newest: runs that are compared; the intervals hold for all of them together.
        runs: those among which earlier ones are looked for.
        outcomes: returns the number of outcomes of a run's exact distribution, None if unknown;
            called only for runs with other numbers of shots before them.
    """
    by_circuit: defaultdict[tuple[str, ...], list[Run]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: -run.job):
        if run.play is not None:
            by_circuit[_circuit(run)].append(run)
    pairs = [(run, *_earlier(run, by_circuit[_circuit(run)], outcomes)) for run in newest]
    comparisons = sum(bool(earlier) for _, earlier, _ in pairs)
    return [
        Comparison(run, earlier, _change(run, earlier, comparisons, number))
        for run, earlier, number in pairs
    ]


def compare_jobs(session: Session, jobs: Sequence[int]) -> list[Comparison]:
    """Compare the runs of some jobs with the runs before them; other jobs are left out.

    Args:
        session: of the records.
        jobs: their numbers; the intervals hold for all of them together.
    """
    newest = read_runs(session, Job.id.in_(jobs))
    same_circuits = or_(
        Compilation.native_digest.in_({run.circuit for run in newest}),
        Compilation.id.in_({run.compilation_id for run in newest}),
    )
    runs = read_runs(session, same_circuits) if newest else []
    return compare_runs(newest, runs, Programs(session).outcomes)


def answer(comparisons: Iterable[Comparison]) -> str:
    """Answer in a sentence whether a machine got better."""
    judged = [
        (comparison, comparison.change)
        for comparison in comparisons
        if comparison.change is not None
    ]
    if not judged:
        return (
            "No comparison yet: it takes two runs of the same native circuit with comparable "
            "shots. Run a circuit again with stichwerk submit --like-job N."
        )
    changed = [(each, change) for each, change in judged if change.significant]
    changed.sort(key=lambda pair: -abs(pair[1].difference))
    number = how_many(len(judged), "comparison")
    if not changed:
        clearest, _ = max(judged, key=lambda pair: pair[1].sigmas)
        return f"No significant change ({number}). Clearest difference: {clearest.summary}."
    parts = [
        f"{each.newest.backend} got {change.verdict}: {each.summary}"
        for each, change in changed[:MAX_NAMED]
    ]
    if len(changed) > MAX_NAMED:
        parts.append(f"{len(changed) - MAX_NAMED} more in the table")
    return f"{'; '.join(parts)} ({len(changed)} of {number})."


def signed(value: float) -> str:
    """Return a difference with its sign and three digits."""
    return f"{value:+.3f}".replace("-", MINUS)


def interval_text(change: Change) -> str:
    """Return a difference with its interval."""
    return f"{signed(change.difference)} [{signed(change.low)}, {signed(change.high)}]"


def _circuit(run: Run) -> tuple[str, ...]:
    """Return the native circuit, the judge of its outcomes, and the backend."""
    return run.circuit, run.configuration.digest, run.configuration.encoding, run.backend


def _earlier(
    run: Run, same: Sequence[Run], outcomes: Callable[[Run], int | None]
) -> tuple[list[Run], int | None]:
    """Return the comparable runs before a run, and the number of outcomes where it matters."""
    before = [(old, old.play) for old in same if old.job < run.job and old.play is not None]
    play = run.play
    if play is None or not before:
        return [], None
    alike = all(old.shots == play.shots for _, old in before)
    number = None if alike else outcomes(run)
    earlier = [old_run for old_run, old in before if comparable(play, old, number)]
    return earlier[:MAX_EARLIER_RUNS], number


def _change(
    run: Run, earlier: Sequence[Run], comparisons: int, outcomes: int | None
) -> Change | None:
    old = [run_.play for run_ in earlier if run_.play is not None]
    return compare(run.play, old, comparisons, outcomes) if run.play is not None and old else None
