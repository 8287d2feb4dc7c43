"""CP(w): a card play whose cards have weights that depend on the seat's observation."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.tolerances import SAME
from compiler.errors import InputError
from compiler.synthesis.coin import solve, toss
from compiler.synthesis.method import Operator, SynthesisMethod, example, operator, synthesis_method

LEAD = {0b0011: (0.1, 0.9), 0b0101: (0.4, 0.6), 0b1001: (0.5, 0.5), 0b1100: (1.0, 0.0)}
THREE = {0: (0.2, 0.3, 0.5), 1: (0.6, 0.4), 2: (1.0,), 3: (0.0, 0.25, 0.75)}
MANY = {seen: (seen / 8, 1 - seen / 8) for seen in range(8)}


@operator("weighted_play")
class WeightedPlay(Operator):
    """Plays each legal card with the root of its probability, which depends on the observation.

    |s⟩|0⟩ → Σ_j √p_j(s) |s⟩|j⟩ for every s that can occur, up to branch phases; |j⟩ stands for
    the j-th legal card. The papers' CP_k has p_j = 1/k.

    Operands: `seen` (bits of s), then `card` (bits of j).

    Args:
        seen: qubits of s.
        cards: qubits of j.
        table: p(s) by s, at most 2^cards probabilities each that add up to 1.

    Raises:
        InputError: if the table is no list of probabilities for so many cards.

    References:
        Armbrüster et al., AAMAS 2026, section 6, on CP(c_1, …, c_k).
    """

    exact_phases = False
    colour = "#56B4E9"
    examples = (
        example("CP(w) of 2, four hands", 4, 1, LEAD),
        example("CP(w) of up to 3", 2, 2, THREE),
        example("CP(w) of 2, eight hands", 3, 1, MANY),
    )

    def __init__(self, seen: int, cards: int, table: Mapping[int, Sequence[float]]) -> None:
        size = 1 << cards
        params: list[float] = [seen, cards]
        for pattern, chances in sorted(table.items()):
            inside = 0 <= pattern < 1 << seen and 0 < len(chances) <= size
            if not inside or min(chances) < 0 or abs(sum(chances) - 1) > SAME:
                raise InputError(
                    f"seen {pattern}: {tuple(chances)} are no probabilities of at most {size} "
                    f"cards, or it has more than {seen} bits"
                )
            params += [pattern, *chances, *[0.0] * (size - len(chances))]
        super().__init__(seen + cards, params)

    def legal_inputs(self) -> Iterator[int]:
        """Yield everything that can have been seen, with no card chosen."""
        yield from table_of(self.params)[2]

    def action(self, basis_state: int) -> Mapping[int, float]:
        """Return the cards that may follow, with their probabilities."""
        seen, _, table = table_of(self.params)
        return {
            basis_state | place << seen: chance
            for place, chance in enumerate(table[basis_state])
            if chance
        }


def table_of(params: Sequence[float]) -> tuple[int, int, dict[int, tuple[float, ...]]]:
    """Return the contents of the operator's parameters.

    Returns:
        Qubits of the observation and of the card, and the probabilities of all 2^cards cards by
        observation.
    """
    seen, cards, *remaining = params
    row = (1 << int(cards)) + 1
    starts = range(0, len(remaining), row)
    table = {int(remaining[i]): tuple(map(float, remaining[i + 1 : i + row])) for i in starts}
    return int(seen), int(cards), table


EQUAL = 12
"""Decimals up to which probabilities are the same."""
UNREACHED = 1e-15


@frozen
class Tossed:
    """A bit of the card.

    Args:
        target: the qubit.
        controls: the qubits that its probability depends on.
        probabilities: probability of 1, by the values of the controls.
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
            len(solve(len(coin.controls), tuple(sorted(coin.probabilities.items()))).controls)
            for coin in coins(*params)
        )

    def build(self, *params: float) -> QuantumCircuit:
        """Return the circuit on the observation and the card."""
        seen, cards, _ = table_of(params)
        circuit = QuantumCircuit(seen + cards)
        for coin in coins(*params):
            toss(circuit, coin.controls, coin.target, coin.probabilities)
        return circuit


def coins(*params: float) -> list[Tossed]:
    """Return the coins of an operator's parameters in the order in which they are tossed."""
    seen, cards, table = table_of(params)
    result = []
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
        result.append(Tossed(seen + bit, controls, probabilities))
    return result


def _narrowed(
    qubits: tuple[int, ...], wanted: Mapping[int, float]
) -> tuple[tuple[int, ...], dict[int, float]]:
    """Return fewer qubits that determine the probabilities, and these by their values."""
    chosen, table = qubits, _table(qubits, wanted)
    for qubit in qubits:
        fewer = tuple(other for other in chosen if other != qubit)
        if (smaller := _table(fewer, wanted)) is not None:
            chosen, table = fewer, smaller
    assert table is not None, "all qubits distinguish all patterns"
    return chosen, table


def _table(qubits: tuple[int, ...], wanted: Mapping[int, float]) -> dict[int, float] | None:
    """Return the probabilities by the values of some qubits, None if these do not decide them."""
    result: dict[int, float] = {}
    for pattern, chance in wanted.items():
        key = sum((pattern >> qubit & 1) << place for place, qubit in enumerate(qubits))
        if result.setdefault(key, chance) != chance:
            return None
    return result
