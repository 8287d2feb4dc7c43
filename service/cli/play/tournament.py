"""The command `tournament`."""

from typing import Annotated

import typer

from compiler.errors import InputError
from compiler.words.plurals import how_many
from play.playable import playables
from play.ratings import ratings
from play.saved_match import bot_names
from play.tournament import beaten, tournament
from service.cli.options import Json, RandomSeed
from service.cli.output.printing import print_result, print_rows, say
from service.results.matches import BotStrength, TournamentResult

MAX_GAMES = 100_000


def tournament_command(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME")],
    bots: str = "",
    games: Annotated[int, typer.Option(min=1, max=MAX_GAMES)] = 60,
    seed: RandomSeed = 0,
    as_json: Json = False,
) -> None:
    """Let bots play each other, and rate them.

    Every deal is played with each bot in each seat. Ratings are Bradley–Terry strengths in Elo
    points, 0 on average, with 95 % bootstrap intervals over deals.

    Example: `stichwerk tournament six-nimmt --bots random,greedy,expectation --games 6`

    Options:
        game: The game, such as six-nimmt, five-in-a-row or weiqi.
        bots: Bots that play, all in every game; by default all bots.
        games: Number of games.
    """
    kind = playables[game]
    names = bot_names(game, kind, bots or ",".join(kind.bots))
    least, most, _ = kind.seats
    if not least <= len(names) <= most or len(set(names)) < len(names):
        raise InputError(f"--bots {bots}: name {least} to {most} different ones")
    results = []
    for record in tournament(game, names, games, seed):
        results.append(record)
        if len(results) % len(names) == 0 or len(results) == games:
            say(f"{len(results)} of {how_many(games, 'game')}")
    rated = ratings(names, beaten(results), seed)
    rows = [
        BotStrength.from_objects(
            rated[name],
            bot=name,
            won=sum(name in result.winners for result in results),
            mean_points=float(
                sum(result.points[result.bots.index(name)] for result in results) / len(results)
            ),
        )
        for name in sorted(names, key=lambda name: -rated[name].strength)
    ]
    result = TournamentResult(game=game, games=games, seed=seed, bots=rows)
    print_result(result, _print, as_json=as_json)


def _print(result: TournamentResult) -> None:
    print_rows(
        f"{result.game}: {result.games} games, strength in Elo points with 95 % intervals",
        result.bots,
        "bot", "strength", "low", "high", "games won=won", "points on average=mean_points",
    )  # fmt: skip
