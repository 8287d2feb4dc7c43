"""The project's cost tables: operators by method, and games by encoding."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.registry import Registry
from compiler.synthesis.method import methods_of, params_of, predictions, widened
from compiler.synthesis.resources import Resources, resources
from games.encoding import encoded, encodings_of
from games.game import named_game
from games.operators import all_operators

LARGEST = 20_000
"""Predicted two-qubit gates up to which a method is built and counted."""


@frozen
class OperatorCost:
    """The cost of one operator by one method.

    Args:
        operator: the operator, in the papers' notation where they have one.
        method: the synthesis method.
        predicted: two-qubit gates by the method's formula.
        counted: counted resources; None for circuits too large to build.
        chosen: whether the default takes this method.
        paper: fewest and most gates that a paper states; None if no paper states any.
    """

    operator: str
    method: str
    predicted: int
    counted: Resources | None
    chosen: bool
    paper: tuple[int, int] | None = None


@frozen
class ProgramCost:
    """The cost of a game in one encoding.

    Args:
        program: the game.
        encoding: the encoding.
        method: the synthesis of its operators.
        counted: counted resources.
    """

    program: str
    encoding: str
    method: str
    counted: Resources


listed: Registry[Sequence[str]] = Registry("program of the cost table", "games", ordered=True)
"""Encodings that are also counted literally, by a game's spec."""


def operator_costs(largest: int = LARGEST) -> Iterator[OperatorCost]:
    """Yield the cost of every operator's examples by every method that can build them.

    Args:
        largest: predicted two-qubit gates up to which circuits are built and counted.
    """
    for name, kind in sorted(all_operators().items()):
        for label, operator in kind.example_operators().items():
            prices = predictions(operator)
            cheapest = min(prices, key=lambda method: prices[method])
            for method, predicted in sorted(prices.items(), key=lambda item: -item[1]):
                counted = None
                if predicted <= largest:
                    circuit = methods_of(name)[method].build(*params_of(operator))
                    counted = resources(widened(circuit, operator.num_qubits))
                yield OperatorCost(
                    label, method, predicted, counted, method == cheapest, operator.paper_gates
                )


def program_costs() -> Iterator[ProgramCost]:
    """Yield the cost of every listed game in every encoding, and literally where that is small."""
    for program, literal in listed.items():
        game = named_game(program)
        for encoding in encodings_of(game):
            methods = ("literal", "cheapest") if encoding in literal else ("cheapest",)
            for method in methods:
                gates, _ = final_measurements(encoded(game, encoding).circuit)
                counted = resources(lower_operators(gates, method))
                yield ProgramCost(program, encoding, method, counted)
