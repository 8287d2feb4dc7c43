"""Beam search for the order in which wires enter the hub of a star, in compiled code."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.lowering.hub_class import cx_class

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

BRIDGE = 4
LONE_SWAP = 3
KEPT = 4


@njit(cache=True)
def _contains(words: Words, unit: int) -> bool:
    return (words[unit >> 6] >> np.uint64(unit & 63)) & np.uint64(1) != 0


@njit(cache=True)
def _add(words: Words, unit: int) -> None:
    words[unit >> 6] |= np.uint64(1) << np.uint64(unit & 63)


@njit(cache=True)
def _covers(words: Words, needed: Words) -> bool:
    for k in range(len(words)):
        if needed[k] & ~words[k]:
            return False
    return True


@njit(cache=True)
def execute(
    executed: Words, hub: int, starts: Integers, units: Integers, before: Words
) -> NDArray[np.int64]:
    """Mark all units as executed that are possible while a wire stays in the hub.

    Args:
        executed: uint64[words], a bit for each unit; changed in place.
        hub: the wire.
        starts: int64[wires + 1], where each wire's units start in `units`.
        units: int64[2n], the units of each wire in time order.
        before: uint64[n, words], for each unit a bit for what comes before it.

    Returns:
        The units that were added.
    """
    added = np.empty(starts[hub + 1] - starts[hub], dtype=np.int64)
    count = 0
    for i in range(starts[hub], starts[hub + 1]):
        unit = units[i]
        if not _contains(executed, unit) and _covers(executed, before[unit]):
            _add(executed, unit)
            added[count] = unit
            count += 1
    return added[:count]


@njit(cache=True)
def last_units(
    executed: Words,
    base: Words,
    hub: int,
    pairs: Integers,
    starts: Integers,
    units: Integers,
    after: Words,
) -> Integers:
    """Tell which units of a stay in the hub can be left for its end, for each leaf.

    Args:
        executed: uint64[words], all units up to now.
        base: uint64[words], those before the hub's wire entered it.
        hub: the wire in the hub.
        pairs: int64[n, 2], wires of the units.
        starts: int64[wires + 1], where each wire's units start in `units`.
        units: int64[2n], the units of each wire in time order.
        after: uint64[n, words], for each unit a bit for what comes after it.

    Returns:
        int64[n]: for each unit the leaf at whose end it can be, or −1.
    """
    ends = np.full(len(pairs), -1, dtype=np.int64)
    stay = executed & ~base
    for i in range(starts[hub + 1] - 1, starts[hub] - 1, -1):
        unit = units[i]
        if not _contains(stay, unit):
            continue
        leaf = pairs[unit, 0] + pairs[unit, 1] - hub
        free = True
        for k in range(len(stay)):
            rest = stay[k] & after[unit, k]
            while rest and free:
                low = rest & (~rest + np.uint64(1))
                rest ^= low
                bit = 0
                while low > np.uint64(1):
                    low >>= np.uint64(1)
                    bit += 1
                free = ends[64 * k + bit] == leaf
        if free:
            ends[unit] = leaf
    return ends


@njit(cache=True)
def swap_cost(
    ends: Integers,
    leaf: int,
    hub: int,
    pairs: Integers,
    starts: Integers,
    units: Integers,
    matrices: NDArray[np.complex128],
    plain: Integers,
    swapped: Integers,
) -> int:
    """Return how many CX a swap of hub and leaf adds to the units that it merges with."""
    product = np.eye(4, dtype=np.complex128)
    count = apart = single = 0
    for i in range(starts[hub], starts[hub + 1]):
        unit = units[i]
        if ends[unit] != leaf:
            continue
        count += 1
        apart += plain[unit]
        single = swapped[unit]
        matrix = matrices[unit]
        if pairs[unit, 0] != hub:
            matrix = np.ascontiguousarray(matrix[_SWAPPED][:, _SWAPPED])
        product = matrix @ product
    if count == 0:
        return LONE_SWAP
    if count == 1:
        return single - apart
    return cx_class(np.ascontiguousarray(product[_SWAPPED])) - apart


_SWAPPED = np.array([0, 2, 1, 3])


@njit(cache=True)
def _best(scores: NDArray[np.float64], hashes: Words, count: int, width: int) -> Integers:
    """Return up to `width` indices of the lowest scores, one for each hash."""
    order = np.argsort(scores[:count], kind="mergesort")
    size = 16
    while size < 4 * width:
        size *= 2
    table = np.zeros(size, dtype=np.uint64)
    found = np.empty(width, dtype=np.int64)
    kept = 0
    for i in order:
        key = hashes[i] | np.uint64(1)
        slot = np.int64(key >> np.uint64(20)) & (size - 1)
        while table[slot] != 0 and table[slot] != key:
            slot = (slot + 1) & (size - 1)
        if table[slot] == key:
            continue
        table[slot] = key
        found[kept] = i
        kept += 1
        if kept == width:
            break
    return found[:kept]


@njit(cache=True)
def search(
    pairs: Integers,
    starts: Integers,
    units: Integers,
    before: Words,
    after: Words,
    matrices: NDArray[np.complex128],
    plain: Integers,
    swapped: Integers,
    value: NDArray[np.float64],
    keys: Words,
    width: int,
) -> tuple[int, Integers]:
    n = len(pairs)
    wires = len(starts) - 1
    words = before.shape[1]
    room = KEPT * width
    most = (n + 1) * width + 1
    executed = np.zeros((most, words), dtype=np.uint64)
    hubs = np.full(most, -1, dtype=np.int32)
    excess = np.zeros(most, dtype=np.int32)
    parents = np.full(most, -1, dtype=np.int32)
    bases = np.zeros(most, dtype=np.int32)
    bridges = np.full(most, -1, dtype=np.int32)
    values = np.zeros(most, dtype=np.float64)
    hashes = np.zeros(most, dtype=np.uint64)
    waiting = np.zeros(n + 1, dtype=np.int64)
    w_score = np.zeros((n + 1, room), dtype=np.float64)
    w_hash = np.zeros((n + 1, room), dtype=np.uint64)
    w_parent = np.zeros((n + 1, room), dtype=np.int32)
    w_hub = np.zeros((n + 1, room), dtype=np.int32)
    w_bridge = np.zeros((n + 1, room), dtype=np.int32)
    w_excess = np.zeros((n + 1, room), dtype=np.int32)
    used = 1
    first, last = 0, 1
    for bucket in range(n):
        if bucket > 0:
            chosen = _best(w_score[bucket], w_hash[bucket], waiting[bucket], width)
            first = used
            for i in chosen:
                parent = w_parent[bucket, i]
                hub = w_hub[bucket, i]
                executed[used] = executed[parent]
                hubs[used] = hub
                parents[used] = parent
                bridges[used] = w_bridge[bucket, i]
                excess[used] = w_excess[bucket, i]
                bases[used] = bases[parent] if hub == hubs[parent] else parent
                hashes[used] = hashes[parent]
                values[used] = values[parent]
                if bridges[used] >= 0:
                    _add(executed[used], bridges[used])
                    hashes[used] ^= keys[bridges[used]]
                    values[used] += value[bridges[used]]
                for unit in execute(executed[used], hub, starts, units, before):
                    hashes[used] ^= keys[unit]
                    values[used] += value[unit]
                used += 1
            last = used
        for state in range(first, last):
            hub = hubs[state]
            if hub >= 0:
                ends = last_units(
                    executed[state], executed[bases[state]], hub, pairs, starts, units, after
                )
            for move in range(wires + n):
                bridge = move - wires
                if bridge >= 0:
                    if hub < 0 or pairs[bridge, 0] == hub or pairs[bridge, 1] == hub:
                        continue
                    if plain[bridge] != 1 or _contains(executed[state], bridge):
                        continue
                    if not _covers(executed[state], before[bridge]):
                        continue
                elif move == hub:
                    continue
                entering = hub if bridge >= 0 else move
                now = executed[state].copy()
                code = hashes[state]
                gained = values[state]
                size = bucket
                if bridge >= 0:
                    _add(now, bridge)
                    code ^= keys[bridge]
                    gained += value[bridge]
                    size += 1
                for unit in execute(now, entering, starts, units, before):
                    code ^= keys[unit]
                    gained += value[unit]
                    size += 1
                if size == bucket:
                    continue
                cost = excess[state]
                if bridge >= 0:
                    cost += BRIDGE - 1
                elif hub >= 0:
                    cost += swap_cost(
                        ends, move, hub, pairs, starts, units, matrices, plain, swapped
                    )
                if waiting[size] == room:
                    kept = np.sort(_best(w_score[size], w_hash[size], room, width))
                    for k in range(len(kept)):
                        i = kept[k]
                        w_score[size, k] = w_score[size, i]
                        w_hash[size, k] = w_hash[size, i]
                        w_parent[size, k] = w_parent[size, i]
                        w_hub[size, k] = w_hub[size, i]
                        w_bridge[size, k] = w_bridge[size, i]
                        w_excess[size, k] = w_excess[size, i]
                    waiting[size] = len(kept)
                i = waiting[size]
                w_score[size, i] = cost - gained
                w_hash[size, i] = code ^ keys[n + entering]
                w_parent[size, i] = state
                w_hub[size, i] = entering
                w_bridge[size, i] = max(bridge, -1)
                w_excess[size, i] = cost
                waiting[size] = i + 1
    best = _best(w_score[n], w_hash[n], waiting[n], width)
    i = best[np.argmin(w_excess[n][best])]
    moves = [(np.int64(w_hub[n, i]), np.int64(w_bridge[n, i]))]
    state = w_parent[n, i]
    while state > 0:
        moves.append((np.int64(hubs[state]), np.int64(bridges[state])))
        state = parents[state]
    result = np.empty((len(moves), 2), dtype=np.int64)
    for k in range(len(moves)):
        result[len(moves) - 1 - k, 0], result[len(moves) - 1 - k, 1] = moves[k]
    return w_excess[n, i], result
