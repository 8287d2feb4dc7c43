"""The command `play`."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any

import typer
from attrs import evolve, field, frozen
from sqlalchemy.orm import Session

from backends import backend_from_spec
from backends.devices.reading import backend_named
from backends.regular_files import read_regular_file
from compiler.errors import InputError
from compiler.words.plurals import how_many
from games.match import Match
from games.playing.formats import formats_of, match_formats, match_from_file
from games.playing.oracle import BackendOracle, ExactOracle, Oracle
from games.playing.playable import match_from_record, playables
from service.cli.compile_options import MaxCost
from service.cli.options import ServiceDatabase
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import say
from service.cli.play.bots import bot_names, chosen_rules
from service.cli.play.table import Table
from service.cli.queue.sending import unattended_queues
from workers.jobs.matches.queued import QueuedTrials, WaitingTrials, keys_of
from workers.jobs.states import Queue
from workers.jobs.without_queue import finish_job
from workers.queue.heartbeats import nobody_listens
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import dollars, settings

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


MAX_BYTES = 10_000_000
NO_MATCH = (
    "no saved match: --save FILE.json writes one; a game in a .toml is for 'stichwerk games' and "
    "'run'"
)


@frozen
class SavedMatch:
    """What a file holds.

    Args:
        match: as it is.
        bots: the names of those who play seats 1, 2, …
        seed: of the measurements and of the bots' chance.
        backend: on which it is measured; empty for the exact simulator.
        nonce: which tells its jobs from those of a match with equal moves.
    """

    match: Match[Any]
    bots: tuple[str, ...]
    seed: int
    backend: str = ""
    nonce: str = field(factory=lambda: token_hex(16))

    def written(self, suffix: str) -> bytes:
        """Return the contents of a file whose name ends in `suffix`.

        Raises:
            GameError: if the match has no such form.
        """
        if suffix in match_formats:
            return formats_of(self.match.game)[suffix].write(self.match)
        return self.match.file().encode() if suffix == ".toml" else self.as_bytes()

    def as_bytes(self) -> bytes:
        """Return a file with all of it."""
        document = {
            "match": self.match.record(),
            "bots": list(self.bots),
            "seed": self.seed,
            "backend": self.backend,
            # Without a backend there are no jobs, and equal matches have equal files.
            **({"nonce": self.nonce} if self.backend else {}),
        }
        return (json.dumps(document, indent=1) + "\n").encode()


def read_record(path: Path, bots: Sequence[str], seed: int) -> SavedMatch:
    """Read a file in a format of `games.playing.formats`.

    Args:
        path: of the file.
        bots: who has the seats from 1 on, over and over if too few.
        seed: of the bots' chance, which such a file does not tell.

    Raises:
        InputError: if it cannot be read, or what it tells cannot have happened.
    """
    match = match_from_file(_content(path), path.name, seed)
    others = tuple(bots[seat % len(bots)] for seat in range(match.seats - 1))
    return SavedMatch(match, others, seed)


def _content(path: Path) -> bytes:
    try:
        return read_regular_file(path, MAX_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def read_match(path: Path) -> SavedMatch:
    """Read a file.

    Raises:
        InputError: if it cannot be read, or what it tells cannot have happened.
    """
    try:
        document = json.loads(_content(path))
    except (ValueError, RecursionError) as error:
        message = f"no JSON document: {error}" if path.suffix == ".json" else NO_MATCH
        raise InputError(f"{path}: {message}") from error
    match document:
        case {
            "match": record, "bots": [*bots], "seed": int(seed), "backend": str(backend), **rest
        } if not rest.keys() - {"nonce"} and isinstance(rest.get("nonce", ""), str):  # fmt: skip
            try:
                match = match_from_record(record)
            except InputError as error:
                raise InputError(f"{path}: {error}") from error
            if len(bots) != match.seats - 1 or not all(isinstance(name, str) for name in bots):
                raise InputError(f"{path}: bots: give {match.seats - 1} names")
            saved = SavedMatch(match, tuple(bots), seed, backend)
            # Where a file has none, one is drawn.
            return evolve(saved, nonce=str(rest["nonce"])) if rest else saved
    raise InputError(f"{path}: {NO_MATCH}")


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
    oracle = oracle_on(
        saved.backend, saved.seed, saved.nonce, queue=queue, max_cost=max_cost, database=database
    )
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
            f"--bots {bots}: {how_many(len(names), 'bot')}, and {how_many(seats - 1, 'seat')} for "
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


def check_backend(backend: str, *, queue: bool, max_cost: str) -> None:
    """Check where a match is to be measured, before anybody plays.

    Raises:
        InputError: if there is no such backend, or none is named and one is needed.
    """
    if backend:
        backend_from_spec(backend)
    elif queue or max_cost:
        option = "--queue" if queue else "--max-cost"
        raise InputError(f"{option}: nothing is run without --backend; see 'stichwerk backends'")
    if max_cost:
        dollars(max_cost)


def oracle_on(
    backend: str, seed: int, nonce: str, *, queue: bool, max_cost: str, database: str
) -> Oracle:
    """Return the oracle that measures.

    Args:
        backend: that runs circuits; empty for the exact simulator.
        seed: of all chance.
        nonce: of the match.
        queue: whether workers run them.
        max_cost: of one job; empty for no limit.
        database: where jobs are recorded; empty for the usual one.
    """
    if not backend:
        return ExactOracle(seed)
    set_ = settings()
    limit = dollars(max_cost) if max_cost else None
    keys = keys_of(nonce, backend)
    engine = open_database(database or set_.database)
    trials = QueuedTrials(
        partial(Session, engine), set_, backend, seed, keys, _tell if queue else str,
        max_cost_usd=limit, finish=None if queue else _finish,
    )  # fmt: skip
    if queue:
        with Session(engine) as session:
            for missing in unattended_queues(session, [backend]):
                say(nobody_listens(missing))
    run = WaitingTrials(trials, say)
    return BackendOracle(backend, seed, run, run.look)


def _finish(session: Session, job: Job) -> Job:
    say(f"{job.program}: {how_many(job.shots, 'shot')} on {job.backend}")
    return finish_job(session, job, progress=say)


def _tell(job_id: int) -> None:
    # Its library takes long to import, and most matches need none.
    from workers.queue.broker import send_if_possible

    send_if_possible(job_id, Queue.COMPILE)
