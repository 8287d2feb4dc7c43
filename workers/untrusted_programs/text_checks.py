"""Refusing programs that arrive over HTTP by their text alone, before any parser has seen them.

What a stranger sends may be small and yet unfold into more than any memory holds. These checks
take time linear in the text and refuse what is plainly too much; whatever gets past them is read
in a process that may be lost (`workers.untrusted_programs.inspector`).
"""

import re

from compiler.errors import CircuitFileError, InputError
from compiler.formats.text_content import check_characters
from workers.settings import Settings
from workers.untrusted_programs.circuit_sizes import Limits, check_circuit_text

MOST_NESTING = 32
ESCAPED = re.compile(r"\\u0000|\\U00000000")
"""Characters that databases cannot keep, as escapes of TOML."""


def check_program_text(name: str, text: str, set_: Settings) -> None:
    """Refuse a file by its text.

    Args:
        name: it ends in `.qasm` or `.toml`.
        text: the contents.
        set_: with the limits on bytes, qubits and gates.

    Raises:
        InputError: saying what is too much, or not allowed.
    """
    if len(text.encode("utf-8", "surrogatepass")) > set_.most_bytes:
        raise InputError(f"{name}: more than {set_.most_bytes} bytes")
    if name.endswith(".qasm"):
        check_characters(text, name, CircuitFileError)
        limits = Limits(qubits=set_.most_qubits, gates=set_.most_gates, nesting=MOST_NESTING)
        check_circuit_text(name, text, limits)
        return
    check_characters(text, name)
    if ESCAPED.search(text):
        raise InputError(f"{name}: holds the control character U+0000; remove it")
    depth = 0
    for bracket in re.findall(r"[\[\](){}]", text):
        depth += 1 if bracket in "([{" else -1
        if depth > MOST_NESTING:
            raise InputError(f"{name}: nested deeper than {MOST_NESTING} levels")
