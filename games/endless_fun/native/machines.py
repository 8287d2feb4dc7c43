"""Comparison of machines of qubits and of qutrits: gates and fidelity of the same round."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
from attrs import frozen
from numpy.random import Generator, default_rng
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator as Gates

from compiler.circuits.matrices import Matrix
from compiler.compilation import Options, compile
from compiler.measurement import final_measurements
from games.encoding import encoded
from games.endless_fun.encodings.fused import fused
from games.endless_fun.game import EndlessRound
from games.endless_fun.native.gates import LaneCircuit, LaneGate, card_by_card, on_qudits

Distribution = NDArray[np.float64]
"""Probability of the lanes' values, an axis a lane."""


def final_state(circuit: LaneCircuit) -> Matrix:
    """Return the state of all lanes, an axis a lane."""
    return _run(circuit, {})


def noisy_distribution(
    circuit: LaneCircuit, error: float, trajectories: int, seed: int = 0
) -> Distribution:
    """Return the outcome distribution with noisy gates on two lanes.

    After each of them, with the probability `error`, one of the d⁴ − 1 products of X and Z on
    its lanes other than 1 acts, all equally likely: depolarisation, whose process infidelity is
    `error` for every d. The part without errors is computed exactly; the part with one error or
    more is the mean of random trajectories.

    Args:
        circuit: the circuit.
        error: error probability of a gate.
        trajectories: number of trajectories with an error.
        seed: seed of the random numbers.
    """
    places = [at for at, gate in enumerate(circuit.gates) if len(gate.lanes) == 2]
    intact = (1 - error) ** len(places)
    result: Distribution = intact * _measured(_run(circuit, {}))
    if intact == 1:
        return result
    random = default_rng(seed)
    for _ in range(trajectories):
        failing = _failing(len(places), error, random)
        errors = {places[at]: _random_error(circuit.dimension, random) for at in failing}
        result += (1 - intact) / trajectories * _measured(_run(circuit, errors))
    return result


def merged(circuit: LaneCircuit) -> LaneCircuit:
    """Return the same with gates on one lane taken into those on two that follow on it."""
    d = circuit.dimension
    waiting = [np.eye(d, dtype=np.complex128) for _ in range(circuit.width)]
    gates = []
    for gate in circuit.gates:
        if len(gate.lanes) == 1:
            (lane,) = gate.lanes
            waiting[lane] = gate.matrix @ waiting[lane]
            continue
        first, other = gate.lanes
        gates.append(LaneGate(gate.matrix @ np.kron(waiting[first], waiting[other]), gate.lanes))
        waiting[first] = waiting[other] = np.eye(d, dtype=np.complex128)
    gates += [LaneGate(matrix, (lane,)) for lane, matrix in enumerate(waiting)]
    return LaneCircuit(d, circuit.width, gates, circuit.outputs)


def _run(circuit: LaneCircuit, errors: dict[int, Matrix]) -> Matrix:
    """Return the final state with errors after some gates."""
    state = np.zeros((circuit.dimension,) * circuit.width, np.complex128)
    state[(0,) * circuit.width] = 1
    for at, gate in enumerate(circuit.gates):
        matrix = errors[at] @ gate.matrix if at in errors else gate.matrix
        state = _applied(state, matrix, gate.lanes)
    return state


def _applied(state: Matrix, matrix: Matrix, lanes: Sequence[int]) -> Matrix:
    on = len(lanes)
    shaped = matrix.reshape(tuple(state.shape[lane] for lane in lanes) * 2)
    product_ = np.tensordot(shaped, state, axes=(range(on, 2 * on), lanes))
    return np.moveaxis(product_, range(on), lanes)


def _measured(state: Matrix) -> Distribution:
    measured: Distribution = np.abs(state) ** 2
    return measured


def _failing(gates: int, error: float, random: Generator) -> list[int]:
    """Draw which gates fail, given that one does."""
    first_fails = (1 - error) ** np.arange(gates)
    first = int(random.choice(gates, p=first_fails / first_fails.sum()))
    later = np.flatnonzero(random.random(gates - first - 1) < error) + first + 1
    return [first, *map(int, later)]


def _random_error(d: int, random: Generator) -> Matrix:
    """Draw a product of powers of X and Z on two lanes that is not 1."""
    return _errors(d)[int(random.integers(1, d**4))]


@cache
def _errors(d: int) -> Sequence[Matrix]:
    """Return the products of powers of X and Z on two lanes, 1 first."""
    shift = np.roll(np.eye(d, dtype=np.complex128), 1, axis=0)
    clock = np.diag(np.exp(2j * np.pi * np.arange(d) / d))
    power = np.linalg.matrix_power
    alone = [power(shift, x) @ power(clock, z) for x, z in product(range(d), repeat=2)]
    return [np.kron(left, other) for left, other in product(alone, repeat=2)]


