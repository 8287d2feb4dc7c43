"""Probability that a declarer wins with ten cards and a skat, for random hands of the others."""

from collections.abc import Callable

import numpy as np

from compiler.circuits.matrices import Reals
from games.trick_taking.advice.compiled.deals import Deck, generator
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, integers, layout_of, mask
from games.trick_taking.advice.compiled.levels import whole_level
from games.trick_taking.advice.compiled.open_deals import wins_deal
from games.trick_taking.advice.compiled.playouts import won_games
from games.trick_taking.advice.compiled.search import Memory
from games.trick_taking.advice.stakes import goals_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import NULL, Rules
from games.trick_taking.skat.bidding.offers import HELD, Way
from games.trick_taking.skat.values import DECK, LOST, NEEDED, WON, points_of

PLAYERS = 3
ANY = -1
SLICE = 50
"""Random games of each discard between two looks at the clock."""


class Table:
    """A contract that is played, each of the two others' hands of ten as likely.

    Args:
        game: the contract's game.
        seat: seat of the declarer; seat 0 leads.
    """

    def __init__(self, game: str, seat: int) -> None:
        position = TrickTakingGame.of_cards(
            game,
            HELD,
            DECK,
            party=(seat,),
            threshold=0 if game == NULL else NEEDED,
            rules=Rules(game),
            skat_to=seat,
        )
        self.game, self.seat = game, seat
        self._layout = layout_of(position)
        self._goals = None if game == NULL else goals_of(position)
        self._bit = {DECK[card]: bit for bit, card in enumerate(bit_order(position))}

    def superposed(self, way: Way, games: int, random: Numbers) -> int:
        """Return the number of random games with any legal cards that the declarer wins.

        Args:
            way: the declarer's ten cards, and the two that lie in the skat or are discarded.
            games: number of games.
            random: state of the generator; see `generator`.
        """
        return int(won_games(self._layout, self._deck(way), ANY, games, random))

    def best_discard(
        self,
        twelve: list[Way],
        games: int,
        seed: int,
        most: int,
        late: Callable[[], bool],
    ) -> list[Way]:
        """Return the discards with which most random games are won, the best first.

        Of equal ones the better is that with more points, in a null that with higher cards.

        Args:
            twelve: the ways to lay two cards away; see `discards`.
            games: number of games with each, the others' cards and plays alike.
            seed: seed of the games.
            most: maximum number of results.
            late: returns whether time is up; only the first slice of games is then played.
        """
        randoms = [generator(seed, 0) for _ in twelve]
        won = [0] * len(twelve)
        for played in range(0, games, SLICE):
            if played and late():
                break
            for place, (way, random) in enumerate(zip(twelve, randoms, strict=True)):
                won[place] += self.superposed(way, min(SLICE, games - played), random)

        def promise(place: int) -> tuple[int, int]:
            away = twelve[place][1]
            height = sum(self._bit[card] % 8 for card in away)
            return won[place], height if self.game == NULL else points_of(away)

        best = sorted(range(len(twelve)), key=promise, reverse=True)[:most]
        return [twelve[place] for place in best]

    def wins_open(self, way: Way, unseen: Numbers, number: int, memory: Memory) -> bool:
        """Return whether the declarer wins one deal with best play of all and open cards.

        Args:
            way: see `superposed`.
            unseen: shape (20,), the places in `DECK` of all others: ten for each other seat.
            number: number of the deal, 1 or more; unique among the contracts and deals that use
                this memory.
            memory: memory of the search.
        """
        return bool(wins_deal(self._layout, self._dealt(way, unseen), number, memory))

    def level_open(self, way: Way, unseen: Numbers, number: int, memory: Memory) -> int:
        """Return the level of one deal with best play of all and open cards.

        Args:
            way: see `superposed`.
            unseen: shape (20,), the places in `DECK` of all others: ten for each other seat.
            number: number of the deal as in `wins_open`; the next one is used up, too.
            memory: memory of the search.
        """
        if self._goals is None:
            return WON if self.wins_open(way, unseen, number, memory) else LOST
        return int(whole_level(self._goals, self._dealt(way, unseen), number, memory))

    def _dealt(self, way: Way, unseen: Numbers) -> Numbers:
        hands = self._deck(way).held
        others = [seat for seat in range(PLAYERS) if seat != self.seat]
        for seat, cards in zip(others, (unseen[:HELD], unseen[HELD:]), strict=True):
            hands[seat] = mask(self._bit[DECK[card]] for card in cards)
        return hands

    def _deck(self, way: Way) -> Deck:
        held, split = [0] * (PLAYERS + 1), [HELD] * (PLAYERS + 1)
        for owner, cards in zip((self.seat, PLAYERS), way, strict=True):
            held[owner], split[owner] = mask(self._bit[card] for card in cards), 0
        unseen = [bit for card, bit in self._bit.items() if card not in way[0] + way[1]]
        certain: Reals = np.ones(1)
        return Deck(integers(held), integers(unseen)[None], integers(split)[None, None], certain)
