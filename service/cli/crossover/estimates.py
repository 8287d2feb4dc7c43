"""Estimates of a game's P(win) by quantum machines and by classical playouts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import sqrt
from statistics import NormalDist
from time import perf_counter

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.errors import GameTooLargeError, InputError, meant
from compiler.fault_tolerant import Estimation, LogicalResources, estimation, logical_resources
from compiler.fault_tolerant.amplitude_estimation import ROTATIONS_SHARE
from compiler.fault_tolerant.resources import PROGRAM_ERROR
from compiler.lowering.methods import LEAN, lower_operators
from compiler.measurement import final_measurements, registers_of
from games import Game, encoded, encodings_of
from games.trick_taking.playouts import playouts_of
from service.cli.crossover.physical import ERROR_BUDGET, MODELS, QubitModel, frontier
from service.cli.output.printing import say
from service.results.crossover import (
    ClassicalPlayouts,
    Crossing,
    CrossoverEstimate,
    CrossoverResult,
    Frontier,
)

SYNTHESES: Mapping[str, Callable[[QuantumCircuit], QuantumCircuit]] = {
    "t_count": partial(lower_operators, method=LEAN),
    "two_qubit_gates": partial(lower_operators, method="cheapest"),
}
"""Syntheses of operators, by the resource that they minimise."""

FLAG = "win"
"""The classical register of one bit whose probability is estimated."""

ERRORS = tuple(10.0**-digits for digits in range(2, 9))
MIN_ERROR, MAX_ERROR = 1e-9, 0.1
MAX_PLAYOUTS_PER_SECOND = 1e15
MIN_SECONDS = 0.5
"""Time of playouts from which their rate is taken."""
SEED = 0


CONFIDENCE = 0.95
YEAR_HOURS = 365.25 * 24
LARGEST_ERROR = 0.1
"""Start of the search for the crossing."""
STEPS = 32
"""Halvings of the interval, on a logarithmic scale."""


@frozen
class Contest:
    """A program and its classical rival.

    Args:
        program: of the circuit that prepares the flag.
        probability: of the flag, P(win).
        playouts_per_second: of one core.
        cores: that play side by side.
    """

    program: LogicalResources
    probability: float
    playouts_per_second: float
    cores: int

    def needed(self, error: float) -> Estimation:
        """Return the logical resources of estimating the probability.

        The estimator's confidence covers the error budget.
        """
        return estimation(self.program, error, self.probability, CONFIDENCE + ERROR_BUDGET)

    def quantum(self, error: float, model: QubitModel) -> Frontier:
        """Return the machines that estimate the probability, the fastest first."""
        return frontier(self.needed(error), model)

    def playouts(self, error: float) -> float:
        """Return how many playouts have this error, z² p(1 − p)/error²."""
        return (_z() / error) ** 2 * self.probability * (1 - self.probability)

    def classical_hours(self, error: float) -> float:
        """Return the time of that many playouts on all cores."""
        return self.playouts(error) / (self.playouts_per_second * self.cores * 3600)

    def error_after(self, hours: float) -> float:
        """Return the error of all playouts of a time, the inverse of `classical_hours`."""
        playouts = hours * 3600 * self.playouts_per_second * self.cores
        return _z() * sqrt(self.probability * (1 - self.probability) / playouts)


def crossing(contest: Contest, quantum: Callable[[float], Frontier]) -> Crossing | None:
    """Return the error at which the fastest machine overtakes the playouts; None if in no year.

    Playouts grow with 1/error², calls with 1/error and error correction with its
    logarithm, so there is one crossing. It is later than a year if after a year of playouts the
    quantum machine would still have been slower.

    Args:
        contest: with its playouts.
        quantum: the machines for an error.
    """

    def wins(error: float) -> bool:
        machines = quantum(error).machines
        return bool(machines) and machines[0].hours <= contest.classical_hours(error)

    low, high = contest.error_after(YEAR_HOURS), LARGEST_ERROR
    if low >= high or not quantum(high).machines:
        return None
    if not quantum(low).machines:
        low = _bisected(low, high, lambda error: not quantum(error).machines)[1]
    if not wins(low):
        return None
    low = high if wins(high) else _bisected(low, high, wins)[0]
    fastest = quantum(low).machines[0]
    return Crossing(low, contest.classical_hours(low), fastest)


def _bisected(low: float, high: float, holds: Callable[[float], bool]) -> tuple[float, float]:
    """Return two errors next to each other; the condition holds at the first, not at the second."""
    for _ in range(STEPS):
        middle = sqrt(low * high)
        if holds(middle):
            low = middle
        else:
            high = middle
    return low, high


def _z() -> float:
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def crossover(
    game: Game,
    *,
    encoding: str = "",
    errors: Sequence[float] = ERRORS,
    objective: str = "t_count",
    cores: int = 64,
    playouts_per_second: float | None = None,
) -> CrossoverResult:
    """Return when a quantum machine finds P(win) of a game sooner than playouts do.

    Args:
        game: with an encoding that measures a win bit.
        encoding: by default the first with a win bit.
        errors: of P(win).
        objective: one of `SYNTHESES`.
        cores: that play classically side by side.
        playouts_per_second: of one core; None to measure them on this machine.

    Raises:
        InputError: if there is no such encoding or objective, or no code for playouts.
    """
    _check(objective, errors, playouts_per_second)
    encoding, syntheses = _resources(game, encoding)
    for name, resources in syntheses.items():
        say(f"{game.name}, {encoding}, {name}: {resources.qubits} logical qubits")
    rate, share = _playout_rate(game, needed=playouts_per_second is None)
    exact = _exact(game)
    best = share if exact is None else exact
    contest = Contest(
        program=syntheses[objective],
        probability=best if best and best < 1 else 0.5,
        playouts_per_second=playouts_per_second or rate,
        cores=cores,
    )
    return CrossoverResult(
        program=game.name,
        encoding=encoding,
        objective=objective,
        program_error=PROGRAM_ERROR,
        syntheses=syntheses,
        confidence=CONFIDENCE,
        error_budget=ERROR_BUDGET,
        probability=contest.probability,
        playouts_per_second_per_core=contest.playouts_per_second,
        playouts_measured=playouts_per_second is None,
        cores=cores,
        models={name: model.title for name, model in MODELS.items()},
        estimates=[_estimate(contest, error) for error in sorted({*errors}, reverse=True)],
        year_of_playouts_error=contest.error_after(YEAR_HOURS),
        crossings={
            name: crossing(contest, partial(contest.quantum, model=model))
            for name, model in MODELS.items()
        },
        exact=exact,
        assumptions=_assumptions(contest, playouts_per_second is None, exact, share),
    )


def _check(objective: str, errors: Sequence[float], playouts_per_second: float | None) -> None:
    if objective not in SYNTHESES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, SYNTHESES)}")
    for error in errors:
        if not MIN_ERROR <= error <= MAX_ERROR:
            raise InputError(f"error {error:g}: must lie between {MIN_ERROR:g} and {MAX_ERROR:g}")
    if playouts_per_second is not None and not 0 < playouts_per_second <= MAX_PLAYOUTS_PER_SECOND:
        raise InputError(
            f"--playouts-per-second {playouts_per_second:g}: must be more than 0 and at most "
            f"{MAX_PLAYOUTS_PER_SECOND:g}"
        )


def _resources(game: Game, wanted: str) -> tuple[str, Mapping[str, LogicalResources]]:
    """Return the encoding with a win bit that is used, and its resources by objective."""
    for name in [wanted] if wanted else encodings_of(game):
        circuit = encoded(game, name).circuit
        if len(registers_of(circuit).get(FLAG, ())) == 1:
            gates, _ = final_measurements(circuit)
            return name, {
                objective: logical_resources(lower(gates)) for objective, lower in SYNTHESES.items()
            }
    which = f"encoding '{wanted}' of {game.name}" if wanted else f"no encoding of {game.name}"
    raise InputError(
        f"{which} measures one bit '{FLAG}'; its encodings: {', '.join(encodings_of(game))}"
    )


def _exact(game: Game) -> float | None:
    """Return P(win) where the game is small enough to be enumerated."""
    try:
        return float(game.average(FLAG))
    except GameTooLargeError:
        return None


def _playout_rate(game: Game, *, needed: bool) -> tuple[float, float | None]:
    """Return playouts a second on one core, and the share of games won; 0 and None if unknown."""
    play = playouts_of(game)
    if play is None:
        if needed:
            raise InputError(
                f"{game.name}: playouts are not implemented; set --playouts-per-second"
            )
        return 0.0, None
    play(1, SEED)
    games = 1000
    while True:
        started = perf_counter()
        won = play(games, SEED)
        seconds = perf_counter() - started
        if seconds >= MIN_SECONDS:
            rate, share = games / seconds, won / games
            say(f"{rate:,.0f} playouts a second on one core, {share:.4f} of them won")
            return rate, share
        games *= 4


def _estimate(contest: Contest, error: float) -> CrossoverEstimate:
    return CrossoverEstimate(
        error=error,
        classical=ClassicalPlayouts(
            playouts=contest.playouts(error), hours=contest.classical_hours(error)
        ),
        logical=contest.needed(error),
        physical={name: contest.quantum(error, model) for name, model in MODELS.items()},
    )


def _assumptions(
    contest: Contest, measured: bool, exact: float | None, share: float | None
) -> list[str]:
    where = "measured on this machine" if measured else "given"
    if contest.probability == exact:
        source = "exact"
    elif contest.probability == share:
        source = "the share of playouts won"
    else:
        source = "assumed, because no better value between 0 and 1 is known"
    return [
        f"P(win) = {contest.probability:.4g} ({source}); both sides are within the error with "
        f"{CONFIDENCE:.0%}.",
        "Amplitude estimation is one coherent run of phase estimation with the best state of its "
        f"control register, 2c √(p(1−p))/error iterates; no single run takes fewer. It has "
        f"{CONFIDENCE + ERROR_BUDGET:.0%}, the machine may fail with {ERROR_BUDGET:.0%}.",
        "An iterate is the program forwards and backwards, and a reflection about |0…0⟩ of "
        "2n − 3 Toffoli gates; a Toffoli gate is 4 T gates, Clifford gates are free.",
        "A rotation takes 3 log₂(1/δ) T gates (Ross and Selinger), one by a table an addition to "
        "a phase gradient, 4 T gates for each bit of it (Gidney); all rotations of one program "
        f"together may shift P(win) by {ROTATIONS_SHARE:.0%} of the error.",
        "Codes, factories and their times are those of Microsoft's resource estimator: one "
        "T gate or Toffoli gate after the other; decoding takes no time, the machine never stops.",
        f"Playouts: {contest.playouts_per_second:,.0f} a second on one core ({where}), "
        f"{contest.cores:,} cores side by side without loss; z² p(1−p)/error² of them, no "
        "variance reduction.",
    ]
