"""The rules of Skat written down a second time, card by card, and games to try them on."""

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from hypothesis import strategies as st

SUITS = "CSHD"
ALL = [suit + rank for suit in SUITS for rank in ("A", "10", "K", "Q", "J", "9", "8", "7")]
JACKS = ["CJ", "SJ", "HJ", "DJ"]


def suits_in_order(contract, deck):
    """Return lists of cards, strongest first; cards of one list follow each other."""
    if contract == "paper":
        return [list(deck)]
    if contract == "null":
        return [[s + r for r in ["A", "K", "Q", "J", "10", "9", "8", "7"]] for s in SUITS]
    plain = {s: [s + r for r in ["A", "10", "K", "Q", "9", "8", "7"]] for s in SUITS}
    trumps = JACKS + plain.pop(contract, [])
    return [trumps, *plain.values()]


def list_of(card, lists):
    return next(i for i, cards in enumerate(lists) if card in cards)


def naive_legal(hand, led, lists):
    """Return the cards of a hand that follow the led card; all of them if none does."""
    if led is None:
        return list(hand)
    following = [c for c in hand if list_of(c, lists) == list_of(led, lists)]
    return following if following else list(hand)


def naive_winner(trick, lists, trumps):
    """Return who takes a trick, by going through it card by card."""
    best = 0
    for turn in range(1, len(trick)):
        card, master = trick[turn], trick[best]
        same = list_of(card, lists) == list_of(master, lists)
        if same:
            cards = lists[list_of(card, lists)]
            if cards.index(card) < cards.index(master):
                best = turn
        elif trumps and list_of(card, lists) == 0:
            best = turn
    return best


def naive_distribution(keys):
    """Return the number of deals and the distribution of final owners, path by path.

    Args:
        keys: the keys of its game file; `deck` is a text.
    """
    deck, players = keys["deck"].split(), keys["players"]
    contract = keys.get("trump") or keys.get("contract") or "paper"
    lists = suits_in_order(contract, deck)
    table = keys.get("table", [])
    leader = keys.get("leader", 0)
    stacks = {c: int(s) for s, cards in keys.get("taken", {}).items() for c in cards}
    fixed = {
        c: players if s == "skat" else int(s) for s, cards in keys["known"].items() for c in cards
    }
    in_hands = [c for c in deck if c not in stacks and c not in table]
    played = {(leader + turn) % players for turn in range(len(table))}
    sizes = [keys["hand"] - (seat in played) for seat in range(players)]
    sizes.append(len(in_hands) - sum(sizes))
    deals = []
    for owners in product(range(players + 1), repeat=len(in_hands)):
        deal = dict(zip(in_hands, owners, strict=True))
        if [owners.count(o) for o in range(players + 1)] != sizes:
            continue
        if any(deal[c] != o for c, o in fixed.items()):
            continue
        hands = [[c for c in in_hands if deal[c] == o] for o in range(players + 1)]
        counts = {
            (o, "T" if contract == "paper" or (i == 0 and contract != "null") else cards[0][0])
            : sum(c in cards for c in hands[o])
            for o in range(players + 1) for i, cards in enumerate(lists)
        }  # fmt: skip
        wanted = {
            (players if o == "skat" else int(o), name): n
            for o, given in keys.get("class_counts", {}).items() for name, n in given.items()
        }  # fmt: skip
        if any(counts[key] != n for key, n in wanted.items()):
            continue
        revoked = any(
            card not in naive_legal([*hands[(leader + turn) % players], card], table[0], lists)
            for turn, card in enumerate(table)
        )
        if not revoked:
            deals.append((deal, hands))
    distribution = {}

    def go_on(hands, owner, trick, lead, probability, first):
        if len(trick) == players:
            winner = (lead + naive_winner(trick, lists, contract != "null")) % players
            owner = owner | dict.fromkeys(trick, winner)
            go_on(hands, owner, [], 0 if contract == "paper" else winner, probability, None)
            return
        seat = (lead + len(trick)) % players
        if not hands[seat]:
            end = tuple(owner[c] for c in deck)
            distribution[end] = distribution.get(end, 0) + probability
            return
        choice = naive_legal(hands[seat], trick[0] if trick else None, lists)
        choice = [first] if first else choice
        for card in choice:
            left = [[c for c in hand if c != card] for hand in hands]
            go_on(left, owner, [*trick, card], lead, probability / len(choice), None)

    for deal, hands in deals:
        share = Fraction(1, len(deals))
        go_on(hands, deal | stacks, list(table), leader, share, keys.get("first_card"))
    return len(deals), distribution


