"""The papers' encoding: owner, table and stack bits per card."""

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from games.encoding import Encoding, encoding
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators import CardPlay, TrickTaking, UniformDeal
from games.trick_taking.steps import Deal, Play, seat_name

SMALL = 9
"""Cards up to which it is a game's default."""

MOST_CARDS = 12
"""Larger games would need more qubits and gates than anybody can use."""


@encoding("paper")
class PaperEncoding(Encoding[TrickTakingGame]):
    """Owner, table and stack bits for every card.

    Registers, n cards and t tricks: `owner` (n·b), `table` (n), `stack` (n), `prior_1` …
    (n each, max(1, t-1) of them: the stack bits as they were before a trick, which a unitary
    cannot forget), `dealt` (n·b, three players only: the owners as dealt) and `work` (clean
    ancillas). The toy has 17 qubits.

    References:
        Armbrüster et al., AAMAS 2026, tables 1 and 4.
    """

    family = TrickTakingGame

    def rank(self, game: TrickTakingGame) -> int:
        """Return its place among the encodings; see `Encoding`."""
        return -1 if len(game.deck) <= SMALL else 3

    def supports(self, game: TrickTakingGame) -> bool:
        """Whole games in paper rules of at most twelve cards; cards may be known."""
        whole = not (game.class_counts or game.table or game.taken) and game.first_card is None
        return game.rules.name == "paper" and whole and len(game.deck) <= MOST_CARDS

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        cards, bits = len(game.deck), game.owner_bits
        operators = _operators(game)
        owner = QuantumRegister(cards * bits, "owner")
        table, stack = QuantumRegister(cards, "table"), QuantumRegister(cards, "stack")
        priors = [QuantumRegister(cards, f"prior_{i + 1}") for i in range(max(1, game.hand - 1))]
        dealt = QuantumRegister(cards * bits if game.players == 3 else 0, "dealt")
        work = QuantumRegister(max(operator.ancillas for operator in operators), "work")
        outcome = ClassicalRegister(cards * bits, "owner")
        registers = [r for r in (owner, table, stack, work, *priors, dealt) if r.size]
        circuit = QuantumCircuit(*registers, outcome, name=game.name)
        trick = 0
        for operator in operators:
            ancillas = work[: operator.ancillas]
            match operator:
                case UniformDeal():
                    circuit.append(operator, [*owner, *ancillas])
                    if dealt.size:
                        circuit.cx(owner, dealt)
                case CardPlay():
                    stacked = [] if operator.opening else stack
                    circuit.append(operator, [*owner, *table, *stacked, *ancillas])
                case TrickTaking():
                    prior = priors[max(0, trick - 1)]
                    circuit.append(operator, [*owner, *table, *stack, *prior, *dealt, *ancillas])
                    trick += 1
                    if trick < game.hand:
                        circuit.cx(stack, priors[trick - 1])
        circuit.measure(owner, outcome)
        return circuit


def _operators(game: TrickTakingGame) -> list[UniformDeal | CardPlay | TrickTaking]:
    cards, bits = len(game.deck), game.owner_bits
    operators: list[UniformDeal | CardPlay | TrickTaking] = []
    for step in game.steps():
        match step:
            case Deal():
                operators.append(UniformDeal(game.hands, game.known))
            case Play(seat=seat, hand=hand, trick=trick):
                play = CardPlay(cards, hand, seat, bits, opening=trick == 0)
                play.label = f"CP{hand} {seat_name(seat)}"
                operators.append(play)
            case _:
                operators.append(TrickTaking(cards, game.players, bits))
    return operators
