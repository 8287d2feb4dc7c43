"""Two sequences of Pauli rotations, matched from their beginnings on.

The first rotation of one, and all that can be moved beside it there and in the other because it
commutes with the rotations between, must be equal up to a Clifford operation that moves behind
all others. Where one axis does not do, as after Euler angles or a two-qubit block were synthesised
anew, axes are added: the rotations about all products of up to `MAX_AXES` are compared as one
small matrix. Every step replaces equals by equals, so that a match is a proof.

Products of few Pauli rotations as small matrices, on any number of qubits.

r independent Paulis generate an algebra that depends on nothing but which of them anticommute.
It is that of r qubits' operators g_i = X_i ∏ Z_j over those j < i that anticommute with g_i, a
faithful copy: products that are equal here are equal there, and norms are the same.

Circuits as Pauli rotations before one Clifford operation.

A gate is a product of Clifford gates and rotations about Z, and a rotation moves before all
Clifford gates C: R_Z(θ) C = C R_P(θ), where P = C† Z C and R_P(θ) = exp(-iθP/2). The result,

    U = C · R_{P_m}(θ_m) ⋯ R_{P_1}(θ_1),

takes n bits twice for each rotation, and C the Paulis C† X C and C† Z C for every qubit.
References: Litinski, arXiv:1808.02892; Aaronson and Gottesman, arXiv:quant-ph/0406196.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isfinite, pi

import numpy as np
from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.gate_basis import in_basis
from compiler.circuits.matrices import IDENTITY, PAULIS, Bits, Matrix, Numbers, Reals, Words
from compiler.circuits.tolerances import CLIFFORD_WEIGHTS, ROUNDING, SAME, SAME_ROTATIONS
from compiler.errors import VerificationError
from compiler.formats.plain_gates import plain

X, _, Z = PAULIS


@frozen(eq=False)
class Algebra:
    """Hermitian products of generators.

    Args:
        elements: 2^r matrices; bit i of the index says whether generator i is a factor, and the
            product, in order, is times i where it would not be Hermitian.
        powers: of the i by which each product was multiplied.
    """

    elements: Matrix
    powers: tuple[int, ...]

    @classmethod
    def of(cls, anticommute: Bits) -> "Algebra":
        """Return the algebra of generators of which some pairs anticommute."""
        r = len(anticommute)
        generators = []
        for i in range(r):
            matrix = np.eye(1, dtype=complex)
            for j in range(r):
                factor = X if j == i else Z if j < i and anticommute[i, j] else IDENTITY
                matrix = np.kron(matrix, factor)
            generators.append(matrix)
        elements, powers = [], []
        for mask in range(1 << r):
            inside = [i for i in range(r) if mask >> i & 1]
            product = np.eye(1 << r, dtype=complex)
            for i in inside:
                product = product @ generators[i]
            flips = sum(bool(anticommute[i, j]) for i, j in combinations(inside, 2)) % 2
            elements.append(1j**flips * product)
            powers.append(flips)
        return cls(np.array(elements), tuple(powers))

    def rotation(self, element: int, angle: float) -> Matrix:
        """Return exp(-iθg/2) of an element."""
        identity = self.elements[0]
        return np.cos(angle / 2) * identity - 1j * np.sin(angle / 2) * self.elements[element]

    def prefixes(self, rotations: Sequence[tuple[int, float]]) -> Matrix:
        """Return the products of the first k rotations, for every k from 0 on."""
        products = [self.elements[0]]
        for element, angle in rotations:
            products.append(self.rotation(element, angle) @ products[-1])
        return np.array(products)

    def quarter_turns(self, matrix: Matrix, tolerance: float) -> tuple[list[int], float] | None:
        """Return quarter turns whose product a matrix is, up to a phase.

        Returns:
            Elements g_1 … g_k, of which the matrix is R_{g_k}(π/2) ⋯ R_{g_1}(π/2), where -1 - g
            stands for an angle of -π/2; and the distance that is left. None if that is above the
            tolerance.
        """
        turns: list[int] = []
        size = len(self.elements[0])
        remaining = matrix
        while True:
            weights = np.abs(np.einsum("gij,ji->g", self.elements, remaining)) / size
            support = [int(g) for g in np.flatnonzero(weights > 0.01)]
            if len(support) > 1 and np.ptp(weights[support]) > 10 * tolerance:
                return None
            if len(support) == 1:
                break
            for other in support[1:]:
                between = support[0] ^ other
                options = [
                    (sign, self.rotation(between, -sign * np.pi / 2) @ remaining)
                    for sign in (1, -1)
                ]
                counts = [
                    int(
                        (np.abs(np.einsum("gij,ji->g", self.elements, product)) > 0.01 * size).sum()
                    )
                    for _, product in options
                ]
                best = int(np.argmin(counts))
                if counts[best] < len(support):
                    turns.append(between if options[best][0] > 0 else -1 - between)
                    remaining = options[best][1]
                    break
            else:
                return None
        if support[0]:
            remaining = self.rotation(support[0], -np.pi) @ remaining
            turns += [support[0], support[0]]
        phase = np.trace(remaining)
        if abs(phase) < size / 2:
            return None
        left = float(np.linalg.norm(remaining - phase / abs(phase) * self.elements[0], 2))
        return (turns[::-1], left) if left <= tolerance else None


CLIFFORD = ["x", "y", "z", "h", "s", "sdg", "sx", "sxdg"]
TURNS = ["rz", "p", "rx", "ry", "u"]
BASIS = ["cx", "cz", "swap", "id", *CLIFFORD, *TURNS]

_euler = OneQubitEulerDecomposer("ZYZ")


@frozen
class Pauli:
    """i^power · X^x · Z^z, bit q of x and z for qubit q."""

    x: int
    z: int
    power: int

    def __mul__(self, other: "Pauli") -> "Pauli":
        power = self.power + other.power + 2 * (self.z & other.x).bit_count()
        return Pauli(self.x ^ other.x, self.z ^ other.z, power % 4)

    def times_i(self, power: int) -> "Pauli":
        """Return i^power times this."""
        return Pauli(self.x, self.z, (self.power + power) % 4)

    def on_zero(self, zeros: int) -> "Pauli":
        """Return the remainder where a Z on some qubits is 1, if this commutes with it."""
        return Pauli(self.x, self.z & ~(zeros & ~self.x), self.power)


@define
class Rotations:
    """A circuit as rotations before a Clifford operation.

    Args:
        axes: P₁ … P_m.
        angles: θ₁ … θ_m in radians, each in [-π/4, π/4) up to rounding.
        xs: for each wire C† X C.
        zs: for each wire C† Z C.
        dropped: sum of the angles that were neglected.
    """

    xs: list[Pauli]
    zs: list[Pauli]
    axes: list[Pauli] = field(factory=list)
    angles: list[float] = field(factory=list)
    dropped: float = 0.0

    @classmethod
    def of(cls, circuit: QuantumCircuit, zeros: int = 0) -> "Rotations":
        """Return a circuit's rotations.

        Args:
            circuit: unitary gates and barriers.
            zeros: bits of the qubits that start in |0⟩; a Z on one of them is 1 until a rotation
                moves it.

        Raises:
            VerificationError: if an angle is no finite number.
        """
        qubits = range(circuit.num_qubits)
        rotations = cls(
            [Pauli(1 << q, 0, 0) for q in qubits], [Pauli(0, 1 << q, 0) for q in qubits]
        )
        # Qiskit goes by names.
        narrow = in_basis(plain(circuit), BASIS)
        index = {qubit: place for place, qubit in enumerate(narrow.qubits)}
        for item in narrow.data:
            if item.name not in ("barrier", "id"):
                zeros &= ~rotations._play(item, [index[qubit] for qubit in item.qubits], zeros)
        return rotations

    def _play(self, item: CircuitInstruction, qubits: Sequence[int], zeros: int) -> int:
        """Append a gate; return the qubits that no longer are in |0⟩."""
        name, first, last = item.name, qubits[0], qubits[-1]
        xs, zs = self.xs, self.zs
        match name:
            case "cx":
                xs[first], zs[last] = xs[first] * xs[last], zs[first] * zs[last]
            case "cz":
                xs[first], xs[last] = xs[first] * zs[last], xs[last] * zs[first]
            case "swap":
                xs[first], xs[last] = xs[last], xs[first]
                zs[first], zs[last] = zs[last], zs[first]
            case "h":
                self._hadamard(first)
            case "x" | "y" | "z" | "s" | "sdg" | "sx" | "sxdg":
                self._clifford(name, first)
            case "rz" | "p":
                return self._turn(first, float(item.params[0]), zeros)
            case _:
                theta, phi, lam, _ = _euler.angles_and_phase(item.operation.to_matrix())
                moved = self._turn(first, lam, zeros)
                # SX† · Z · SX = Y.
                self._clifford("sx", first)
                moved |= self._turn(first, theta, zeros & ~moved)
                self._clifford("sxdg", first)
                return moved | self._turn(first, phi, zeros & ~moved)
        return 0

    def _hadamard(self, qubit: int) -> None:
        self.xs[qubit], self.zs[qubit] = self.zs[qubit], self.xs[qubit]

    def _clifford(self, name: str, qubit: int) -> None:
        quarters = {"s": 1, "z": 2, "sdg": 3, "sx": 1, "x": 2, "sxdg": 3, "y": 2}[name]
        if name in ("s", "z", "sdg", "y"):
            self._quarters(qubit, quarters)
        if name in ("sx", "x", "sxdg", "y"):
            self._hadamard(qubit)
            self._quarters(qubit, quarters)
            self._hadamard(qubit)

    def _quarters(self, qubit: int, times: int) -> None:
        """Append S some times: S† X S = -Y = -iXZ."""
        for _ in range(times % 4):
            self.xs[qubit] = (self.xs[qubit] * self.zs[qubit]).times_i(3)

    def _turn(self, qubit: int, angle: float, zeros: int) -> int:
        if not isfinite(angle):
            raise VerificationError(f"a gate turns by {angle}")
        # π/4 is far commoner than its neighbours, and rounding must not split it.
        quarters = int((angle + pi / 4 + SAME) // (pi / 2))
        angle -= quarters * pi / 2
        axis = self.zs[qubit].on_zero(zeros)
        if abs(angle) <= ROUNDING:
            self.dropped += abs(angle)
        elif axis.x or axis.z:
            self.axes.append(axis)
            self.angles.append(angle)
        self._quarters(qubit, quarters)
        return axis.x & zeros


MAX_AXES = 4
LEADS = 4
"""Rotations of each circuit that are tried, where the first ones find no counterpart."""

FUTILE = 400
"""Tries without success after which no match is looked for any more: each takes milliseconds."""

WINDOW = 2048
"""Rotations that are looked through for those that belong together."""


REACH = 4 * WINDOW
"""Rotations past which one is added to another about the same axis, before they are matched."""


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

    bits: Words
    powers: Numbers
    angles: Reals
    alive: Bits
    words: int
    head: int = 0

    @classmethod
    def of(cls, rotations: Rotations, qubits: int) -> "_Sequence":
        word_count = qubits // 64 + 1
        paulis = [*rotations.axes, *rotations.xs, *rotations.zs]
        data = b"".join(
            p.x.to_bytes(8 * word_count, "little") + p.z.to_bytes(8 * word_count, "little")
            for p in paulis
        )
        bits = np.frombuffer(data, dtype="<u8").reshape(len(paulis), 2 * word_count).copy()
        powers = np.array([p.power for p in paulis], dtype=np.int64)
        angles = np.array(rotations.angles)
        sequence = cls(bits, powers, angles, np.ones(len(angles), dtype=bool), word_count)
        sequence._add_equal()
        return sequence

    def _add_equal(self) -> None:
        """Add rotations to earlier ones about the same axis that they can be moved to."""
        last: dict[bytes, int] = {}
        for place in range(len(self.angles)):
            axis = self.bits[place]
            old = last.setdefault(axis.tobytes(), place)
            between = slice(old + 1, place)
            if place - old > REACH or self.anticommuting(between, axis).any():
                last[axis.tobytes()] = place
            elif old < place:
                (sign,) = self.signs([place], int(self.powers[old]))
                self.angles[old] += sign * self.angles[place]
                self.alive[place] = False

    def window(self) -> Numbers:
        """Return the places of the first rotations that are left."""
        alive = self.alive
        while self.head < len(alive) and not alive[self.head]:
            self.head += 1
        return self.head + np.flatnonzero(alive[self.head : self.head + WINDOW])

    def anticommuting(self, places: Numbers | slice, axis: Words) -> Bits:
        """Return which rows anticommute with an axis."""
        swapped = np.roll(axis, self.words)
        return np.bitwise_count(self.bits[places] & swapped).sum(axis=1) % 2 == 1

    def turn(self, axis: Words, power: int, sign: int) -> None:
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
    """Result of a matching.

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
        distance = _turn_equal(pair, windows)
        for lead in _leads(windows) if distance is None else ():
            distance = _blocks_from(pair, windows, lead)
            if distance is not None:
                break
            futile += 1
        if distance is None:
            break
        error += distance
        comparisons += 1
    left = sum(int(sequence.alive.sum()) for sequence in pair)
    return Match(left, comparisons, error, (tuple(pair[0].ends()), tuple(pair[1].ends())))


