"""Named things that are added by writing one file with one decorator."""

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from typing import TypeVar

from compiler.errors import DuplicateNameError, UnknownNameError, meant

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """A mapping from names to things of one kind, which refuses duplicates.

    Args:
        kind: of the entries, in the singular, for messages (`"target"`).
        package: name of the package whose modules register entries. They are imported on demand:
            all of them for a list; for an entry `x-y` only the module
            `x_y`, if there is one and it registers that.
        ordered: whether entries come in the order in which they are registered; otherwise it is
            that of their names, in any order of imports.
    """

    def __init__(self, kind: str, package: str = "", *, ordered: bool = False) -> None:
        self.kind = kind
        self._ordered = ordered
        self._registered: dict[str, T] = {}
        self._package = package
        self._discovered = not package
        self._discovering = False
        self._lock = RLock()

    @property
    def _entries(self) -> dict[str, T]:
        if not self._discovered:
            # Another thread waits here; a module that asks while it is imported sees a part.
            with self._lock:
                if not (self._discovered or self._discovering):
                    self._discover()
        return self._registered

    def _imported_alone(self, name: str) -> bool:
        module = f"{self._package}.{name.replace('-', '_')}"
        if self._discovered or not name.replace("-", "_").isidentifier() or not find_spec(module):
            return False
        import_module(module)
        return name in self._registered

    def _discover(self) -> None:
        self._discovering = True
        try:
            discover(self._package)
            self._discovered = True
        finally:
            self._discovering = False

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files its argument under `name`.

        Raises:
            DuplicateNameError: if `name` is taken.
        """
        if name in self._registered:
            raise DuplicateNameError(f"{self.kind} '{name}' is registered twice: rename one")

        def file(entry: T) -> T:
            self._registered[name] = entry
            return entry

        return file

    def unregister(self, name: str) -> None:
        """Forget `name`, so that a test can undo its registration."""
        del self._entries[name]

    def __getitem__(self, name: str) -> T:
        """Return the entry called `name`.

        Raises:
            UnknownNameError: naming the nearest known name, or all of them.
        """
        if name in self._registered or self._imported_alone(name):
            return self._registered[name]
        if name not in self._entries:
            raise UnknownNameError(f"unknown {self.kind} '{name}'; {meant(name, self)}")
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries if self._ordered else sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)


def discover(package: str) -> None:
    """Import every module of the package called so, so that its decorators run."""
    for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        import_module(module.name)
