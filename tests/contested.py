"""A game in many encodings, each for the time of a test: some lose, some do not fit, some fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.judge import Kind, Observable
from games import Encoding, Game, encoding, encodings, game, games


class Pair(Game):
    """Two coins that fall alike."""

    name = title = "pair"
    observables = (Observable("heads", Kind.EVENT, lambda outcome: int(outcome == 0b11)),)

    def exact_distribution(self):
        return {0b00: Fraction(1, 2), 0b11: Fraction(1, 2)}

    def is_legal(self, outcome):
        return outcome in (0b00, 0b11)

    def describe(self, outcome):
        return "heads" if outcome else "tails"


class OfPair(Encoding):
    """The two lowest bits are the coins, whatever else is measured."""

    family = Pair
    qubits = 2
    heads: tuple[int, ...] = (0,)
    pairs: tuple[tuple[int, int], ...] = ((0, 1),)
    place = 100

    def rank(self, game):
        return self.place

    def supports(self, game):
        return True

    def program(self, game):
        circuit = QuantumCircuit(self.qubits, self.qubits, name=game.name)
        for qubit in self.heads:
            circuit.h(qubit)
        for control, target in self.pairs:
            circuit.cx(control, target)
        circuit.measure_all(add_bits=False)
        return circuit

    def outcome(self, game, measured):
        return measured & 0b11


class Chain(OfPair):
    """The default: a third qubit follows the second. Two gates, one after the other."""

    qubits, pairs, place = 3, ((0, 1), (1, 2)), 0


class Flat(OfPair):
    """Three entangled pairs side by side: three gates of depth 1."""

    qubits, heads, place = 6, (0, 2, 4), 1
    pairs = ((0, 1), (2, 3), (4, 5))


class Wide(OfPair):
    """Needs thirty qubits."""

    qubits, pairs = 30, ((0, 1), (1, 29))


class Long(OfPair):
    """A GHZ state of twenty qubits, many times as large as what the others need."""

    qubits, pairs = 20, tuple((place, place + 1) for place in range(19))


class Lone(OfPair):
    """One qubit stands for both coins: no two-qubit gate, and bits that only it can read."""

    qubits, pairs = 1, ()

    def outcome(self, game, measured):
        return 0b11 * measured


class Wrong(Lone):
    """Without any gate, and always tails."""

    heads = ()


class Broken(OfPair):
    """Has a mistake."""

    def program(self, game):
        raise ValueError("no such register:\n'coins'")


@contextmanager
def pair_in(**kinds: type[Encoding]) -> Iterator[Pair]:
    """Give the game, and encodings under these names; an underscore stands for a hyphen."""
    names = [name.replace("_", "-") for name in kinds]
    game("pair")(Pair)
    for name, kind in zip(names, kinds.values(), strict=True):
        encoding(name)(kind)
    try:
        yield Pair()
    finally:
        games.unregister("pair")
        for name in names:
            encodings.unregister(name)
