"""One game: its rules, its program, and the proof that they agree."""

from collections.abc import Sequence

from attrs import asdict

from compiler.counting import counted
from compiler.errors import GameTooLargeError, InputError, StateTooLargeError
from compiler.judge import Kind, Observable
from compiler.program import Program
from compiler.verification.program import program_state, require_small, verify_program
from games import Game, encodings, encodings_of
from games import encoded as in_encoding
from games.sources import read_game, read_program
from games.stepwise import StepwiseProof
from service.cli.games.cells import Facts, shown
from service.cli.output.fitted_columns import Column, fitted
from service.cli.output.printing import print_json, print_table, say, terminal_width
from service.cli.program_argument import read_source

MOST_OUTCOMES = 40
LEAST_PROBABILITY = 12
"""Characters down to which an exact probability may be cut."""


def show(program: str, *, as_json: bool) -> None:
    """Print what there is to know of a game.

    Args:
        program: its name or file.
        as_json: whether as one JSON object.

    Raises:
        InputError: if it is none.
    """
    source = read_source(program)
    if source.is_circuit:
        raise InputError(f"{program}: is a circuit, not a game")
    game, encoded = read_game(source), read_program(source)
    found = game.facts()
    facts: Facts = {
        "game": game.name,
        "title": game.title,
        "encoding": encoded.encoding,
        "encodings": {one: in_encoding(game, one).circuit.num_qubits for one in encodings_of(game)},
        "qubits": encoded.circuit.num_qubits,
        **found,
        "undecomposed_depth": None,
    }
    distribution: dict[str, str] | None = None
    steps: list[Facts] = []
    proof: StepwiseProof | None = encodings[encoded.encoding].stepwise(game, encoded.circuit)
    try:
        distribution = {game.describe(o): str(p) for o, p in game.exact_distribution().items()}
        facts["verified"], facts["verified_detail"] = _verified(encoded, proof, steps)
    except GameTooLargeError as error:
        facts |= {"verified": "unverified", "verified_detail": str(error)}
    facts["undecomposed_depth"] = sum(step["depth"] for step in steps) or None
    if as_json:
        print_json({**facts, "steps": steps, "distribution": distribution})
        return
    print_table(
        "Game" + f"; averages: {game.assumes}" * bool(game.assumes),
        ("", ""),
        [(name, shown(value, large=name in found)) for name, value in facts.items()],
        terminal_width(),
    )
    if proof is not None and steps:
        _print_steps(proof.of, steps)
    if distribution:
        _print_distribution(game)


def _verified(program: Program, proof: StepwiseProof | None, steps: list[Facts]) -> tuple[str, str]:
    """Prove a program, step by step where its encoding shows the state after every step."""
    try:
        require_small(program)
        if proof is not None:
            for figures in proof.steps:
                say(f"{figures.title}: {figures.states} states, equal to the rules")
                steps.append(asdict(figures))
            return "exact", "the program's state equals the rules after every step"
        state = program_state(program.circuit)
        verify_program(program, state)
    except StateTooLargeError as error:
        return "unverified", str(error)
    branches = len(state.amplitudes)
    one = "1 branch" if branches == 1 else f"{branches} branches"
    return "exact", f"the program's exact state, {one}, gives the rules' distribution"


def _print_steps(of: str, steps: Sequence[Facts]) -> None:
    print_table(
        "Steps: the program's exact state against the rules",
        ("step", f"states of {of}", "branches with history", "literal depth"),
        [list(step.values()) for step in steps],
        terminal_width(),
    )


def _print_distribution(game: Game) -> None:
    """Write outcomes with their observables, as many as the terminal has room for."""
    likely = sorted(game.exact_distribution().items(), key=lambda item: -item[1])
    listed = likely[:MOST_OUTCOMES]
    width = terminal_width()
    columns = [
        Column("outcome", [game.describe(o) for o, _ in listed], least=width // 2),
        Column("probability", [str(p) for _, p in listed], least=LEAST_PROBABILITY),
        *(
            Column(one.title, [_value(one, o) for o, _ in listed], dispensable=True)
            for one in game.observables
        ),
    ]
    shown = fitted(columns, width)
    left = len(columns) - len(shown)
    print_table(
        "Exact distribution"
        + f", the {MOST_OUTCOMES} most likely" * (len(likely) > MOST_OUTCOMES)
        + f" (outcome: {game.legend})" * bool(game.legend)
        + f"; a wider terminal shows {counted(left, 'more column')}" * bool(left),
        [one.name for one in shown],
        list(zip(*(one.cells for one in shown), strict=True)),
        width,
    )


def _value(observable: Observable, outcome: int) -> object:
    value = observable.value(outcome)
    if observable.kind is Kind.EVENT:
        return "yes" if value else "no"
    return value
