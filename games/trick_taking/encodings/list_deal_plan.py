"""Which deals of lists, one after the other, deal a game: known cards, groups, and the rest."""

from collections.abc import Iterator

from attrs import frozen

from games.trick_taking.game import TrickTakingGame


@frozen
class DealPlan:
    """How unknown cards are dealt.

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
    """Return how to deal a game, None where class counts cannot be dealt owner by owner."""
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
    table = _filled(_given(game, groups, rows), rows, groups)
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


def _given(
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
    """Fill in what follows from the sums over owners and over groups."""
    lines = [([(owner, name) for name in groups], rows[owner]) for owner in rows]
    lines += [([(owner, name) for owner in rows], len(groups[name])) for name in groups]
    for _ in range(len(table)):
        for places, total in lines:
            open_places = [place for place in places if table[place] is None]
            if len(open_places) == 1:
                table[open_places[0]] = total - sum(table[p] or 0 for p in places)
    return table


def known_cards(game: TrickTakingGame, owner: int) -> Iterator[int]:
    """Yield the cards of an owner's hand that are known; a forced first card comes last."""
    first = game.first_card if owner == game.leader else None
    for card in game.hand_cards:
        if game.known[card] == owner and card != first:
            yield card
    if first is not None:
        yield first
