"""Two sequences of Pauli rotations, matched from their beginnings on.

The first rotation of one, and all that can be moved beside it there and in the other because it
commutes with what lies between, must be equal up to a Clifford operation, which moves behind what
is left. Where one axis does not do, as after Euler angles or a two-qubit block were synthesised
anew, axes are added: the rotations about all products of up to `MOST_AXES` are compared as one
small matrix. Every step replaces equals by equals, so that a match is a proof.
"""

from collections.abc import Iterator, Sequence
from math import pi

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray

from compiler.circuits.tolerances import SAME_ROTATIONS
from compiler.verification.rotations.pauli_rotations import Pauli, Rotations
from compiler.verification.rotations.small_algebras import Algebra

MOST_AXES = 4
LEADS = 4
"""Rotations of each circuit that are tried, where the first ones find no counterpart."""

FUTILE = 400
"""Tries without success after which no match is looked for any more: each takes milliseconds."""

WINDOW = 2048
"""Rotations that are looked through for those that belong together."""

Bits = NDArray[np.uint64]


@define
class _Sequence:
    """Rotations that are left, and the Clifford operation behind them.

    Args:
        bits: a row for each rotation, then for C† X C and for C† Z C of every wire; x, then z.
        powers: of i, in i^power X^x Z^z.
        angles: in radians.
        alive: rotations that are left.
        head: the first of them.
        words: of x, and of z.
    """

    bits: Bits
    powers: NDArray[np.int64]
    angles: NDArray[np.float64]
    alive: NDArray[np.bool_]
    words: int
    head: int = 0

    @classmethod
    def of(cls, rotations: Rotations, qubits: int) -> "_Sequence":
        words = qubits // 64 + 1
        paulis = [*rotations.axes, *rotations.xs, *rotations.zs]
        data = b"".join(
            p.x.to_bytes(8 * words, "little") + p.z.to_bytes(8 * words, "little") for p in paulis
        )
        bits = np.frombuffer(data, dtype="<u8").reshape(len(paulis), 2 * words).copy()
        powers = np.array([p.power for p in paulis], dtype=np.int64)
        angles = np.array(rotations.angles)
        return cls(bits, powers, angles, np.ones(len(angles), dtype=bool), words)

    def window(self) -> NDArray[np.intp]:
        """Return the places of the first rotations that are left."""
        alive = self.alive
        while self.head < len(alive) and not alive[self.head]:
            self.head += 1
        return self.head + np.flatnonzero(alive[self.head : self.head + WINDOW])

    def anticommuting(self, places: NDArray[np.intp] | slice, axis: Bits) -> NDArray[np.bool_]:
        """Return which rows anticommute with an axis."""
        swapped = np.roll(axis, self.words)
        return np.bitwise_count(self.bits[places] & swapped).sum(axis=1) % 2 == 1

    def turn(self, axis: Bits, power: int, sign: int) -> None:
        """Take R_P(±π/2) before all that is left behind it: Q becomes ∓iQP where they differ."""
        rows = slice(self.head, None)
        hit = self.head + np.flatnonzero(self.anticommuting(rows, axis))
        crossed = np.bitwise_count(self.bits[hit, self.words :] & axis[: self.words]).sum(axis=1)
        self.powers[hit] = (self.powers[hit] + power + 2 * crossed - sign) % 4
        self.bits[hit] ^= axis

    def signs(self, places: Sequence[int], power: int) -> list[int]:
        """Return by which signs rows differ from a Pauli on the same qubits."""
        return [1 if (self.powers[place] - power) % 4 == 0 else -1 for place in places]

    def ends(self) -> Iterator[Pauli]:
        """Yield C† X C of every wire, then C† Z C."""
        size = 8 * self.words
        for row, power in zip(
            self.bits[len(self.angles) :], self.powers[len(self.angles) :], strict=True
        ):
            data = row.tobytes()
            x, z = (int.from_bytes(part, "little") for part in (data[:size], data[size:]))
            yield Pauli(x, z, int(power))


@frozen(eq=False)
class Match:
    """What was matched.

    Args:
        left: rotations of both that found no counterpart.
        comparisons: that were made.
        error: their deviations, summed, in the operator norm.
        ends: of both, C† X C and then C† Z C of every wire.
    """

    left: int
    comparisons: int
    error: float
    ends: tuple[tuple[Pauli, ...], tuple[Pauli, ...]]


def matched(first: Rotations, second: Rotations, qubits: int) -> Match:
    """Match the rotations of two circuits on the same qubits, as far as that goes."""
    pair = (_Sequence.of(first, qubits), _Sequence.of(second, qubits))
    error, comparisons = (first.dropped + second.dropped) / 2, 0
    futile = 0
    while futile < FUTILE:
        windows = (pair[0].window(), pair[1].window())
        found = None
        for lead in _leads(windows):
            found = _step(pair, windows, lead)
            if found is not None:
                break
            futile += 1
        if found is None:
            break
        error += found
        comparisons += 1
    left = sum(int(one.alive.sum()) for one in pair)
    return Match(left, comparisons, error, (tuple(pair[0].ends()), tuple(pair[1].ends())))


Pair = tuple[_Sequence, _Sequence]
Windows = tuple[NDArray[np.intp], NDArray[np.intp]]


def _leads(windows: Windows) -> Iterator[tuple[int, int]]:
    """Yield which rotations are tried first, as a sequence's number and a row."""
    for number in range(LEADS):
        for side in (0, 1):
            if number < len(windows[side]):
                yield side, int(windows[side][number])


