"""The command `games`."""

from typing import Annotated, Any

import typer
from attrs import asdict

from compiler.errors import InputError
from compiler.games import Game, games
from compiler.games.trick_taking import TrickTakingGame
from compiler.verification.steps import verify_steps
from compiler.workload import workload
from service.lists import Json
from service.options import read_source
from service.output import print_json, print_table, say

MOST_OUTCOMES = 40


def games_command(
    *,
    program: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game's name or .toml, to show its steps.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List the built-in games, or show one game step by step and prove its program right.

    Examples:
    - `stichwerk games`

    - `stichwerk games skat-4`

    - `stichwerk games my-game.toml --json`
    """
    if program:
        _show(program, as_json=as_json)
        return
    rows = [
        {
            "game": name,
            "title": game.title,
            "p_win": str(game.p_win()),
            "expected_points": str(game.expected_points()),
            "qubits": ", ".join(f"{e} {game.program(e).num_qubits}" for e in game.encodings),
        }
        for name, game in ((name, build()) for name, build in games.items())
    ]
    if as_json:
        print_json({"games": rows})
        return
    print_table(
        "Games (or give a .toml file of your own)",
        ("game", "what it is", "P(win)", "expected points", "qubits by encoding"),
        [list(row.values()) for row in rows],
    )


def _show(program: str, *, as_json: bool) -> None:
    work = workload(read_source(program), "best")
    game = work.game
    if game is None:
        raise InputError(f"{program}: is a circuit, not a game")
    steps = []
    if isinstance(game, TrickTakingGame):
        for figures in verify_steps(game, work.program):
            say(f"{figures.title}: {figures.states} states, equal to the rules")
            steps.append(asdict(figures))
    answer = {
        "game": game.name,
        "title": game.title,
        "qubits": work.program.num_qubits,
        "p_win": str(game.p_win()),
        "expected_points": str(game.expected_points()),
        "favourable_outcomes": len(game.favourable_outcomes()),
        "undecomposed_depth": sum(step["depth"] for step in steps) or None,
        "steps": steps,
        "distribution": {
            game.describe(outcome): str(p) for outcome, p in game.exact_distribution().items()
        },
    }
    if as_json:
        print_json(answer)
    else:
        _print(answer, game)


def _print(answer: dict[str, Any], game: Game) -> None:
    facts = {key: value for key, value in answer.items() if not isinstance(value, list | dict)}
    print_table("Game", ("", ""), list(facts.items()))
    if answer["steps"]:
        print_table(
            "Steps: the program's exact state against the rules",
            ("step", "states of the cards", "branches with history", "literal depth"),
            [list(step.values()) for step in answer["steps"]],
        )
    likely = sorted(game.exact_distribution().items(), key=lambda item: -item[1])
    print_table(
        "Exact distribution" + f", the {MOST_OUTCOMES} most likely" * (len(likely) > MOST_OUTCOMES),
        ("outcome", "probability", "points", "win"),
        [
            (game.describe(o), str(p), game.points(o), "yes" if game.is_win(o) else "no")
            for o, p in likely[:MOST_OUTCOMES]
        ],
    )  # fmt: skip
