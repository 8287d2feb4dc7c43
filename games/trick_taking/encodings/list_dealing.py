"""Dealing a game into lists, one owner after the other."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import define

from games.trick_taking.encodings.list_deal_plan import DealPlan
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal

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
        plan: who draws how many cards of which group.
        codes: of each card of the deck.
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
