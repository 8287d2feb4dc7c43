"""Dealing a game into lists, one owner after the other."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, frozen

from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal


@frozen
class DealPlan:
    """Plan for dealing the unknown cards.

    Args:
        groups: the unknown cards of each group, as places in the deck.
        needs: for each owner and group the number of cards; None where only the sum over the
            groups is known, and then for all owners that draw after those with numbers.
        order: owners in the order they draw.
    """

    groups: dict[str, tuple[int, ...]]
    needs: dict[int, dict[str, int] | None]
    order: tuple[int, ...]


def deal_plan(game: TrickTakingGame) -> DealPlan | None:
    """Return the plan of a deal, None where class counts cannot be dealt owner by owner."""
    unknown = [card for card in game.hand_cards if game.known[card] is None]
    counted = {name for _, name, _ in game.class_counts}
    groups: dict[str, list[int]] = {}
    for card in unknown:
        name = game.card_classes[card]
        groups.setdefault(name if name in counted else "", []).append(card)
    rows = {
        owner: size - sum(game.known[card] == owner for card in game.hand_cards)
        for owner, size in enumerate(game.hands)
    }
    table = _filled(_fixed_rows(game, groups, rows), rows, groups)
    needs: dict[int, dict[str, int] | None] = {}
    for owner in rows:
        row = {name: table[owner, name] for name in groups}
        certain = {name: count for name, count in row.items() if count is not None}
        constrained = any(o == owner for o, _, _ in game.class_counts)
        if len(certain) < len(row) and constrained:
            return None
        needs[owner] = certain if len(certain) == len(row) else None
    drawing = [owner for owner in rows if rows[owner]]
    order = sorted(drawing, key=lambda owner: (needs[owner] is None, -rows[owner]))
    return DealPlan({k: tuple(v) for k, v in groups.items()}, needs, tuple(order))


def _fixed_rows(
    game: TrickTakingGame, groups: dict[str, list[int]], rows: dict[int, int]
) -> dict[tuple[int, str], int | None]:
    table: dict[tuple[int, str], int | None] = {
        (owner, name): 0 if rows[owner] == 0 else None for owner in rows for name in groups
    }
    for owner, name, count in game.class_counts:
        held = sum(
            game.known[card] == owner and game.card_classes[card] == name
            for card in game.hand_cards
        )
        if name in groups:
            table[owner, name] = count - held
    return table


def _filled(
    table: dict[tuple[int, str], int | None],
    rows: dict[int, int],
    groups: dict[str, list[int]],
) -> dict[tuple[int, str], int | None]:
    """Fill in the numbers that follow from the sums over owners and over groups."""
    lines = [([(owner, name) for name in groups], rows[owner]) for owner in rows]
    lines += [([(owner, name) for owner in rows], len(groups[name])) for name in groups]
    for _ in range(len(table)):
        for places, total in lines:
            open_places = [place for place in places if table[place] is None]
            if len(open_places) == 1:
                table[open_places[0]] = total - sum(table[p] or 0 for p in places)
    return table


def known_cards(game: TrickTakingGame, owner: int) -> list[int]:
    """Return the cards of an owner's hand that are known; a forced first card comes last."""
    cards = [card for card in game.hand_cards if game.known[card] == owner]
    return sorted(cards, key=lambda card: card == game.first_card)


Slot = list[int]
"""Qubits of one card's code."""


@define
class Pile:
    """Cards that are still to be dealt: known codes, or slots that hold unknown ones."""

    codes: list[int]
    slots: list[Slot]


@define
class Dealing:
    """Deals the unknown cards of a game.

    Args:
        width: qubits of a slot.
        plan: number of cards of each group for each owner.
        codes: code of each card of the deck.
        free: slots of each owner that its unknown cards go to.
    """

    width: int
    plan: DealPlan
    codes: Sequence[int]
    free: dict[int, list[Slot]]

    def operations(self) -> Iterator[tuple[SortedDeal | ListSplit | int, list[int]]]:
        """Yield operators with their slots, and codes with the slot that they are written to."""
        piles = {
            name: Pile([self.codes[card] for card in cards], [])
            for name, cards in self.plan.groups.items()
        }
        own = {owner: {slot[0] for slot in slots} for owner, slots in self.free.items()}
        for place, owner in enumerate(self.plan.order):
            later = self.plan.order[place + 1 :]
            needs = self.plan.needs[owner]
            if needs is None:
                yield from self._merge(piles, (owner, *later))
                needs = {"": len(own[owner])}
            for name, count in needs.items():
                if piles[name].slots:
                    yield from self._split(piles[name], count, own[owner])
                elif count:
                    yield from self._draw(piles[name], name, count, owner, later)

    def _draw(
        self, pile: Pile, name: str, count: int, owner: int, later: Sequence[int]
    ) -> Iterator[tuple[SortedDeal | int, list[int]]]:
        hand = [self.free[owner].pop(0) for _ in range(count)]
        if count == len(pile.codes):
            yield from zip(pile.codes, hand, strict=True)
            pile.codes = []
            return
        pile.slots = self._allocated(name, len(pile.codes) - count, later)
        operator = SortedDeal(self.width, count, pile.codes)
        yield operator, [qubit for slot in (*hand, *pile.slots) for qubit in slot]
        pile.codes = []

    def _split(
        self, pile: Pile, count: int, own: set[int]
    ) -> Iterator[tuple[ListSplit, list[int]]]:
        mine = [slot for slot in pile.slots if slot[0] in own]
        others = [slot for slot in pile.slots if slot[0] not in own]
        if mine and others:
            operator = ListSplit(self.width, len(pile.slots), count)
            yield operator, [qubit for slot in (*mine, *others) for qubit in slot]
        pile.slots = others

    def _merge(
        self, piles: dict[str, Pile], owners: Sequence[int]
    ) -> Iterator[tuple[int, list[int]]]:
        """Put all piles together; known codes go to slots if there are unknown ones."""
        merged = Pile([c for p in piles.values() for c in p.codes],
                      [s for p in piles.values() for s in p.slots])  # fmt: skip
        if merged.slots and merged.codes:
            slots = self._allocated("", len(merged.codes), owners)
            yield from zip(merged.codes, slots, strict=True)
            merged = Pile([], [*merged.slots, *slots])
        piles.clear()
        piles[""] = merged

    def _allocated(self, name: str, count: int, owners: Sequence[int]) -> list[Slot]:
        """Return free slots of the owners that may get cards of a group."""
        slots: list[Slot] = []
        for owner in owners:
            needs: Mapping[str, int] | None = self.plan.needs[owner]
            most = len(self.free[owner]) if needs is None else needs.get(name, 0)
            taken = min(most, count - len(slots))
            slots += [self.free[owner].pop(0) for _ in range(taken)]
        return slots
