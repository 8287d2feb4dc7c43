"""What can go wrong with a match between people."""

from compiler.errors import StichwerkError


class UnknownMatchError(StichwerkError):
    """There is no such match, or the secret is none of its seats': these look the same."""


class MoveConflictError(StichwerkError):
    """A move comes too late, too early, or is another than the one that was made."""


class NoRoomError(StichwerkError):
    """There are too many matches to start another, or too many people move in one at once."""
