"""Reading of strangers' programs, in a process that may die of them.

The kernel bounds memory and processor time, so that a program that takes too much ends the
process at the worst. `workers.untrusted_programs.inspector` starts it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from compiler.compilation import Options
from compiler.errors import CircuitFileError, InputError, StichwerkError
from compiler.measurement import registers_of
from compiler.program import Program
from games.sources import Source, encodings_meant, read_program
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.submission import checked

HEADROOM_BYTES = 1 << 30
"""Memory that programs may take; the game of 32 cards takes a tenth of it."""

CPU_SECONDS = 10
"""Processor time for one program: 20,000 statements of OpenQASM 3 take 7 s to parse."""

LONGEST_MESSAGE = 500


def warm_up() -> None:
    """Import all that reading takes: else the first program would pay for it."""
    source = Source("first.qasm", b"OPENQASM 3.0; qubit q; bit c; U(1, 2, 3) q; c = measure q;")
    checked(Submission(CompileOrder(source, "", Options("fast")), "sparse", shots=1))
    read_program.cache_clear()


def answered(read: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Return a function's result, which JSON can hold, or the reason of a refusal.

    Raises:
        MemoryError: if it takes too much memory.
    """
    try:
        return read(*arguments)
    except StichwerkError as error:
        return _refusal(str(error))
    except MemoryError:
        raise
    except RecursionError:
        return _refusal("is nested too deeply")
    except Exception as error:  # noqa: BLE001 - a stranger's program may raise anything anywhere
        return _refusal(f"cannot be read: {type(error).__name__}")
    finally:
        read_program.cache_clear()


def _refusal(message: str) -> dict[str, Any]:
    return {"refused": " ".join(message.split())[:LONGEST_MESSAGE]}


def settle(order: CompileOrder, backend: str, most_qubits: int, most_gates: int) -> dict[str, Any]:
    """Return the settled order's target and options; see `workers.jobs.submission.checked`."""
    for encoding in encodings_meant(order.source, order.encoding):
        program = read_program(order.source, encoding)
        check_size(program, order.source.name, most_qubits, most_gates)
    done = checked(Submission(order, backend, shots=1)).order
    return {"target": done.target, "options": done.as_json()}


def outcomes(source: Source, encoding: str, counts: Mapping[str, int]) -> dict[str, Any]:
    """Return the width and registers of measured bits, and counts by the rules' outcomes."""
    program = read_program(source, encoding)
    outcomes = program.named_outcomes({int(measured): n for measured, n in counts.items()})
    registers = registers_of(program.circuit)
    return {"bits": program.circuit.num_clbits, "registers": registers, "outcomes": outcomes}


def check_size(program: Program, name: str, most_qubits: int, most_gates: int) -> None:
    """Refuse a program with too many qubits, or a circuit that stands for too many gates.

    Raises:
        InputError: naming the limit.
    """
    qubits = program.circuit.num_qubits
    if qubits > most_qubits:
        raise InputError(f"{name}: {qubits} qubits; {most_qubits} are allowed")
    if not program.is_circuit:
        return
    # Reading has written out all gates but those of Qiskit's library.
    gates = program.circuit.size() - program.circuit.count_ops().get("measure", 0)
    if gates > most_gates:
        raise CircuitFileError(f"{name}: stands for more than {most_gates} gates")
