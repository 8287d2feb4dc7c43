"""A match of CHSH: as many rounds with fixed answers as with measured ones."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from attrs import evolve, frozen

from compiler.errors import GameError
from compiler.program import Program
from games.encoding import encoded
from games.game import named_game
from games.nonlocal_games.game import NonlocalGame
from games.panels import Cell, Grid, Panel
from play.match import RoundsMatch
from play.match_log import Entry, Measured, Moved
from play.playable import Bot, Playable, RandomBot, number_in, playable, read_setup
from play.rules import GameRules, GateRule, gate_picture
from play.view import RoundsView

NAMES = ("Alice", "Bob")
PHASES = ("classical", "quantum")
CLASSICAL = ("0", "1", "always 0", "always 1", "always the question")
QUANTUM = ("measure", "always measure")
ROUNDS = 50
MAX_ROUNDS = 500
LAST_LINES = 8
DIGITS = 10**9
"""Denominators of exact probabilities."""


@frozen
class SeatView(RoundsView):
    """View of Alice or Bob: the own question, and finished rounds.

    Args:
        own_question: None for a spectator.
        rounds: rounds of each phase.
        wins: wins in each phase.
    """

    own_question: int | None
    rounds: int
    wins: tuple[int, int]

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        return self.json_of("own_question", "rounds", "wins")

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return the counter of both phases against their bounds, and the story."""
        game = _game()
        bounds = (float(game.classical_value), game.quantum_value)
        played = (min(self.number, self.rounds), max(0, self.number - self.rounds))
        rows = [
            [
                Cell(phase),
                Cell(f"{number} of {self.rounds}"),
                Cell(str(wins)),
                Cell(f"{wins / number:.1%}" if number else "–",
                     "good" if number and wins / number > bounds[0] else "plain"),
                Cell(f"{best:.1%}"),
            ]
            for phase, number, wins, best in zip(PHASES, played, self.wins, bounds, strict=True)
        ]  # fmt: skip
        columns = ("phase", "rounds", "won", "win rate", "maximum on average")
        return [Grid("Wins of Alice and Bob together", columns, rows), self.story_panel(LAST_LINES)]

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if self.seat is None or self.seat not in self.to_move:
            return ""
        goal = "answers must differ if both questions are 1, otherwise be equal"
        name, phase = NAMES[self.seat], PHASES[self.number >= self.rounds]
        round_ = f"{name}, {phase} round {self.number + 1}"
        return f"{round_}: your question is {self.own_question}; {goal}"


