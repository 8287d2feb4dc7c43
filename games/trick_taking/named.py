"""Card games that have a name."""

from typing import Literal, get_args

from compiler.errors import GameError
from games.game import game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import NULL, PAPER, RANKS, SUITS, Card, Rules


@game("skat-4")
def skat_4() -> TrickTakingGame:
    """Return the toy: clubs ace, ten, king and queen, two players, two cards each."""
    return TrickTakingGame.of_cards("skat-4", 2, ("CA", "C10", "CK", "CQ"), players=2, threshold=15)


SMALL_HAND = ("H10", "H7")


@game("skat-5")
def skat_5() -> TrickTakingGame:
    """Return the end of a clubs game between two seats, two cards each and one in the skat.

    You hold H10 H7 and lead either; the other seat is known to hold one trump and the last heart.
    You need 10 of 28 points.
    """
    return _small("skat-5", 2, ("CA", "CK", "H10", "HQ", "H7"), (0,), 10)


@game("skat-6")
def skat_6() -> TrickTakingGame:
    """Return the end of a clubs game between three seats with two cards each.

    You hold H10 H7 and lead either, then your partner plays, then the declarer. Each of these
    two is known to hold one trump and one heart. You two need 15 of 28 points.
    """
    return _small("skat-6", 3, ("CA", "CK", "H10", "HQ", "H8", "H7"), (0, 1), 15)


def _small(
    name: str, players: int, names: tuple[str, ...], party: tuple[int, ...], threshold: int
) -> TrickTakingGame:
    counts = tuple((seat, kind, 1) for seat in range(1, players) for kind in "TH")
    return TrickTakingGame.of_cards(
        name, 2, names, SMALL_HAND,
        players=players, party=party, threshold=threshold, rules=Rules("C"), class_counts=counts,
    )  # fmt: skip


DECK_OF_NINE = ("CJ", "SJ", "HJ", "S7", "HA", "H10", "HQ", "H8", "H7")
HAND_OF_NINE = ("H10", "HQ", "H7")
Lead = Literal["HQ", "H10", "H7", "paper"]


@game("skat-9")
def skat_9(word: Lead = "HQ") -> TrickTakingGame:
    """Return the end of a spades game, seen by the seat that leads to it.

    You hold H10 HQ H7 and lead, then your partner plays, then the declarer. Each of these two
    is known to hold two trumps and one heart. Your party has 48 points and needs 60.

    Args:
        word: the card you lead: `skat-9:H10`, `skat-9:HQ` (the default) or `skat-9:H7`; or
            `skat-9:paper` for the same cards in paper rules, nothing known, scored for the
            third seat.

    Raises:
        GameError: if you do not hold it.
    """
    if word == "paper":
        return TrickTakingGame.of_cards("skat-9:paper", 3, DECK_OF_NINE, party=(2,), threshold=16)
    if word not in HAND_OF_NINE:
        raise GameError(f"skat-9:{word}: you hold {', '.join(HAND_OF_NINE)}; lead one of them")
    return TrickTakingGame.of_cards(
        "skat-9" if word == "HQ" else f"skat-9:{word}",
        3,
        DECK_OF_NINE,
        HAND_OF_NINE,
        party=(0, 1),
        threshold=60,
        base_points=48,
        rules=Rules("S"),
        first_card=DECK_OF_NINE.index(word),
        class_counts=((1, "T", 2), (1, "H", 1), (2, "T", 2), (2, "H", 1)),
    )


HAND = "CJ HJ CA C10 CQ C8 SA S10 HA D7"
Word = Literal["C", "S", "H", "D", "grand", "null", "paper", "known"]
WORDS = get_args(Word)


@game("skat-32")
def skat_32(*words: Word) -> TrickTakingGame:
    """Return a hand game: seat 0 declares, leads, and leaves the skat where it is.

    Its points count for the declarer all the same, who needs 61 of 120.

    Args:
        words: at most one of `C` (clubs are trump, the default), `S`, `H`, `D`, `grand`, `null`
            and `paper` (the papers' rules, jacks and clubs strongest), and `known` if the
            declarer's hand is known to be CJ HJ CA C10 CQ C8 SA S10 HA D7. As a spec:
            `skat-32`, `skat-32:known`, `skat-32:grand:known`.

    Raises:
        GameError: if a word is unknown or there is one too many.
    """
    spec = ":".join(("skat-32", *words))
    for word in words:
        if word not in WORDS:
            raise GameError(f"{spec}: unknown word '{word}'; known: {', '.join(WORDS)}")
    modes = [word for word in words if word != "known"]
    if len(modes) > 1 or words.count("known") > 1:
        raise GameError(f"{spec}: give at most one of {', '.join(WORDS[:-1])}, and 'known' once")
    mode = modes[0] if modes else "C"
    rules = PAPER if mode == "paper" else Rules(mode)
    held = HAND.split() if "known" in words else []
    return TrickTakingGame.of_cards(
        spec, 10, _deck(), held, threshold=0 if mode == NULL else 61, rules=rules, skat_to=0
    )


def _deck() -> tuple[Card, ...]:
    """Return jacks, clubs, and then the other suits rank by rank: in paper rules, by strength."""
    jacks = [Card(suit, "J") for suit in SUITS]
    ranks = [rank for rank in RANKS if rank != "J"]
    clubs = [Card("C", rank) for rank in ranks]
    return (*jacks, *clubs, *(Card(suit, rank) for rank in ranks for suit in SUITS[1:]))
