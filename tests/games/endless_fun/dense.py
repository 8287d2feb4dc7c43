"""Rounds simulated with NumPy, from the truth tables as they are printed; nothing of the code."""

import numpy as np

W = np.exp(2j * np.pi / 3)


def columns(*images):
    """Return the matrix whose columns are what becomes of |0⟩, |1⟩, …"""
    return np.array(images, complex).T


SINGLE = {
    3: {
        "I": np.eye(3),
        "X1": columns((0, 1, 0), (0, 0, 1), (1, 0, 0)),
        "X2": columns((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        "Y1": columns((0, W, 0), (0, 0, 1 / W), (1, 0, 0)),
        "Y2": columns((0, 0, W), (1, 0, 0), (0, 1 / W, 0)),
        "Z1": np.diag([1, W, 1 / W]),
        "Z2": np.diag([1, 1 / W, W]),
        "H1": columns((1, W, W), (1, 1 / W, 1), (1, 1, 1 / W)) / np.sqrt(3),
        "H2": columns((1, 1 / W, 1 / W), (1, 1, W), (1, W, 1)) / np.sqrt(3),
        "H3": columns((1, 1, 1), (1, W, 1 / W), (1, 1 / W, W)) / np.sqrt(3),
    },
    2: {
        "I": np.eye(2),
        "X": columns((0, 1), (1, 0)),
        "Y": columns((0, 1j), (1j, 0)),
        "Z": np.diag([1, -1]),
        "H1": columns((1, 1), (1, -1)) / np.sqrt(2),
        "H2": columns((1, 1j), (1, -1j)) / np.sqrt(2),
    },
}


def neighbours(name, dimension):
    """Return the matrix on the left qudit of a pair and its right one."""
    size = dimension**2
    found = np.zeros((size, size))
    for left in range(dimension):
        for right in range(dimension):
            if name.startswith("SWAP"):
                to = (right, left)
            elif name == "CNOTr":
                to = (left, (left + right) % dimension)
            else:
                to = ((left + right) % dimension, right)
            found[to[0] * dimension + to[1], left * dimension + right] = 1
    return found


def simulated(dimension, start, rows):
    """Return the state vector after rows of names, the leftmost qudit the most significant."""
    count = len(start)
    state = np.zeros(dimension**count, complex)
    state[int("".join(map(str, start)), dimension)] = 1
    for row in rows:
        for at, name in enumerate(row):
            if name in SINGLE[dimension]:
                first, gate = at, SINGLE[dimension][name]
            else:
                first = at - name.endswith("l")
                gate = neighbours(name, dimension)
            state = gate @ state.reshape(dimension**first, len(gate), -1)
    return state.reshape(-1)
