"""Forms in which files describe devices; each is one file in `formats/` with one decorator."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from attrs import field, frozen

from backends.regular_files import read_regular_file
from compiler.errors import TargetError
from compiler.formats.text_content import text_of
from compiler.formats.toml_document import TomlError, toml_document
from compiler.registry import Registry
from compiler.targets.device import Device

MAX_BYTES = 20_000_000


@frozen
class SourceFile:
    """A JSON or TOML file that has been read.

    Args:
        path: where it is.
        text: its text.
        content: the object or table that the text describes.
        others: contents of files in the same place that were not read from a disk, by name.
    """

    path: Path
    text: str
    content: Mapping[str, Any]
    others: Mapping[str, Mapping[str, Any]] = field(factory=dict)

    @classmethod
    def read(cls, path: Path) -> "SourceFile":
        """Read a file.

        Raises:
            TargetError: if it cannot be read, or holds no object.
        """
        try:
            text = text_of(read_regular_file(path, MAX_BYTES), str(path), TargetError)
            content = json.loads(text) if path.suffix == ".json" else toml_document(text)
            if isinstance(content, str):
                # JSON that was written as JSON: `json.dump(device.properties.json(), …)`.
                text, content = content, json.loads(content)
        except OSError as error:
            raise TargetError(f"{path}: cannot be read: {error.strerror}") from error
        except json.JSONDecodeError as error:
            raise TargetError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from error
        except TomlError as error:
            raise TargetError(f"{path}: not TOML: {error}") from error
        except (RecursionError, ValueError) as error:
            raise TargetError(f"{path}: not JSON that describes a device: {error}") from error
        if not isinstance(content, dict):
            raise TargetError(f"{path}: describes no device: write an object with qubits and edges")
        return cls(path, text, content)

    def beside(self, name: str) -> "SourceFile":
        """Return the file of this name in the same folder, an empty one if it is missing."""
        path = self.path.with_name(name)
        if name in self.others:
            return SourceFile(path, "", self.others[name])
        return self.read(path) if path.is_file() else SourceFile(path, "", {})


Read = Callable[[SourceFile, str], Device]
R = TypeVar("R", bound=Read)


@frozen
class DeviceFormat:
    """A form of files.

    Args:
        accepts: tells whether the content of a JSON file has this form.
        read: returns the device of a file; its second argument is the name for a device without
            one. Raises `MisfitError`.
    """

    accepts: Callable[[Mapping[str, Any]], bool]
    read: Read


DEVICE_FORMATS: Registry[DeviceFormat] = Registry("device format", "backends.devices.formats")


def device_format(name: str, accepts: Callable[[Mapping[str, Any]], bool]) -> Callable[[R], R]:
    """Return a decorator that registers a function which reads a form of JSON files."""
    register = DEVICE_FORMATS.register(name)

    def decorate(read: R) -> R:
        register(DeviceFormat(accepts, read))
        return read

    return decorate
