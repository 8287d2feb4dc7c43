"""The command's arguments; what it shows is imported when that is known."""

from typing import Annotated

import typer

from service.cli.options import Json
from service.cli.output.printing import print_result


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
        from service.cli.games.showing import game_details, print_game

        game, details = game_details(program)
        print_result(details, lambda of: print_game(game, of), as_json=as_json)
        return
    from service.cli.games.listing import game_list, print_games

    print_result(game_list(), print_games, as_json=as_json)
