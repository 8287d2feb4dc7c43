"""Physical qubits and hours by the formulas of Gidney and Fowler: surface code, factories of CCZ.

A logical error rate of 0.1 (100 p)^((d+1)/2) for a qubit and a cycle of a code of distance d, where
p is that of the physical gates; 2d² physical qubits for each logical one, and half as many again
to route. A factory makes eight T states by injection, distils them at distance d₁ in six places,
and makes of these one CCZ state at distance d₂, or two T states with the help of a catalyst.

Any number of factories works side by side; then the machine waits for the outcome of each gate's
measurement, the *reaction time*, before it can know the next gate.

References:
    Fowler and Gidney, arXiv:1808.06709, section XV, for error rates and footprints.
    Gidney and Fowler, arXiv:1812.01238, for the factories and their errors.
    Gidney and Fowler, arXiv:1905.08916, for machines that only the reaction time limits, and
    Gidney and Ekerå, arXiv:1905.09749, for its 10 µs.
"""

from collections.abc import Iterator
from math import ceil, inf, log

from attrs import frozen

from compiler.fault_tolerant.machines import Frontier, Machine
from compiler.fault_tolerant.resources import T_PER_TOFFOLI

THRESHOLD = 0.01
SCALE = 0.1
ROUTING = 1.5
"""Tiles of the machine for each logical qubit."""

CCZ_DEPTH = 5.5
"""Steps of a factory for a CCZ state, where one begins before the last has ended."""
CATALYSIS_DEPTH = 1
"""Further steps for two T states."""

FIRST_DISTANCES = range(5, 26, 2)
LARGEST_DISTANCE = 41
MOST_FACTORIES = 4096
"""More are of no use: the reaction time limits machines with far fewer."""

MICROSECONDS_PER_HOUR = 3.6e9


@frozen
class Qubits:
    """Physical qubits on a lattice.

    Args:
        error: of a gate, p.
        cycle_us: microseconds of a cycle of the code.
        reaction_us: microseconds until a gate can follow another one.
    """

    error: float
    cycle_us: float
    reaction_us: float

    def logical_error(self, distance: int) -> float:
        """Return the error rate of a logical qubit in a cycle."""
        return SCALE * (self.error / THRESHOLD) ** ((distance + 1) / 2)

    def distance_for(self, rate: float) -> int:
        """Return the least odd distance, at least 3, at which the error rate is no larger."""
        halves = ceil(log(rate / SCALE) / log(self.error / THRESHOLD) - 1e-9)
        return max(3, 2 * halves - 1)


@frozen
class Gates:
    """What is computed.

    Args:
        qubits: logical ones.
        t_gates: those of Toffoli gates apart.
        toffolis: Toffoli gates, one CCZ state each.
    """

    qubits: int
    t_gates: int
    toffolis: int

    @classmethod
    def of(cls, qubits: int, t_count: int, toffolis: int) -> "Gates":
        """Return gates whose T gates include four for each Toffoli gate."""
        return cls(qubits, t_count - T_PER_TOFFOLI * toffolis, toffolis)

    @property
    def states(self) -> int:
        """CCZ states that factories make."""
        return self.toffolis + self._pairs

    @property
    def factory_steps(self) -> float:
        """Steps that one factory needs for them."""
        return self.states * CCZ_DEPTH + self._pairs * CATALYSIS_DEPTH

    @property
    def tiles(self) -> int:
        """Places of the machine, factories apart."""
        return ceil(ROUTING * self.qubits)

    @property
    def _pairs(self) -> int:
        return -(-self.t_gates // 2)


@frozen
class Factory:
    """A factory of CCZ states.

    Args:
        first: distance d₁ of its first level.
        second: distance d₂ of its second one.
    """

    first: int
    second: int

    @property
    def physical_qubits(self) -> int:
        """Six places of the first level, and one of the second, each 4 by 8 tiles."""
        return 64 * (6 * self.first**2 + self.second**2)

    @property
    def step_cycles(self) -> int:
        """Cycles of a step."""
        return max(2 * self.first + 1, self.second)

    def error(self, qubits: Qubits) -> float:
        """Return the probability that a CCZ state is wrong."""
        injected = qubits.error + 100 * qubits.logical_error(self.first // 2)
        first = 1100 * qubits.logical_error(self.first) + 35 * injected**3
        return 1000 * qubits.logical_error(self.second) + 28 * first**2


@frozen
class Design:
    """A machine of some factories and a block of data, and how it fares.

    Args:
        factory: of one kind.
        factories: how many of them.
        distance: of the data.
    """

    factory: Factory
    factories: int
    distance: int

    @property
    def factory_qubits(self) -> int:
        """Physical qubits of all factories."""
        return self.factories * self.factory.physical_qubits

    def physical_qubits(self, gates: Gates) -> int:
        """Return the physical qubits of all."""
        return self.factory_qubits + 2 * self.distance**2 * gates.tiles

    def failure(self, gates: Gates, qubits: Qubits) -> float:
        """Return the probability that anything goes wrong, a sum that may exceed 1."""
        data = gates.tiles * cycles(gates, qubits, self.factory, self.factories)
        states = gates.states * self.factory.error(qubits)
        return states + data * qubits.logical_error(self.distance)


def cycles(gates: Gates, qubits: Qubits, factory: Factory, factories: int) -> int:
    """Return the cycles of a computation: what the factories need, or the reactions if longer."""
    made = ceil(gates.factory_steps * factory.step_cycles / factories)
    reactions = (gates.t_gates + gates.toffolis) * qubits.reaction_us / qubits.cycle_us
    return max(made, ceil(reactions))


def surface_code_frontier(gates: Gates, qubits: Qubits, budget: float) -> Frontier:
    """Return the machines of which none is better in both qubits and hours.

    Args:
        gates: what is computed.
        qubits: physical ones.
        budget: probability with which anything may go wrong.
    """
    machines = [
        Machine(
            one.physical_qubits(gates),
            cycles(gates, qubits, one.factory, one.factories)
            * qubits.cycle_us
            / MICROSECONDS_PER_HOUR,
            one.distance,
            one.factories,
        )
        for one in _designs(gates, qubits, budget)
    ]
    if not machines:
        return Frontier(
            (), f"two levels of distillation are not enough for {gates.states:.2g} CCZ states"
        )
    return Frontier.of(machines)


def _designs(gates: Gates, qubits: Qubits, budget: float) -> Iterator[Design]:
    """Yield designs, with the least distances that stay within the budget."""
    for factory in _factories(gates, qubits, budget):
        left = budget - gates.states * factory.error(qubits)
        factories, last = 1, inf
        while factories <= MOST_FACTORIES:
            now = cycles(gates, qubits, factory, factories)
            if now == last:
                break
            distance = qubits.distance_for(left / (gates.tiles * now))
            yield Design(factory, factories, distance)
            factories, last = max(factories + 1, round(factories * 1.25)), now


def _factories(gates: Gates, qubits: Qubits, budget: float) -> Iterator[Factory]:
    """Yield factories that are good enough."""
    for first in FIRST_DISTANCES:
        for second in range(first + 2, LARGEST_DISTANCE + 1, 2):
            factory = Factory(first, second)
            if gates.states * factory.error(qubits) < budget:
                yield factory
