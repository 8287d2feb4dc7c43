"""Random games of cards in machine code, some hundred thousand a second on one core."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@njit(cache=True)
def wins(  # noqa: PLR0912, PLR0915, PLR0917 - one loop in machine code, which knows no classes
    games: int,
    seed: int,
    shape: Numbers,
    deals: Numbers,
    slots: Numbers,
    classes: Numbers,
    strengths: Numbers,
    points: Numbers,
    party: Numbers,
) -> int:
    """Play games and return how many the party has won.

    Args:
        games: how many are played.
        seed: of all chance.
        shape: players, tricks, whether the winner of a trick leads, the first leader, the first
            card or -1, the owner whose cards in the skat count or -1, and the points to win with,
            or -1 in a null game.
        deals: a row of owners for each deal, or one row in which -1 is an unknown owner.
        slots: the owners of the unknown cards, in any order.
        classes: of the cards.
        strengths: of the cards within their class, of trumps more than there are cards.
        points: of the cards.
        party: 1 for seats of the party.
    """
    np.random.seed(seed)
    slots = slots.copy()
    players, tricks, winner_leads, leader, first_card, skat_owner, wanted = shape
    cards = len(classes)
    hands = np.empty((players, cards), np.int64)
    sizes = np.empty(players, np.int64)
    legal = np.empty(cards, np.int64)
    wins = 0
    for _ in range(games):
        row = np.random.randint(0, len(deals))
        for i in range(len(slots) - 1, 0, -1):
            j = np.random.randint(0, i + 1)
            slots[i], slots[j] = slots[j], slots[i]
        sizes[:] = 0
        score, dealt = 0, 0
        taken = False
        for card in range(cards):
            owner = deals[row, card]
            if owner < 0:
                owner = slots[dealt]
                dealt += 1
            if owner < players:
                hands[owner, sizes[owner]] = card
                sizes[owner] += 1
            elif owner == skat_owner:
                score += points[card]
        turn = leader
        for trick in range(tricks):
            led, best, winner, worth = -1, -1, turn, 0
            for place in range(players):
                seat = (turn + place) % players
                count = 0
                for k in range(sizes[seat]):
                    card = hands[seat, k]
                    if place > 0 and classes[card] == led:
                        legal[count] = k
                        count += 1
                if count > 0:
                    k = legal[np.random.randint(0, count)]
                else:
                    k = np.random.randint(0, sizes[seat])
                if trick == 0 and place == 0 and first_card >= 0:
                    for held in range(sizes[seat]):
                        if hands[seat, held] == first_card:
                            k = held
                card = hands[seat, k]
                sizes[seat] -= 1
                hands[seat, k] = hands[seat, sizes[seat]]
                worth += points[card]
                if place == 0:
                    led = classes[card]
                follows = classes[card] == led or strengths[card] > cards
                if follows and strengths[card] > best:
                    best, winner = strengths[card], seat
            if party[winner]:
                score += worth
                taken = True
            turn = winner if winner_leads else leader
        if wanted >= 0:
            wins += score >= wanted
        else:
            wins += not taken
    return wins
