"""Operations on the same two rows that the cost table lists: alone, and one after the other."""

from collections.abc import Sequence
from functools import partial

from qiskit import QuantumCircuit

from games.cost_table import chains
from games.six_nimmt.hswap import HSwap
from games.six_nimmt.rules.cards import Operation

C, S = Operation.CNOT, Operation.HSWAP


def chain(operations: Sequence[Operation]) -> QuantumCircuit:
    """Return operations on rows 0 and 1, in their order; of CNOT row 0 controls."""
    circuit = QuantumCircuit(2)
    for operation in operations:
        if operation is Operation.CNOT:
            circuit.cx(0, 1)
        else:
            circuit.append(HSwap(), (0, 1))
    return circuit


for _operations in ((C,), (S,), (C, S), (S, C), (C, S, C)):
    chains.register(", ".join(map(str, _operations)))(partial(chain, _operations))
