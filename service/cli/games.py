"""The command `games`."""

from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from itertools import islice
from typing import Annotated, Any, get_args

import typer
from attrs import asdict

from compiler.counting import counted
from compiler.errors import GameTooLargeError, InputError, StateTooLargeError
from compiler.judge import Kind, Observable
from compiler.program import Program
from compiler.verification.program import program_state, require_small, verify_program
from games import Game, encoded, encodings, encodings_of, games, named_game
from games.sources import read_game, read_program
from games.stepwise import StepwiseProof
from service.cli.options import Json
from service.cli.output.fitted_columns import Column, fitted
from service.cli.output.printing import print_json, print_table, say, terminal_width
from service.cli.program_argument import read_source

MOST_OUTCOMES = 40
LEAST_PROBABILITY = 12
"""Characters down to which an exact probability may be cut."""
MOST_LISTED = 3
"""Exact averages of a game that a list of games has room for."""
QUICK = 100_000
"""States up to which a list enumerates a game without being asked for it."""

Facts = dict[str, Any]


def games_command(
    *,
    program: Annotated[
        str,
        typer.Argument(metavar="[GAME]", help="A game's name, .toml or .sgf, to show it alone."),
    ] = "",
    as_json: Json = False,
) -> None:
    """List the built-in games, or show one game and prove its program right.

    Examples:
    - `stichwerk games`

    - `stichwerk games skat-9:H10`

    - `stichwerk games my-game.toml --json`
    """
    if program:
        _show(program, as_json=as_json)
        return
    rows = [_row(name, named_game(name)) for name in games]
    if as_json:
        print_json({"games": rows})
        return
    print_table(
        "Games (or give a file of your own, .toml or .sgf)",
        ("game", "what it is", "size", "exact averages", "qubits by encoding"),
        [_listed(**row) for row in rows],
    )


def _row(name: str, game: Game) -> Facts:
    return {
        "game": name + _words(name),
        "title": game.title,
        "size": dict(game.counts),
        "observables": game.outcome_facts()["observables"] if game.most_states() <= QUICK else None,
        "qubits": {one: encoded(game, one).circuit.num_qubits for one in encodings_of(game)},
    }


def _words(name: str) -> str:
    """Return what may follow a game's name, as its builder's parameters say."""
    return "".join(
        f"[:{'|'.join(get_args(p.annotation)) or p.name}]"
        + "…" * (p.kind is Parameter.VAR_POSITIONAL)
        for p in signature(games[name]).parameters.values()
    )


def _show(program: str, *, as_json: bool) -> None:
    source = read_source(program)
    if source.is_circuit:
        raise InputError(f"{program}: is a circuit, not a game")
    game, shown = read_game(source), read_program(source)
    found = game.facts()
    facts: Facts = {
        "game": game.name,
        "title": game.title,
        "encoding": shown.encoding,
        "encodings": ", ".join(encodings_of(game)),
        "qubits": shown.circuit.num_qubits,
        **found,
        "undecomposed_depth": None,
    }
    distribution: dict[str, str] | None = None
    steps: list[Facts] = []
    proof: StepwiseProof | None = encodings[shown.encoding].stepwise(game, shown.circuit)
    try:
        distribution = {game.describe(o): str(p) for o, p in game.exact_distribution().items()}
        facts["verified"], facts["verified_detail"] = _verified(shown, proof, steps)
    except GameTooLargeError as error:
        facts |= {"verified": "unverified", "verified_detail": str(error)}
    facts["undecomposed_depth"] = sum(step["depth"] for step in steps) or None
    if as_json:
        print_json({**facts, "steps": steps, "distribution": distribution})
        return
    print_table(
        "Game" + f"; averages: {game.assumes}" * bool(game.assumes),
        ("", ""),
        [(name, _shown(value, large=name in found)) for name, value in facts.items()],
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


def _listed(
    *, game: str, title: str, size: Facts, observables: Facts | None, qubits: Facts
) -> list[object]:
    """Return a row's cells, with no more averages than there is room for."""
    first = dict(islice((observables or {}).items(), MOST_LISTED))
    more = len(observables or {}) - len(first)
    return [
        game,
        title,
        ", ".join(f"{_shown(value, large=False)} {name}" for name, value in size.items()),
        _shown(first if observables else None, large=True) if not more
        else f"{_shown(first, large=False)} and {more} more",
        _shown(qubits, large=False),
    ]  # fmt: skip


def _shown(value: object, *, large: bool) -> object:
    """Return what a table shows of a fact that is missing only where a game is too large."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    if value is None and large:
        return "too large"
    return f"{value:,}" if isinstance(value, int) else value
