"""The deal, literally: dense state preparations, one per subset of cards where hands nest."""

from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation, XGate

from compiler.synthesis.controls import closed_controls
from compiler.synthesis.method import SynthesisMethod, synthesis_method
from compiler.synthesis.registers import bit_pattern, split
from games.trick_taking.synthesis.literal_prices import dense_preparation, multi_controlled


def literal_deal(hands: Sequence[int], known: Sequence[int | None]) -> QuantumCircuit:
    """Return a circuit that prepares all deals with equal amplitudes from |0…0⟩.

    The high bit of the owners is a Dicke state over the unknown cards. For every subset of
    cards that it can select, an ancilla holds "exactly this subset is selected" and controls
    the two Dicke states of the low bit, on the subset and on the rest.

    Args:
        hands: cards per owner, 2 to 4 owners.
        known: owner of each card, or None where it is unknown.

    Returns:
        Qubits: `owner` (card-major, low bit first), then one clean ancilla if owners have
        two bits.
    """
    owner_bits = (len(hands) - 1).bit_length()
    circuit = QuantumCircuit(len(known) * owner_bits + (owner_bits - 1))
    owner, work = split(circuit.qubits, len(known) * owner_bits, owner_bits - 1)
    for card, dealt in enumerate(known):
        for bit in range(owner_bits):
            if dealt is not None and dealt >> bit & 1:
                circuit.x(owner[card * owner_bits + bit])
    free = [card for card, dealt in enumerate(known) if dealt is None]
    left = [size - list(known).count(o) for o, size in enumerate(hands)] + [0] * (4 - len(hands))
    low = [owner[card * owner_bits] for card in free]
    if owner_bits == 1:
        _append_dicke(circuit, low, left[1])
        return circuit
    high = [owner[card * owner_bits + 1] for card in free]
    selected = left[2] + left[3]
    _append_dicke(circuit, high, selected)
    for subset in combinations(range(len(free)), selected):
        rest = [i for i in range(len(free)) if i not in subset]
        if not _splits(len(rest), left[1]) and not _splits(selected, left[3]):
            continue
        pattern = bit_pattern([i in subset for i in range(len(free))])
        condition = XGate().control(len(free), ctrl_state=pattern)
        circuit.append(condition, [*high, *work])
        _append_dicke(circuit, [low[i] for i in rest], left[1], work[0])
        _append_dicke(circuit, [low[i] for i in subset], left[3], work[0])
        circuit.append(condition, [*high, *work])
    return circuit


def _splits(cards: int, ones: int) -> bool:
    return bool(cards and ones)


def _append_dicke(
    circuit: QuantumCircuit, qubits: Sequence[Any], ones: int, control: Any | None = None
) -> None:
    if not _splits(len(qubits), ones):
        return
    size = len(qubits)
    vector = np.array([index.bit_count() == ones for index in range(1 << size)], dtype=float)
    preparation = StatePreparation(vector / sqrt(comb(size, ones)))
    if control is None:
        circuit.append(preparation, qubits)
    else:
        circuit.append(preparation.control(1, annotated=False), [control, *qubits])


@synthesis_method("uniform_deal.literal")
class LiteralUniformDeal(SynthesisMethod):
    """Qiskit plugin `uniform_deal.literal`."""

    def two_qubit_gates(self, *params: int) -> int:
        """One dense preparation, and two controlled ones for every nested subset; an estimate."""
        hands, known = _deal(params)
        left = [size - known.count(o) for o, size in enumerate(hands)] + [0] * (4 - len(hands))
        if len(hands) == 2:
            return dense_preparation(sum(left), controlled=False)
        rest, selected = left[0] + left[1], left[2] + left[3]
        price = dense_preparation(rest + selected, controlled=False) if selected and rest else 0
        nested = [(rest, left[1]), (selected, left[3])]
        inner = sum(dense_preparation(n, controlled=True) for n, k in nested if _splits(n, k))
        if inner:
            condition = 2 * multi_controlled("x", rest + selected)
            price += comb(rest + selected, selected) * (inner + condition)
        return price

    def ancillas(self, *params: int) -> int:
        """The condition, for owners of two bits."""
        return (params[0] - 1).bit_length() - 1

    def build(self, *params: int) -> QuantumCircuit:
        """Return the literal circuit of a `uniform_deal` gate."""
        return closed_controls(literal_deal(*_deal(params)))


def _deal(params: Sequence[int]) -> tuple[list[int], list[int | None]]:
    """Return hands and known owners from the parameters of a `uniform_deal` gate."""
    owners, *rest = params
    return list(rest[:owners]), [None if owner < 0 else owner for owner in rest[owners:]]
