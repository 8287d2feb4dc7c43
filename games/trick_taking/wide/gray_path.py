"""An order of codes in which neighbours differ in few bits."""

from collections.abc import Sequence
from itertools import pairwise


def gray_path(codes: Sequence[int]) -> tuple[int, ...]:
    """Return codes in an order in which neighbours differ in as few bits as is easily found.

    From every code it goes on to the nearest one, of these to the one with the fewest near ones
    left; the shortest path is improved by turning parts of it around.
    """
    paths = [_turned(_greedy(first, codes)) for first in sorted(codes)]
    shortest: list[int] = min(paths, key=path_length)
    return tuple(shortest)


def path_length(path: Sequence[int]) -> int:
    """Return the number of bits that change along a path."""
    return sum((a ^ b).bit_count() for a, b in pairwise(path))


def _greedy(first: int, codes: Sequence[int]) -> list[int]:
    path, left = [first], set(codes) - {first}
    while left:

        def rank(code: int) -> tuple[int, int, int]:
            near = sum((code ^ other).bit_count() == 1 for other in left)
            return (code ^ path[-1]).bit_count(), near, code

        path.append(min(left, key=rank))
        left.remove(path[-1])
    return path


def _turned(path: list[int]) -> list[int]:
    """Turn parts of a path around while that makes it shorter."""
    cards = len(path)
    better = True
    while better:
        better = False
        for start in range(cards):
            for end in range(start + 2, cards + 1):
                if _saved(path, start, end) > 0:
                    path[start:end] = path[start:end][::-1]
                    better = True
    return path


def _saved(path: list[int], start: int, end: int) -> int:
    """Return by how much a path is shorter once a part of it is turned around.

    Only where the part is joined to what is before and after it does anything change.
    """
    first, last = path[start], path[end - 1]
    saved = 0
    if start:
        saved += (path[start - 1] ^ first).bit_count() - (path[start - 1] ^ last).bit_count()
    if end < len(path):
        saved += (path[end] ^ last).bit_count() - (path[end] ^ first).bit_count()
    return saved
