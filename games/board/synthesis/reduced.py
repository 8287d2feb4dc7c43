"""Moves with what is known of points left out: empty targets, and that no point has two stones."""

from contextlib import ExitStack
from math import pi

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.givens import reflect_if
from compiler.synthesis.method import synthesis_method
from games.board.operators.moves import COUNTERS, arms_from, arms_of
from games.board.operators.qutrits import qubits_of
from games.board.synthesis.building import (
    Control,
    Point,
    emptiness,
    flip,
    flip_if,
    halve,
    halve_if,
    points_of,
)


@synthesis_method("board_place.reduced")
class ReducedPlace(CountedMethod):
    """X on the mover's qubit, under a control on the other's where there is one."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on a point."""
        (point,) = points_of(params)
        circuit = QuantumCircuit(qubits_of(params))
        flip(circuit, point)
        return circuit


@synthesis_method("board_superpose.reduced")
class ReducedSuperpose(CountedMethod):
    """On empty points one CX; elsewhere H with one CZ, and B with the points' sums as controls."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two points."""
        sign, empty, *presences = params
        circuit = QuantumCircuit(qubits_of(presences))
        _superpose(circuit, points_of(presences), sign, empty=bool(empty))
        return circuit


@synthesis_method("board_counter.reduced")
class ReducedCounter(CountedMethod):
    """Arm by arm: C is one CX on an empty target, D± three CX on two."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the points of all arms."""
        counter, empty, *rest = params
        arms, presences = arms_of(arms_from(rest))
        points = points_of(presences)
        circuit = QuantumCircuit(qubits_of(presences))
        for arm in arms:
            targets = [points[target] for target in arm.targets]
            with ExitStack() as stack:
                control = _control(circuit, points[arm.control], counter, stack)
                if len(targets) == 1:
                    flip(circuit, targets[0], [] if control is None else [control])
                elif control is None:
                    _superpose(circuit, targets, arm.sign, empty=bool(empty))
                elif empty:
                    _split_empty(circuit, control, targets, arm.sign)
                else:
                    _split(circuit, control, targets, arm.sign)
        return circuit


def _superpose(circuit: QuantumCircuit, targets: list[Point], sign: int, *, empty: bool) -> None:
    """Append S±."""
    first, second = targets
    if not empty:
        halve(circuit, first, sign)
        with emptiness(circuit, first) as control:
            flip(circuit, second, [control])
        return
    assert first.own is not None
    assert second.own is not None
    # (|1⟩ ± |0⟩)|0⟩, up to a sign.
    if sign < 0:
        circuit.x(first.own)
    circuit.h(first.own)
    flip_if(circuit, [(first.own, 0)], second.own)


def _control(
    circuit: QuantumCircuit, point: Point, counter: int, stack: ExitStack
) -> Control | None:
    """Return what is asked of a control; None if it is always met, since no stone is ever there."""
    if COUNTERS[counter] == "opponent":
        assert point.other is not None
        return point.other, 1
    if COUNTERS[counter] == "empty" and point == Point(None, None):
        return None
    qubit, value = stack.enter_context(emptiness(circuit, point))
    return qubit, value if COUNTERS[counter] == "empty" else 1 - value


def _split_empty(
    circuit: QuantumCircuit, control: Control, targets: list[Point], sign: int
) -> None:
    """Append D± on empty targets: the stone is put on the second, and half of it is moved."""
    first, second = (target.own for target in targets)
    assert first is not None
    assert second is not None
    flip_if(circuit, [control], second)
    reflect_if(circuit, second, first, pi / 4 if sign > 0 else 3 * pi / 4)
    circuit.cx(first, second)


def _split(circuit: QuantumCircuit, control: Control, targets: list[Point], sign: int) -> None:
    """Append D± on any targets: X and H, and B, under the control."""
    first, second = targets
    halve_if(circuit, control, first, sign)
    with emptiness(circuit, first) as other_control:
        flip(circuit, second, [control, other_control])
