"""Starting matches, looking at them, and moving in them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from secrets import randbits, token_hex, token_urlsafe
from threading import Lock
from time import monotonic
from typing import Any

from attrs import evolve, field, frozen
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from backends import LocalBackend, backend_from_spec
from compiler.errors import GameError, InputError, StichwerkError, UnknownNameError, naming
from games.panels import Panel
from play.hosted.kept_match import (
    MATCH,
    KeptMatch,
    MoveConflictError,
    NoRoomError,
    Recent,
    Seat,
    UnknownMatchError,
    digest,
    seat_with,
)
from play.hosted.queued_trials import QueuedTrials
from play.match import Match
from play.oracle import (
    BackendOracle,
    ExactOracle,
    NotYetMeasuredError,
    Oracle,
)
from play.playable import match_from_record, playables
from play.tournament import steps
from workers.accounts.tokens import players
from workers.clock import database_now, database_time
from workers.records.tables import MatchRow
from workers.settings import PREFIX, Settings

MATCH_LIFETIME = timedelta(days=30)
"""Since anything has happened in a match."""
MAX_MATCHES = 200
"""Matches that are kept as they were last read or written."""
LEFT_ALONE = timedelta(hours=1)
"""Age from which a match makes room for a new one if there are too many."""


@frozen(eq=False)
class Store:
    """Storage of matches.

    Args:
        reading: opens a session for reading.
        writing: opens a session for changes.
        max_matches: number of matches beyond which the oldest are deleted.
    """

    reading: Callable[[], Session]
    writing: Callable[[], AbstractContextManager[Session]]
    max_matches: int
    _known: Recent[str, KeptMatch] = field(factory=lambda: Recent(MAX_MATCHES), init=False)

    def find(self, match_id: str) -> KeptMatch:
        """Return a match as it is; to replay a long one may take seconds.

        Raises:
            UnknownMatchError: if there is none, or this version of the game cannot have come so
                far.
        """
        with self.reading() as session:
            row = session.get(MatchRow, match_id) if MATCH.fullmatch(match_id) else None
        if row is None:
            raise UnknownMatchError("there is no such match or seat; ask for the link again")
        result = self._known.get(row.id)
        if result is not None and result.version == row.version:
            return result
        try:
            match = match_from_record({"game": row.game, "setup": row.setup, "log": row.log})
        except StichwerkError as error:
            # The error could reveal cards of other players.
            raise UnknownMatchError(
                "this match was begun by another version of its game, and cannot be shown"
            ) from error
        seats = [Seat(**seat) for seat in row.seats]
        result = KeptMatch(row.id, row.version, match, seats, row.chances, row.backend)
        return self._known.keep(row.id, result)

    def add(self, stored: KeptMatch) -> None:
        """Keep a new match.

        Raises:
            NoRoomError: if there are too many.
        """
        record = stored.match.record()
        row = MatchRow(
            id=stored.id,
            game=record["game"],
            setup=record["setup"],
            log=record["log"],
            seats=[
                {"bot": seat.bot} if seat.digest is None else {"digest": seat.digest}
                for seat in stored.seats
            ],
            chances=stored.chances,
            backend=stored.backend,
        )
        with self.writing() as session:
            row.created_at = row.moved_at = database_now(session)
            self._make_room(session)
            session.add(row)
            session.commit()

    def replace(self, stored: KeptMatch, match: Match[Any], *, by_person: bool) -> KeptMatch | None:
        """Store the new state of a match; return None if it was changed in the meantime.

        Args:
            stored: the match as it was read.
            match: the new state.
            by_person: whether a person has moved.
        """
        after = evolve(stored, match=match, version=stored.version + 1)
        changes: dict[str, Any] = {
            "version": after.version,
            "log": match.record()["log"],
            "moved_at": database_time(),
        }
        with self.writing() as session:
            changed = session.execute(
                update(MatchRow)
                .where(MatchRow.id == stored.id, MatchRow.version == stored.version)
                .values(**changes, **({"begun": True} if by_person else {}))
                .returning(MatchRow.id)
            ).first()
            session.commit()
        return None if changed is None else self._known.keep(after.id, after)

    def _make_room(self, session: Session) -> None:
        at = database_now(session)
        session.execute(delete(MatchRow).where(MatchRow.moved_at < at - MATCH_LIFETIME))
        count = session.scalar(select(func.count()).select_from(MatchRow)) or 0
        if count < self.max_matches:
            return
        # Delete unused matches first, so that starting many matches displaces no played one.
        left = session.scalars(
            select(MatchRow.id)
            .where(MatchRow.moved_at < at - LEFT_ALONE)
            .order_by(MatchRow.begun, MatchRow.moved_at)
            .limit(1)
        ).first()
        if left is None:
            raise NoRoomError(f"{count} matches are being played, and more are not; come later")
        session.execute(delete(MatchRow).where(MatchRow.id == left))


SETTING = f"{PREFIX}PLAY_BACKENDS"


def allowed_backends(names: str) -> tuple[str, ...]:
    """Return the backends on which strangers may have something run.

    Args:
        names: separated by commas.

    Raises:
        InputError: if one is none, or one that others run, perhaps for money.
    """
    result = tuple(dict.fromkeys(filter(None, map(str.strip, names.split(",")))))
    for name in result:
        with naming(SETTING, InputError):
            if not isinstance(backend_from_spec(name), LocalBackend):
                raise InputError(
                    f"'{name}' is no simulator of this machine, and strangers may start jobs on no "
                    "other; leave it out"
                )
    return result


PERSON = "person"
MAX_ADVICE = 100
"""Advice that is kept."""
LONGEST_MOVE = 4096
"""Maximum characters: a move with a point for each of 256 games on 19 × 19 has some 1,000."""
TRIES = 20
"""Maximum number of tries of a change while others change the same match."""
BOT_SECONDS = 2.0
"""After which bots go on in the next request; a single move is not interrupted, and so bots weigh
fewer moves where each takes longer."""
TURN_SECONDS = 0.5
"""Time limit for bots to wait for those of another match."""
SEED_BITS = 128
"""Bits of the seed: too many to search for the seed that deals a player's known cards."""


