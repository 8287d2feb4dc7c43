"""When a quantum machine is faster: amplitude estimation against classical playouts."""

from collections.abc import Callable
from math import sqrt
from statistics import NormalDist

from attrs import frozen

from compiler.fault_tolerant import Estimation, LogicalResources, estimation
from compiler.fault_tolerant.machines import Frontier
from service.cli.crossover.physical import ERROR_BUDGET, QubitModel, frontier, second_frontier
from service.results.crossover import Crossing, SecondOpinion

CONFIDENCE = 0.95
YEAR_HOURS = 365.25 * 24
LARGEST_ERROR = 0.1
"""Where the search for the crossing begins."""
STEPS = 32
"""Halvings of the interval, on a logarithmic scale."""
MAX_RATIO = 2
"""Ratio of the two models beyond which the reason is named."""


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
        """Return what estimating the probability takes on logical qubits.

        The estimator's confidence makes up for the budget of what may go wrong.
        """
        return estimation(self.program, error, self.probability, CONFIDENCE + ERROR_BUDGET)

    def quantum(self, error: float, model: QubitModel) -> Frontier:
        """Return the machines that estimate the probability, the fastest first."""
        return frontier(self.needed(error), model)

    def second_frontier(self, error: float, model: QubitModel) -> Frontier:
        """Return the same by the second model."""
        return second_frontier(self.needed(error), model)

    def second_opinion(self, error: float, model: QubitModel) -> SecondOpinion:
        """Return the frontier by the second model, compared with that of the first."""
        first, second = self.quantum(error, model), self.second_frontier(error, model)
        lattice = model.lattice
        if not first.machines or not second.machines or lattice is None:
            return SecondOpinion(second.machines, second.infeasible)
        hours = second.machines[0].hours / first.machines[0].hours
        qubits = second.machines[0].physical_qubits / first.machines[0].physical_qubits
        reasons = []
        if not 1 / MAX_RATIO <= hours <= MAX_RATIO:
            reasons.append(
                f"hours: the next gate waits for a reaction, {lattice.reaction_us:g} µs, in the "
                f"second model; in the first for d cycles, d · {lattice.cycle_us:g} µs at distance "
                "d, and after a Toffoli gate for three times that"
            )
        if not 1 / MAX_RATIO <= qubits <= MAX_RATIO:
            reasons.append("qubits: the second model takes as many factories as these hours need")
        return SecondOpinion(second.machines, "", hours, qubits, reasons)

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
    """Return where the fastest machine overtakes the playouts; None if in no year.

    Playouts grow with 1/error², calls with 1/error and what it takes to correct errors with its
    logarithm, so there is one crossing. It is later than a year if after a year of playouts the
    quantum machine would still have been slower.

    Args:
        contest: whose playouts they are.
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
    """Return two errors next to each other; what is asked holds at the first, not at the second."""
    for _ in range(STEPS):
        middle = sqrt(low * high)
        if holds(middle):
            low = middle
        else:
            high = middle
    return low, high


def _z() -> float:
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
