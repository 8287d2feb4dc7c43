"""The leanest encoding of games of up to nine cards, in three ways, by what a game needs."""

from games.trick_taking.encodings.lean.encoding import LeanEncoding

__all__ = ["LeanEncoding"]
