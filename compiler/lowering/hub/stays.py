"""Which wire is in the hub of a star at what time, and what is executed meanwhile."""

import numpy as np
from attrs import frozen

from compiler.lowering.hub.problem import HubProblem
from compiler.lowering.hub.search import Guide, search

KEYS_SEED = 20
FORESIGHT = 0.05
WELCOME = 0.8


@frozen
class Stay:
    """One wire's time in the hub.

    Args:
        hub: the wire.
        units: what is executed meanwhile, in an order that is possible.
    """

    hub: int
    units: tuple[int, ...]


@frozen
class Schedule:
    """The stays in the hub of a star, from the first to the last.

    Args:
        stays: in time order, each time another wire.
        excess: CX beyond those of the units, at most.
    """

    stays: tuple[Stay, ...]
    excess: int


def schedule(problem: HubProblem, width: int) -> Schedule:
    """Return the cheapest schedule that is found.

    Args:
        problem: what is to be executed.
        width: states that the search keeps among those with as many units executed.
    """
    units = len(problem.pairs)
    if not units:
        return Schedule((), 0)
    keys = np.random.default_rng(KEYS_SEED).integers(
        1, 1 << 63, units + len(problem.starts) - 1, dtype=np.uint64
    )
    excess, hubs, finished = search(problem, Guide(width, FORESIGHT, WELCOME, keys))
    stays: list[Stay] = []
    for k, hub in enumerate(hubs.tolist()):
        bits = np.unpackbits((finished[k + 1] & ~finished[k]).view(np.uint8), bitorder="little")
        done = tuple(np.flatnonzero(bits).tolist())
        if stays and stays[-1].hub == hub:
            stays[-1] = Stay(hub, (*stays[-1].units, *done))
        else:
            stays.append(Stay(hub, done))
    return Schedule(tuple(stays), int(excess))
