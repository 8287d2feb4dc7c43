"""How few CX operations on two rows take: by an independent criterion, and as we lower them."""

import numpy as np
import pytest

from compiler.compilation import Options, compile
from compiler.program import Program
from games.cost_table import chain_costs, chains
from games.operators import all_operators

all_operators()

FEWEST = {
    "CNOT": 1,
    "hSwap": 3,
    "CNOT, hSwap": 2,
    "hSwap, CNOT": 2,
    "CNOT, hSwap, CNOT": 2,
}

PLUS, MINUS = (1 + 1j) / 2, (1 - 1j) / 2
MATRICES = {
    # Row 0 is the last bit of a basis state.
    "CNOT": np.array([[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]),
    "hSwap": np.array([[1, 0, 0, 0], [0, PLUS, MINUS, 0], [0, MINUS, PLUS, 0], [0, 0, 0, 1]]),
}

YY = np.array([[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]])


def fewest_cx(unitary):
    """Return how many CX a unitary of two qubits takes.

    By traces of γ(U) = U YY Uᵀ YY, where det U = 1 (Shende, Bullock and Markov, 2004, section III).
    """
    special = unitary / complex(np.linalg.det(unitary)) ** 0.25
    gamma = special @ YY @ special.T @ YY
    trace = np.trace(gamma)
    if np.isclose(abs(trace), 4) and np.isclose(trace.imag, 0):
        return 0
    if np.isclose(trace, 0) and np.allclose(gamma @ gamma, -np.eye(4)):
        return 1
    return 2 if np.isclose(trace.imag, 0) else 3


@pytest.mark.parametrize(("name", "fewest"), FEWEST.items())
def test_chains_take_the_fewest_cx_there_can_be(name, fewest):
    unitary = np.eye(4)
    for operation in name.split(", "):
        unitary = MATRICES[operation] @ unitary
    assert fewest_cx(unitary) == fewest
    circuit = chains[name]()
    compiled = compile(Program.of_circuit(circuit), "all", Options("fast", any_input=True))
    assert compiled.verified == "exact"
    assert compiled.figures.two_qubit_gates == fewest


def test_the_table_has_every_chain_on_every_target(monkeypatch):
    monkeypatch.setattr("games.cost_table.CHAIN_TARGETS", ("all",))
    assert {cost.chain: (cost.fewest, cost.counted) for cost in chain_costs()} == {
        name: (fewest, fewest) for name, fewest in FEWEST.items()
    }