@frozen
class Started:
    """A new match.

    Args:
        kept: the match.
        secrets: secrets of the seats for people, which are not stored.
    """

    kept: KeptMatch
    secrets: Mapping[int, str]


@frozen(eq=False)
class Matches:
    """All matches of a server; jobs of their measurements go through its queue.

    Args:
        store: storage of the matches.
        settings: settings with budgets and limits.
        tell: notifies workers of a job.
        backends: backends of the measurements that users may choose.
    """

    store: Store
    settings: Settings
    tell: Callable[[int], object]
    backends: tuple[str, ...] = field(init=False)
    _thinks: Any = field(factory=Lock, init=False)
    _advice: Recent[tuple[str, int, int], Sequence[Panel]] = field(
        factory=lambda: Recent(MAX_ADVICE), init=False
    )

    @backends.default
    def _allowed(self) -> tuple[str, ...]:
        return allowed_backends(self.settings.play_backends)

    def start(
        self,
        game: str,
        seats: Sequence[str],
        options: Mapping[str, str],
        *,
        seed: int | None = None,
        chances: bool = True,
        backend: str = "",
        record: tuple[str, bytes] | None = None,
    ) -> Started:
        """Start a match.

        Args:
            game: name of the game.
            seats: `person` or the name of a bot, for each seat.
            options: options of the rules.
            seed: seed of all random numbers; None for a secret one.
            chances: whether probabilities are shown.
            backend: backend of the measurements, one of the offered ones; empty for the exact
                simulator.
            record: a match to continue, with its own rules: file suffix and content.

        Raises:
            InputError: naming the invalid value.
            NoRoomError: if there are too many matches.
        """
        kind = playables[game]
        fewest, most, _ = kind.seats
        if not fewest <= len(seats) <= most:
            raise InputError(f"seats: {game} has {fewest} to {most} of them")
        for name in seats:
            if name != PERSON and name not in kind.bots:
                names = ", ".join((PERSON, *kind.bots))
                raise UnknownNameError(f"seats: {name[:40]!r} is unknown; known: {names}")
        if PERSON not in seats:
            raise InputError(f"seats: one at least must be a {PERSON}")
        if backend and backend not in self.backends:
            offered = ", ".join(self.backends) or "none here"
            raise InputError(
                f"backend: {backend[:40]!r} is not offered to matches; offered: {offered}"
            )
        drawn = randbits(SEED_BITS) if seed is None else seed
        if record is None:
            wanted = {"seats": len(seats), "seed": drawn, "options": dict(options)}
            match = kind.start(kind.served(wanted))
        else:
            match = _recorded(game, *record, drawn)
        # 256 random bits, whose knowledge allows playing; that of the 128 of an id, watching.
        secrets = {place: token_urlsafe(32) for place, name in enumerate(seats) if name == PERSON}
        sit = [
            Seat(digest=digest(secrets[place])) if place in secrets else Seat(bot=name)
            for place, name in enumerate(seats)
        ]
        stored = KeptMatch(token_hex(16), 0, match, sit, chances, backend)
        self.store.add(stored)
        return Started(self.look(stored.id), secrets)

    def look(self, match_id: str) -> KeptMatch:
        """Return a match, after bots whose turn it is have moved, as far as they come in time.

        Raises:
            UnknownMatchError: if there is none.
        """
        result = self.store.find(match_id)
        if not result.thinking or not self._thinks.acquire(timeout=TURN_SECONDS):
            return result
        try:
            return self._after_bots(match_id)
        finally:
            self._thinks.release()

    def sit(self, match_id: str, secret: str) -> tuple[KeptMatch, int]:
        """Return a match, and the seat that a secret opens.

        Raises:
            UnknownMatchError: if there is no such match or seat.
        """
        # The secret first: strangers do not make bots think.
        _, seat = self._seat(match_id, secret)
        return self.look(match_id), seat

    def move(self, match_id: str, secret: str, move: str, number: int) -> tuple[KeptMatch, int]:
        """Play a move; the same one sent again is the one that was played.

        Args:
            match_id: id of the match.
            secret: secret of the seat.
            move: move in the notation of the game.
            number: number of the seat's earlier moves.

        Raises:
            UnknownMatchError: if there is no such match or seat.
            MoveConflictError: if it is not, or no longer, the seat's turn.
            GameError: if the move is not possible.
            NoRoomError: if too many others move at the same time.
        """
        text = " ".join(move.split())
        # Complete the pending steps of earlier moves first; other players may go on meanwhile.
        self.sit(match_id, secret)
        if not text.isprintable() or len(text) > LONGEST_MOVE:
            raise InputError(f"move: at most {LONGEST_MOVE} characters, printable ones")
        for _ in range(TRIES):
            stored, seat = self._seat(match_id, secret)
            moves = stored.moves_of(seat)
            if number < len(moves):
                if _is_same(stored.match, text, moves[number]):
                    return stored, seat
                raise MoveConflictError(
                    f"you have already played '{moves[number]}' there; look at the match as it is"
                )
            if number > len(moves) or seat not in stored.match.to_move:
                raise MoveConflictError("it is not your turn; look at the match as it is")
            if self.store.replace(stored, stored.match.play(seat, text), by_person=True):
                return self.look(match_id), seat
        raise NoRoomError("too many move in this match at once; try again")

    def advice(self, stored: KeptMatch, seat: int) -> Sequence[Panel]:
        """Return the advice on a seat's moves, computed once for each of its turns."""
        key = (stored.id, stored.version, seat)
        with self._thinks:
            advice = self._advice.get(key)
            if advice is None:
                advice = self._advice.keep(key, stored.match.view(seat).advice())
        return advice

    def _oracle(self, stored: KeptMatch) -> Oracle:
        """Return the oracle that measures a match."""
        seed = stored.match.setup()["seed"]
        if not stored.backend:
            return ExactOracle(seed)
        jobs = QueuedTrials(
            self.store.writing,
            # All players are one tenant, and share its quota.
            evolve(self.settings, most_jobs=self.settings.play_jobs),
            stored.backend,
            seed,
            # A move waits for its measurements, so the log identifies them.
            lambda match, purpose: f"play-{stored.id}-{len(match.log)}-{purpose}",
            self.tell,
            self.settings.play_seconds,
            tenant=players,
            offered=stored.backend in self.backends,
        )
        return BackendOracle(stored.backend, seed, jobs, jobs.look)

    def _seat(self, match_id: str, secret: str) -> tuple[KeptMatch, int]:
        """Return a match as it is, and the seat that a secret opens."""
        stored = self.store.find(match_id)
        seat = seat_with(secret, stored.seats)
        if seat is None:
            raise UnknownMatchError("there is no such match or seat; ask for the link again")
        return stored, seat

    def _after_bots(self, match_id: str) -> KeptMatch:
        until = monotonic() + BOT_SECONDS
        for _ in range(TRIES):
            stored = self.store.find(match_id)
            before = now = stored.match
            seed, oracle = before.setup()["seed"], self._oracle(stored)
            waiting = ""
            try:
                for now in steps(before, stored.sitting(), seed, oracle=oracle):
                    if len(now.log) > len(before.log) and monotonic() > until:
                        break
            except NotYetMeasuredError as error:
                waiting = str(error)
            if len(now.log) == len(before.log):
                return evolve(stored, waiting=waiting)
            after = self.store.replace(stored, now, by_person=False)
            if after is not None:
                return evolve(after, waiting=waiting)
        return self.store.find(match_id)


def _is_same(match: Match[Any], move: str, played: str) -> bool:
    try:
        return match.canonical(move) == match.canonical(played)
    except GameError:
        return False


def _recorded(game: str, suffix: str, content: bytes, seed: int) -> Match[Any]:
    readers = playables[game].readers
    if suffix not in readers:
        raise InputError(f"format: {suffix[:40]!r} is none of {game}; known: {', '.join(readers)}")
    match = readers[suffix](content, f"record{suffix}", seed, playables[game].served)
    if match.game != game:
        raise InputError(f"record{suffix}: is a match of {match.game}, not of {game}")
    return match
