"""The command `play`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve
from sqlalchemy.orm import Session

from backends import backend_from_spec
from backends.devices.reading import backend_named
from compiler.errors import InputError
from compiler.words.plurals import how_many
from play.hosted.queued_trials import WaitingTrials, keys_of
from play.oracle import BackendOracle, ExactOracle, Oracle
from play.playable import playables
from play.saved_match import chosen_rules, loaded_match, new_match
from service.cli.compile_options import MaxCost
from service.cli.options import ServiceDatabase
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import say
from service.cli.output.progress import say_if_first
from service.cli.play.table import Table
from service.cli.queue.sending import unattended_queues
from workers.jobs.states import Queue
from workers.jobs.without_queue import finish_job
from workers.queue.heartbeats import nobody_listens
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import dollars, settings


def play_command(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME")],
    players: Annotated[int, typer.Option(min=0, max=100)] = 0,
    bots: str = "",
    seed: Annotated[int | None, typer.Option(min=0, max=2**31 - 1, show_default="0")] = None,
    rules: Annotated[list[str] | None, typer.Option("--rule", metavar="NAME=VALUE")] = None,
    load: Annotated[str, typer.Option(metavar="FILE")] = "",
    save: Annotated[str, typer.Option(metavar="FILE")] = "",
    backend: Annotated[str, typer.Option("--backend", "-b", callback=backend_named)] = "",
    queue: bool = False,
    max_cost: MaxCost = "",
    database: ServiceDatabase = "",
    chances: bool = True,
) -> None:
    """Play a game against bots in the terminal.

    `help` lists the commands. On boards, some commands step through the superposed games; others
    compose a move point by point, or undo it before it is played.

    You play seat 0. The match is saved at its end, at the end of the input, and at Ctrl-C.

    Examples:
    - `stichwerk play skat`

    - `stichwerk play six-nimmt --players 3 --bots greedy,expectation --seed 1`

    - `stichwerk play five-in-a-row --rule size=9 --bots quantum`

    - `stichwerk play six-nimmt --save match.json`, later with `--load match.json`

    - `stichwerk play weiqi --load game.sgf --save game.sgf`

    - `stichwerk play six-nimmt --backend aer:boston --save round.toml`

    Options:
        game: The game, such as skat, six-nimmt or weiqi.
        players: Number of players; 0 for the game's default.
        bots: Bots of the other seats, in order; repeated if too few.
        seed: Seed of all random choices.
        rules: Option of the rules, such as games=1 of skat; may be repeated. 'stichwerk games
            GAME' lists the options.
        load: Match to resume: a .json that --save wrote, or a .sgf record of a board game, which
            may be combined with --bots and --seed.
        save: Write the match at its end: .json to resume it with --load; .toml, a program with the
            chosen moves for 'run' and 'submit' (the last round of Quantum 6 Nimmt!); .sgf for board
            games, or to add the game to an evening of Skat.
        backend: Backend of measurements, see 'stichwerk backends'; by default the exact simulator.
        queue: Let the workers of a service run the measurements.
        chances: Show the probabilities of measurements.
    """
    if game == "skat":
        say_if_first("games")
    suffixes = (".json", ".toml", *playables[game].formats)
    path = output_path("save", save, suffixes) if save else None
    if load:
        _check_alone(
            load,
            is_record=Path(load).suffix in playables[game].readers,
            players=players,
            bots=bots,
            rules=rules,
            seed=seed,
            backend=backend,
        )
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
        elif not table.match.over:
            say("the match was not saved; --save FILE saves it")


def _check_alone(load: str, *, is_record: bool, **options: object) -> None:
    """Refuse options that a file to go on with decides itself."""
    own = {"bots", "seed"} if is_record else set()
    if any(options[name] not in ("", 0, None) for name in options.keys() - own):
        what = "players and rules" if is_record else "players, bots, rules, seed and backend"
        where = "record, and nothing is measured" if is_record else "match"
        raise InputError(f"--load {load}: {what} are those of the {where}; leave them out")


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
    trials = WaitingTrials(
        partial(Session, engine), set_, backend, seed, keys, _tell if queue else str,
        max_cost_usd=limit, finish=None if queue else _finish, progress=say,
    )  # fmt: skip
    if queue:
        with Session(engine) as session:
            for missing in unattended_queues(session, [backend]):
                say(nobody_listens(missing))
    return BackendOracle(backend, seed, trials, trials.look)


def _finish(session: Session, job: Job) -> Job:
    say(f"{job.program}: {how_many(job.shots, 'shot')} on {job.backend}")
    return finish_job(session, job, progress=say)


def _tell(job_id: int) -> None:
    # Its library takes long to import, and most matches need none.
    from workers.queue.broker import send_if_possible

    send_if_possible(job_id, Queue.COMPILE)
