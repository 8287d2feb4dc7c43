"""Samples of skats and deals, drawn until time is up, and what they tell of a contract."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
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


T = TypeVar("T")
Late = Callable[[], bool]
"""Returns whether time is up."""

SCREENED = 150
"""Random games with each of 66 discards, for a skat that was drawn."""
SCREENED_ONCE = 3_000
"""The same for the skat that was taken."""
CHOSEN = 4
"""Discards of a contract that deals are solved for."""
ROWS = 2 * len(CONTRACTS)
"""Contracts that deals are solved for: each with the skat and from the hand."""
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

        def sample(number: int, memory: Memory, cut: Late) -> dict[Contract, Sample] | None:
            unseen = self._shuffled(number)
            skat = tuple(DECK[card] for card in unseen[:SKAT])
            twelve = discards(self.hand.cards + skat)
            result = {}
            for row, (table, hand) in enumerate(contracts):
                if cut():
                    return None
                ways = [(self.hand.cards, skat)] if hand else twelve
                if not hand:
                    ways = table.best_discard(twelve, SCREENED, self._seed(number), 1, late)
                deal = unseen[SKAT:]
                sampled = self._sample(table, ways[0], deal, number=number, row=row, memory=memory)
                result[Contract(table.game, hand=hand)] = sampled
            return result

        collected: defaultdict[Contract, list[Sample]] = defaultdict(list)
        for result in self._until(sample, self.effort.seconds, 0, "skat"):
            for contract, sampled in result.items():
                collected[contract].append(sampled)
        return [
            Offer(announced, tuple(samples))
            for contract, samples in collected.items()
            for announced in announcements(contract)
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

        def compare(number: int, memory: Memory, cut: Late) -> list[list[bool]] | None:
            deal, result = self._shuffled(number), []
            for row, (table, chosen) in enumerate(zip(tables, promising, strict=True)):
                if cut():
                    return None
                result.append([
                    table.wins_open(way, deal, self._deal(number, row, place), memory)
                    for place, way in enumerate(chosen)
                ])  # fmt: skip
            return result

        share = CHOOSING * self.effort.seconds
        # With no time left, it is the one that won most random games.
        over = self.effort.alarm(share)()
        compared = [] if over else self._until(compare, share, 0, "deal", " of the best discards")
        best = [
            chosen[int(np.argmax(np.sum([result[row] for result in compared], axis=0)))]
            for row, chosen in enumerate(promising)
        ]

        def judge(number: int, memory: Memory, cut: Late) -> list[Sample] | None:
            deal, result = self._shuffled(number), list[Sample]()
            for row, (table, way) in enumerate(zip(tables, best, strict=True)):
                if cut():
                    return None
                sampled = self._sample(table, way, deal, number=number, row=row, memory=memory)
                result.append(sampled)
            return result

        # None of the deals that the discards were chosen by.
        judged = self._until(judge, self.effort.seconds, self.effort.deals, "deal")
        return [
            Offer(announced, tuple(result[row] for result in judged), best[row][1])
            for row, table in enumerate(tables)
            for announced in announcements(Contract(table.game))
        ]

    def _sample(
        self,
        table: Table,
        way: Way,
        deal: Numbers,
        *,
        number: int,
        row: int,
        memory: Memory,
    ) -> Sample:
        random = generator(self._seed(number), 1)
        return Sample(
            matadors=0 if table.game == NULL else matadors(way[0] + way[1], table.game),
            superposed=table.superposed(way, self.effort.playouts, random) / self.effort.playouts,
            level=table.level_open(way, deal, self._deal(number, row, CHOSEN), memory),
        )

    def _shuffled(self, number: int) -> Numbers:
        """Return the places in the deck of all unseen cards in a random order."""
        unseen = np.array([DECK.index(card) for card in self.hand.unseen])
        return np.random.default_rng([self.effort.seed, number]).permutation(unseen)

    def _seed(self, number: int) -> int:
        return self.effort.seed + number

    def _until(
        self,
        task: Callable[[int, Memory, Late], T | None],
        seconds: float,
        begin: int,
        what: str,
        detail: str = "",
    ) -> list[T]:
        """Repeat a task in parallel until time is up, at least once.

        Each is told whether to leave off, which the first never is, and then returns None.
        """
        late, number = self.effort.alarm(seconds), begin
        memories: SimpleQueue[Memory] = SimpleQueue()
        for _ in range(self.effort.threads):
            memories.put(new_memory())

        def done(number: int) -> T | None:
            memory = memories.get()
            try:
                return task(number, memory, lambda: number != begin and late())
            finally:
                memories.put(memory)

        progress = self.effort.progress(self.say)
        running: dict[Future[T | None], int] = {}
        results: dict[int, T] = {}
        with ThreadPoolExecutor(self.effort.threads) as pool:
            while True:
                while len(running) < self.effort.threads and (
                    number == begin or (number - begin < self.effort.deals and not late())
                ):
                    running[pool.submit(done, number)] = number
                    number += 1
                # All running tasks may have ended at the same time, with more to begin.
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number_of, result = running.pop(future), future.result()
                    if result is not None:
                        results[number_of] = result
                progress(how_many(len(results), what) + detail)
        self.say(how_many(len(results), what) + detail)
        return [results[number] for number in sorted(results)]

    def _deal(self, number: int, row: int, place: int) -> int:
        """Return a deal's number; no other deal or contract has it or the next one.

        The memory of the search identifies a deal by its cards' bits, whose order depends on the
        contract.
        """
        return 1 + 2 * ((number * ROWS + row) * (CHOSEN + 1) + place)
