"""The command `games`."""

from inspect import Parameter, signature
from typing import Annotated, Any, get_args

import typer
from attrs import asdict

from compiler.errors import GameTooLargeError, InputError, StateTooLargeError
from compiler.judge import Kind, Observable
from compiler.program import Program
from compiler.verification.program import program_state, require_small, verify_program
from games import Game, encoded, encodings_of, games, named_game
from games.sources import read_game, read_program
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.minimax import distributions_won
from games.trick_taking.verification.steps import verify_steps
from service.cli.options import Json
from service.cli.output.printing import print_json, print_table, say
from service.cli.program_argument import read_source

MOST_OUTCOMES = 40
QUICK = 100_000
"""States up to which a list enumerates a game without being asked for it."""

ENUMERATED = frozenset({
    "paths", "paths_won", "observables", "favourable_outcomes",
    "deals_won_by_best_play",
})  # fmt: skip
"""Facts that are missing where a game is too large to go through."""

Facts = dict[str, Any]


def games_command(
    *,
    program: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game's name or .toml, to show it alone.")
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
    rows = [_row(name) for name in games]
    if as_json:
        print_json({"games": rows})
        return
    print_table(
        "Games (or give a .toml file of your own)",
        ("game", "what it is", "deals", "exact averages", "qubits by encoding"),
        [[_shown(*fact) for fact in row.items()] for row in rows],
    )


def _row(name: str) -> Facts:
    game = named_game(name)
    facts: Facts = {
        "game": name + _words(name),
        "title": game.title,
        "deals": game.deal_count if isinstance(game, TrickTakingGame) else None,
        "observables": None,
        "qubits": ", ".join(
            f"{name} {encoded(game, name).circuit.num_qubits}" for name in encodings_of(game)
        ),
    }
    if _is_quick(game):
        facts["observables"] = _averages(game)
    return facts


def _words(name: str) -> str:
    """Return what may follow a game's name, as its builder's parameters say."""
    return "".join(
        f"[:{'|'.join(get_args(p.annotation)) or p.name}]"
        + "…" * (p.kind is Parameter.VAR_POSITIONAL)
        for p in signature(games[name]).parameters.values()
    )


def _is_quick(game: Game) -> bool:
    return not isinstance(game, TrickTakingGame) or game.most_states() <= QUICK


def _show(program: str, *, as_json: bool) -> None:
    source = read_source(program)
    if source.is_circuit:
        raise InputError(f"{program}: is a circuit, not a game")
    game, shown = read_game(source), read_program(source)
    facts: Facts = {
        "game": game.name,
        "title": game.title,
        "encoding": shown.encoding,
        "encodings": ", ".join(encodings_of(game)),
        "qubits": shown.circuit.num_qubits,
        "deals": None,
        "paths": None,
        "paths_won": None,
        "observables": None,
        "favourable_outcomes": None,
        "deals_won_by_best_play": None,
        "undecomposed_depth": None,
    }
    facts |= _deals(game)
    distribution: dict[str, str] | None = None
    steps: list[Facts] = []
    try:
        facts |= _enumerated(game)
        distribution = {game.describe(o): str(p) for o, p in game.exact_distribution().items()}
        facts["verified"], facts["verified_detail"] = _verified(game, shown, steps)
    except GameTooLargeError as error:
        facts |= {"verified": "unverified", "verified_detail": str(error)}
    facts["undecomposed_depth"] = sum(step["depth"] for step in steps) or None
    if as_json:
        print_json({**facts, "steps": steps, "distribution": distribution})
    else:
        _print(facts, steps, game if distribution else None)


def _deals(game: Game) -> Facts:
    if not isinstance(game, TrickTakingGame):
        return {}
    try:
        won: int | None = distributions_won(game)
    except GameTooLargeError:
        won = None
    return {"deals": game.deal_count, "deals_won_by_best_play": won}


def _enumerated(game: Game) -> Facts:
    """Return what follows from the exact distribution.

    Raises:
        GameTooLargeError: if there are too many states to enumerate.
    """
    facts: Facts = {
        "observables": _averages(game),
        "favourable_outcomes": _favourable(game),
    }
    if isinstance(game, TrickTakingGame):
        paths = game.paths()
        facts |= {"paths": paths.total, "paths_won": paths.won}
    return facts


def _averages(game: Game) -> dict[str, str]:
    """Return the exact average of every observable."""
    return {one.name: str(game.average(one.name)) for one in game.observables}


def _favourable(game: Game) -> int | None:
    """Return in how many outcomes the most important event happens, None if there is none."""
    events = [one for one in game.observables if one.kind is Kind.EVENT]
    if not events:
        return None
    return sum(bool(events[0].value(outcome)) for outcome in game.exact_distribution())


def _verified(game: Game, program: Program, steps: list[Facts]) -> tuple[str, str]:
    """Prove a program, step by step where its encoding shows the cards after every step."""
    try:
        require_small(program)
        if isinstance(game, TrickTakingGame) and program.encoding == "paper":
            for figures in verify_steps(game, program.circuit):
                say(f"{figures.title}: {figures.states} states, equal to the rules")
                steps.append(asdict(figures))
            return "exact", "the program's state equals the rules after every step"
        state = program_state(program.circuit)
        verify_program(program, state)
    except StateTooLargeError as error:
        return "unverified", str(error)
    branches = len(state.amplitudes)
    return "exact", f"the program's exact state, {branches} branches, gives the rules' distribution"


def _print(facts: Facts, steps: list[Facts], game: Game | None) -> None:
    print_table("Game", ("", ""), [(name, _shown(name, value)) for name, value in facts.items()])
    if steps:
        print_table(
            "Steps: the program's exact state against the rules",
            ("step", "states of the cards", "branches with history", "literal depth"),
            [list(step.values()) for step in steps],
        )
    if game is None:
        return
    deck = " ".join(map(str, game.deck)) if isinstance(game, TrickTakingGame) else ""
    likely = sorted(game.exact_distribution().items(), key=lambda item: -item[1])
    print_table(
        "Exact distribution"
        + f", the {MOST_OUTCOMES} most likely" * (len(likely) > MOST_OUTCOMES)
        + f" (outcome: who owns {deck} in the end; - is the skat)" * bool(deck),
        ("outcome", "probability", *(one.title for one in game.observables)),
        [
            (game.describe(o), str(p), *(_value(one, o) for one in game.observables))
            for o, p in likely[:MOST_OUTCOMES]
        ],
    )  # fmt: skip


def _value(observable: Observable, outcome: int) -> object:
    value = observable.value(outcome)
    if observable.kind is Kind.EVENT:
        return "yes" if value else "no"
    return value


def _shown(name: str, value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    if value is None and name in ENUMERATED:
        return "too large"
    return f"{value:,}" if isinstance(value, int) else value
