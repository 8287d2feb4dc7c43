"""The project's cost tables: operators method by method, and games encoding by encoding."""

from collections.abc import Iterator

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.lowering.methods import lower_operators
from compiler.lowering.resources import Resources, resources
from compiler.measurement import final_measurements
from compiler.synthesis.method import predictions
from games import encoded, encodings_of, named_game
from games.trick_taking.operators import (
    CardPlay,
    FollowPlay,
    HandPlay,
    LeadPlay,
    ListSplit,
    SortedDeal,
    TrickOwner,
    TrickScore,
    TrickTaking,
    TrickWinner,
    UniformDeal,
)

LARGEST = 20_000
"""Predicted two-qubit gates up to which a method is built and counted."""

SKAT_POINTS = (2, 2, 2, 2, 11, 10, 4, 3, 0, 0, 0)


@frozen
class OperatorCost:
    """What one method makes of one operator.

    Args:
        operator: what it does, in the papers' notation where they have one.
        method: the synthesis method.
        predicted: two-qubit gates by the method's formula.
        counted: what was counted; None for circuits too large to build.
        chosen: whether this is what the default takes.
    """

    operator: str
    method: str
    predicted: int
    counted: Resources | None
    chosen: bool


@frozen
class ProgramCost:
    """What a game costs in one encoding.

    Args:
        program: the game.
        encoding: how it lies on qubits.
        method: the synthesis of its operators.
        counted: what was counted.
    """

    program: str
    encoding: str
    method: str
    counted: Resources


OPERATORS: tuple[tuple[str, Gate], ...] = (
    ("deal D(4,2)", UniformDeal((2, 2), (None,) * 4)),
    ("deal D(6,3)", UniformDeal((3, 3), (None,) * 6)),
    ("deal D(8,4)", UniformDeal((4, 4), (None,) * 8)),
    ("deal D(32,10)", UniformDeal((22, 10), (None,) * 32)),
    ("deal of 3 x 3", UniformDeal((3, 3, 3), (None,) * 9)),
    ("deal of 10, 10, 10, 2", UniformDeal((10, 10, 10, 2), (None,) * 32)),
    ("CP_2^4, hand flags", HandPlay(4, 2)),
    ("CP_3^9, hand flags", HandPlay(9, 3)),
    ("CP_5^32, hand flags", HandPlay(32, 5)),
    ("CP_10^32, hand flags", HandPlay(32, 10)),
    ("CP_2^4, flag leaves", HandPlay(4, 2, leaves=True)),
    ("CP_3^9, flag leaves", HandPlay(9, 3, leaves=True)),
    ("CP_5^32, flag leaves", HandPlay(32, 5, leaves=True)),
    ("CP_10^32, flag leaves", HandPlay(32, 10, leaves=True)),
    ("CP_2^4, owner bits", CardPlay(4, 2, 0, 1, opening=True)),
    ("CP_3^9, owner and stack bits", CardPlay(9, 3, 0, 2)),
    ("CP_10^32, owner and stack bits", CardPlay(32, 10, 0, 2)),
    ("TT_2^4, owner bits", TrickOwner(4)),
    ("TT_2^4, owner and stack bits", TrickTaking(4, 2, 1)),
    ("TT_3^9, owner and stack bits", TrickTaking(9, 3, 2)),
    ("list: 10 of 22 known cards", SortedDeal(6, 10, range(22))),
    ("list: 10 of 22 unknown cards", ListSplit(6, 22, 10)),
    ("list: lead one of 10", LeadPlay(6, 10)),
    ("list: follow with one of 10", FollowPlay(2, 4, 10)),
    ("list: same, fewer qubits", FollowPlay(2, 4, 10, narrow=True)),
    ("list: trick of 3, 9 cards left", TrickWinner(3, 2, 4, 55, trumps=True)),
    ("list: points of a trick", TrickScore(3, 4, 7, SKAT_POINTS)),
)

PROGRAMS = (
    "skat-4",
    "skat-9:paper",
    "skat-9",
    "skat-32:paper",
    "skat-32:known",
    "skat-32",
    "skat-32:grand",
    "skat-32:null",
)


def operator_costs(largest: int = LARGEST) -> Iterator[OperatorCost]:
    """Yield the cost of every operator by every method that can build it.

    Args:
        largest: predicted two-qubit gates up to which circuits are built and counted.
    """
    manager = HighLevelSynthesisPluginManager()
    for name, operator in OPERATORS:
        prices = predictions(operator)
        cheapest = min(prices, key=lambda method: prices[method])
        for method, predicted in sorted(prices.items(), key=lambda item: -item[1]):
            counted = None
            if predicted <= largest:
                plain = QuantumCircuit(operator.num_qubits)
                plain.compose(manager.method(operator.name, method).run(operator), inplace=True)
                counted = resources(plain)
            yield OperatorCost(name, method, predicted, counted, method == cheapest)


def program_costs() -> Iterator[ProgramCost]:
    """Yield the cost of every built-in game in every encoding; of the toy, literally too."""
    for program in PROGRAMS:
        game = named_game(program)
        for encoding in encodings_of(game):
            methods = ("literal", "cheapest") if (program, encoding) == LITERAL else ("cheapest",)
            for method in methods:
                gates, _ = final_measurements(encoded(game, encoding).circuit)
                counted = resources(lower_operators(gates, method))
                yield ProgramCost(program, encoding, method, counted)


LITERAL = ("skat-4", "paper")
"""The only program whose literal construction is small enough to be counted in a moment."""
