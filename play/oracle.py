"""Oracles: sources of measured outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import lcm
from random import Random
from typing import Any

from attrs import frozen

from compiler.errors import StichwerkError
from play.match import Match
from play.match_log import LONGEST, Look, Measured, Measurement, Origin
from play.trials import NotRunnableError, Trial, afresh, replay


class NotYetMeasuredError(StichwerkError):
    """Outcomes are on their way; the message says where they are."""


class Oracle(ABC):
    """Measures the awaited outcomes of a match.

    It gets the whole match: `program()` is the circuit so far, `known` the values of its first
    classical bits, `awaited` the number of the following ones. A backend runs circuits for it; see
    `play.oracle`. A simulator needs `chances()` only.
    """

    @abstractmethod
    def measured(self, match: Match[Any]) -> Measured:
        """Return the results of the measurements, `match.awaited` bits in order, and their source.

        Raises:
            NotYetMeasuredError: if the measurement is pending; ask again later.
        """

    def seen(self, match: Match[Any]) -> Look | None:
        """Look at the state of a match; None if no machine holds it.

        Raises:
            NotYetMeasuredError: see `measured`.
        """
        return None


class ExactOracle(Oracle):
    """Draws from the exact probabilities.

    The draws depend on the seed and on the number of earlier measurements, so a saved match goes
    on as it would have.

    Args:
        seed: any integer.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def measured(self, match: Match[Any]) -> Measured:
        """Return outcomes; see `Oracle`."""
        return Measured(drawn(match, chance(self._seed, match)), Origin(Measurement.EXACT))


def chance(seed: int, match: Match[Any]) -> Random:
    """Return the random generator for the outcomes that a match awaits."""
    before = sum(isinstance(entry, Measured) for entry in match.log)
    return Random(f"outcomes {seed} {before}")


def drawn(match: Match[Any], random: Random) -> tuple[int, ...]:
    """Return outcomes with their exact probabilities."""
    chances = sorted(match.chances().items())
    parts = lcm(*(p.denominator for _, p in chances))
    left = Fraction(random.randrange(parts), parts)
    for outcomes, p in chances:
        if left < p:
            return outcomes
        left -= p
    raise ValueError(f"probabilities of {match.game} do not add up to 1")


class NoResultError(StichwerkError):
    """A backend has brought nothing back; the message says why."""


@frozen
class Ran:
    """Result of a backend.

    Args:
        counts: shots by outcome; bit i is the circuit's classical bit i.
        job: number of the job.
    """

    counts: Mapping[int, int]
    job: int


Run = Callable[[Match[Any], Trial], Ran]
"""Runs a trial. It raises NotRunnableError if the backend does not run such circuits, NoResultError
if it has failed, and NotYetMeasuredError if one has to ask again later."""


Watch = Callable[[Match[Any]], Look]
"""Runs the moves so far, and scores the result. It raises the same errors as `Run`."""


class BackendOracle(Oracle):
    """Measures on a backend, which replays the circuit so far.

    The oracle draws one of the shots that reproduce all known outcomes, each with the same
    probability; shots with an impossible result do not count. If too few shots are left, or the
    circuit would take too many, it prepares the collapsed state afresh and measures that. If a job
    fails, outcomes are drawn from the exact probabilities, so that the match goes on. The origin
    records the method and the reason.

    Certain outcomes are not run.

    Args:
        backend: its name, for origins.
        seed: seed of the draws.
        run: runs a circuit.
        watch: looks at a match; None for no looks.
    """

    def __init__(self, backend: str, seed: int, run: Run, watch: Watch | None = None) -> None:
        self._backend, self._seed, self._run, self._watch = backend, seed, run, watch

    def seen(self, match: Match[Any]) -> Look | None:
        """Look at the backend's state; a failed job is recorded in the look. See `Oracle`."""
        if self._watch is None:
            return None
        try:
            return self._watch(match)
        except (NotRunnableError, NoResultError) as error:
            return Look(self._backend, reason=_line(error))

    def measured(self, match: Match[Any]) -> Measured:
        """Return outcomes; see `Oracle`."""
        possible = match.chances()
        if len(possible) == 1:
            return Measured(next(iter(possible)), Origin(Measurement.CERTAIN))
        reason = ""
        for trial_of in (replay, afresh):
            try:
                program = match.program()
                trial = trial_of(program.circuit, match.known, match.shots_wanted)
                ran = self._run(match, trial)
            except NotRunnableError as error:
                reason = _line(error)
                continue
            except NoResultError as error:
                reason = _line(error)
                break
            if not trial.belongs(ran.counts):
                reason = f"job {ran.job} brought back counts that are not of its circuit"
                break
            agreeing = trial.agreeing(ran.counts, possible, partial(match.outcomes_of, program))
            number = sum(agreeing.values())
            if number >= trial.fewest:
                outcomes = match.settled(agreeing, chance(self._seed, match))
                return Measured(
                    outcomes,
                    Origin(trial.method, self._backend, ran.job, number, trial.shots, reason),
                )
            needed = f"{trial.fewest} are needed" if trial.fewest > 1 else "1 is needed"
            reason = f"{number:,} of {trial.shots:,} shots agreed in job {ran.job}, {needed}"
        outcomes = drawn(match, chance(self._seed, match))
        return Measured(outcomes, Origin(Measurement.EXACT, reason=reason))


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())[:LONGEST]
    return "".join(letter if letter.isprintable() else "?" for letter in text)
