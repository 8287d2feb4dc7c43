"""Play: matches, moves, bots, and the view of each seat."""

from play.match import Match
from play.playable import Bot, Playable, match_from_record, playables
from play.view import View

__all__ = ["Bot", "Match", "Playable", "View", "match_from_record", "playables"]
