"""Trick-taking games, in the papers' rules and in those of Skat."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, TypeVar, cast

from attrs import frozen

from compiler.errors import GameTooLargeError
from compiler.judge import Kind, Observable
from games.game import Fact, Game
from games.trick_taking.play.consistency import check_consistency
from games.trick_taking.play.enumeration import (
    PathCount,
    deals_of,
    most_states,
    outcome_distribution,
    path_count,
    step_distributions,
)
from games.trick_taking.play.replay import Played, examine
from games.trick_taking.rules.rules import POINTS, Card
from games.trick_taking.rules.setup import Position, Setup, Step, seat_name

T = TypeVar("T")


@frozen(cache_hash=True)
class TrickTakingGame(Setup, Game):
    """A trick-taking game that is consistent with the rules; see `Setup`.

    Raises:
        GameError: if the known facts contradict each other or the rules.
    """

    assumes = "every seat plays a random legal card"
    encodings_need = (
        "class counts must give the number of cards of each class for all owners but one"
    )

    def __attrs_post_init__(self) -> None:
        check_consistency(self)

    @classmethod
    def of_cards(
        cls, name: str, hand: int, deck: Iterable[Card | str], held: Iterable[str] = (),
        *, players: int = 3, party: tuple[int, ...] = (0,), threshold: int = 1, **more: Any,
    ) -> Self:  # fmt: skip
        """Return a game with the card points of Skat.

        Args:
            name: name of the game.
            hand: tricks to be played.
            deck: cards or their names.
            held: cards that seat 0 is known to hold; all others are unknown.
            players: number of seats.
            party: seats whose stacks count together.
            threshold: points with which they win.
            more: see `Setup`.
        """
        cards = tuple(card if isinstance(card, Card) else Card.parse(card) for card in deck)
        points, own = tuple(POINTS[card.rank] for card in cards), frozenset(held)
        owners = tuple(0 if str(card) in own else None for card in cards)
        return cls(name, players, hand, cards, points, owners, party, threshold, **more)

    @property
    def title(self) -> str:
        """One line for lists."""
        skat = f" and {self.skat} in the skat" if self.skat else ""
        cards = "1 card" if self.hand == 1 else f"{self.hand} cards"
        first = "" if self.first_card is None else f", {self.deck[self.first_card]} first"
        middle = ", in the middle" if self.table or self.taken else ""
        return f"{self.players} players, {cards} each{skat}, {self.rules.title}{first}{middle}"

    @property
    def reading(self) -> str:
        """Explanation of a label: the owner of each card."""
        cards = " ".join(map(str, self.deck))
        skat = ", or - for the skat" if self.skat else ""
        return f"{self.title}. An outcome names the owner of each card of {cards} in order{skat}."

    @property
    def legend(self) -> str:
        """Explanation of a label: the owner of each card."""
        return f"owner of {' '.join(map(str, self.deck))} at the end; - is the skat"

    @property
    def outcome_bits(self) -> int:
        """The owner bits of all cards."""
        return self.owner_bits * len(self.deck)

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of deals."""
        return {"deals": self.deal_count}

    def facts(self) -> Mapping[str, Fact]:
        """Return deals, ways to play, outcomes, and the deals that open play would win."""
        # Numba takes a second to import.
        from games.trick_taking.advice.open_play import deals_won

        paths = _unless_too_large(self.paths)
        return {
            **self.counts,
            "paths": None if paths is None else paths.total,
            "paths_won": None if paths is None else paths.won,
            **self.outcome_facts(),
            "deals_won_by_best_play": _unless_too_large(lambda: deals_won(self)),
        }

    @property
    def axes(self) -> Mapping[str, int]:
        """Cards and players."""
        return {"cards": len(self.deck), "players": self.players}

    @property
    def observables(self) -> Sequence[Observable]:
        """Return whether the party wins, and its points."""
        return (
            Observable("win", Kind.EVENT, lambda outcome: int(self.is_win(outcome))),
            Observable("points", Kind.NUMBER, self.points, bounds=self.points_range),
        )

    @property
    def deal_count(self) -> int:
        """Number of deals that are consistent with the known facts."""
        return deals_of(self).count()

    @property
    def branches(self) -> int:
        """The number of deals: every one of them is a branch of the state."""
        return self.deal_count

    def step_distributions(self) -> list[tuple[Step, dict[Position, Fraction]]]:
        """Return the exact distribution over positions after every step.

        Positions that were reached in different ways are merged, as a measurement of the
        cards' qubits would.

        Raises:
            GameTooLargeError: if there are too many states to enumerate.
        """
        return list(step_distributions(self))

    def exact_distribution(self) -> Mapping[int, Fraction]:
        """Return the exact distribution of the final owners; see `Game`.

        Raises:
            GameTooLargeError: if there are too many states to enumerate.
        """
        return outcome_distribution(self)

    def most_states(self) -> int:
        """Return an upper bound of the states that `exact_distribution` goes through."""
        return most_states(self)

    def paths(self) -> PathCount:
        """Return the number of ways in which the game can go, and the number of wins.

        Raises:
            GameTooLargeError: if there are too many states to enumerate.
        """
        return path_count(self)

    def describe(self, outcome: int) -> str:
        """Return the letters of the cards' owners, in the order of the deck; `-` is the skat."""
        return "".join(
            seat_name(o) if o < self.players else "-" if o < len(self.hands) else "?"
            for o in self.owners(outcome)
        )

    def examine(self, runs: Iterable[object]) -> str:
        """Check games that were played one at a time; see `Game`."""
        return examine(self, cast(Iterable[Played], runs)).text


def _unless_too_large(count: Callable[[], T]) -> T | None:
    try:
        return count()
    except GameTooLargeError:
        return None
