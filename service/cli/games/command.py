"""The command's arguments; what it shows is imported when that is known."""

from typing import Annotated

import typer

from service.cli.options import Json


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
        from service.cli.games.showing import show

        show(program, as_json=as_json)
        return
    from service.cli.games.listing import list_games

    list_games(as_json=as_json)
