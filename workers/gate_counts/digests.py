"""Digests of the programs of a suite: a count is held against the same program only."""

from collections.abc import Mapping
from enum import Enum
from functools import cache
from hashlib import sha256

from attrs import fields, has

from compiler.native_digest import program_digest
from compiler.targets.target import target_from_spec
from games.sources import Source, read_game, read_program
from workers.devices.naming import SUFFIXES
from workers.gate_counts.programs import AMPLIFIED, Amplified
from workers.gate_counts.suite import Entry

DIGITS = 16
"""Hexadecimal digits that the baseline keeps."""


def entry_digest(entry: Entry) -> str:
    """Return what tells the program of an entry from another one under the same name.

    It is a digest of the circuit that was read, or of the game's rules: whitespace, comments and
    the names of registers do not change it. It includes the couplings and gates of a device that
    the suite names by a file, and not its calibration. The encoding and the options are part of
    the entry's key.

    Raises:
        InputError: if the program or the device cannot be read.
    """
    parts = [_program(entry.order.source)]
    if entry.target.endswith(SUFFIXES):
        parts.append(_device(entry.order.target))
    return sha256("\n".join(parts).encode()).hexdigest()[:DIGITS]


@cache
def _program(source: Source) -> str:
    if source.name.startswith(AMPLIFIED):
        source = Source(Amplified.named(source.name).game)
    if source.is_circuit:
        program = read_program(source)
        return f"{program_digest(program.circuit)} {program.resets}"
    game = read_game(source)
    return f"{type(game).__name__}({_shown(_state(game), leave_out='name')})"


@cache
def _device(spec: str) -> str:
    instructions = target_from_spec(spec).instructions
    return "\n".join(sorted(f"{operation.name} {qubits}" for operation, qubits in instructions))


def _state(value: object) -> dict[str, object]:
    """Return the attributes by which a value equals another one."""
    kind = type(value)
    if not has(kind):
        return vars(value)
    return {field.name: getattr(value, field.name) for field in fields(kind) if field.eq}


def _shown(state: Mapping[str, object], leave_out: str = "") -> str:
    return ", ".join(f"{name}={_text(one)}" for name, one in state.items() if name != leave_out)


def _text(value: object) -> str:
    """Return a frozen value as text: the same one for equal values of the same class."""
    kind = type(value)
    if has(kind):
        return f"{kind.__name__}({_shown(_state(value))})"
    if isinstance(value, Enum):
        return f"{kind.__name__}.{value.name}"
    if isinstance(value, Mapping):
        pairs = sorted(f"{_text(key)}: {_text(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)