@st.composite
def described_games(draw, most_cards=7):
    """Draw the keys of a game file that are true of some deal, also in the middle of a game."""
    players, hand = draw(st.sampled_from([(3, 2), (2, 3), (2, 2), (3, 1)]))
    contract = draw(st.sampled_from(["paper", "grand", "null", *SUITS]))
    pool = draw(st.sampled_from([ALL, [c for c in ALL if c[0] in "CH"]]))
    deck = draw(st.permutations(pool))[: draw(st.integers(players * hand, most_cards))]
    lists = suits_in_order(contract, deck)
    random = Random(draw(st.integers(0, 10**6)))
    hands = [deck[seat * hand : (seat + 1) * hand] for seat in range(players)]
    hands.append(deck[players * hand :])
    keys = {"players": players, "known": {}, "points": {"9": 1, "8": 1, "7": 1}}
    if contract == "paper":
        keys["rules"] = "paper"
    else:
        keys["rules"] = "skat"
        keys["trump" if contract in SUITS else "contract"] = contract
        if contract == "null":
            del keys["points"]
    leader = 0 if contract == "paper" else draw(st.integers(0, players - 1))
    trick, taken = [], {}
    for _ in range(draw(st.integers(0, players * (hand - 1) + players - 1))):
        seat = (leader + len(trick)) % players
        trick.append(random.choice(naive_legal(hands[seat], trick[0] if trick else None, lists)))
        hands[seat] = [c for c in hands[seat] if c != trick[-1]]
        if len(trick) == players:
            winner = (leader + naive_winner(trick, lists, contract != "null")) % players
            taken.setdefault(str(winner), []).extend(trick)
            leader, trick = (0 if contract == "paper" else winner), []
    keys["hand"] = hand - sum(map(len, taken.values())) // players
    keys["deck"] = " ".join(draw(st.permutations(deck)) if contract != "paper" else deck)
    names = [*map(str, range(players)), "skat"]
    for name, cards in zip(names, hands, strict=True):
        shown = [c for c in cards if draw(st.booleans())]
        if shown:
            keys["known"][name] = shown
    if contract != "paper":
        keys["leader"] = leader
        kinds = "CSHD" if contract == "null" else ["T", *(s for s in SUITS if s != contract)]
        counts = {}
        for name, cards in zip(names[: len(names) - (not hands[-1])], hands, strict=False):
            for kind, members in zip(kinds, lists, strict=True):
                if draw(st.integers(0, 7)) == 7:
                    counts.setdefault(name, {})[kind] = sum(c in members for c in cards)
        if counts:
            keys["class_counts"] = counts
    if trick:
        keys["table"] = trick
    elif (mine := keys["known"].get(str(leader))) and draw(st.booleans()):
        keys["first_card"] = mine[0]
    if taken:
        keys["taken"] = taken
    return keys


def naive_best(game, deal):
    """Return the best value for the party when all see all cards, card by card.

    In a null that is minus the number of its tricks.
    """
    deck = [str(card) for card in game.deck]
    contract = game.rules.contract or "paper"
    lists = suits_in_order(contract, deck)
    worth = dict(zip(deck, game.points_of, strict=True))

    @cache
    def value(hands, trick, leader):
        if len(trick) == game.players:
            turn = naive_winner(trick, lists, contract != "null")
            winner = (leader + turn) % game.players
            gain = -1 if contract == "null" else sum(worth[c] for c in trick)
            rest = value(hands, (), 0 if contract == "paper" else winner)
            return rest + (gain if winner in game.party else 0)
        seat = (leader + len(trick)) % game.players
        if not hands[seat]:
            return 0
        choice = naive_legal(hands[seat], trick[0] if trick else None, lists)
        if game.first_card is not None and sum(map(len, hands)) == game.hand * game.players:
            choice = [deck[game.first_card]]
        values = [
            value(
                tuple(tuple(c for c in hand if c != card) for hand in hands), (*trick, card), leader
            )
            for card in choice
        ]
        return max(values) if seat in game.party else min(values)

    hands = tuple(
        tuple(deck[c] for c in game.hand_cards if deal[c] == s) for s in range(game.players)
    )
    settled = {c for seat, cards in game.taken if seat in game.party for c in cards}
    if game.skat_to in game.party:
        settled |= {card for card, owner in enumerate(deal) if owner == game.players}
    before = game.base_points + sum(game.points_of[card] for card in settled)
    if contract == "null":
        taken = (cards for seat, cards in game.taken if seat in game.party)
        before = -sum(len(cards) // game.players for cards in taken)
    return before + value(hands, tuple(deck[c] for c in game.table), game.leader)
