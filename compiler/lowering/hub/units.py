"""What a hub scheduler moves as one: interactions that are cheaper together, with their costs."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import SWAP, Matrix
from compiler.lowering.interactions.interactions import Interactions
from compiler.lowering.interactions.order import Relation, direct_predecessors


@frozen(eq=False)
class Units:
    """Products of interactions on one pair of wires, and what they cost on a coupled pair.

    Args:
        members: for each of n units its interactions, in time order.
        pairs: int64[n, 2], the wires.
        matrices: complex128[n, 4, 4]; the low bit is `pairs[:, 0]`.
        plain: int64[n], CX of each.
        swapped: int64[n], CX of each followed by a swap of its two wires.
        predecessors: bool[n, n]; `[j, i]` says that i comes before j.
    """

    members: tuple[tuple[int, ...], ...]
    pairs: NDArray[np.int64]
    matrices: Matrix
    plain: NDArray[np.int64]
    swapped: NDArray[np.int64]
    predecessors: Relation


def units_of(interactions: Interactions) -> Units:
    """Return interactions in units: neighbours on one pair that need fewer CX together."""
    members: list[list[int]] = []
    for i in range(len(interactions)):
        if members and _cheaper_together(interactions, members[-1], i):
            members[-1].append(i)
        else:
            members.append([i])
    pairs = np.array([interactions.pairs[unit[0]] for unit in members], dtype=np.int64)
    pairs = pairs.reshape(-1, 2)
    products = [
        interactions.matrix(unit, int(pair[0])) for unit, pair in zip(members, pairs, strict=True)
    ]
    owner = np.repeat(np.arange(len(members)), [len(unit) for unit in members])
    predecessors = np.zeros((len(members),) * 2, dtype=np.bool_)
    later, earlier = np.nonzero(direct_predecessors(interactions))
    predecessors[owner[later], owner[earlier]] = True
    np.fill_diagonal(predecessors, val=False)
    return Units(
        tuple(map(tuple, members)),
        pairs,
        np.array(products, dtype=np.complex128).reshape(-1, 4, 4),
        np.array([cx_cost(product) for product in products], dtype=np.int64),
        np.array([cx_cost(SWAP @ product) for product in products], dtype=np.int64),
        predecessors,
    )


def _cheaper_together(interactions: Interactions, unit: Sequence[int], i: int) -> bool:
    if set(interactions.pairs[unit[0]].tolist()) != set(interactions.pairs[i].tolist()):
        return False
    wire = int(interactions.pairs[i, 0])
    together = cx_cost(interactions.matrix([*unit, i], wire))
    apart = cx_cost(interactions.matrix(unit, wire)) + cx_cost(interactions.matrix([i], wire))
    return together < apart
