"""Samples of skats and deals, drawn until time is up, and what they tell of a contract."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from attrs import frozen

from compiler.circuits.matrices import Reals
from compiler.words.plurals import how_many
from games.trick_taking.advice.compiled.deals import Deck, generator
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, integers, layout_of, mask
from games.trick_taking.advice.compiled.open_deals import whole_level, wins_deal
from games.trick_taking.advice.compiled.playouts import won_games
from games.trick_taking.advice.compiled.search import Memory, new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.stakes import goals_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import CONTRACTS, NULL, Rules
from games.trick_taking.skat.bidding.offers import (
    HELD,
    SKAT,
    Hand,
    Offer,
    Sample,
    Way,
    announcements,
    discards,
)
from games.trick_taking.skat.values import DECK, LOST, NEEDED, WON, Contract, matadors, points_of

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

    def wins_open(self, way: Way, unseen: Numbers, memory: Memory) -> bool:
        """Return whether the declarer wins one deal with best play of all and open cards.

        Args:
            way: see `superposed`.
            unseen: shape (20,), the places in `DECK` of all others: ten for each other seat.
            memory: memory of the search.
        """
        return bool(wins_deal(self._layout, self._dealt(way, unseen), memory))

    def level_open(self, way: Way, unseen: Numbers, memory: Memory) -> int:
        """Return the level of one deal with best play of all and open cards.

        Args:
            way: see `superposed`.
            unseen: shape (20,), the places in `DECK` of all others: ten for each other seat.
            memory: memory of the search.
        """
        if self._goals is None:
            return WON if self.wins_open(way, unseen, memory) else LOST
        return int(whole_level(self._goals, self._dealt(way, unseen), memory))

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


T = TypeVar("T")
Row = TypeVar("Row")

SCREENED = 150
"""Random games with each of 66 discards, for a skat that was drawn."""
SCREENED_ONCE = 3_000
"""The same for the skat that was taken."""
CHOSEN = 4
"""Discards of a contract that deals are solved for."""
SCREENING, CHOOSING = 0.35, 0.6
"""Shares of the seconds after which no more random games choose these, and after which they are
told apart no longer, but the best is judged anew."""


@frozen(eq=False)
class Bidder:
    """A player who bids.

    Args:
        hand: the player's cards.
        seat: the player's seat; seat 0 leads.
        effort: `playouts` and `deals` bound the random games and the deals of each contract.
        say: takes lines of progress.
    """

    hand: Hand
    seat: int
    effort: Effort
    say: Callable[[str], None]

    def offers(self) -> list[Offer]:
        """Return the offer of each contract, in the order of `CONTRACTS`, and with announcements.

        Before the skat is taken: each contract from the hand, and with a skat whose discard wins
        most random games. After that: each contract with its best discard. All 66 discards are
        tried in random games, the best of them with open cards. The figures of the chosen one are
        from other deals than the choice.
        """
        tables = [Table(game, self.seat) for game in CONTRACTS]
        return self._after(tables) if self.hand.skat else self._before(tables)

    def _before(self, tables: Sequence[Table]) -> list[Offer]:
        contracts = [(table, hand) for table in tables for hand in (False, True)]
        late = self.effort.alarm(self.effort.seconds)

        def sample(number: int, contract: tuple[Table, bool], memory: Memory) -> Sample:
            (table, hand), unseen = contract, self._shuffled(number)
            skat = tuple(DECK[card] for card in unseen[:SKAT])
            way = (self.hand.cards, skat)
            if not hand:
                twelve, seed = discards(self.hand.cards + skat), self._seed(number)
                (way,) = table.best_discard(twelve, SCREENED, seed, 1, late)
            return self._sample(number, table, way, unseen[SKAT:], memory)

        sampled = self._until(contracts, sample, self.effort.seconds, 0, what="skat")
        return [
            Offer(announced, samples)
            for (table, hand), samples in zip(contracts, sampled, strict=True)
            for announced in announcements(Contract(table.game, hand=hand))
        ]

    def _after(self, tables: Sequence[Table]) -> list[Offer]:
        self.say("66 discards of each contract, in random games")
        ways = discards(self.hand.all)
        late = self.effort.alarm(SCREENING * self.effort.seconds)
        with ThreadPoolExecutor(self.effort.threads) as pool:
            promising = list(pool.map(
                lambda table: table.best_discard(
                    ways, SCREENED_ONCE, self.effort.seed, CHOSEN, late
                ),
                tables,
            ))  # fmt: skip

        def compare(number: int, row: tuple[Table, list[Way]], memory: Memory) -> list[bool]:
            (table, chosen), deal = row, self._shuffled(number)
            return [table.wins_open(way, deal, memory) for way in chosen]

        def judge(number: int, row: tuple[Table, Way], memory: Memory) -> Sample:
            return self._sample(number, *row, self._shuffled(number), memory)

        rows = list(zip(tables, promising, strict=True))
        share = CHOOSING * self.effort.seconds
        # With no time left, it is the one that won most random games.
        compared: list[tuple[list[bool], ...]] = [()] * len(rows)
        if not self.effort.alarm(share)():
            compared = self._until(
                rows, compare, share, 0, what="deal", detail=" of the best discards"
            )
        best = [
            (table, chosen[int(np.argmax(np.sum(wins, axis=0)))])
            for (table, chosen), wins in zip(rows, compared, strict=True)
        ]
        # None of the deals that the discards were chosen by.
        judged = self._until(best, judge, self.effort.seconds, self.effort.deals, what="deal")
        return [
            Offer(announced, samples, away)
            for (table, (_, away)), samples in zip(best, judged, strict=True)
            for announced in announcements(Contract(table.game))
        ]

    def _sample(self, number: int, table: Table, way: Way, deal: Numbers, memory: Memory) -> Sample:
        random = generator(self._seed(number), 1)
        return Sample(
            matadors=matadors(way[0] + way[1], table.game),
            superposed=table.superposed(way, self.effort.playouts, random) / self.effort.playouts,
            level=table.level_open(way, deal, memory),
        )

    def _shuffled(self, number: int) -> Numbers:
        """Return the places in the deck of all unseen cards in a random order."""
        unseen = np.array([DECK.index(card) for card in self.hand.unseen])
        return np.random.default_rng([self.effort.seed, number]).permutation(unseen)

    def _seed(self, number: int) -> int:
        return self.effort.seed + number

    def _until(
        self,
        rows: Sequence[Row],
        task: Callable[[int, Row, Memory], T],
        seconds: float,
        begin: int,
        *,
        what: str,
        detail: str = "",
    ) -> list[tuple[T, ...]]:
        """Do a task for all rows with one random deal after the other, until time is up.

        Args:
            rows: the contracts.
            task: takes the number of the deal, a row, and the memory of the thread.
            seconds: limit of processor time; a deal that is cut does not count, but the first is
                never cut.
            begin: number of the first deal.
            what: name of a deal in lines of progress.
            detail: end of these lines.

        Returns:
            The results of each row.
        """
        late, progress = self.effort.alarm(seconds), self.effort.progress(self.say)

        def done(number: int, memory: Memory) -> list[T] | None:
            results = []
            for row in rows:
                if number != begin and late():
                    return None
                results.append(task(number, row, memory))
            return results

        results = self.effort.repeat(
            done,
            range(begin, begin + self.effort.deals),
            seconds,
            [new_memory() for _ in range(self.effort.threads)],
            lambda number: progress(how_many(number, what) + detail),
        )
        self.say(how_many(len(results), what) + detail)
        return list(zip(*results, strict=True))
