"""Exact amplitudes: whole numbers with a root of unity, over a power of √d."""

from cmath import exp, pi
from fractions import Fraction
from math import sqrt

from attrs import frozen

DIMENSIONS = (2, 3)
"""Levels that a qudit may have."""

Pair = tuple[int, int]

_ROOTS = {2: 1j, 3: exp(2j * pi / 3)}
_UNITS: dict[int, dict[Pair, str]] = {
    2: {(1, 0): "1", (-1, 0): "-1", (0, 1): "i", (0, -1): "-i"},
    3: {
        (1, 0): "1",
        (0, 1): "ω",
        (-1, -1): "ω⁻¹",
        (-1, 0): "-1",
        (0, -1): "-ω",
        (1, 1): "-ω⁻¹",
    },
}


@frozen
class Amplitude:
    """(whole + turned·ζ) / √d^power, where ζ is i for d = 2 and ω = e^{2πi/3} for d = 3.

    All gates of the game have such entries, and so have all states that are reached with them.

    Args:
        dimension: d, 2 or 3.
        whole: an integer.
        turned: the integer before ζ.
        power: exponent of the divisor √d.
    """

    dimension: int
    whole: int
    turned: int = 0
    power: int = 0

    @property
    def weight(self) -> Fraction:
        """The square of the absolute value."""
        mixed = self.whole * self.turned if self.dimension == 3 else 0
        norm = self.whole * self.whole + self.turned * self.turned - mixed
        return Fraction(norm, self.dimension**self.power)

    def __complex__(self) -> complex:
        number = self.whole + self.turned * _ROOTS[self.dimension]
        return number / sqrt(self.dimension) ** self.power

    def __str__(self) -> str:
        """Return the amplitude as text, such as `ω⁻¹/√3`, `i/2` or `(1+i)/2`."""
        if not self.whole and not self.turned:
            return "0"
        number, power, imaginary = (self.whole, self.turned), self.power, False
        while self.dimension == 3 and (smaller := _divided(number)) is not None:
            # 1+2ω = i√3
            number, power = smaller, power - 1
            if imaginary:
                number = (-number[0], -number[1])
            imaginary = not imaginary
        while self.dimension == 2 and not any(part % 2 for part in number):
            number, power = (number[0] // 2, number[1] // 2), power - 2
        return _text(number, "i" * imaginary, self.dimension, power)


def _divided(number: Pair) -> Pair | None:
    """Return a + bω over 1 + 2ω, None if that is not whole."""
    a, b = number
    # 1/(1+2ω) = −(1+2ω)/3, and (a+bω)(1+2ω) = a − 2b + (2a − b)ω.
    whole, turned = 2 * b - a, b - 2 * a
    return None if whole % 3 or turned % 3 else (whole // 3, turned // 3)


def _text(number: Pair, unit: str, dimension: int, power: int) -> str:
    written = _UNITS[dimension].get(number)
    if written is None:
        a, b = number
        times = {1: "", -1: "-"}.get(b, str(b))
        symbol = "i" if dimension == 2 else "ω"
        sign = "+" if b > 0 and a else ""
        sum_ = f"{a or ''}{sign}{f'{times}{symbol}' if b else ''}"
        written = f"({sum_})" if a and b else sum_
    if unit:
        sign, digits = ("-", written[1:]) if written.startswith("-") else ("", written)
        written = sign + unit + ("" if digits == "1" else f"·{digits}")
    if power <= 0:
        factor = _root(dimension, -power)
        return written if factor == "1" else f"{factor}·{written}"
    return f"{written}/{_root(dimension, power)}"


def _root(dimension: int, power: int) -> str:
    """Return √d^power as text."""
    integer, odd = dimension ** (power // 2), power % 2
    if not odd:
        return str(integer)
    return f"√{dimension}" if integer == 1 else f"{integer}√{dimension}"
