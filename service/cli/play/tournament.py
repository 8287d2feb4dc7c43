"""The command `tournament`."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from compiler.errors import InputError
from compiler.words.plurals import how_many
from games.playing.playable import playables
from games.playing.ratings import Rating, ratings
from games.playing.tournament import Result, beaten, tournament
from service.cli.options import Json, Seed
from service.cli.output.printing import print_json, print_table, say
from service.cli.play.bots import bot_names

MOST_GAMES = 100_000


def tournament_command(
    *,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="What is played, such as six-nimmt, five-in-a-row or weiqi."
        ),
    ],
    bots: Annotated[
        str, typer.Option(help="Who plays, all of them in every game; by default all there are.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="How many games.")] = 60,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Let bots play against one another, and rate them.

    Every deal is played with each bot in each seat. Strengths are those of Bradley and Terry in
    Elo points, 0 on average, with intervals of 95 % from weighing deals anew.

    Example: `stichwerk tournament six-nimmt --bots random,greedy,expectation --games 60`
    """
    kind = playables[game]
    names = bot_names(game, kind, bots or ",".join(kind.bots))
    least, most, _ = kind.seats
    if not least <= len(names) <= most or len(set(names)) < len(names):
        raise InputError(f"--bots {bots}: name {least} to {most} different ones")
    results = []
    for result in tournament(game, names, games, seed):
        results.append(result)
        if len(results) % len(names) == 0 or len(results) == games:
            say(f"{len(results)} of {how_many(games, 'game')}")
    rows = _rows(names, results, ratings(names, beaten(results), seed))
    if as_json:
        print_json({"game": game, "games": games, "seed": seed, "bots": rows})
        return
    print_table(
        f"{game}: {games} games, strength in Elo points with 95 % intervals",
        ("bot", "strength", "low", "high", "games won", "points on average"),
        [list(row.values()) for row in rows],
    )


def _rows(
    names: Sequence[str], results: Sequence[Result], rated: dict[str, Rating]
) -> list[dict[str, Any]]:
    return [
        {
            "bot": name,
            "strength": rated[name].strength,
            "low": rated[name].low,
            "high": rated[name].high,
            "won": sum(name in result.winners for result in results),
            "mean_points": float(
                sum(result.points[result.bots.index(name)] for result in results) / len(results)
            ),
        }
        for name in sorted(names, key=lambda name: -rated[name].strength)
    ]