@frozen(eq=False)
class ChshMatch(RoundsMatch[SeatView]):
    """A match at some moment.

    In the classical phase a move is an answer, or a rule for all remaining rounds of the phase. In
    the quantum phase each player measures a qubit of a new Bell pair.

    Args:
        seed: seed of the referee's questions.
        rounds: rounds of each phase.
        chosen: the moves of both players in this round; hidden until both have moved.
        wins: wins in each phase.
        number: number of rounds that are over.
        log: see `Match`.
        story: past events.
    """

    game: ClassVar[str] = "chsh"
    view_class = SeatView
    seed: int
    rounds: int
    chosen: tuple[str, str] = ("", "")
    wins: tuple[int, int] = (0, 0)
    number: int = 0
    log: tuple[Entry, ...] = ()
    story: tuple[str, ...] = ()
    seats: int = 2

    def setup(self) -> dict[str, Any]:
        """Return seed and options."""
        usual = self.rounds == ROUNDS
        options = {} if usual else {"rounds": str(self.rounds)}
        return {"seats": self.seats, "seed": self.seed, "options": options}

    @property
    def phase(self) -> int:
        """0 without entanglement, 1 with it."""
        return int(self.number >= self.rounds)

    @property
    def questions(self) -> tuple[int, int]:
        """The referee's questions of this round."""
        drawn = Random(f"chsh {self.seed} {self.number}").randrange(4)
        return drawn & 1, drawn >> 1

    @property
    def over(self) -> bool:
        """True if both phases are over."""
        return self.number == 2 * self.rounds

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players without a move in this round; see `Match`."""
        return () if self.over else tuple(s for s, move in enumerate(self.chosen) if not move)

    @property
    def points(self) -> tuple[Fraction, ...]:
        """The wins, which both players share."""
        return (Fraction(sum(self.wins)),) * self.seats

    def legal_moves(self, seat: int) -> Iterator[str]:
        """Yield all moves of a seat."""
        if seat in self.to_move:
            yield from (CLASSICAL, QUANTUM)[self.phase]

    def play(self, seat: int, move: str) -> "ChshMatch":
        """Return the match after a move; see `Match`."""
        self.check_turn(seat)
        read = self.canonical(move)
        allowed = tuple(self.legal_moves(seat))
        if read not in allowed:
            raise GameError(f"{move[:20]!r}: unknown move; choose {', '.join(allowed)}")
        chosen = (read, self.chosen[1]) if seat == 0 else (self.chosen[0], read)
        now = self.noted(Moved(seat, read), chosen=chosen)
        while not now.to_move and not now.phase:
            pairs = zip(now.chosen, now.questions, strict=True)
            now = now._ended(tuple(_answer(move, question) for move, question in pairs))
        return now

    def own_view(self, seat: int | None) -> dict[str, Any]:
        """Return the question to a seat; see `RoundsMatch`."""
        return {"own_question": None if seat is None else self.questions[seat]}

    @property
    def _round(self) -> NonlocalGame:
        return _game().fixed(self.questions)

    def program(self) -> Program:
        """Return the circuit of this round; see `Match`."""
        return encoded(self._round)

    @property
    def awaited(self) -> int:
        """Both answers, once both players measure."""
        return 0 if self.over or self.to_move or not self.phase else 2

    def chances(self) -> Mapping[tuple[int, ...], Fraction]:
        """Return the exact probabilities of both answers; see `Match`."""
        exact = self._round.exact_distribution()
        chances: dict[tuple[int, ...], Fraction] = {
            (o & 1, o >> 1): Fraction(round(p * DIGITS), DIGITS) for o, p in exact.items()
        }
        chances[0, 0] += 1 - sum(chances.values())
        return chances

    def collapse(self, outcomes: Sequence[int]) -> "ChshMatch":
        """Return the match after both have measured; see `Match`."""
        self.check_outcomes(outcomes)
        return self._ended(tuple(outcomes)).noted(Measured(tuple(outcomes)))

    def _ended(self, answers: tuple[int, ...]) -> "ChshMatch":
        """Return the match after a round; a rule stays until the phase is over."""
        questions = self.questions
        won = answers in self._round.rules.wins[questions]
        wins = (self.wins[0] + won * (not self.phase), self.wins[1] + won * self.phase)
        after = evolve(self, number=self.number + 1)
        stays = after.phase == self.phase
        standing = [move if stays and move.startswith("always") else "" for move in self.chosen]
        line = f"round {after.number}: asked {questions[0]} and {questions[1]}, answered "
        line += f"{answers[0]} and {answers[1]}: {'won' if won else 'lost'}"
        return evolve(
            after, wins=wins, chosen=(standing[0], standing[1]), story=(*self.story, line)
        )


def _game() -> NonlocalGame:
    game = named_game("chsh")
    assert isinstance(game, NonlocalGame)
    return game


def _answer(move: str, question: int) -> int:
    """Return the answer of a classical move."""
    return question if move == CLASSICAL[-1] else int(move[-1])


class PlainBot(Bot[SeatView]):
    """Plays an optimal strategy: always 0, then the measurement of the quantum strategy."""

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        return "always 0" if "always 0" in view.legal_moves else "always measure"


@playable("chsh")
class Chsh(Playable[SeatView]):
    """CHSH with and without entanglement."""

    title = "CHSH: 50 rounds without entanglement, then 50 with it"
    seats = (2, 2, 2)
    rules = GameRules(
        "Alice and Bob win or lose each round together. Their answers must differ if both "
        "questions are 1, otherwise be equal.",
        "Answer your question, or choose a strategy for the rest of the phase. In the second phase "
        "measure your qubit of a Bell pair: the question determines the basis.",
        "Clauser, Horne, Shimony and Holt 1969; as a game: Cleve, Høyer, Toner and Watrous",
        "https://arxiv.org/abs/quant-ph/0404076",
        [
            GateRule("CNOT", "Prepares the Bell pair of a round, after an H on Alice's qubit.",
                     gate_picture("CNOT", "Alice", "Bob")),
            GateRule("Ry", "Rotates a qubit before measurement: Alice's by 0° for question 0 and "
                     "−90° for 1, Bob's by −45° and 45°.", gate_picture("Ry", "qubit")),
        ],
    )  # fmt: skip
    options = {"rounds": (str(ROUNDS), "10", "200")}  # noqa: RUF012
    bots = {"random": RandomBot, "optimal": PlainBot}  # noqa: RUF012
    usual_bot = "optimal"

    def start(self, setup: Mapping[str, Any]) -> ChshMatch:
        """Return a match before its first round; see `Playable`."""
        read = read_setup(setup, self.seats)
        rounds = number_in(read.options.pop("rounds", ROUNDS))
        if type(rounds) is not int or not 1 <= rounds <= MAX_ROUNDS or read.options:
            raise GameError(
                f"options = {str(setup['options'])[:40]}: write rounds, a whole number up to "
                f"{MAX_ROUNDS}"
            )
        return ChshMatch(read.seed, rounds)