Pair = tuple[_Sequence, _Sequence]
Windows = tuple[Numbers, Numbers]


def _leads(windows: Windows) -> Iterator[tuple[int, int]]:
    """Yield which rotations are tried first, as a sequence's number and a row."""
    for number in range(LEADS):
        for side in (0, 1):
            if number < len(windows[side]):
                yield side, int(windows[side][number])


def _turn_equal(pair: Pair, windows: Windows) -> float | None:
    """Match rotations about the axis of one of the first; return their deviation, or None.

    Of all axes that is the one on which they deviate least: a rotation by little may have no
    counterpart but for an error, or one that cannot be reached yet.
    """
    best: _Turn | None = None
    for lead in _leads(windows):
        turn = _Turn.of(pair, windows, lead)
        if turn is not None and (best is None or turn.off < best.off):
            best = turn
            if turn.off <= SAME and all(map(len, turn.members)):
                break
    if best is None or best.off > SAME_ROTATIONS:
        return None
    for sequence, members in zip(pair, best.members, strict=True):
        sequence.alive[members] = False
    for _ in range(best.quarters % 4):
        pair[0].turn(best.axis, best.power, 1)
    return best.off


@frozen(eq=False)
class _Turn:
    """Rotations about one axis that can be moved to the beginning.

    Args:
        axis: its bits.
        power: of i.
        members: of each sequence, the rows of these rotations.
        quarters: the nearest number of quarter turns by which their sums differ.
        off: the operator norm of the difference that is left.
    """

    axis: Words
    power: int
    members: tuple[Numbers, ...]
    quarters: int
    off: float

    @classmethod
    def of(cls, pair: Pair, windows: Windows, lead: tuple[int, int]) -> "_Turn | None":
        """Return those about the axis of one rotation, None if this cannot be moved there."""
        if not _is_free(pair, windows, lead):
            return None
        side, place = lead
        axis, power = pair[side].bits[place].copy(), int(pair[side].powers[place])
        total, members = 0.0, []
        for side, (sequence, window) in enumerate(zip(pair, windows, strict=True)):
            same = (sequence.bits[window] == axis).all(axis=1)
            blocked = np.flatnonzero(sequence.anticommuting(window, axis))
            reach = window[: blocked[0]][same[: blocked[0]]] if len(blocked) else window[same]
            signed = np.array(sequence.signs(reach.tolist(), power)) * sequence.angles[reach]
            total += (1 - 2 * side) * float(signed.sum())
            members.append(reach)
        quarters = round(total / (pi / 2))
        return cls(axis, power, tuple(members), quarters, abs(total - quarters * pi / 2) / 2)


