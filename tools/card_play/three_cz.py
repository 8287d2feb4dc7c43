"""Search for a controlled swap of few CZ, where every basis state may get a phase of its own.

Between CZ gates on given pairs all one-qubit gates are free. They are improved one after the
other, each to the best there is while the others stay: with E the trace's derivative, that is
the unitary factor of E. Run `.venv/bin/python -m tools.card_play.three_cz`; it takes a minute.

This is a numerical search: what it does not find may still exist.
"""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.complex128]

QUBITS = 3
PAIRS = tuple(combinations(range(QUBITS), 2))
STARTS, SWEEPS = 32, 300
FOUND = 1 - 1e-9


def swapped() -> NDArray[np.int64]:
    """Return the image of every basis state: qubits 1 and 2 change places where qubit 0 is 1."""
    return np.array([s ^ 0b110 if s & 1 and (s >> 1 ^ s >> 2) & 1 else s for s in range(8)])


def cz(pair: tuple[int, int]) -> Array:
    """Return the diagonal of a CZ gate."""
    return np.array([-1 if all(s >> q & 1 for q in pair) else 1 for s in range(8)], dtype=complex)


def best_fidelity(
    pairs: Sequence[tuple[int, int]], starts: int = STARTS, sweeps: int = SWEEPS, seed: int = 0
) -> float:
    """Return how close the best circuit found comes to a controlled swap up to phases.

    Args:
        pairs: of the CZ gates, in order.
        starts: random circuits that are improved.
        sweeps: how often every gate of each is improved.
        seed: of the random circuits.

    Returns:
        |tr(D†P†U)|² / 64 with the best phases D; 1 for a perfect circuit.
    """
    random = np.random.default_rng(seed)
    shape = (starts, len(pairs) + 1, QUBITS, 2, 2)
    gates = _unitary(random.normal(size=shape) + 1j * random.normal(size=shape))
    image, signs = swapped(), [cz(pair) for pair in pairs]
    for _ in range(sweeps):
        before = np.broadcast_to(np.eye(8, dtype=complex), (starts, 8, 8))
        after = _products(gates, signs)
        whole = after[0]
        phases = whole[:, image, np.arange(8)]
        target = np.zeros((starts, 8, 8), dtype=complex)
        target[:, np.arange(8), image] = np.exp(-1j * np.angle(phases))
        for layer in range(len(pairs) + 1):
            rest = after[layer + 1] if layer < len(pairs) else np.eye(8)
            left = rest * signs[layer] if layer < len(pairs) else rest
            around = before @ target @ left
            for qubit in range(QUBITS):
                others = _layer(gates[:, layer], without=qubit)
                environment = _reduced(around @ others, qubit)
                gates[:, layer, qubit] = _unitary(environment.conj().swapaxes(-1, -2))
            before = _layer(gates[:, layer]) @ before
            if layer < len(pairs):
                before = signs[layer][:, None] * before
    found = _products(gates, signs)[0][:, image, np.arange(8)]
    return float((np.abs(found).sum(axis=1) ** 2 / 64).max())


def _unitary(matrices: Array) -> Array:
    """Return the unitary factors of the polar decompositions."""
    left, _, right = np.linalg.svd(matrices)
    unitary: Array = left @ right
    return unitary


def _products(gates: Array, signs: Sequence[Array]) -> list[Array]:
    """Return for every layer the product of it and all later ones."""
    products = [_layer(gates[:, -1])]
    for layer in reversed(range(len(signs))):
        products.append((products[-1] * signs[layer]) @ _layer(gates[:, layer]))
    return products[::-1]


def _layer(gates: Array, without: int | None = None) -> Array:
    """Return the matrices of one-qubit gates side by side; qubit 0 is the lowest bit."""
    one = np.broadcast_to(np.eye(2, dtype=complex), gates[:, 0].shape)
    low, middle, high = (one if q == without else gates[:, q] for q in range(QUBITS))
    layer: Array = np.einsum("nab,ncd,nef->nacebdf", high, middle, low).reshape(-1, 8, 8)
    return layer


def _reduced(matrices: Array, qubit: int) -> Array:
    """Trace out all qubits but one."""
    parts = matrices.reshape(-1, 2, 2, 2, 2, 2, 2)
    reduced: Array = np.einsum(("nabxaby", "naxbayb", "nxabyab")[qubit] + "->nxy", parts)
    return reduced


def search(length: int) -> tuple[float, int]:
    """Try all sequences of CZ gates until one is perfect.

    Returns:
        The best fidelity, and how many sequences were tried.
    """
    best, tried = 0.0, 0
    for pairs in product(PAIRS, repeat=length):
        best, tried = max(best, best_fidelity(pairs)), tried + 1
        if best > FOUND:
            break
    return best, tried


def main() -> None:
    """Print the best fidelity for one to four CZ, and of how many sequences it was the best."""
    for length in range(1, 5):
        best, tried = search(length)
        print(f"| {length} | {best:.3f} |  {tried} of {len(PAIRS) ** length} sequences tried")


if __name__ == "__main__":
    main()