TARGET = "all"


@frozen
class Played:
    """A round on a machine whose lanes are all coupled.

    Args:
        game: the round's name.
        machine: `qubits`, or `qutrits` for levels of their own.
        form: `relabelled`, with renaming and known states used, or `cards`, card by card.
        lanes: number of qubits or qutrits.
        two_body_gates: number of gates on two lanes.
        two_body_depth: layers of them.
        fidelity: Hellinger fidelity of one measurement's distribution to the exact one.
        winning_state: probability that one measurement gives the favourite.
        exact_winning_state: exact value of that probability.
        legal: share of measurements without an illegal level.
    """

    game: str
    machine: str
    form: str
    lanes: int
    two_body_gates: int
    two_body_depth: int
    fidelity: float
    winning_state: float
    exact_winning_state: float
    legal: float


Outcome = Callable[[Sequence[int]], int | None]
"""Returns the outcome of the lanes' measured values."""


@frozen
class Noise:
    """Errors of gates on two lanes.

    Args:
        error: probability that a gate fails, the same on all machines.
        trajectories: random runs with errors, on each machine.
        seed: seed of the random runs.
    """

    error: float
    trajectories: int
    seed: int = 0


@frozen(eq=False)
class _Machine:
    """A round on the lanes of a machine.

    Args:
        levels: `qubits` or `qutrits`.
        form: see `Played`.
        circuit: circuit on the lanes.
        outcome: decodes measured lanes.
    """

    levels: str
    form: str
    circuit: LaneCircuit
    outcome: Outcome


def played_on_machines(game: EndlessRound, noise: Noise) -> Iterator[Played]:
    """Play a round on qubits and on qutrits, optimised and card by card; in 2D on qubits."""
    for machine in _machines(game):
        yield _played(game, machine, noise)


def _machines(game: EndlessRound) -> Iterator[_Machine]:
    for form in ("relabelled", "cards"):
        yield _Machine("qubits", form, *_on_qubits(game, form))
    if game.round.dimension == 3:
        for form, circuit in (
            ("relabelled", on_qudits(fused(game.round))),
            ("cards", card_by_card(game.round)),
        ):
            yield _Machine("qutrits", form, circuit, _values_of(game, circuit))


def _values_of(game: EndlessRound, circuit: LaneCircuit) -> Outcome:
    return lambda lanes: game.outcome_of(tuple(lanes[lane] for lane in circuit.outputs))


def _on_qubits(game: EndlessRound, encoding: str) -> tuple[LaneCircuit, Outcome]:
    """Return the proven circuit on qubits that are all coupled."""
    program = encoded(game, encoding)
    native = compile(program, TARGET, Options("fast")).circuit
    gates, read = final_measurements(native)
    judge = program.judge
    assert judge is not None

    def outcome(lanes: Sequence[int]) -> int | None:
        return judge.outcome(sum(lanes[qubit] << bit for bit, qubit in read.items()))

    return _lanes_of(gates), outcome


def _lanes_of(circuit: QuantumCircuit) -> LaneCircuit:
    gates = []
    for item in circuit.data:
        if item.operation.name == "barrier":
            continue
        # Qiskit's last operand is the most significant.
        lanes = tuple(circuit.find_bit(qubit).index for qubit in reversed(item.qubits))
        gates.append(LaneGate(Gates(item.operation).data, lanes))
    qubits = range(circuit.num_qubits)
    return LaneCircuit(2, len(qubits), gates, tuple(qubits))


def _played(game: EndlessRound, machine: _Machine, noise: Noise) -> Played:
    circuit = machine.circuit
    distribution = noisy_distribution(merged(circuit), noise.error, noise.trajectories, noise.seed)
    measured = _outcomes(distribution, machine.outcome)
    exact = {outcome: float(p) for outcome, p in game.exact_distribution().items()}
    favourite = game.outcome_of(game.winning().favourite())
    return Played(
        game=game.name,
        machine=machine.levels,
        form=machine.form,
        lanes=circuit.width,
        two_body_gates=circuit.two_body,
        two_body_depth=circuit.two_body_depth,
        fidelity=sum(sqrt(measured.get(outcome, 0.0) * p) for outcome, p in exact.items()) ** 2,
        winning_state=measured.get(favourite, 0.0),
        exact_winning_state=exact[favourite],
        legal=_legal(game, measured),
    )


def _outcomes(distribution: Distribution, outcome_of: Outcome) -> Mapping[int | None, float]:
    result: defaultdict[int | None, float] = defaultdict(float)
    for lanes in np.argwhere(distribution > 0):
        place = tuple(map(int, lanes))
        result[outcome_of(place)] += float(distribution[place])
    return result


def _legal(game: EndlessRound, measured: Mapping[int | None, float]) -> float:
    return sum(p for o, p in measured.items() if o is not None and game.is_legal(o))
