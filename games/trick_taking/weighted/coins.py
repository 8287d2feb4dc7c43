"""CP(w) by coins: the bits of the card from the highest on, each tossed by what lies before it."""

from collections.abc import Mapping

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.coin import solve, toss
from compiler.synthesis.method import SynthesisMethod, synthesis_method
from games.trick_taking.weighted.weighted_play import table_of

EQUAL = 12
"""Decimals up to which probabilities are the same."""
UNREACHED = 1e-15


@frozen
class Tossed:
    """A bit of the card.

    Args:
        target: the qubit.
        controls: the qubits that its probability depends on.
        probabilities: of 1, by the values of the controls.
    """

    target: int
    controls: tuple[int, ...]
    probabilities: dict[int, float]


@synthesis_method("weighted_play.coins")
class WeightedCoins(SynthesisMethod):
    """Qiskit plugin `weighted_play.coins`: a coin for each bit, on the fewest qubits of the table.

    A coin of N patterns of its controls takes at most N - 1 CZ where no detour is needed, and
    none where all of them have the same probability; see `compiler.synthesis.coin`.
    """

    def two_qubit_gates(self, *params: float) -> int | None:
        """Return the CZ of all coins."""
        return sum(
            len(solve(len(one.controls), tuple(sorted(one.probabilities.items()))).controls)
            for one in coins(*params)
        )

    def build(self, *params: float) -> QuantumCircuit:
        """Return the circuit on what was seen and the card."""
        seen, cards, _ = table_of(params)
        circuit = QuantumCircuit(seen + cards)
        for one in coins(*params):
            toss(circuit, one.controls, one.target, one.probabilities)
        return circuit


def coins(*params: float) -> list[Tossed]:
    """Return the coins of an operator's parameters in the order in which they are tossed."""
    seen, cards, table = table_of(params)
    found = []
    for bit in reversed(range(cards)):
        wanted: dict[int, float] = {}
        for pattern, chances in table.items():
            for high in range(1 << (cards - bit - 1)):
                start = high << (bit + 1)
                middle, end = start + (1 << bit), start + (2 << bit)
                zero, one = sum(chances[start:middle]), sum(chances[middle:end])
                if zero + one > UNREACHED:
                    wanted[pattern | start << seen] = round(one / (zero + one), EQUAL)
        before = (*range(seen), *range(seen + bit + 1, seen + cards))
        controls, probabilities = _narrowed(before, wanted)
        found.append(Tossed(seen + bit, controls, probabilities))
    return found


def _narrowed(
    qubits: tuple[int, ...], wanted: Mapping[int, float]
) -> tuple[tuple[int, ...], dict[int, float]]:
    """Return fewer qubits that tell the probabilities apart, and these by their values."""
    kept, found = qubits, _table(qubits, wanted)
    for qubit in qubits:
        fewer = tuple(one for one in kept if one != qubit)
        if (smaller := _table(fewer, wanted)) is not None:
            kept, found = fewer, smaller
    assert found is not None, "all qubits tell all patterns apart"
    return kept, found


def _table(qubits: tuple[int, ...], wanted: Mapping[int, float]) -> dict[int, float] | None:
    """Return the probabilities by the values of some qubits, None if these do not decide them."""
    found: dict[int, float] = {}
    for pattern, chance in wanted.items():
        key = sum((pattern >> qubit & 1) << place for place, qubit in enumerate(qubits))
        if found.setdefault(key, chance) != chance:
            return None
    return found
