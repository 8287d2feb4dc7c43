"""The command `play`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve

from compiler.counting import counted
from compiler.errors import InputError
from games.playing.formats import formats_of, match_formats
from games.playing.playable import playables
from service.cli.compile_options import MaxCost
from service.cli.options import ServiceDatabase
from service.cli.output.files import output_path, write_output
from service.cli.output.printing import say
from service.cli.play.bots import bot_names, chosen_rules
from service.cli.play.measured import check_backend, oracle_on
from service.cli.play.saved_match import SavedMatch, read_match, read_record
from service.cli.play.table import Table
from workers.devices.naming import backend_named

Game = Annotated[
    str,
    typer.Argument(metavar="GAME", help="What is played, such as six-nimmt or weiqi."),
]
Players = Annotated[int, typer.Option(min=0, max=100, help="Seats; 0 for as many as are usual.")]
Bots = Annotated[
    str, typer.Option(help="Who has the other seats, in order, over and over if too few.")
]
MatchSeed = Annotated[
    int | None, typer.Option(min=0, max=2**31 - 1, help="Of all chance.", show_default="0")
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="NAME=VALUE", help="An option of the rules, such as fillers=no; repeat."
    ),
]
Load = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="A match to go on with: a .json that --save wrote, or a record of a board game, "
        ".sgf, with --bots and --seed as you like.",
    ),
]
Save = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Where the match is written in the end: as .json to go on with; as .toml a program "
        "with fixed choices that 'run' and 'submit' take, of Quantum 6 Nimmt! its last round; "
        "board games also as .sgf.",
    ),
]
MatchBackend = Annotated[
    str,
    typer.Option(
        "--backend",
        "-b",
        help="What measures, see 'stichwerk backends'; by default the exact simulator.",
        callback=backend_named,
    ),
]


def play_command(
    *,
    game: Game,
    players: Players = 0,
    bots: Bots = "",
    seed: MatchSeed = None,
    rules: Rules = None,
    load: Load = "",
    save: Save = "",
    backend: MatchBackend = "",
    queue: Annotated[
        bool, typer.Option("--queue", help="Let the workers of a service run its jobs.")
    ] = False,
    max_cost: MaxCost = "",
    database: ServiceDatabase = "",
    chances: Annotated[bool, typer.Option(help="Show the probabilities of measurements.")] = True,
) -> None:
    """Play a game against bots in the terminal; without one, a line of input is a move.

    `help` lists what else can be typed: on boards, commands that go through the superposed games,
    and those with which a move is put together point by point and taken back before it is played.

    You have seat 0. The match is saved at its end, at the end of the input, and at Ctrl-C.

    Examples:
    - `stichwerk play six-nimmt --players 3 --bots greedy,expectation --seed 1`

    - `stichwerk play five-in-a-row --rule size=9 --bots quantum`

    - `stichwerk play six-nimmt --save match.json`, later with `--load match.json`

    - `stichwerk play weiqi --load game.sgf --save game.sgf`

    - `stichwerk play six-nimmt --backend aer:torino --save round.toml`
    """
    suffixes = (".json", ".toml", *formats_of(game))
    path = output_path("save", save, suffixes) if save else None
    if load:
        _check_alone(load, players=players, bots=bots, rules=rules, seed=seed, backend=backend)
        saved = loaded_match(game, load, bots, seed or 0)
    else:
        saved = new_match(game, players, bots, seed or 0, chosen_rules(rules or []))
        saved = evolve(saved, backend=backend)
    check_backend(saved.backend, queue=queue, max_cost=max_cost)
    sitting = {seat: playables[game].bots[name]() for seat, name in enumerate(saved.bots, start=1)}
    with oracle_on(
        saved.backend, saved.seed, saved.nonce, queue=queue, max_cost=max_cost, database=database
    ) as oracle:
        table = Table(saved.match, sitting, saved.seed, chances, oracle)
        try:
            table.play()
        finally:
            if path is not None:
                left = evolve(saved, match=table.match)
                write_output("save", path, left.written(path.suffix))
                say(f"saved as {path}")


def _check_alone(load: str, **options: object) -> None:
    """Refuse options that a file to go on with decides itself."""
    is_record = Path(load).suffix in match_formats
    own = {"bots", "seed"} if is_record else set()
    if any(options[name] not in ("", 0, None) for name in options.keys() - own):
        what = "players and rules" if is_record else "players, bots, rules, seed and backend"
        where = "record, and nothing is measured" if is_record else "match"
        raise InputError(f"--load {load}: {what} are those of the {where}; leave them out")


def new_match(
    game: str, players: int, bots: str, seed: int, rules: Mapping[str, str]
) -> SavedMatch:
    """Return a match that begins.

    Args:
        game: that is played.
        players: seats; 0 for as many as are usual.
        bots: names of those at the other seats, separated by commas; empty for the usual one.
        seed: of all chance.
        rules: options of the game by name.

    Raises:
        InputError: if there is no such bot, or there are more bots than seats.
    """
    kind = playables[game]
    names = bot_names(game, kind, bots or kind.usual_bot)
    seats = players or max(kind.seats[2], len(names) + 1)
    if len(names) >= seats > 0 and bots:
        raise InputError(
            f"--bots {bots}: {counted(len(names), 'bot')}, and {counted(seats - 1, 'seat')} for "
            "them"
        )
    match = kind.start({"seats": seats, "seed": seed, "options": dict(rules)})
    return SavedMatch(match, tuple(names[seat % len(names)] for seat in range(seats - 1)), seed)


def loaded_match(game: str, load: str, bots: str, seed: int) -> SavedMatch:
    """Return the match of a file; `bots` and `seed` are for records, which do not have them.

    Raises:
        InputError: if the file cannot be read, or is of another game.
    """
    path, kind = Path(load), playables[game]
    if path.suffix in match_formats:
        saved = read_record(path, bot_names(game, kind, bots or kind.usual_bot), seed)
    else:
        saved = read_match(path)
    if (played := saved.match.game) != game:
        raise InputError(
            f"{load}: is a match of {played}, not of {game}: write stichwerk play {played} "
            f"--load {load}"
        )
    for name in saved.bots:
        bot_names(game, kind, name)
    return saved
