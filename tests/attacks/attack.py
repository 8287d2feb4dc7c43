"""Attacks by name: each tries to break one front of the program, and says where it has."""

import importlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

from attrs import define, field, frozen

from compiler.registry import Registry

HERE = Path(__file__).parent


@define(eq=False)
class Siege:
    """What an attack is given, and where it counts in `tried` what it has tried how often.

    Args:
        seed: of all that is left to chance.
        seconds: after which nothing new is tried.
        most: how often anything is tried; None for no limit but the time.
    """

    seed: int
    seconds: float = 480.0
    most: int | None = None
    tried: Counter[str] = field(factory=Counter, init=False)
    chance: random.Random = field(init=False)
    _begun: float = field(factory=monotonic, init=False)

    def __attrs_post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def over(self) -> bool:
        """Tell whether the time is up, or enough has been tried."""
        enough = self.most is not None and self.tried.total() >= self.most
        return enough or monotonic() - self._begun > self.seconds


@frozen
class Attack:
    """A way to attack.

    Args:
        name: for `--only`.
        summary: one line that says what is attacked.
        run: carries it out; yields what was found, one line each, and counts in `Siege.tried`.
    """

    name: str
    summary: str
    run: Callable[[Siege], Iterator[str]]


attacks: Registry[Attack] = Registry("attack")


def attack(
    name: str, summary: str
) -> Callable[[Callable[[Siege], Iterator[str]]], Callable[[Siege], Iterator[str]]]:
    """Return a decorator that files an attack."""
    file = attacks.register(name)

    def decorate(run: Callable[[Siege], Iterator[str]]) -> Callable[[Siege], Iterator[str]]:
        file(Attack(name, summary, run))
        return run

    return decorate


def discover_attacks() -> None:
    """Import every module of this folder, so that its decorators run."""
    for path in sorted(HERE.glob("*.py")):
        if not path.stem.startswith(("test_", "_")):
            importlib.import_module(f"{__package__}.{path.stem}")
