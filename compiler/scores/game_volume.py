"""Game volume: the largest game that a machine plays better than a threshold."""

from collections.abc import Iterable

THRESHOLDS = (0.1, 0.5)
"""Of normalised fidelities, in which uniform noise on a register that holds the outcome is 0."""


def game_volume(plays: Iterable[tuple[int, float]]) -> dict[float, int]:
    """Return the cards of the largest game by the threshold that it reaches, 0 for none.

    Args:
        plays: cards of a game, and the normalised fidelity with which it was played.
    """
    volume = dict.fromkeys(THRESHOLDS, 0)
    for cards, fidelity in plays:
        for threshold in THRESHOLDS:
            if fidelity >= threshold:
                volume[threshold] = max(volume[threshold], cards)
    return volume
