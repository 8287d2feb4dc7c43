"""Programs against the rules after every step, not only at the end."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import cast

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.measurement import final_measurements
from compiler.verification.program import TOLERANCE
from compiler.verification.simulation.sparse import SparseState, simulate_in_steps
from games.stepwise import StepFigures
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators import LiteralOperator

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
            if abs(sqrt(p) - sqrt(q)) > TOLERANCE:
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
