"""A match of Endless Fun: pawns, then three rounds of cards, each measured at its end."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from attrs import frozen

from compiler.errors import GameError
from compiler.program import Program
from games.encoding import encoded
from games.endless_fun.game import EndlessRound, match_round, round_as_toml
from games.endless_fun.rules.gates import FEWEST_PLAYERS, MAX_PLAYERS, Card, Hand, dealt, without
from games.endless_fun.rules.moves import PASS, SIDES, LegalMoves, Move, Steal, read_move
from games.endless_fun.rules.round import Columns, Options
from games.endless_fun.rules.state import Values, state_text
from games.endless_fun.rules.winning import MAX_MEASUREMENTS, MEASUREMENTS, winner
from games.options import whole_number
from play.endless_fun.view import SeatView
from play.match import RoundsMatch
from play.match_log import Entry, Measured, Moved
from play.playable import Bot, Playable, RandomBot, number_in, playable, read_setup
from play.rules import GameRules, GateRule, gate_picture

ROUNDS = 3
"""Rounds of 3, 2 and 1 cards."""


@frozen(eq=False)
class EndlessMatch(RoundsMatch[SeatView]):
    """A match at some moment.

    A move is `left` or `right` for a pawn, then a gate and a qudit (`X1 2`), `Cancel 2.1`,
    `Steal from 3`, or `pass` for a seat without another move. Seats are counted from 0, qudits
    from the left, from 1.

    Args:
        seats: number of players.
        options: options of the rules.
        seed: seed of the deals, the die, and the stolen cards.
        measurements: number of measurements for a round's winning state.
        hands: cards of all players.
        line: the player of each qudit, from the left, as far as pawns are placed.
        table: the cards of the round.
        start: the value of each qudit at the beginning of the round.
        number: number of the round, from 0.
        turn: turn of the round, from 0.
        stolen: a card that must be played now; None if there is none.
        points: points of all players.
        log: see `Match`.
        story: past events for people, line by line.
        ended: the last round that is over; None before.
    """

    game: ClassVar[str] = "endless-fun"
    view_class = SeatView
    seats: int
    options: Options
    seed: int
    measurements: int
    hands: tuple[Hand, ...]
    line: tuple[int, ...]
    table: Columns
    start: Values
    number: int = 0
    turn: int = 0
    stolen: Card | None = None
    points: tuple[Fraction, ...] = ()
    log: tuple[Entry, ...] = ()
    story: tuple[str, ...] = ()
    ended: EndlessRound | None = None

    @classmethod
    def begin(
        cls, seats: int, options: Options, seed: int, measurements: int = MEASUREMENTS
    ) -> "EndlessMatch":
        """Return a match in which the cards are dealt and the first pawn is placed."""
        first = _first(seats, seed)
        return cls(
            seats,
            options,
            seed,
            measurements,
            dealt(seats, options.levels, seed),
            line=(first,),
            table=Columns.empty(seats),
            start=(0,) * seats,
            points=(Fraction(0),) * seats,
            story=(f"player {first} begins, and places the first pawn",),
        )

    def setup(self) -> dict[str, Any]:
        """Return seats, seed, and the options that differ from the default."""
        usual = self.measurements == MEASUREMENTS
        more = {} if usual else {"measurements": str(self.measurements)}
        return {
            "seats": self.seats,
            "seed": self.seed,
            "options": {**self.options.changed(), **more},
        }

    @property
    def first(self) -> int:
        """The player with the highest throw."""
        return _first(self.seats, self.seed)

    @property
    def placing(self) -> bool:
        """Return whether pawns are still to be placed."""
        return len(self.line) < self.seats

    @property
    def cards_each(self) -> int:
        """Number of cards that each player plays in this round."""
        return ROUNDS - self.number

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seat to move; see `Match`."""
        if self.placing:
            return ((self.first + len(self.line)) % self.seats,)
        if self.over or self.awaited:
            return ()
        return ((self.first + self.number + self.turn) % self.seats,)

    def legal_moves(self, seat: int) -> Iterator[str]:
        """Yield all moves of a seat."""
        if seat not in self.to_move:
            return
        if self.placing:
            yield from SIDES
            return
        moves = [str(move) for move in self._legal(seat).moves()]
        yield from moves or (PASS,)

    def play(self, seat: int, move: str) -> "EndlessMatch":
        """Return the match after a move; see `Match`."""
        self.check_turn(seat)
        if self.placing:
            return self._placed(seat, move.strip().lower())
        legal = self._legal(seat)
        if move.strip().lower() == PASS:
            if any(legal.moves()):
                raise GameError("passing is only for a seat without another move; see the help")
            text = f"player {seat}: {PASS}"
            return self.noted(Moved(seat, PASS), text, stolen=None, turn=self.turn + 1)
        read = read_move(move, self.options.levels)
        legal.check(read)
        return self._played(seat, read)

    def own_view(self, seat: int | None) -> dict[str, Any]:
        """Return the cards of a seat, and only the sizes of the other hands; see `RoundsMatch`."""
        return {
            "held": tuple(map(len, self.hands)),
            "hand": () if seat is None else self.hands[seat],
            "stolen": self.stolen if seat in self.to_move else None,
        }

    def round_game(self) -> EndlessRound:
        """Return the cards of this round as a game; of the last one if all are over."""
        if self.over and self.ended is not None:
            return self.ended
        return match_round(self.options, self.start, self.table, self.measurements)

    def program(self) -> Program:
        """Return the circuit of this round so far; see `Match`.

        Its bits are those of an encoding, which `outcomes_of` reads.

        Raises:
            InputError: if no encoding supports it.
        """
        return encoded(self.round_game())

    def file(self) -> str:
        """Return the last round that is over; see `Match`."""
        if self.ended is None:
            raise GameError("no round is over yet, so there is no program: play on")
        return round_as_toml(self.ended)

    @property
    def awaited(self) -> int:
        """The bits of the winning state, once all cards of a round are played."""
        if self.placing or self.over or self.turn < self.cards_each * self.seats:
            return 0
        return self.round_game().outcome_bits

    def chances(self) -> Mapping[tuple[int, ...], Fraction]:
        """Return the exact probability that each state is the winning state."""
        game = self.round_game()
        return {game.bits_of(values): p for values, p in game.winning().chances().items()}

    def outcomes_of(self, program: Program, bits: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the state of an encoding's bits; see `Match`."""
        measured = sum(bit << i for i, bit in enumerate(bits))
        outcome = measured if program.judge is None else program.judge.outcome(measured)
        if outcome is None:
            return None
        return tuple(outcome >> i & 1 for i in range(self.awaited))

    @property
    def shots_wanted(self) -> int:
        """Number of measurements of a round's state."""
        return self.measurements

    def settled(self, shots: Mapping[tuple[int, ...], int], random: Random) -> tuple[int, ...]:
        """Return the winning state of as many of some shots as are measured; see `Match`."""
        game = self.round_game()
        all_shots = [bits for bits, number in sorted(shots.items()) for _ in range(number)]
        drawn = random.sample(all_shots, min(self.measurements, len(all_shots)))
        return game.bits_of(winner(Counter(map(game.values_of, drawn))))

    def collapse(self, outcomes: Sequence[int]) -> "EndlessMatch":
        """Return the match after the round's winning state is known; see `Match`."""
        self.check_outcomes(outcomes)
        game = self.round_game()
        won = game.values_of(outcomes)
        gained = dict(zip(self.line, won, strict=True))
        points = tuple(had + gained[seat] for seat, had in enumerate(self.points))
        had = ", ".join(f"player {seat} {sum_}" for seat, sum_ in enumerate(points))
        return self.noted(
            Measured(tuple(outcomes)),
            f"round {self.number + 1} ends in {state_text(won)}: {had}",
            points=points,
            number=self.number + 1,
            turn=0,
            table=Columns.empty(self.seats),
            start=(0,) * self.seats if self.options.is_rookie else won,
            ended=game,
        )

    @property
    def over(self) -> bool:
        """Return whether all rounds are."""
        return self.number == ROUNDS

    def _legal(self, seat: int) -> LegalMoves:
        return LegalMoves(
            seat=seat,
            hand=self.hands[seat],
            stolen=self.stolen,
            table=self.table,
            victims=tuple(other for other, held in enumerate(self.hands) if held and other != seat),
            dimension=self.options.levels,
            own=self.line.index(seat) + 1 if self.options.is_rookie else None,
        )

    def _placed(self, seat: int, side: str) -> "EndlessMatch":
        if side not in SIDES:
            raise GameError(f"{side[:20]!r}: place your pawn left or right of the others")
        line = (seat, *self.line) if side == "left" else (*self.line, seat)
        text = f"player {seat} sits down on the {side}"
        return self.noted(Moved(seat, side), text, line=line)

    def _played(self, seat: int, move: Move) -> "EndlessMatch":
        hands = self.hands if self.stolen else _without(self.hands, seat, move.card)
        stolen: Card | None = None
        turn = self.turn + 1
        if isinstance(move, Steal):
            random = Random(f"endless fun steal {self.seed} {len(self.log)}")
            stolen, turn = random.choice(hands[move.victim]), self.turn
            hands = _without(hands, move.victim, stolen)
        return self.noted(
            Moved(seat, str(move)),
            f"player {seat}: {move}",
            hands=hands,
            stolen=stolen,
            table=move.on(self.table, seat),
            turn=turn,
        )


def _first(seats: int, seed: int) -> int:
    """Return the player with the highest throw."""
    return Random(f"endless fun die {seed}").randrange(seats)


def _without(hands: tuple[Hand, ...], seat: int, card: Card) -> tuple[Hand, ...]:
    return tuple(without(hand, card) if place == seat else hand for place, hand in enumerate(hands))


class GreedyBot(Bot[SeatView]):
    """Takes the card after which its value exceeds those of the others most, on average.

    The average is exact, over the winning states if the round were measured now. A move's value is
    its own value minus the mean of the others'. The stolen card is unknown, so Steal counts as no
    change. Among equal moves the choice is random.
    """

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        if view.legal_moves in (SIDES, (PASS,)):
            return random.choice(view.legal_moves)
        assert view.seat is not None
        leads: dict[object, Fraction] = {}
        values: dict[str, Fraction] = {}
        for move in view.legal_moves:
            table = read_move(move, view.options.levels).on(view.table, view.seat)
            rows = tuple(table.rows())
            if rows not in leads:
                leads[rows] = _lead(view, view.seat, table)
            values[move] = leads[rows]
        best = max(values.values())
        return random.choice([move for move, value in values.items() if value == best])


def _lead(view: SeatView, seat: int, table: Columns) -> Fraction:
    """Return the average excess of the seat's value over the mean of the others'."""
    expected = view.round_with(table).winning().expected_points()
    own = expected[view.line.index(seat)]
    return own - (sum(expected) - own) / (len(expected) - 1)


RULES = GameRules(
    goal="Get the most points in three rounds. After each round all qudits are measured, and you "
    "get the value of your qudit in the winning state.",
    turn="Play a card beneath a qudit. Its gate acts after the gates above it. CNOT and SWAP point "
    "to a neighbour. Cancel turns a card on the table into I. Steal draws a card from another "
    "player, which must be played at once.",
    paper="Kopf, Hiekkamäki, Prabhakar and Fickler, Endless Fun in high dimensions, "
    "Am. J. Phys. 91, 458, 2023",
    link="https://arxiv.org/abs/2107.12007",
    gates=(
        GateRule("X", "Adds 1 or 2 to the value, modulo the number of levels.",
                 gate_picture("X", "qudit")),
        GateRule("Z", "Changes the phases of the values; a later H makes this visible.",
                 gate_picture("Z", "qudit")),
        GateRule("Y", "X, then Z.", gate_picture("Y", "qudit")),
        GateRule("H", "Turns a value into an equal superposition of all values; H1, H2 and H3 "
                 "differ in its phases.", gate_picture("H", "qudit")),
        GateRule("CNOT", "Adds the qudit's value to its neighbour's.",
                 gate_picture("CNOT", "qudit", "neighbour")),
        GateRule("SWAP", "Swaps the qudit and its neighbour.",
                 gate_picture("SWAP", "qudit", "neighbour")),
    ),
)  # fmt: skip
NAMES = {"rookie": "rookie version (Finite Fun in Flatland)", "pauli": "Y is Pauli's matrix"}

USUAL_SEATS = 4


@playable("endless-fun")
class EndlessFun(Playable[SeatView]):
    """Three rounds of cards beneath qudits."""

    title = "Endless Fun"
    rules = RULES
    names = NAMES
    seats = (FEWEST_PLAYERS, MAX_PLAYERS, USUAL_SEATS)
    options = {  # noqa: RUF012
        **Options.choices(),
        "measurements": (str(MEASUREMENTS), "1", "10", "30", "300"),
    }
    bots = {"random": RandomBot, "greedy": GreedyBot}  # noqa: RUF012
    usual_bot = "greedy"

    def start(self, setup: Mapping[str, Any]) -> EndlessMatch:
        """Return a match in which the cards are dealt.

        Args:
            setup: `seats`, `seed`, and `options`, among them `measurements`, which may be any
                number from 1 to 500.

        Raises:
            GameError: naming the invalid key or value.
        """
        read = read_setup(setup, self.seats)
        wanted = read.options.pop("measurements", MEASUREMENTS)
        measurements = whole_number("measurements", number_in(wanted), 1, MAX_MEASUREMENTS)
        options = Options.from_names(read.options, besides=("measurements",))
        return EndlessMatch.begin(read.seats, options, read.seed, measurements)
