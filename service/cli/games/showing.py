"""One game: its rules, its program, and the proof that they agree."""

from compiler.errors import GameTooLargeError, InputError, StateTooLargeError
from compiler.judge import Kind, Observable
from compiler.program import Program
from compiler.verification.program import program_state, require_small, verify_program
from games import Game, encoded, encodings, encodings_of
from games.encoding import StepFigures
from games.sources import read_game, read_program
from service.cli.games.listing import fact
from service.cli.output.printing import print_rows, print_table, say, terminal_width
from service.cli.program_argument import read_source
from service.results.catalog import GameDetails

MAX_OUTCOMES = 40


def game_details(name: str) -> tuple[Game, GameDetails]:
    """Return a game, its facts, and how far its program is proven.

    Args:
        name: of the game, or its file.

    Raises:
        InputError: if it is none.
    """
    source = read_source(name)
    if source.is_circuit:
        raise InputError(f"{name}: is a circuit, not a game")
    game, program = read_game(source), read_program(source)
    steps: list[StepFigures] = []
    try:
        distribution = {game.describe(o): str(p) for o, p in game.exact_distribution().items()}
        verified, detail = _verified(game, program, steps)
    except GameTooLargeError as error:
        distribution, verified, detail = None, "unverified", str(error)
    details = GameDetails.model_validate({
        "game": game.name,
        "title": game.title,
        "encoding": program.encoding,
        "encodings": {one: encoded(game, one).circuit.num_qubits for one in encodings_of(game)},
        "qubits": program.circuit.num_qubits,
        **game.facts(),
        "verified": verified,
        "verified_detail": detail,
        "undecomposed_depth": sum(step.depth for step in steps) or None,
        "steps": steps,
        "distribution": distribution,
    })  # fmt: skip
    return game, details


def print_game(game: Game, details: GameDetails) -> None:
    """Print a game's facts, the steps of its program, and its distribution."""
    facts = details.model_dump(exclude={"steps", "distribution"})
    large = {name for name in game.facts() if facts[name] is None}
    print_table(
        "Game" + f"; averages: {game.assumes}" * bool(game.assumes),
        ("", ""),
        [(name, "too large" if name in large else fact(of)) for name, of in facts.items()],
        terminal_width(),
    )
    print_rows(
        "Steps: the program's exact state against the rules",
        details.steps,
        "step=title", "states", "branches with history=branches", "literal depth=depth",
        width=terminal_width(),
    )  # fmt: skip
    if details.distribution:
        _print_distribution(game)


def _verified(game: Game, program: Program, steps: list[StepFigures]) -> tuple[str, str]:
    """Prove a program, step by step where its encoding shows the state after every step."""
    proof = encodings[program.encoding].stepwise(game, program.circuit)
    try:
        require_small(program)
        if proof is not None:
            for figures in proof.steps:
                say(f"{figures.title}: {figures.states} states, equal to the rules")
                steps.append(figures)
            return "exact", "the program's state equals the rules after every step"
        state = program_state(program.circuit)
        verify_program(program, state)
    except StateTooLargeError as error:
        return "unverified", str(error)
    branches = len(state.amplitudes)
    count = "1 branch" if branches == 1 else f"{branches} branches"
    return "exact", f"the program's exact state, {count}, gives the rules' distribution"


def _print_distribution(game: Game) -> None:
    """Write outcomes with their observables, as many as the terminal has room for."""
    likely = sorted(game.exact_distribution().items(), key=lambda item: -item[1])
    listed = likely[:MAX_OUTCOMES]
    titles = [one.title for one in game.observables]
    print_table(
        "Exact distribution"
        + f", the {MAX_OUTCOMES} most likely" * (len(likely) > MAX_OUTCOMES)
        + f" (outcome: {game.legend})" * bool(game.legend),
        ("outcome", "probability", *titles),
        [
            (game.describe(outcome), str(p), *(_value(one, outcome) for one in game.observables))
            for outcome, p in listed
        ],
        terminal_width(),
        titles,
    )


def _value(observable: Observable, outcome: int) -> object:
    value = observable.value(outcome)
    if observable.kind is Kind.EVENT:
        return "yes" if value else "no"
    return value
