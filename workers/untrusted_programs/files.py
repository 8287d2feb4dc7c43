"""Programs in files of the user's own: read whole, and refused by their text if that must be.

Who works here may ask for far more than a stranger over HTTP
(`workers.untrusted_programs.text_checks`). Only what no target could ever hold, or what would
bring a parser down, is not even parsed.
"""

import re
from collections import Counter
from functools import reduce
from pathlib import Path

from backends.regular_files import read_regular_file
from compiler.errors import CircuitFileError, InputError
from compiler.expectation import Expectation, expectation_from_json
from compiler.targets.target import MAX_QUBITS
from games.sources import Source

MOST_BYTES = 100_000_000
MOST_EXPECTED_BYTES = 16_000_000
MOST_BITS = 100_000
MOST_GATES = 10_000_000
MOST_NESTING = 200
LONGEST_INTEGER = 18
MOST_SIZE = 10**9
"""Of a register, as it is told: products of many numbers are not worked out any further."""

COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
DECLARED = re.compile(
    r"\b(?:(?P<old>[qc]reg)\s+\w+\s*\[(?P<old_size>[^\]]*)\]"
    r"|(?P<new>qubit|bit)\s*\[(?P<new_size>[^\]]*)\])"
)
DEFINED = re.compile(r"\bgate\s+(\w+)[^{;]*\{([^}]*)\}")
CALLED = re.compile(r"(?:^|[;{}])\s*(?:(?:inv|ctrl|negctrl|pow)\b[^@]*@\s*)*(\w+)")
NUMBER = re.compile(r"\d[\d_]*")


def read_source_file(path: Path) -> Source:
    """Return the program of a file whose name says what it is.

    Raises:
        InputError: if it cannot be read, or must not be parsed.
    """
    try:
        content = read_regular_file(path, MOST_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if path.suffix == ".qasm":
        check_sizes(path.name, content.decode(errors="replace"))
    return Source(path.name, content)


def read_expectation_file(path: Path) -> Expectation:
    """Return what the outcomes of a circuit are expected to be; see `compiler.expectation`.

    Raises:
        InputError: if it cannot be read, or is no distribution.
    """
    try:
        text = read_regular_file(path, MOST_EXPECTED_BYTES).decode()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text file ({error.reason})") from error
    return expectation_from_json(text, path.name)


def check_sizes(name: str, text: str) -> None:
    """Refuse a circuit that declares or stands for more than anything here can hold.

    Args:
        name: of its file.
        text: OpenQASM 2 or 3.

    Raises:
        CircuitFileError: saying what is too much.
    """
    code = COMMENT.sub(" ", text)
    depth = 0
    for bracket in re.findall(r"[()\[\]{}]", code):
        depth += 1 if bracket in "([{" else -1
        if depth > MOST_NESTING:
            raise CircuitFileError(f"{name}: nested deeper than {MOST_NESTING} levels")
    declared = Counter[str]()
    for found in DECLARED.finditer(code):
        kind = "qubits" if (found["old"] or found["new"]).startswith("q") else "bits"
        declared[kind] += _size(name, found["old_size"] or found["new_size"] or "")
    for kind, most in (("qubits", MAX_QUBITS), ("bits", MOST_BITS)):
        if declared[kind] > most:
            raise CircuitFileError(
                f"{name}: declares {declared[kind]:,} {kind}; no target holds more than {most:,}"
                if kind == "qubits"
                else f"{name}: declares {declared[kind]:,} {kind}; {most:,} are allowed"
            )
    _check_definitions(name, code)


def _size(name: str, expression: str) -> int:
    """Return a register's size, or a bound on it where it is a sum or product of numbers."""
    numbers = [digits.replace("_", "") for digits in NUMBER.findall(expression)]
    if "**" in expression or "<<" in expression or any(len(n) > LONGEST_INTEGER for n in numbers):
        shown = " ".join(expression.split())[:40]
        raise CircuitFileError(f"{name}: a register's size is '{shown}'; write a smaller number")
    sizes = [int(number) for number in numbers]
    if len(sizes) == 1:
        return sizes[0]
    return reduce(lambda most, size: min(MOST_SIZE, most * max(2, size)), sizes, 1)


def _check_definitions(name: str, code: str) -> None:
    """Refuse gates that are defined by gates, and those again, until nothing can hold them all."""
    weights: dict[str, int] = {}
    for gate, body in DEFINED.findall(code):
        inside = sum(weights.get(called, 1) for called in CALLED.findall(body))
        weights[gate] = min(max(1, inside), MOST_GATES + 1)
    if not weights:
        return
    calls = Counter(CALLED.findall(DEFINED.sub(" ", code)))
    if sum(weights.get(gate, 1) * calls for gate, calls in calls.items()) > MOST_GATES:
        raise CircuitFileError(f"{name}: stands for more than {MOST_GATES:,} gates")
