"""Moves gate by gate as the paper defines them: qutrit gates on two qubits, nothing left out."""

from math import pi

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from games.board.operators.moves import COUNTERS, arms_from, arms_of
from games.board.operators.qutrits import qubits_of
from games.board.synthesis.building import Control, Point, flip_if, points_of


@synthesis_method("board_superpose.literal")
class LiteralSuperpose(CountedMethod):
    """X, H and B, each under controls on the other stone and on both stones of the first point."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two points."""
        sign, _, *presences = params
        circuit = QuantumCircuit(qubits_of(presences))
        first, second = points_of(presences)
        _superpose(circuit, first, second, sign, [])
        return circuit


@synthesis_method("board_counter.literal")
class LiteralCounter(CountedMethod):
    """Every gate of X and S± under controls on the stones of the arm's control."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the points of all arms."""
        counter, _, *rest = params
        arms, presences = arms_of(arms_from(rest))
        points = points_of(presences)
        circuit = QuantumCircuit(qubits_of(presences))
        for arm in arms:
            for controls in _asked(points[arm.control], COUNTERS[counter]):
                targets = [points[target] for target in arm.targets]
                if len(targets) == 1:
                    _place(circuit, targets[0], controls)
                else:
                    _superpose(circuit, targets[0], targets[1], arm.sign, controls)
        return circuit


def _asked(point: Point, counter: str) -> list[list[Control]]:
    """Return the sets of controls one of which is met where a counter move acts."""
    if counter == "empty":
        return [_empty(point)]
    stones = [point.other] if counter == "opponent" else [point.own, point.other]
    return [[(qubit, 1)] for qubit in stones if qubit is not None]


def _empty(point: Point) -> list[Control]:
    return [(qubit, 0) for qubit in (point.own, point.other) if qubit is not None]


def _place(circuit: QuantumCircuit, point: Point, controls: list[Control]) -> None:
    assert point.own is not None
    others = [(qubit, 0) for qubit in [point.other] if qubit is not None]
    flip_if(circuit, [*controls, *others], point.own)


def _superpose(
    circuit: QuantumCircuit, first: Point, second: Point, sign: int, controls: list[Control]
) -> None:
    assert first.own is not None
    if sign > 0:
        _place(circuit, first, controls)
    # H of the mover's colour is X in a turned basis; with the other's stone nothing happens.
    circuit.ry(-pi / 4, first.own)
    _place(circuit, first, controls)
    circuit.ry(pi / 4, first.own)
    _place(circuit, second, [*controls, *_empty(first)])
