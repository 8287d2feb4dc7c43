"""The command `games`: built-in games, and one of them in full."""

from collections.abc import Mapping
from inspect import Parameter, signature
from itertools import islice
from typing import Annotated, get_args

import typer

from compiler.errors import GameTooLargeError, InputError, StateTooLargeError
from compiler.judge import Kind, Observable, number_text
from compiler.program import Program
from compiler.verification.program import program_state, require_small, verify_program
from games import Game, encoded, encodings, encodings_of, games, named_game
from games.encoding import StepFigures
from games.panels import Lines
from games.sources import read_game, read_program
from play.playable import playables
from service.cli.options import Json
from service.cli.output import printing
from service.cli.play.screen import drawn
from service.cli.program_argument import read_source
from service.results.catalog import GameDetails, GameList, GameRow

MAX_LISTED = 3
"""Exact averages of a game that a list of games has room for."""
QUICK = 100_000
"""States up to which a list enumerates a game without being asked for it."""


def game_list() -> GameList:
    """Return a row for each game, whose programs are built to see how wide they are.

    Those that would be simulated for it are left to `stichwerk games GAME`.
    """
    return GameList(games=[_row(name, named_game(name)) for name in games])


def print_games(listing: GameList) -> None:
    """Print a row for each game."""
    printing.print_rows(
        "Games (or give a file of your own, .toml or .sgf)",
        [
            (row, ", ".join(f"{n:,} {name}" for name, n in row.size.items()), _averages(row),
             fact(row.qubits))
            for row in listing.games
        ],
        "0.game", "description=0.title", "size=1", "exact averages=2",
        "qubits by encoding (?: name the game)=3",
    )  # fmt: skip


def fact(value: object) -> object:
    """Return a fact of a game as a cell of a table."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {'?' if of is None else of}" for key, of in value.items())
    return f"{value:,}" if isinstance(value, int) else value


def _averages(row: GameRow) -> object:
    """Return exact averages, no more than there is room for."""
    if row.observables is None:
        return "too large"
    first = dict(islice(row.observables.items(), MAX_LISTED))
    more = len(row.observables) - len(first)
    return f"{fact(first)}{f' and {more} more' if more else ''}"


def _row(name: str, game: Game) -> GameRow:
    return GameRow.from_objects(
        game,
        game=name + _parameters(name),
        size=game.counts,
        observables=game.outcome_facts()["observables"] if game.most_states() <= QUICK else None,
        qubits={
            encoding: None
            if encodings[encoding].simulated(game)
            else encoded(game, encoding).circuit.num_qubits
            for encoding in encodings_of(game)
        },
    )


def _parameters(name: str) -> str:
    """Return the parameters after a game's name, by its builder."""
    return "".join(
        f"[:{'|'.join(get_args(p.annotation)) or p.name}]"
        + "…" * (p.kind is Parameter.VAR_POSITIONAL)
        for p in signature(games[name]).parameters.values()
    )


def games_command(
    *,
    program: Annotated[str, typer.Argument(metavar="[GAME]")] = "",
    as_json: Json = False,
) -> None:
    """List the built-in games, or show one: its rules if it can be played, and its proven program.

    Examples:
    - `stichwerk games`

    - `stichwerk games weiqi`

    - `stichwerk games skat-9:H10`

    - `stichwerk games my-game.toml --json`

    Options:
        program: A game's name, .toml or .sgf, to show it alone.
    """
    family = program.partition(":")[0]
    if family in playables and not as_json:
        kind = playables[family]
        options = [f"{name}={', '.join(values)}" for name, values in kind.options.items()]
        panels = [*kind.rules.panels(), Lines("Options of play: --rule NAME=VALUE", options)]
        print(drawn(panels, printing.terminal_width(), colour=printing.coloured()))
    if program and (as_json or family in games or family not in playables):
        game, details = game_details(program)
        printing.print_result(details, lambda of: print_game(game, of), as_json=as_json)
    elif not program:
        printing.print_result(game_list(), print_games, as_json=as_json)


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
        distribution = {
            game.describe(o): number_text(p) for o, p in game.exact_distribution().items()
        }
        verified, detail = _verified(game, program, steps)
    except GameTooLargeError as error:
        distribution, verified, detail = None, "unverified", str(error)
    details = GameDetails.model_validate({
        "game": game.name,
        "title": game.title,
        "encoding": program.encoding,
        "encodings": {key: encoded(game, key).circuit.num_qubits for key in encodings_of(game)},
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
    printing.print_table(
        "Game" + f"; averages: {game.assumes}" * bool(game.assumes),
        ("", ""),
        [
            (name.replace("_", " "), "too large" if name in large else fact(of))
            for name, of in facts.items()
            if of is not None or name in large
        ],
        printing.terminal_width(),
    )
    printing.print_rows(
        "Steps: the program's exact state against the rules",
        details.steps,
        "step=title", "states", "branches with history=branches", "literal depth=depth",
        width=printing.terminal_width(),
    )  # fmt: skip
    if details.distribution:
        _print_distribution(game)


def _verified(game: Game, program: Program, steps: list[StepFigures]) -> tuple[str, str]:
    """Prove a program, step by step where its encoding shows the state after every step."""
    proof = encodings[program.encoding].stepwise(game, program.circuit)
    try:
        require_small(program)
        if proof is not None:
            for figures in proof:
                printing.say(f"{figures.title}: {figures.states} states, equal to the rules")
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
    titles = [observable.title for observable in game.observables]
    printing.print_table(
        "Exact distribution"
        + f", the {MAX_OUTCOMES} most likely" * (len(likely) > MAX_OUTCOMES)
        + f" (outcome: {game.legend})" * bool(game.legend),
        ("outcome", "probability", *titles),
        [
            (
                game.describe(outcome),
                number_text(p),
                *(_value(observable, outcome) for observable in game.observables),
            )
            for outcome, p in listed
        ],
        printing.terminal_width(),
        titles,
    )


def _value(observable: Observable, outcome: int) -> object:
    value = observable.value(outcome)
    if observable.kind is Kind.EVENT:
        return "yes" if value else "no"
    return value
