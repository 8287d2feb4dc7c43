"""Where the mark is after each part of a card play."""

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from compiler.verification.simulation.sparse import SparseState, simulate_in_steps
from tools.card_play.parts import amplified_parts, as_fraction, joined

CARDS = 9
HELD = (1, 4, 6)
"""The hand whose play is followed."""


@frozen
class Stage:
    """Where the mark is after a part of the play.

    Args:
        name: the part.
        places: probability of every table qubit, and at last of the start.
        flipped: places whose sign is not what it was after the first stage, as long as that
            is the only difference.
    """

    name: str
    places: tuple[Fraction, ...]
    flipped: tuple[int, ...] = ()


def stages() -> list[Stage]:
    """Follow the mark through the play of one of the three cards `HELD` among nine."""
    spread, mark, unspread, reflect, again, rest = amplified_parts(CARDS, len(HELD))
    dealt = spread.gates.copy_empty_like()
    dealt.x(list(HELD))
    dealt.compose(spread.gates, inplace=True)
    back, forth = joined([unspread, reflect]), joined([again, rest])
    amplitudes = [
        _amplitudes(state, range(CARDS, 2 * CARDS + 1))
        for state in simulate_in_steps([dealt, mark.gates, back, forth])
    ]
    names = ("spread", "marked", "un-spread, reflected", "spread again")
    return [
        Stage(name, tuple(as_fraction(abs(a) ** 2) for a in now), _flipped(amplitudes[0], now))
        for name, now in zip(names, amplitudes, strict=True)
    ]


def _amplitudes(state: SparseState, places: Sequence[int]) -> list[complex]:
    """Return the amplitude of the mark at each place, where it is at one of them."""
    return [complex(state.amplitudes[state.bits[:, place]].sum()) for place in places]


def _flipped(before: Sequence[complex], now: Sequence[complex]) -> tuple[int, ...]:
    """Return the places whose sign has changed against that of the last, if only signs have."""
    if any(abs(abs(a) - abs(b)) > 1e-9 for a, b in zip(before, now, strict=True)):
        return ()
    against = now[-1] / before[-1]
    return tuple(
        place
        for place, (a, b) in enumerate(zip(before, now, strict=True))
        if abs(a) > 1e-9 and (b / a / against).real < 0
    )
