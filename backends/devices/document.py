"""Reader of the values in a provider's document, with messages for invalid ones."""

from collections.abc import Mapping, Sequence
from reprlib import repr as shortened
from typing import Any, TypeVar

from attrs import frozen

from backends.devices.device_format import SourceFile
from backends.devices.misfit import MisfitError
from compiler.formats.key_lines import Path

T = TypeVar("T")

MAX_VALUE = 1e30
"""More than any number that says something of a device."""

NANOSECONDS: Mapping[str, float] = {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}


@frozen
class Document:
    """A provider's description of a device.

    Args:
        said: the parsed document.
        file: its name, if it is not the file that was named.
        inside: its path in the file, if it is not all of it.
    """

    said: Mapping[str, Any]
    file: SourceFile | None = None
    inside: Path = ()

    def misfit(self, path: Path, reason: str) -> MisfitError:
        """Return the error of an invalid value at a path."""
        return MisfitError((*self.inside, *path), reason, self.file)

    def at(self, path: Path, default: Any = None) -> Any:
        """Return the value at a path, the default if there is none."""
        result: Any = self.said
        for part in path:
            try:
                result = result[part]
            except (KeyError, IndexError, TypeError):
                return default
        return result

    def whole(self, path: Path) -> int:
        """Return a whole number.

        Raises:
            MisfitError: if something else stands there.
        """
        result = self.at(path)
        if not isinstance(result, int) or isinstance(result, bool) or result < 0:
            raise self.misfit(path, f"{path[-1]} must be a whole number, not {shortened(result)}")
        return result

    def list_of(self, path: Path) -> Sequence[Any]:
        """Return a list.

        Raises:
            MisfitError: if something else stands there.
        """
        return self._of(path, list, "a list")

    def optional_list(self, path: Path) -> Sequence[Any]:
        """Return a list, an empty one where there is none; see `list_of`."""
        return () if self.at(path) is None else self.list_of(path)

    def table_of(self, path: Path) -> Mapping[str, Any]:
        """Return the object at a path.

        Raises:
            MisfitError: if there is none.
        """
        return self._of(path, dict, "an object")

    def _of(self, path: Path, kind: type[T], what: str) -> T:
        result = self.at(path)
        if not isinstance(result, kind):
            raise self.misfit(path, f"{path[-1]} must be {what}")
        return result

    def texts(self, path: Path) -> Sequence[str]:
        """Return a list of names.

        Raises:
            MisfitError: if something else stands there.
        """
        result = self.list_of(path)
        if not all(isinstance(text, str) for text in result):
            raise self.misfit(path, f"{path[-1]} must be a list of names")
        return result

    def amount(self, path: Path, name: str) -> float:
        """Return a number from 0 on.

        Args:
            path: of the number.
            name: of the number in messages.

        Raises:
            MisfitError: if there is no such number.
        """
        value = self.at(path)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= MAX_VALUE:
            raise self.misfit(path, f"{name} must be a number from 0 on")
        return float(value)

    def share(self, path: Path, name: str) -> float:
        """Return a number from 0 to 1; see `amount`.

        Raises:
            MisfitError: if something else stands there.
        """
        value = self.amount(path, name)
        if value > 1:
            raise self.misfit(path, f"{name} is {value:g}, and must be 0 to 1")
        return value

    def nanoseconds(self, path: Path, name: str) -> float:
        """Return a time that a `value` and its `unit` tell; see `amount`.

        Raises:
            MisfitError: if something else stands there.
        """
        value = self.amount((*path, "value"), name)
        unit = str(self.at((*path, "unit"), ""))
        if unit.lower() not in NANOSECONDS:
            units, text = ", ".join(NANOSECONDS), shortened(unit)
            raise self.misfit((*path, "unit"), f"{name}: unknown unit {text}; known: {units}")
        return value * NANOSECONDS[unit.lower()]
