"""The project's cost tables: operators method by method, and games encoding by encoding."""

from collections.abc import Iterator

from attrs import frozen

from compiler.lowering.methods import lower_operators
from compiler.lowering.resources import Resources, resources
from compiler.measurement import final_measurements
from compiler.synthesis.method import methods_of, params_of, predictions, widened
from compiler.synthesis.operator import operators
from games import encoded, encodings_of, named_game

LARGEST = 20_000
"""Predicted two-qubit gates up to which a method is built and counted."""


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
    """Yield the cost of every operator's examples by every method that can build them.

    Args:
        largest: predicted two-qubit gates up to which circuits are built and counted.
    """
    for name in sorted(operators):
        for label, operator in operators[name].example_operators().items():
            prices = predictions(operator)
            cheapest = min(prices, key=lambda method: prices[method])
            for method, predicted in sorted(prices.items(), key=lambda item: -item[1]):
                counted = None
                if predicted <= largest:
                    circuit = methods_of(name)[method].build(*params_of(operator))
                    counted = resources(widened(circuit, operator.num_qubits))
                yield OperatorCost(label, method, predicted, counted, method == cheapest)


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
