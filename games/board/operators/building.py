"""Gates on points of two qubits, of which both are never 1, and conjunctions of qubits."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntFlag
from itertools import pairwise
from math import pi

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import CCXGate
from qiskit.synthesis import synth_mcx_noaux_v24

from compiler.synthesis.givens import reflect, reflect_if
from compiler.synthesis.permutations import flipped


class Presence(IntFlag):
    """Stones that a point may ever have; one qubit for each of them, the mover's first."""

    OWN = 1
    OTHER = 2


BOTH = Presence.OWN | Presence.OTHER


def qubits_of(presences: Sequence[int]) -> int:
    """Return the number of qubits of points."""
    return sum(presence.bit_count() for presence in presences)


Control = tuple[int, int]
"""A qubit and the value that it must have."""


@frozen
class Point:
    """The qubits of a point; None for a stone that it never has."""

    own: int | None
    other: int | None


def points_of(presences: Sequence[int]) -> list[Point]:
    """Return the qubits of the points of an operator."""
    result, place = [], 0
    for presence in presences:
        own = place if presence & Presence.OWN else None
        place += own is not None
        other = place if presence & Presence.OTHER else None
        place += other is not None
        result.append(Point(own, other))
    return result


def flip(circuit: QuantumCircuit, point: Point, controls: Sequence[Control] = ()) -> None:
    """Append the mover's X on a point, where controls have their values: exact on legal states.

    Where the point may have the other's stone, two CX make it a control as well: Margolus' gate
    is a Toffoli but for the sign of one basis state, and that one is illegal here. So one control
    takes three CX, and two take eight.
    """
    assert point.own is not None
    if point.other is not None and controls:
        with closed(circuit, [(point.other, 0)]) as (free,):
            margolus(circuit, controls, free, point.own)
        return
    flip_if(circuit, [*controls, *[(q, 0) for q in [point.other] if q is not None]], point.own)


def flip_if(circuit: QuantumCircuit, controls: Sequence[Control], target: int) -> None:
    """Append X where controls have their values."""
    if not controls:
        circuit.x(target)
        return
    with closed(circuit, controls) as qubits:
        if len(qubits) == 1:
            circuit.cx(qubits[0], target)
            return
        gates = CCXGate().definition if len(qubits) == 2 else synth_mcx_noaux_v24(len(qubits))
        circuit.compose(gates.decompose(), [*qubits, target], inplace=True)


@contextmanager
def emptiness(circuit: QuantumCircuit, point: Point) -> Iterator[Control]:
    """Yield the control that is met where a point is empty."""
    if point.own is None or point.other is None:
        qubit = point.other if point.own is None else point.own
        assert qubit is not None
        yield qubit, 0
        return
    # Never both are 1: their sum says whether there is a stone.
    circuit.cx(point.own, point.other)
    yield point.other, 0
    circuit.cx(point.own, point.other)


@contextmanager
def closed(circuit: QuantumCircuit, controls: Sequence[Control]) -> Iterator[list[int]]:
    """Make controls on 0 such on 1 for a while."""
    with flipped(circuit, [qubit for qubit, value in controls if not value]):
        yield [qubit for qubit, _ in controls]


def margolus(circuit: QuantumCircuit, outer: Sequence[Control], inner: int, target: int) -> None:
    """Append a Toffoli with the sign −1 where `inner` is 0, `outer` holds, and `target` is 1.

    References:
        Barenco et al., Elementary gates for quantum computation, 1995, section 6.2.
    """
    circuit.ry(pi / 4, target)
    circuit.cx(inner, target)
    circuit.ry(pi / 4, target)
    flip_if(circuit, outer, target)
    circuit.ry(-pi / 4, target)
    circuit.cx(inner, target)
    circuit.ry(-pi / 4, target)


def halve(circuit: QuantumCircuit, point: Point, sign: int) -> None:
    """Append H of the mover's colour, for a positive sign after X: one CZ at most.

    Where the other's stone is, the mover's qubit is 0, and all that matters is that it stays 0.
    """
    assert point.own is not None
    own, other = point.own, point.other
    if sign > 0:
        circuit.ry(pi / 2, own)
        if other is not None:
            # Z·Ry(−π/2) is a reflection; its product with the Ry(π/2) before is Z.
            reflect_if(circuit, other, own, pi / 4)
    elif other is None:
        reflect(circuit, own, 3 * pi / 4)
    else:
        with flipped(circuit, [other]):
            reflect_if(circuit, other, own, 3 * pi / 4)


def halve_if(circuit: QuantumCircuit, control: Control, point: Point, sign: int) -> None:
    """Append H of the mover's colour under a control, for a positive sign after X.

    Where the other's stone is, the mover's qubit is 0, and all that matters is that it stays 0.
    H is X between rotations by an angle; two CX from the other's qubit change that angle to the
    one of Z, as in Margolus' gate: three CX. X and H together are a rotation, which four CX make
    under two controls.
    """
    assert point.own is not None
    own, other = point.own, point.other
    with closed(circuit, [control]) as (holder,):
        if other is None:
            if sign > 0:
                circuit.cx(holder, own)
            reflect_if(circuit, holder, own, 3 * pi / 4)
        elif sign < 0:
            circuit.ry(pi / 8, own)
            circuit.cx(other, own)
            circuit.ry(-3 * pi / 8, own)
            circuit.cx(holder, own)
            circuit.ry(3 * pi / 8, own)
            circuit.cx(other, own)
            circuit.ry(-pi / 8, own)
        else:
            for qubit, angle in ((holder, 1), (other, -1), (holder, -1), (other, 1)):
                circuit.ry(angle * pi / 8, own)
                circuit.cx(qubit, own)


def ancillas_of(controls: int) -> int:
    """Return the number of ancillas of `flip_if_all`."""
    return max(controls - 2, 0)


def flip_if_all(
    circuit: QuantumCircuit,
    controls: Sequence[Control],
    target: int,
    work: Sequence[int],
    *,
    fresh: bool,
) -> None:
    """Append X on a target where all controls have their values.

    Two by two they are gathered in ancillas by Margolus' gates, whose signs cancel when they are
    taken back: 6k − 6 CX for k > 1 controls, and 6k − 9 on a fresh target, where the last gate
    can be Margolus', too.

    Args:
        circuit: circuit to append to.
        controls: qubits and the values that they must have.
        target: the qubit to flip.
        work: clean ancillas, left clean.
        fresh: whether the target is |0⟩.
    """
    if len(controls) < 2:
        flip_if(circuit, controls, target)
        return
    with closed(circuit, controls) as qubits:
        gathered = [qubits[0], *work[: len(qubits) - 2]]
        steps = list(zip(pairwise(gathered), qubits[1:], strict=False))
        for (before, after), qubit in steps:
            margolus(circuit, [(before, 1)], qubit, after)
        if fresh:
            margolus(circuit, [(gathered[-1], 1)], qubits[-1], target)
        else:
            circuit.ccx(gathered[-1], qubits[-1], target)
        for (before, after), qubit in reversed(steps):
            margolus(circuit, [(before, 1)], qubit, after)
