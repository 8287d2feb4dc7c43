"""Clean qubits on demand, where nobody counts them beforehand."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import count

from attrs import define
from qiskit import QuantumCircuit

from compiler.fault_tolerant.table_coins import toss_by_table

MAX_CLEAN = 256
"""Clean qubits for the trees of the coins; the largest take some fifty."""


@define
class CleanPool:
    """Clean qubits after those of a circuit, taken anew by each `loan`.

    Args:
        first: the lowest of them.
        used: how many have been taken at the same time at most.
    """

    first: int
    used: int = 0

    def circuit(self) -> QuantumCircuit:
        """Return an empty circuit with as many clean qubits as any synthesis takes."""
        return QuantumCircuit(self.first + MAX_CLEAN)

    def toss(
        self,
        circuit: QuantumCircuit,
        controls: Sequence[int],
        target: int,
        probabilities: Mapping[int, Fraction],
    ) -> None:
        """Toss a coin by a table; see `toss_by_table`."""
        toss_by_table(circuit, controls, target, probabilities, self.loan())

    def loan(self) -> Callable[[], int]:
        """Return what gives one after the other; all come back before the next loan."""
        places = count()

        def take() -> int:
            place = next(places)
            self.used = max(self.used, place + 1)
            return self.first + place

        return take

    def trimmed(self, circuit: QuantumCircuit) -> QuantumCircuit:
        """Return a circuit without the qubits that were never taken."""
        kept = QuantumCircuit(self.first + self.used)
        for item in circuit.data:
            kept.append(item.operation, [circuit.find_bit(qubit).index for qubit in item.qubits])
        return kept
