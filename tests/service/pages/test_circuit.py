"""Drawing of circuits."""

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from games.sources import Source, read_program
from service.pages.circuit import COLUMNS, circuit_figure, place_boxes


def test_boxes_of_the_toy() -> None:
    program = read_program(Source("skat-4"), "paper").circuit
    registers = [register.name for register in program.qregs]
    line_of = {qubit: line for line, register in enumerate(program.qregs) for qubit in register}
    boxes = place_boxes(program, [line_of[qubit] for qubit in program.qubits])
    assert [box.label.replace("\n", " ") for box in boxes] == [
        "uniform deal", "CP2 A", "CP2 B", "trick taking", "cx", "CP1 A", "CP1 B", "trick taking",
        "M",
    ]  # fmt: skip
    assert [registers[line] for line in boxes[4].lines] == ["stack", "prior_1"]
    assert [box.column for box in boxes] == list(range(9))


def test_a_large_circuit_is_only_described() -> None:
    circuit = QuantumCircuit(21)
    circuit.h(range(21))
    picture = circuit_figure(circuit, bundled=False)
    assert picture == "<p>Too large to draw: 21 qubits, 21 h.</p>"


def test_what_bits_decide_comes_after_they_are_measured() -> None:
    register = ClassicalRegister(2, "syndrome")
    circuit = QuantumCircuit(QuantumRegister(3, "q"), register, ClassicalRegister(1, "late"))
    circuit.h(1)
    circuit.measure(1, 0)
    with circuit.if_test((register, 1)):
        circuit.x(0)
    circuit.measure(2, 0)
    with circuit.switch(circuit.clbits[2]) as case, case(0):
        circuit.x(1)
    boxes = place_boxes(circuit, range(3))
    assert [(box.label, box.lines, box.column) for box in boxes] == [
        ("h", (1,), 0),
        ("M", (1,), 1),
        ("if\nsyndr…", (0,), 2),
        ("M", (2,), 3),
        ("switch\nlate", (1,), 2),
    ]
    assert "if and switch: by measured bits" in circuit_figure(circuit, bundled=False)


def test_outcomes_of_a_match_are_told():
    circuit = QuantumCircuit(3, 2)
    circuit.h(0)
    circuit.cx(0, 2)
    circuit.z(1)
    circuit.measure(2, 0)
    circuit.measure(1, 1)
    boxes = place_boxes(circuit, range(3), [1])
    assert [(box.name, box.lines, box.column, box.outcome) for box in boxes] == [
        ("h", (0,), 0, ""), ("cx", (0, 2), 1, ""), ("z", (1,), 2, ""), ("measure", (2,), 2, "1"),
        ("measure", (1,), 3, "?"),
    ]  # fmt: skip
    drawn = circuit_figure(circuit, bundled=False, outcomes=[1])
    assert "h on q[0]; cx on q[0], q[2]; z on q[1]; q[2] measured: 1; q[1] measured: not" in drawn


def test_of_a_long_circuit_one_end_is_drawn():
    circuit = QuantumCircuit(1)
    for _ in range(5 * COLUMNS):
        circuit.h(0)
    for outcomes, end in ((None, "first"), ([], "last")):
        drawn = circuit_figure(circuit, bundled=False, outcomes=outcomes, max_columns=3 * COLUMNS)
        assert f"The {end} {3 * COLUMNS} of {5 * COLUMNS} columns are drawn." in drawn
        assert drawn.count("<rect") == 3 * COLUMNS