def _is_free(pair: Pair, windows: Windows, lead: tuple[int, int]) -> bool:
    """Return whether a rotation commutes with all before it."""
    side, place = lead
    before = windows[side][windows[side] < place]
    return not pair[side].anticommuting(before, pair[side].bits[place]).any()


def _blocks_from(pair: Pair, windows: Windows, lead: tuple[int, int]) -> float | None:
    """Match rotations about products of a few axes, the first that of a rotation."""
    if not _is_free(pair, windows, lead):
        return None
    side, place = lead
    start = pair[side].bits[place].copy(), int(pair[side].powers[place])
    for order in ((1, 0), (0, 1)):
        distance = _block(pair, windows, start, order)
        if distance is not None:
            return distance
    return None


def _block(
    pair: Pair, windows: Windows, start: tuple[Words, int], order: tuple[int, int]
) -> float | None:
    """Match rotations about products of a few axes, the first of which is given."""
    axes, powers = [start[0]], [start[1]]
    while len(axes) < MAX_AXES:
        added = _next_axis(pair, windows, axes, order if len(axes) % 2 else order[::-1])
        if added is None:
            return None
        side, place = added
        axes.append(pair[side].bits[place].copy())
        powers.append(int(pair[side].powers[place]))
        distance = _compare(pair, windows, axes, powers)
        if distance is not None:
            return distance
    return None


