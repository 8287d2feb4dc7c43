"""Circuits that measure on the way, as the steps by which one path of outcomes is followed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Clbit

from compiler.circuits.gate_steps import Step, steps_of
from compiler.dynamic.choices import Choice
from compiler.dynamic.pieces import Branch, Event, Pieces, Segment, pieces_of
from compiler.verification.simulation.blocks import merged

Slot: TypeAlias = tuple[int, int]
"""A measurement that is written somewhere in a circuit: its classical bit, and which of those
that write this bit it is."""


@define(eq=False)
class Gates:
    """Gates on one and two qubits.

    Args:
        steps: what they do.
        ends: for each qubit the one that holds its value afterwards.
        order: the order that kept the state small when they were applied first.
    """

    steps: Sequence[Step]
    ends: Sequence[int]
    order: Sequence[Step] | None = field(init=False, default=None)


@frozen
class Read:
    """A measurement of a qubit."""

    qubit: int
    slot: Slot


@frozen
class Clear:
    """A reset of a qubit."""

    qubit: int


@frozen
class Keep:
    """A measurement in a body that is not run: its bit keeps its value."""

    slot: Slot


@frozen(eq=False)
class Fork:
    """Bodies of which one is run, or none.

    Args:
        choice: what decides.
        reads: the number of each bit that it reads.
        bodies: each as steps.
    """

    choice: Choice
    reads: Mapping[Clbit, int]
    bodies: Sequence["Steps"]

    def taken(self, memory: Sequence[bool]) -> "Steps":
        """Return what is run, given the values of all classical bits."""
        chosen = self.choice.body({bit: memory[number] for bit, number in self.reads.items()})
        return tuple(
            step
            for number, body in enumerate(self.bodies)
            for step in (body if number == chosen else map(Keep, slots(body)))
        )


PathStep: TypeAlias = Gates | Read | Clear | Keep | Fork
Steps: TypeAlias = tuple[PathStep, ...]


def path_steps(circuit: QuantumCircuit) -> Steps:
    """Return a circuit as steps.

    Args:
        circuit: gates, measurements, resets and branches.

    Raises:
        StateTooLargeError: if it holds something else.
        InputError: if a condition cannot be taken.
    """
    clbits = {clbit: i for i, clbit in enumerate(circuit.clbits)}
    return _steps(pieces_of(circuit), clbits, [0] * len(clbits))


def _steps(pieces: Pieces, clbits: Mapping[Clbit, int], written: list[int]) -> Steps:
    made: list[PathStep] = []
    for piece in pieces:
        match piece:
            case Segment(circuit):
                gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
                made.append(Gates(*merged(gates, circuit.num_qubits)))
            case Event(qubit, None):
                made.append(Clear(qubit))
            case Event(qubit, clbit) if clbit is not None:
                made.append(Read(qubit, (clbit, written[clbit])))
                written[clbit] += 1
            case Branch(choice=choice, bodies=bodies):
                reads = {bit: clbits[bit] for bit in choice.reads}
                made.append(Fork(choice, reads, [_steps(body, clbits, written) for body in bodies]))
    return tuple(made)


def slots(steps: Steps) -> Iterator[Slot]:
    """Yield all measurements of some steps, in every body, in their order."""
    for step in steps:
        match step:
            case Read() | Keep():
                yield step.slot
            case Fork():
                for body in step.bodies:
                    yield from slots(body)


def resets(steps: Steps) -> int:
    """Return how many resets some steps have, in all bodies together."""
    return sum(
        sum(map(resets, step.bodies)) if isinstance(step, Fork) else isinstance(step, Clear)
        for step in steps
    )
