"""Results that are made to harm whoever reads them carelessly."""

import base64
import json
import random
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

DEPTH = 100_000
BOMB_BYTES = 2**30
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 10**30, -0.5, 0.5, 1e308, float("nan"), float("inf"),
    "", "1", "0x1", "\ud800", "\u202e", "٣", [], {}, [[]], "ndarray", "QuantumCircuit",
)  # fmt: skip
"""What is put where something else was meant."""


def hostile(result: bytes, seed: int | None = None) -> bytes:
    """Return a result made hostile in one of several ways, by chance if there is no seed.

    It is never what it was: a change that changes nothing is followed by another.
    """
    chance = random.Random(seed)
    ways: tuple[Callable[[bytes, random.Random], bytes], ...] = (
        _deep,
        _cut,
        _flipped,
        _bombed,
        *[_edited] * 4,
    )
    made = result
    while made == result:
        made = chance.choice(ways)(result, chance)
    return made


def _deep(_: bytes, chance: random.Random) -> bytes:
    opened = chance.choice((b"[", b'{"a":'))
    return opened * DEPTH


def _cut(result: bytes, chance: random.Random) -> bytes:
    return result[: chance.randrange(len(result))]


def _flipped(result: bytes, chance: random.Random) -> bytes:
    changed = bytearray(result)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _bombed(result: bytes, chance: random.Random) -> bytes:
    """Return a result in which an array, or anything else, is a bomb: 1 MB that unpacks to 1 GB."""
    value = json.loads(result)
    arrays = [
        (holder, key)
        for holder, key in _places(value)
        if isinstance(holder, dict) and holder.get("dtype") == "bool" and key == "data"
    ]
    holder, key = chance.choice(arrays or list(_places(value)))
    holder[key] = _bomb()
    return json.dumps(value).encode()


@cache
def _bomb() -> str:
    """Return a packed gigabyte of zeros: one block that is packed once, again and again."""
    block = bytes(2**20)
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = BOMB_BYTES % 65521 << 16 | 1
    parts = [b"\x78\xda", packed * (BOMB_BYTES // len(block)), packer.flush()]
    return base64.b64encode(b"".join([*parts, checksum.to_bytes(4, "big")])).decode()


def _edited(result: bytes, chance: random.Random) -> bytes:
    """Return a result of which a few values are odd, missing or twice there."""
    value = json.loads(result)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(value))
        if not places:
            break
        holder, key = chance.choice(places)
        match chance.randrange(4):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(holder[key])
            case 2:
                other, place = chance.choice(places)
                holder[key] = json.loads(json.dumps(other[place]))
            case _:
                holder[key] = chance.choice(ODD)
    return json.dumps(value).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a JSON value, as what holds it and the key or index in that."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])
