"""The bidding: middlehand to forehand, then rearhand to who is left, then forehand alone."""

from games.trick_taking.skat.records.tokens import Tokens
from games.trick_taking.skat.values import BIDS

PASS, HOLD = "p", "y"
LONGEST = 3
"""Digits of a bid."""


def read_auction(tokens: Tokens) -> tuple[int, int | None]:
    """Return the highest bid that was made or held, and who plays; (0, None) if all have passed.

    Raises:
        RecordError: naming the token, if somebody speaks out of turn or says what cannot be said.
    """
    bid, left = 0, 0
    for speaker in (1, 2):
        bid, left = _duel(tokens, speaker, left, bid)
    if bid:
        return bid, left
    said = _said(tokens, 0)
    return (0, None) if said == PASS else (_higher(tokens, said, 0), 0)


def _duel(tokens: Tokens, speaker: int, hearer: int, bid: int) -> tuple[int, int]:
    """Return the bid and who is left after `speaker` has bid to `hearer`."""
    while (said := _said(tokens, speaker)) != PASS:
        bid = _higher(tokens, said, bid)
        answer = _said(tokens, hearer)
        if answer == PASS:
            return bid, speaker
        if answer != HOLD:
            tokens.refuse(f"{HOLD} or {PASS}")
    return bid, hearer


def _said(tokens: Tokens, seat: int) -> str:
    if tokens.seat() != seat:
        tokens.refuse(f"seat {seat}, whose turn it is to bid")
    return tokens.take("a bid, y or p")


def _higher(tokens: Tokens, said: str, bid: int) -> int:
    number = int(said) if said.isascii() and said.isdigit() and len(said) <= LONGEST else 0
    if number not in BIDS or number <= bid:
        tokens.refuse(f"a bid above {bid} that is the value of a game, or p")
    return number