def _step(pair: Pair, windows: Windows, lead: tuple[int, int]) -> float | None:
    """Match one of the first rotations; return what it is off, or None."""
    side, place = lead
    if pair[side].anticommuting(windows[side][windows[side] < place], pair[side].bits[place]).any():
        return None
    axis, power = pair[side].bits[place].copy(), int(pair[side].powers[place])
    total = 0.0
    members = []
    for side in (0, 1):
        one, window = pair[side], windows[side]
        same = (one.bits[window] == axis).all(axis=1)
        blocked = np.flatnonzero(one.anticommuting(window, axis))
        reach = window[: blocked[0]][same[: blocked[0]]] if len(blocked) else window[same]
        signed = np.array(one.signs(reach.tolist(), power)) * one.angles[reach]
        total += (1 - 2 * side) * float(signed.sum())
        members.append(reach)
    quarters = round(total / (pi / 2))
    off = abs(total - quarters * pi / 2) / 2
    if off <= SAME_ROTATIONS:
        for side in (0, 1):
            pair[side].alive[members[side]] = False
        for _ in range(quarters % 4):
            pair[0].turn(axis, power, 1)
        return off
    for order in ((1, 0), (0, 1)):
        found = _block(pair, windows, (axis, power), order)
        if found is not None:
            return found
    return None


def _block(
    pair: Pair, windows: Windows, start: tuple[Bits, int], order: tuple[int, int]
) -> float | None:
    """Match rotations about products of a few axes, the first of which is given."""
    axes, powers = [start[0]], [start[1]]
    while len(axes) < MOST_AXES:
        added = _next_axis(pair, windows, axes, order if len(axes) % 2 else order[::-1])
        if added is None:
            return None
        side, place = added
        axes.append(pair[side].bits[place].copy())
        powers.append(int(pair[side].powers[place]))
        found = _compare(pair, windows, axes, powers)
        if found is not None:
            return found
    return None


def _products(axes: Sequence[Bits]) -> Bits:
    """Return the bits of all products, bit i of the index for axis i."""
    found = np.zeros((1, len(axes[0])), dtype=np.uint64)
    for axis in axes:
        found = np.concatenate([found, found ^ axis])
    return found


def _next_axis(
    pair: Pair, windows: Windows, axes: Sequence[Bits], order: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the first rotation that anticommutes with an axis, and is no product of them."""
    products = _products(axes)
    for side in order:
        one, window = pair[side], windows[side]
        touching = np.zeros(len(window), dtype=bool)
        for axis in axes:
            touching |= one.anticommuting(window, axis)
        for at in np.flatnonzero(touching)[:64]:
            place = int(window[at])
            if not (products == one.bits[place]).all(axis=1).any():
                return side, place
    return None


def _compare(
    pair: Pair, windows: Windows, axes: Sequence[Bits], powers: Sequence[int]
) -> float | None:
    """Compare all beginnings of what can be moved to the front; match the shortest equal ones."""
    words = pair[0].words
    crossed = np.array(
        [[np.bitwise_count(a & np.roll(b, words)).sum() % 2 == 1 for b in axes] for a in axes]
    )
    algebra = Algebra.of(crossed)
    paulis = _paulis(axes, powers, words, algebra)
    products = _products(axes)
    places, prefixes = [], []
    for side in (0, 1):
        found, elements = _movable(pair[side], windows[side], products)
        rotations = [
            (e, s * float(pair[side].angles[p]))
            for p, e in zip(found, elements, strict=True)
            for s in pair[side].signs([p], paulis[e][1])
        ]
        places.append(found)
        prefixes.append(algebra.prefixes(rotations))
    size = len(prefixes[0][0])
    differences = np.einsum("aij,bkj->abik", prefixes[0], prefixes[1].conj())
    weights = np.abs(np.einsum("gij,abji->abg", algebra.elements, differences)) / size
    # All weights of a Clifford operation are equal or 0, so that Σ w⁴ is one of 1, 1/2, 1/4, ….
    fourth = -np.log2(np.maximum((weights**4).sum(axis=2), 1e-9))
    likely = np.abs(fourth - fourth.round()) < 1e-5
    for a, b in sorted(np.argwhere(likely).tolist(), key=sum):
        if a + b == 0:
            continue
        turns = algebra.quarter_turns(differences[a, b], SAME_ROTATIONS)
        if turns is None:
            continue
        pair[0].alive[places[0][:a]] = False
        pair[1].alive[places[1][:b]] = False
        for turn in reversed(turns[0]):
            element, sign = (turn, 1) if turn >= 0 else (-1 - turn, -1)
            pair[0].turn(products[element], paulis[element][1], sign)
        return turns[1]
    return None


def _movable(
    one: _Sequence, window: NDArray[np.intp], products: Bits
) -> tuple[list[int], list[int]]:
    """Return rotations about products that commute with all others before them, and which."""
    equal = (one.bits[window][:, None, :] == products[None, :, :]).all(axis=2)
    inside = equal.any(axis=1)
    found, elements = [], []
    staying = ~inside
    for at in np.flatnonzero(inside).tolist():
        before = window[:at][staying[:at]]
        if len(before) and one.anticommuting(before, one.bits[window[at]]).any():
            staying[at] = True
            continue
        found.append(int(window[at]))
        elements.append(int(np.argmax(equal[at])))
        if len(found) == 24:
            break
    return found, elements


def _paulis(
    axes: Sequence[Bits], powers: Sequence[int], words: int, algebra: Algebra
) -> list[tuple[Bits, int]]:
    """Return bits and power of i of every element of an algebra, as Paulis."""
    found = []
    for mask in range(1 << len(axes)):
        bits, power = np.zeros(2 * words, dtype=np.uint64), algebra.powers[mask]
        for i, axis in enumerate(axes):
            if mask >> i & 1:
                power += powers[i] + 2 * int(np.bitwise_count(bits[words:] & axis[:words]).sum())
                bits = bits ^ axis
        found.append((bits, power % 4))
    return found
