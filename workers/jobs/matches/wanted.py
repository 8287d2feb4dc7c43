"""What is run for a match, as a job that is found again by its key."""

import json
from collections.abc import Callable
from decimal import Decimal
from hashlib import sha256
from typing import Any

from attrs import frozen

from compiler.compilation import Options
from compiler.errors import InputError
from compiler.formats.circuit_files import qpy_bytes
from games.match import Match
from games.playing.trials import NotRunnableError, Trial
from games.sources import Source
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.submission import MOST_SEED, checked

METHOD = "fast"
"""Players wait for it."""
TAG = "play"
LOOK = "look"
LOOK_SHOTS = 1000

Key = Callable[[Match[Any], str], str]
"""Names what is run for a match, by the match and a word or two."""


@frozen
class Wanted:
    """What is run for a match.

    Args:
        what: for what it is, in a word or two.
        shots: how many.
        source: makes the program, which takes longer than to find a job that has run it.
    """

    what: str
    shots: int
    source: Callable[[], Source]


def tried(trial: Trial) -> Wanted:
    """Return what is run for outcomes that a match waits for."""
    name = f"{trial.how.value.replace(' ', '-')}.qpy"
    return Wanted(trial.how, trial.shots, lambda: Source(name, qpy_bytes(trial.circuit)))


def watched(match: Match[Any]) -> Wanted:
    """Return what is run for a look: the moves so far as a game, so that its job is scored."""
    name = f"{match.game}.toml"
    return Wanted(LOOK, LOOK_SHOTS, lambda: Source(name, match.file().encode()))


def keys_of(nonce: str, backend: str) -> Key:
    """Return what names a match's runs: the same one of the match, loaded again, is the same job.

    What a job may cost is not in it: with another limit nothing is paid for again.

    Args:
        nonce: of the match; equal moves in another one are measured anew.
        backend: on which it is measured.
    """

    def key(match: Match[Any], what: str) -> str:
        known = json.dumps([nonce, backend, match.record()], sort_keys=True)
        return f"play-{sha256(known.encode()).hexdigest()}-{what}"

    return key


def seed_of(seed: int, match: Match[Any]) -> int:
    """Return the seed of a job's shots, by which nobody finds the match's own."""
    digest = sha256(f"shots {seed} {len(match.log)}".encode()).digest()
    return int.from_bytes(digest[:4]) & MOST_SEED


def submission(
    backend: str,
    wanted: Wanted,
    seed: int,
    key: str,
    *,
    max_cost_usd: Decimal | None = None,
    token_id: int | None = None,
) -> Submission:
    """Return the job of what is wanted, checked.

    Args:
        backend: that runs it.
        wanted: what is run.
        seed: of the shots, where the backend is a simulator.
        key: the same one stands for the same job.
        max_cost_usd: what it may cost.
        token_id: whose job it is.

    Raises:
        NotRunnableError: if it is no program, or the backend does not run such circuits.
    """
    try:
        order = CompileOrder(wanted.source(), "", Options(METHOD))
        return checked(
            Submission(
                order,
                backend,
                wanted.shots,
                seed,
                tag=TAG,
                max_cost_usd=max_cost_usd,
                idempotency_key=key,
                token_id=token_id,
            )
        )
    except InputError as error:
        raise NotRunnableError(str(error)) from error