def _products(axes: Sequence[Words]) -> Words:
    """Return the bits of all products, bit i of the index for axis i."""
    products = np.zeros((1, len(axes[0])), dtype=np.uint64)
    for axis in axes:
        products = np.concatenate([products, products ^ axis])
    return products


def _next_axis(
    pair: Pair, windows: Windows, axes: Sequence[Words], order: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the first rotation that anticommutes with an axis, and is no product of them."""
    products = _products(axes)
    for side in order:
        sequence, window = pair[side], windows[side]
        touching = np.zeros(len(window), dtype=bool)
        for axis in axes:
            touching |= sequence.anticommuting(window, axis)
        for at in np.flatnonzero(touching)[:64]:
            place = int(window[at])
            if not (products == sequence.bits[place]).all(axis=1).any():
                return side, place
    return None


def _compare(
    pair: Pair, windows: Windows, axes: Sequence[Words], powers: Sequence[int]
) -> float | None:
    """Compare all beginnings that can be moved to the front; match the shortest equal ones."""
    word_count = pair[0].words
    crossed = np.array(
        [[np.bitwise_count(a & np.roll(b, word_count)).sum() % 2 == 1 for b in axes] for a in axes]
    )
    algebra = Algebra.of(crossed)
    paulis = _paulis(axes, powers, word_count, algebra)
    products = _products(axes)
    places, prefixes = [], []
    for side in (0, 1):
        movable, elements = _movable(pair[side], windows[side], products)
        rotations = [
            (e, s * float(pair[side].angles[p]))
            for p, e in zip(movable, elements, strict=True)
            for s in pair[side].signs([p], paulis[e][1])
        ]
        places.append(movable)
        prefixes.append(algebra.prefixes(rotations))
    size = len(prefixes[0][0])
    differences = np.einsum("aij,bkj->abik", prefixes[0], prefixes[1].conj())
    weights = np.abs(np.einsum("gij,abji->abg", algebra.elements, differences)) / size
    # All weights of a Clifford operation are equal or 0, so that Σ w⁴ is one of 1, 1/2, 1/4, ….
    fourth = -np.log2(np.maximum((weights**4).sum(axis=2), SAME))
    likely = np.abs(fourth - fourth.round()) < CLIFFORD_WEIGHTS
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


def _movable(sequence: _Sequence, window: Numbers, products: Words) -> tuple[list[int], list[int]]:
    """Return rotations about products that commute with all others before them, and which."""
    equal = (sequence.bits[window][:, None, :] == products[None, :, :]).all(axis=2)
    inside = equal.any(axis=1)
    movable, elements = [], []
    staying = ~inside
    for at in np.flatnonzero(inside).tolist():
        before = window[:at][staying[:at]]
        if len(before) and sequence.anticommuting(before, sequence.bits[window[at]]).any():
            staying[at] = True
            continue
        movable.append(int(window[at]))
        elements.append(int(np.argmax(equal[at])))
        if len(movable) == 24:
            break
    return movable, elements


def _paulis(
    axes: Sequence[Words], powers: Sequence[int], word_count: int, algebra: Algebra
) -> list[tuple[Words, int]]:
    """Return bits and power of i of every element of an algebra, as Paulis."""
    paulis = []
    for mask in range(1 << len(axes)):
        bits, power = np.zeros(2 * word_count, dtype=np.uint64), algebra.powers[mask]
        for i, axis in enumerate(axes):
            if mask >> i & 1:
                power += powers[i] + 2 * int(
                    np.bitwise_count(bits[word_count:] & axis[:word_count]).sum()
                )
                bits = bits ^ axis
        paulis.append((bits, power % 4))
    return paulis
