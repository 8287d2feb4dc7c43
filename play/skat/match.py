"""A match of Skat: an evening of games, each with bidding, the skat, a contract and ten tricks."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, cast

from attrs import evolve, frozen

from compiler.errors import GameError
from compiler.program import Program
from games.encoding import encoded
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import GRAND, Card, Rules
from games.trick_taking.skat.bidding.offers import Hand
from games.trick_taking.skat.progress import TAKE, Progress, read_move
from games.trick_taking.skat.records.checking import SEATS
from games.trick_taking.skat.records.position import Position, position_before
from games.trick_taking.skat.records.writing import write_records
from games.trick_taking.skat.scores import list_scores
from games.trick_taking.skat.values import points_of
from games.trick_taking.toml.writing import game_toml
from play.match import RoundsMatch
from play.match_log import Entry, Moved
from play.playable import MatchFormat, Playable, RandomBot, number_in, playable, read_setup
from play.rules import GameRules, GateRule, gate_picture
from play.skat.bots import AdviseBot
from play.skat.view import Finished, SkatView, in_order, sign


@frozen(eq=False)
class SkatMatch(RoundsMatch[SkatView]):
    """A match at some moment. Player n mod 3 leads first in game n, counted from 0.

    Args:
        games: number of games of the match.
        seed: seed of the deals and of the bots.
        played: games that are over.
        now: the present game, at the end the last one.
        story: past events for people, line by line.
        log: see `Match`.
    """

    game: ClassVar[str] = "skat"
    view_class = SkatView
    seats: ClassVar[int] = SEATS  # type: ignore[misc]
    games: int
    seed: int
    now: Progress
    played: tuple[Progress, ...] = ()
    story: tuple[str, ...] = ()
    log: tuple[Entry, ...] = ()

    def setup(self) -> dict[str, Any]:
        """Return seats, seed and number of games."""
        return {"seats": SEATS, "seed": self.seed, "options": {"games": str(self.games)}}

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seat that bids, declares or plays now; see `Match`."""
        seat = self.now.seat
        return () if self.over or seat is None else (self.player(seat),)

    def player(self, seat: int, game: Progress | None = None) -> int:
        """Return the player on a seat of a game, of which seat 0 leads first."""
        return (seat + (game or self.now).record.number - 1) % SEATS

    def _place(self, player: int) -> int:
        return (player - self.now.record.number + 1) % SEATS

    def legal_moves(self, seat: int) -> Iterator[str]:
        """Yield calls, contracts or cards; of higher bids the next one only."""
        if seat in self.to_move:
            yield from self.now.moves()

    def canonical(self, move: str) -> str:
        """Return a move as the log has it; see `Match`."""
        return read_move(move)

    def play(self, seat: int, move: str) -> "SkatMatch":
        """Return the match after a move; see `Match`."""
        self.check_turn(seat)
        read = read_move(move)
        after = self.now.after(read)
        moved = self.noted(Moved(seat, read), *self._lines(seat, read, after), now=after)
        if not after.over:
            return moved
        played = (*self.played, after)
        if len(played) == self.games:
            return evolve(moved, played=played)
        return evolve(moved, played=played, now=dealt(self.seed, len(played) + 1))

    def _lines(self, seat: int, move: str, after: Progress) -> Iterator[str]:
        """Yield the public part of a move."""
        before, record = self.now, after.record
        if before.turn is not None:
            yield f"player {seat}: {move}"
            if record.passed:
                yield f"game {record.number}: all have passed"
            elif record.declarer is not None:
                yield f"player {self.player(record.declarer)} plays, bid {record.bid}"
        elif move == TAKE:
            yield f"player {seat} picks up the skat"
        elif before.record.contract is None and record.contract is not None:
            yield f"player {seat} announces {record.contract}"
        elif record.contract is not None and not after.situation.table:
            cards = [card for _, card in record.plays[-SEATS:]]
            taker = self.player(after.situation.leader)
            yield f"player {taker} takes {' '.join(map(sign, cards))}, {points_of(cards)} points"
        if after.result is not None and record.declarer is not None:
            outcome, ended = after.result
            yield (
                f"game {record.number}: player {self.player(record.declarer)} "
                f"{'wins' if ended.won else 'loses'} {record.contract} with "
                f"{outcome.points} points: {ended.value}" + ", overbid" * ended.overbid
            )

    def own_view(self, seat: int | None) -> dict[str, Any]:
        """Return the cards of a seat; no other ones, except in an ouvert game."""
        now, record = self.now, self.now.record
        place = None if seat is None else self._place(seat)
        picked_up = place is not None and place == record.declarer and now.taken
        contract = record.contract
        rules = Rules(GRAND) if contract is None else contract.rules
        situation = None if contract is None else now.situation
        plays = [(self.player(s), card) for s, card in record.plays]
        before = len(plays) - (0 if situation is None else len(situation.table))
        hand = () if place is None else in_order(now.hand(place), rules)
        shown: tuple[Card, ...] = ()
        if record.declarer not in (None, place) and contract and contract.ouvert:
            shown = in_order(now.hand(record.declarer), rules)
        order = {str(card): number for number, card in enumerate(hand)}
        legal = () if seat is None else self.legal_moves(seat)
        stacks = [
            () if situation is None else situation.stacks[self._place(player)]
            for player in range(SEATS)
        ]
        return {
            "legal_moves": tuple(sorted(legal, key=lambda move: order.get(move, 0))),
            "number": record.number - 1,
            "dealt": None if place is None else Hand(
                tuple(record.hands[place]), tuple(record.skat) if picked_up else ()),
            "hand": hand,
            "discards": tuple(record.discards) if picked_up else (),
            "place": place,
            "turn": now.turn,
            "bid": record.bid if now.turn is None else now.turn.bid,
            "declarer": None if record.declarer is None else self.player(record.declarer),
            "contract": contract,
            "shown": shown,
            "trick": tuple(plays[before:]),
            "last_trick": tuple(plays[before - SEATS : before]) if before >= SEATS else (),
            "tricks": tuple(len(stack) // SEATS for stack in stacks),
            "taken": tuple(map(points_of, stacks)),
            "position": self._position() if seat in self.to_move else None,
        }  # fmt: skip

    def _position(self) -> Position | None:
        """Return the position as the player of the next card knows it; None if there is none."""
        record = self.now.record
        if self.over or record.contract is None:
            return None
        return position_before(record, len(record.plays) + 1)

    @property
    def finished(self) -> tuple[Finished, ...]:
        """The games that are over, with the list after each."""
        result, settled = [], []
        for game in self.played:
            record, declarer, points, value = game.record, None, None, 0
            if record.declarer is not None and game.result is not None:
                outcome, settlement = game.result
                declarer, points = self.player(record.declarer, game), outcome.points
                value = settlement.value
                settled.append((declarer, settlement))
            scores = tuple(list_scores(settled))
            result.append(Finished(declarer, record.contract, points, value, scores))
        return tuple(result)

    def fixed(self, name: str) -> TrickTakingGame:
        """Return the position as the player of the next card knows it; see `Match`."""
        position = self._position()
        if position is None:
            raise GameError("no card is played now, so there is no position: play on")
        return evolve(position.game, name=name)

    def program(self) -> Program:
        """Return the position as a circuit; see `Match`."""
        return encoded(self.fixed(f"{self.game}-match"))

    def file(self) -> str:
        """Return the position as the file of a game, for `stichwerk advise`; see `Match`."""
        return game_toml(self.fixed(self.game))

    def ended_games(self) -> tuple[Progress, ...]:
        """Return the games that are over.

        Raises:
            GameError: if none is over yet.
        """
        if not self.played:
            raise GameError(
                f"no game is over yet: 0 of {self.games}. Finish one, or save the match as .json"
            )
        return self.played

    @property
    def over(self) -> bool:
        """True if all games are over."""
        return len(self.played) == self.games

    @property
    def points(self) -> tuple[Fraction, ...]:
        """Scores of the list."""
        scores = self.finished[-1].scores if self.played else (0,) * SEATS
        return tuple(map(Fraction, scores))


def dealt(seed: int, number: int) -> Progress:
    """Return a game of a match, whose cards are dealt."""
    game = Progress.dealt(number, Random(f"skat {seed} {number}"))
    names = {seat: f"player {(seat + number - 1) % SEATS}" for seat in range(SEATS)}
    return evolve(game, record=evolve(game.record, players=names))


@playable("skat")
class SkatPlayable(Playable[SkatView]):
    """Skat of three players."""

    title = "Skat"
    rules = GameRules(
        goal="Have the highest score after all games.",
        turn="The highest bidder (declarer) plays against the two others, picks up the skat or "
        "plays from the hand, and announces a suit, grand or null. Players must follow suit. The "
        "highest trump, or else the highest card of the led suit, takes the trick. The declarer "
        "needs 61 points, or no trick in a null game. In the papers' circuits, every player plays "
        "all legal cards in superposition.",
        paper="Imperfect-Information Games on Quantum Computers: A Case Study in Skat, AAMAS 2026",
        link="https://doi.org/10.65109/PYJU2489",
        gates=(
            GateRule("Deal", "An equal superposition of all deals.",
                     gate_picture("deal", "cards")),
            GateRule("Card play", "A seat plays all its legal cards in superposition.",
                     gate_picture("play", "hand", "table")),
            GateRule("Trick", "The player of the highest card takes the trick.",
                     gate_picture("trick", "table", "stacks")),
        ),
    )  # fmt: skip
    seats = (SEATS, SEATS, SEATS)
    options = {"games": ("3", "1", "6", "12", "36")}  # noqa: RUF012
    bots = {"advise": AdviseBot, "random": RandomBot}  # noqa: RUF012
    usual_bot = "advise"
    formats = {  # noqa: RUF012
        ".sgf": MatchFormat(
            "games that are over, as the Internet Skat Server records them",
            "application/x-skat-sgf",
            lambda match: write_records(cast(SkatMatch, match).ended_games()).encode(),
        )
    }

    def start(self, setup: Mapping[str, Any]) -> SkatMatch:
        """Return a match whose first game is dealt; see `Playable`."""
        read = read_setup(setup, self.seats)
        games = number_in(read.options.pop("games", self.options["games"][0]))
        if read.options or str(games) not in self.options["games"]:
            allowed = ", ".join(self.options["games"])
            raise GameError(f"options = {setup.get('options')!r}: games can be {allowed}")
        assert isinstance(games, int)
        return SkatMatch(games, read.seed, dealt(read.seed, 1))
