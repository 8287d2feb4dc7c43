"""Where cards lie."""

from enum import IntEnum


class Place(IntEnum):
    """Where a card lies; the value's bit 0 is the table qubit, bit 1 the stack qubit."""

    HAND = 0b00
    TABLE = 0b01
    STACK = 0b11

    __hash__ = int.__hash__  # an enum hashes its name, slowly; positions are hashed in millions


Position = tuple[tuple[int, Place], ...]
"""Owner and place of every card, in the order of the deck."""
