"""Dense simulation of lanes of d levels, with errors after gates on two of them."""

from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from compiler.circuits.matrices import Matrix
from games.endless_fun.native.gates import LaneCircuit, LaneGate

Distribution = NDArray[np.float64]
"""Probability of the lanes' values, an axis a lane."""


def final_state(circuit: LaneCircuit) -> Matrix:
    """Return the state of all lanes, an axis a lane."""
    return _run(circuit, {})


def noisy_distribution(
    circuit: LaneCircuit, error: float, trajectories: int, seed: int = 0
) -> Distribution:
    """Return what is measured where gates on two lanes fail.

    After each of them, with the probability `error`, one of the d⁴ − 1 products of X and Z on
    its lanes other than 1 acts, all equally likely: depolarisation, whose process infidelity is
    `error` whatever d. That nothing fails at all is computed; what comes of one error or more is
    the mean of random trajectories.

    Args:
        circuit: what is run.
        error: probability.
        trajectories: how many with an error.
        seed: of the chance.
    """
    places = [at for at, gate in enumerate(circuit.gates) if len(gate.lanes) == 2]
    intact = (1 - error) ** len(places)
    found: Distribution = intact * _measured(_run(circuit, {}))
    if intact == 1:
        return found
    random = default_rng(seed)
    for _ in range(trajectories):
        failing = _failing(len(places), error, random)
        errors = {places[at]: _random_error(circuit.dimension, random) for at in failing}
        found += (1 - intact) / trajectories * _measured(_run(circuit, errors))
    return found


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
        one, other = gate.lanes
        gates.append(LaneGate(gate.matrix @ np.kron(waiting[one], waiting[other]), gate.lanes))
        waiting[one] = waiting[other] = np.eye(d, dtype=np.complex128)
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
    found = np.tensordot(shaped, state, axes=(range(on, 2 * on), lanes))
    return np.moveaxis(found, range(on), lanes)


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
    return [np.kron(one, other) for one, other in product(alone, repeat=2)]
