"""Named things that are added by writing one file with one decorator."""

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TypeVar

from compiler.errors import DuplicateNameError, UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """An ordered mapping from names to things of one kind, which refuses duplicates.

    Args:
        kind: what is registered, in the singular, for messages (`"target"`).
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files its argument under `name`.

        Raises:
            DuplicateNameError: if `name` is taken.
        """
        if name in self._entries:
            raise DuplicateNameError(f"{self.kind} '{name}' is registered twice: rename one")

        def file(entry: T) -> T:
            self._entries[name] = entry
            return entry

        return file

    def unregister(self, name: str) -> None:
        """Forget `name`, so that a test can undo what it added."""
        del self._entries[name]

    def __getitem__(self, name: str) -> T:
        """Return the entry called `name`.

        Raises:
            UnknownNameError: naming the nearest known name, or all of them.
        """
        if name not in self._entries:
            near = difflib.get_close_matches(name, self._entries, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(self._entries)}"
            raise UnknownNameError(f"unknown {self.kind} '{name}'; {hint}")
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def discover(package: ModuleType) -> None:
    """Import every module of `package`, so that its decorators run."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
