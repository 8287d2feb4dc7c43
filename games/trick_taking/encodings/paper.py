"""The papers' encoding: owner, table and stack bits per card."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import cast

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.circuits.tolerances import SAME_STATE
from compiler.errors import VerificationError
from compiler.measurement import final_measurements
from compiler.synthesis.method import LiteralOperator
from compiler.verification.simulation.exact import SparseState, simulate_in_steps
from games.encoding import Encoding, StepFigures, encoding
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal
from games.trick_taking.rules.setup import Deal, Play, seat_name

SMALL = 9
"""Cards up to which it is a game's default."""

MAX_CARDS = 12
"""Larger games would need more qubits and gates than any machine has."""


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
    small = True
    literal = True

    def rank(self, game: TrickTakingGame) -> int:
        """Return the rank among the encodings; see `Encoding`."""
        return -1 if len(game.deck) <= SMALL else 3

    def supports(self, game: TrickTakingGame) -> bool:
        """Whole games in paper rules of at most twelve cards; cards may be known."""
        fresh = not (game.class_counts or game.table or game.taken) and game.first_card is None
        return game.rules.name == "paper" and fresh and len(game.deck) <= MAX_CARDS

    def stepwise(self, game: TrickTakingGame, program: QuantumCircuit) -> Iterator[StepFigures]:
        """Return a proof of the cards' positions after every step; see `Encoding`."""
        return verify_steps(game, program)

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


CardStates = tuple[tuple[int, int], ...]
"""Owner and place of every card; the place's bit 0 is the table qubit, bit 1 the stack qubit."""


def verify_steps(game: TrickTakingGame, program: QuantumCircuit) -> Iterator[StepFigures]:
    """Yield the figures of every step, once its distribution over positions is proven right.

    Its states are those of the cards' qubits: owner, table and stack.

    Args:
        game: gives the exact distribution after every step.
        program: the game in an encoding with registers `owner`, `table` and `stack`.

    Raises:
        VerificationError: naming the first step after which a probability is wrong.
        StateTooLargeError: if the program has too many branches.
    """
    unitary, _ = final_measurements(program)
    segments, operators = _segments(unitary)
    expected = game.step_distributions()
    states = simulate_in_steps(segments)
    for operator, (step, distribution), state in zip(operators, expected, states, strict=True):
        exact = cast(dict[CardStates, Fraction], distribution)
        got = _positions(game, unitary, state)
        for position in got.keys() | exact.keys():
            p, q = got.get(position, 0.0), exact.get(position, Fraction(0))
            if abs(sqrt(p) - sqrt(q)) > SAME_STATE:
                raise VerificationError(
                    f"after '{step.title}' position {position} has probability {p:.6g}, not {q}"
                )
        yield StepFigures(step.title, len(got), len(state.amplitudes), operator.declared_depth)


def _segments(program: QuantumCircuit) -> tuple[list[QuantumCircuit], list[LiteralOperator]]:
    """Cut a program so that every part ends with one operator; plain gates go before it."""
    segments, operators = [program.copy_empty_like()], []
    for item in program.data:
        segments[-1].append(item)
        if isinstance(item.operation, LiteralOperator):
            operators.append(item.operation)
            segments.append(program.copy_empty_like())
    return segments[:-1], operators


def _positions(
    game: TrickTakingGame, program: QuantumCircuit, state: SparseState
) -> dict[CardStates, float]:
    """Return the distribution of every card's owner and table and stack bits."""
    registers = {register.name: register for register in program.qregs}
    qubits = [program.find_bit(q).index for name in ("owner", "table", "stack")
              for q in registers[name]]  # fmt: skip
    cards, bits = len(game.deck), game.owner_bits
    positions: dict[CardStates, float] = {}
    for key, probability in state.probabilities(qubits).items():
        owners = game.owners(key & (1 << cards * bits) - 1)
        table, stack = key >> cards * bits, key >> cards * (bits + 1)
        places = (table >> i & 1 | (stack >> i & 1) << 1 for i in range(cards))
        positions[tuple(zip(owners, places, strict=True))] = probability
    return positions
