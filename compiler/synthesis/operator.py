"""What every operator declares beside its circuit."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlledGate, Gate, Instruction

Operands = tuple[int, ...]
"""Places among a gate's operands."""

GateKind = tuple[str, int]
"""A base gate's name and its number of controls: `("x", 4)` is a four-fold controlled X."""


@frozen
class Fusion:
    """Gates that take the place of several operators.

    Args:
        replaced: how many items of the circuit they replace.
        items: the gates on their qubits.
    """

    replaced: int
    items: Sequence[CircuitInstruction]


class Operator(Gate):
    """A gate with an executable specification on its legal basis states.

    Basis states are integers whose bit q is the value of the gate's operand q. On states that
    `legal_inputs` does not yield the gate may do anything unitary.

    An operator says what it guarantees. *Exact*: each output has the positive root of its
    probability, up to one phase common to all inputs. *Up to branch phases*
    (`exact_phases = False`): every output may have a phase of its own, which no measurement of
    the qubits and no later operator can see, because operators never let branches interfere.

    Attributes:
        exact_phases: whether the amplitudes are exact, phases included.
        history: operands that are |0⟩ before and remember which branch was taken afterwards;
            they are 0 in what `canonical` returns, any value is right.
    """

    exact_phases: bool = True
    history: tuple[int, ...] = ()

    @abstractmethod
    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state once; there may be too many to go through."""

    @abstractmethod
    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the probability of every canonical basis state a legal input is mapped to."""

    def canonical(self, basis_state: int) -> int:
        """Return an output without what the operator leaves open, such as its history."""
        return basis_state & ~sum(1 << operand for operand in self.history)

    def interchangeable(self) -> list[Sequence[Operands]]:
        """Return groups of operands that may be permuted without changing what is promised.

        Each group lists, for every thing that is treated alike, such as a card, the places of
        its qubits among the gate's operands.
        """
        return []

    def fused(self, items: Sequence[CircuitInstruction]) -> "Fusion | None":
        """Return what is cheaper than this operator and those that follow it, if anything is.

        Distributions of what is measured stay what they are; phases are branch phases.

        Args:
            items: this operator on its qubits, and what follows it in the circuit.
        """
        return None

    def random_legal_input(self, random: Random) -> int:
        """Return a random legal basis state; every legal one can come up."""
        return random.choice(list(self.legal_inputs()))

    def __array__(self, dtype: object = None, copy: object = None) -> None:
        """Refuse a matrix: operators are too wide for one.

        Raises:
            TypeError: always; Qiskit then works with the definition.
        """
        raise TypeError(f"{self.name} on {self.num_qubits} qubits has no matrix")


class LiteralOperator(Operator):
    """An operator whose definition is the papers' own construction, with its cost as a formula."""

    @property
    @abstractmethod
    def declared_cost(self) -> Mapping[GateKind, int]:
        """Number of gates of each kind in the literal definition, as a formula."""

    @property
    @abstractmethod
    def declared_depth(self) -> int:
        """Depth of the literal definition, any gate counting one layer."""


def counted_cost(circuit: QuantumCircuit) -> Counter[GateKind]:
    """Return the number of gates of each kind at the top level of `circuit`."""
    return Counter(gate_kind(item.operation) for item in circuit.data)


def gate_kind(gate: Instruction) -> GateKind:
    """Return the base gate's name and the number of controls of `gate`."""
    if isinstance(gate, ControlledGate):
        return gate.base_gate.name, gate.num_ctrl_qubits
    return gate.name, 0
