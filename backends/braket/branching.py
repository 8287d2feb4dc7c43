"""Circuits that measure, reset and branch on the way, as OpenQASM 3 for Braket's local simulator.

On demand simulators and machines take none of this, by Amazon's list of the OpenQASM features
that Braket supports.
"""

from collections.abc import Iterator, Mapping, Sequence

from attrs import define
from qiskit import QuantumCircuit
from qiskit.circuit import (
    Barrier,
    CircuitInstruction,
    Clbit,
    IfElseOp,
    Measure,
    Reset,
    SwitchCaseOp,
)

from backends.braket.program import simulated_gate
from compiler.dynamic.expressions import Known
from compiler.dynamic.pieces import acted_on, body_of, choice_of


def branching_source(circuit: QuantumCircuit) -> str:
    """Return a circuit for the local simulator, on as many qubits as it touches.

    The simulator's own `reset` adds the amplitudes of |0⟩ and |1⟩, so a reset is a measurement
    and an X under its outcome; the bit after the circuit's own holds that. The simulator reports
    a bit whose measurement was not reached as if it had been measured last, so bits that are
    written in branches are first read from an idle qubit. Conditions compare bits one by one,
    since it computes with nothing else.

    Raises:
        BackendError: if the circuit has gates that simulators are not sent.
    """
    places = {qubit: place for place, qubit in enumerate(sorted(acted_on(circuit)))}
    writer = _Writer(places, circuit.num_clbits)
    body = list(writer.statements(circuit))
    idle = len(writer.places)
    zeros = "0" * (circuit.num_clbits + 1)
    head = [
        "OPENQASM 3.0;",
        f'bit[{circuit.num_clbits + 1}] b = "{zeros}";',
        f"qubit[{idle + 1}] q;",
        *(f"b[{bit}] = measure q[{idle}];" for bit in sorted(_written(circuit, within=True))),
    ]
    return "\n".join([*head, *body, ""])


def reported_bits(circuit: QuantumCircuit) -> list[int]:
    """Return the bit that each column of the simulator's measurements holds; its own bit last."""
    written = sorted(_written(circuit, within=False) | _written(circuit, within=True))
    resets = any(_resets(circuit))
    return [*written, circuit.num_clbits] if resets else written


def _bodies(circuit: QuantumCircuit, item: CircuitInstruction) -> list[QuantumCircuit]:
    if not isinstance(item.operation, IfElseOp | SwitchCaseOp):
        return []
    return [body_of(block, circuit, item) for block in item.operation.blocks]


def _written(circuit: QuantumCircuit, *, within: bool) -> set[int]:
    """Return the bits that are measured outside of branches, or within them."""
    result: set[int] = set()
    for item in circuit.data:
        if isinstance(item.operation, Measure) and not within:
            result.add(circuit.find_bit(item.clbits[0]).index)
        for body in _bodies(circuit, item) if within else ():
            result |= _written(body, within=False) | _written(body, within=True)
    return result


def _resets(circuit: QuantumCircuit) -> Iterator[bool]:
    for item in circuit.data:
        yield isinstance(item.operation, Reset)
        for body in _bodies(circuit, item):
            yield from _resets(body)


@define
class _Writer:
    """Writes statements.

    Args:
        places: the index of each touched qubit in the program.
        scratch: index of the bit for resets.
    """

    places: Mapping[int, int]
    scratch: int

    def statements(self, circuit: QuantumCircuit) -> Iterator[str]:
        for item in circuit.data:
            qubits = [
                f"q[{self.places[circuit.find_bit(q).index]}]"
                for q in item.qubits
                if circuit.find_bit(q).index in self.places
            ]
            match item.operation:
                case Barrier():
                    continue
                case Measure():
                    bit = circuit.find_bit(item.clbits[0]).index
                    yield f"b[{bit}] = measure {qubits[0]};"
                case Reset():
                    yield f"b[{self.scratch}] = measure {qubits[0]};"
                    yield f"if (b[{self.scratch}] == 1) {{ x {qubits[0]}; }}"
                case IfElseOp() | SwitchCaseOp():
                    yield from self._branch(circuit, item)
                case _:
                    yield from simulated_gate(item, qubits)

    def _branch(self, circuit: QuantumCircuit, item: CircuitInstruction) -> Iterator[str]:
        choice = choice_of(item.operation)
        names = {bit: f"b[{circuit.find_bit(bit).index}]" for bit in choice.reads}
        bodies = _bodies(circuit, item)
        for number, body in enumerate(bodies):
            yield f"if ({condition(names, choice.when(number))}) {{"
            yield from self.statements(body)
            yield "} else {" if body is not bodies[-1] else "}" * len(bodies)


def condition(names: Mapping[Clbit, str], cases: Sequence[Known]) -> str:
    """Return a condition that holds in some cases.

    Args:
        names: of the bits.
        cases: values of the bits that decide each of them.
    """
    if not cases:
        return "false"
    if not all(cases):
        return "true"
    terms = [
        " && ".join(f"{names[bit]} == {int(value)}" for bit, value in case.items())
        for case in cases
    ]
    return terms[0] if len(terms) == 1 else " || ".join(f"({term})" for term in terms)
