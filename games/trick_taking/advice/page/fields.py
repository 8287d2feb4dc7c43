"""Fields of the form, and the faces of Skat's cards; it needs no search."""

from games.advising import Face, Field
from games.trick_taking.rules.rules import POINTS, SUITS, Card
from games.trick_taking.skat.values import NAMES

SHAPES = {"C": "club", "S": "spade", "H": "heart", "D": "diamond"}
RANK_WORDS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
ORDER = ("J", *(rank for rank in POINTS if rank != "J"))
"""Ranks as a hand is held: jacks first."""

YOU, NEXT, BEFORE = "you", "after", "before"
EXAMPLES = {
    "skat-9": "nine cards of three players, you hold H10, HQ and H7",
    "skat-6": "six cards of three players",
    "skat-5": "five cards of two players",
}
NAMES_HINT = "Names such as CJ, S10 or ♥A, with spaces between them, in English or German."


def face_of(card: Card) -> Face:
    """Return the face of a card."""
    text = f"{RANK_WORDS.get(card.rank, card.rank)} of {NAMES[card.suit]}"
    return Face(str(card), card.rank, SHAPES[card.suit], text)


FIELDS = (
    Field("hand", "Your hand", faces=[face_of(Card(s, r)) for s in SUITS for r in ORDER],
          hint="Ten cards; one less for each trick that was played."),
    Field("contract", "Contract", NAMES),
    Field("declarer", "The declarer",
          {YOU: "you", NEXT: "the player after you", BEFORE: "the player before you"}),
    Field("table", "On the table", hint=f"In the order they were played; nothing if you lead. "
          f"{NAMES_HINT}"),
    Field("hand_game", "The skat", {"": "was picked up", "yes": "was left (hand game)"}),
    Field("skat", "In the skat", hint="If you picked it up, the two cards that you discarded."),
    Field("won", "Earlier tricks of the declarer", hint="All their cards, in any order.",
          rare=True),
    Field("lost", "Earlier tricks of the two others", hint="All their cards, in any order.",
          rare=True),
    Field("bid", "Bid", hint="18 if nothing is written.", rare=True),
    Field("matadors", "Matadors", hint="2 for with two, −2 for without two; after earlier tricks "
          "they are needed for the value of the game.", rare=True),
)  # fmt: skip
