"""`python -m benchmarks.qubit_reuse`: how many qubits circuits need that use them again.

Beside our own widths stands what is found if gates keep their order on every qubit, as in DeCross
et al. and the tools that follow them.
"""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

from qiskit import QuantumCircuit
from qiskit.circuit import Operation
from qiskit.circuit.library import QFTGate

from compiler.program import Program
from compiler.reuse.order import best_order
from compiler.reuse.wires import wires_of
from compiler.verification.reuse import verify_reuse
from games import encoded, encodings_of, named_game
from games.sources import Source, read_program

EXAMPLES = Path(__file__).parent.parent / "examples"
GAMES = ("skat-4", "six-nimmt", "skat-9")


def measured(name: str, circuit: QuantumCircuit, last: int | None = None) -> QuantumCircuit:
    """Return a circuit with all its qubits measured at the end, or the first ones."""
    bits = circuit.num_qubits if last is None else last
    made = QuantumCircuit(circuit.num_qubits, bits, name=name)
    made.compose(circuit, made.qubits, inplace=True)
    made.measure(range(bits), range(bits))
    return made


def bernstein_vazirani(bits: int) -> QuantumCircuit:
    """Return a circuit that reads a secret of ones."""
    circuit = QuantumCircuit(bits + 1)
    circuit.x(bits)
    circuit.h(range(bits + 1))
    for qubit in range(bits):
        circuit.cx(qubit, bits)
    circuit.h(range(bits))
    return measured(f"Bernstein–Vazirani, {bits} bits", circuit, bits)


def ghz(qubits: int) -> QuantumCircuit:
    """Return a ladder of CX."""
    circuit = QuantumCircuit(qubits)
    circuit.h(0)
    for qubit in range(qubits - 1):
        circuit.cx(qubit, qubit + 1)
    return measured("GHZ ladder", circuit)


def cluster(qubits: int) -> QuantumCircuit:
    """Return a cluster state on a line, measured along X."""
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    for qubit in range(qubits - 1):
        circuit.cz(qubit, qubit + 1)
    circuit.h(range(qubits))
    return measured("cluster state on a line", circuit)


def qaoa(name: str, qubits: int, edges: Iterable[tuple[int, int]], layers: int) -> QuantumCircuit:
    """Return QAOA for MaxCut."""
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    edges = list(edges)
    for _ in range(layers):
        for a, b in edges:
            circuit.rzz(0.3, a, b)
        circuit.rx(0.4, range(qubits))
    return measured(f"QAOA, {name}, {layers} layer{'s' * (layers > 1)}", circuit)


def regular_graph(vertices: int, seed: int) -> list[tuple[int, int]]:
    """Return a random graph in which every vertex has three edges."""
    draws = random.Random(seed)
    while True:
        ends = [vertex for vertex in range(vertices) for _ in range(3)]
        draws.shuffle(ends)
        edges = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)}
        if len(edges) == 3 * vertices // 2 and all(a != b for a, b in edges):
            return sorted(edges)


def brickwork(qubits: int, layers: int) -> QuantumCircuit:
    """Return layers of gates that commute with nothing between neighbours on a line."""
    circuit = QuantumCircuit(qubits)
    for layer in range(layers):
        for qubit in range(layer % 2, qubits - 1, 2):
            circuit.iswap(qubit, qubit + 1)
    return measured(f"brickwork on a line, {layers} layers", circuit)


def qft(qubits: int) -> QuantumCircuit:
    """Return Qiskit's quantum Fourier transform in gates."""
    circuit = QuantumCircuit(qubits)
    circuit.compose(QFTGate(qubits).definition, inplace=True)
    return measured("QFT", circuit)


def circuits() -> Iterator[QuantumCircuit]:
    """Yield the circuits of the table."""
    yield bernstein_vazirani(20)
    yield ghz(20)
    yield cluster(20)
    ring = [(vertex, (vertex + 1) % 20) for vertex in range(20)]
    yield qaoa("ring", 20, ring, 1)
    yield qaoa("ring", 20, ring, 2)
    for vertices in (16, 40, 80):
        yield qaoa("random 3-regular graph", vertices, regular_graph(vertices, 0), 1)
    yield brickwork(20, 4)
    yield qft(10)
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


def width_in_order(circuit: QuantumCircuit) -> int:
    """Return the width that is found if no two gates on a qubit may change places."""

    def none(operation: Operation) -> tuple[None, ...]:
        return (None,) * operation.num_qubits

    with patch("compiler.reuse.wires.axes_of", none):
        return best_order(wires_of(circuit)).width


def main() -> None:
    """Print the table in Markdown, every narrowed circuit proven."""
    print("| circuit | qubits | gates in their order | re-used | fewest | seconds |")
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
