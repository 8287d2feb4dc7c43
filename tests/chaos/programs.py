"""Tiny circuits whose every shot is known beforehand, so that a mistaken result shows."""

from attrs import frozen

from games.sources import Source

QUBITS = 4
CHAIN = tuple((qubit, qubit + 1) for qubit in range(QUBITS - 1))


@frozen
class Known:
    """A program and the one outcome that it has, bit i of which is classical bit i."""

    source: Source
    outcome: int


def known(pattern: int) -> Known:
    """Return the program that prepares a pattern of bits and lets each flip the next.

    Args:
        pattern: from 0 to 15; different patterns have different outcomes.
    """
    bits = [pattern >> qubit & 1 for qubit in range(QUBITS)]
    flips = [f"x q[{qubit}];" for qubit in range(QUBITS) if bits[qubit]]
    for control, target in CHAIN:
        bits[target] ^= bits[control]
    text = "\n".join(
        [
            "OPENQASM 2.0;",
            'include "qelib1.inc";',
            f"qreg q[{QUBITS}];",
            f"creg c[{QUBITS}];",
            *flips,
            *(f"cx q[{control}], q[{target}];" for control, target in CHAIN),
            "measure q -> c;",
        ]
    )
    outcome = sum(bit << qubit for qubit, bit in enumerate(bits))
    return Known(Source(f"pattern{pattern}.qasm", text.encode()), outcome)


PROGRAMS = tuple(known(pattern) for pattern in range(2**QUBITS))
"""Each outcome of four bits once."""

OUTCOMES = {program.source.name: program.outcome for program in PROGRAMS}
