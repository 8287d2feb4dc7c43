"""`python -m benchmarks.qubit_reuse`: qubits of circuits that reuse them.

Beside our own widths stand those of gates in fixed order on every qubit, as in DeCross et al. and
the tools that follow them.
"""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

from qiskit import QuantumCircuit
from qiskit.circuit import Operation

from compiler.program import Program
from compiler.public_circuits.public_circuit import circuit_from_spec
from compiler.reuse.order import best_order
from compiler.reuse.wires import wires_of
from compiler.verification.reuse import verify_reuse
from games import encoded, encodings_of, named_game
from games.sources import Source, read_program

EXAMPLES = Path(__file__).parent.parent / "examples"
GAMES = ("skat-4", "six-nimmt", "skat-9")


def circuits() -> Iterator[QuantumCircuit]:
    """Yield the circuits of the table."""
    for spec in ("ghz:20", "qft:10", "vqe-linear:20", "heisenberg:20"):
        yield _measured(circuit_from_spec(spec, 0), f"`{spec}`")
    for qubits in (16, 40, 80):
        qaoa = circuit_from_spec(f"qaoa:{qubits}", 0)
        once = qaoa.copy_empty_like()
        for item in qaoa.data[: 7 * qubits // 2]:
            once.append(item)
        yield _measured(once, f"`qaoa:{qubits}`, first round")
    for name in ("repetition-code", "teleported-ghz"):
        source = Source(f"{name}.qasm", (EXAMPLES / f"{name}.qasm").read_bytes())
        circuit = read_program(source).circuit
        circuit.name = f"`examples/{name}.qasm`"
        yield circuit
    for name in GAMES:
        game = named_game(name)
        for encoding in encodings_of(game):
            circuit = encoded(game, encoding).circuit.copy()
            circuit.name = f"`{name}`, `{encoding}`"
            yield circuit


def _measured(circuit: QuantumCircuit, name: str) -> QuantumCircuit:
    result = circuit.copy(name)
    result.measure_all()
    return result


def width_in_order(circuit: QuantumCircuit) -> int:
    """Return the width that is found if no two gates on a qubit may change places."""

    def none(operation: Operation) -> tuple[None, ...]:
        return (None,) * operation.num_qubits

    with patch("compiler.reuse.wires.axes_of", none):
        return best_order(wires_of(circuit)).width


def main() -> None:
    """Print the table in Markdown, every narrowed circuit proven."""
    print("| circuit | qubits | fixed order | reused | minimum | seconds |")
    print("|---|---|---|---|---|---|")
    for circuit in circuits():
        started = perf_counter()
        program = Program(circuit).reusing()
        seconds = perf_counter() - started
        if program.reuse is not None and program.reuse.chains:
            verify_reuse(circuit, program.circuit, program.reuse.chains)
        proven = "proven" if best_order(wires_of(circuit)).optimal else ""
        in_order = min(circuit.num_qubits, width_in_order(circuit))
        print(
            f"| {circuit.name} | {circuit.num_qubits} | {in_order} | "
            f"{program.circuit.num_qubits} | {proven} | {seconds:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
