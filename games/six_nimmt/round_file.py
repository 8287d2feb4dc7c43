"""A round written as the TOML that `games.six_nimmt.toml` reads."""

from collections.abc import Sequence
from fractions import Fraction

from games.six_nimmt.game import SixNimmtRound
from games.six_nimmt.rules.cards import HAND, ROWS


def round_as_toml(game: SixNimmtRound) -> str:
    """Return a round's file: all cards as they were dealt, choices, rows, points and rules."""
    hands = [game.deck[seat * HAND : (seat + 1) * HAND] for seat in range(game.players)]
    dealt = game.players * HAND
    parts = [*hands, game.deck[dealt : dealt + ROWS], game.deck[dealt + ROWS :]]
    turns = [", ".join(f'"{choice}"' for choice in choices) for choices in game.turns]
    options = [f'{name} = "{value}"' for name, value in game.options.changed().items()]
    lines = [
        'game = "six-nimmt"',
        f"players = {game.players}",
        "deck = [                                 # the hands by seat, the four rows, the rest",
        *(f"    {', '.join(map(str, part))}," for part in parts),
        "]",
        "turns = [                                # everybody's card and operation, by seat",
        *(f"    [{turn}]," for turn in turns),
        "]",
        f"prompts = [{', '.join(map(str, game.prompts))}]",
        f"points = [{_numbers(game.start)}]",
        *["", "[options]", *options] * bool(options),
    ]
    return "\n".join(lines) + "\n"


def _numbers(points: Sequence[Fraction]) -> str:
    return ", ".join(str(one) if one.denominator == 1 else f'"{one}"' for one in points)
