"""Narrowed circuits measure what their originals do."""

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit_aer import AerSimulator

from compiler.compilation import Options, compile, plan
from compiler.errors import TargetError, VerificationError
from compiler.program import Program
from compiler.reuse import order
from compiler.reuse.narrowing import narrowed, narrowest
from compiler.verification.reuse import verify_outcomes, verify_reuse
from tests.compiler.reuse.circuits import bernstein_vazirani, ghz, random_sparse
from tests.independent import distribution


@pytest.mark.parametrize("seed", range(24))
def test_random_circuits_are_distributed_as_before(seed):
    """The reference multiplies density matrices, branch by branch."""
    circuit = random_sparse(seed)
    program = Program(circuit).reusing()
    assert distribution(program.circuit) == pytest.approx(distribution(circuit), abs=1e-9)
    assert program.circuit.num_qubits == circuit.num_qubits - program.reuse.saved
    if program.reuse.chains:
        verify_reuse(circuit, program.circuit, program.reuse.chains)


def test_a_simulator_sees_the_secret_on_two_qubits():
    secret = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    circuit = Program(bernstein_vazirani(secret)).reusing().circuit
    counts = AerSimulator().run(transpile(circuit), shots=50, seed_simulator=1).result()
    assert circuit.num_qubits == 2
    assert counts.get_counts() == {"".join(map(str, reversed(secret))): 50}


def test_registers_and_bits_keep_their_names():
    circuit = random_sparse(3)
    narrow = Program(circuit).reusing().circuit
    assert (narrow.cregs, narrow.clbits, narrow.name) == (circuit.cregs, circuit.clbits, "sparse-3")


def test_a_qubit_that_is_never_measured_is_thrown_away():
    """The last of three is entangled with the rest and read by nobody: its qubit may be reset."""
    circuit = QuantumCircuit(3, 2)
    circuit.h(0)
    circuit.cx(0, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    program = Program(circuit).reusing()
    assert program.circuit.num_qubits == 2
    assert distribution(program.circuit) == pytest.approx(distribution(circuit))


def test_stretches_between_resets_may_take_different_qubits():
    """The original spreads its ancilla over both sides of a pair, and has one qubit too many."""
    circuit = QuantumCircuit(3, 4)
    for turn in range(2):
        circuit.h(2 * turn)
        circuit.cx(2 * turn, 1)
        circuit.measure(1, turn)
        circuit.reset(1)
        circuit.measure(2 * turn, 2 + turn)
    program = Program(circuit).reusing()
    assert program.circuit.num_qubits == 2
    assert distribution(program.circuit) == pytest.approx(distribution(circuit))


def test_what_needs_all_its_qubits_stays_as_it_is():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure([0, 1], [0, 1])
    program = Program(circuit).reusing()
    assert program.circuit is circuit
    assert (program.reuse.saved, program.reuse.chains) == (0, ())


@pytest.mark.parametrize("chains", [((0, 1, 2),), ((2, 1), (0, 3)), ((0, 1), (2, 3, 3))])
def test_impossible_chains_are_refused(chains):
    with pytest.raises(VerificationError):
        narrowed(ghz(4), chains)


def test_outcomes_are_compared_with_the_original():
    program = Program(ghz(6)).reusing()
    assert verify_outcomes(program.reuse, program.circuit) == 2
    with pytest.raises(VerificationError, match="before qubits were re-used"):
        verify_outcomes(program.reuse, _flipped_first(program.circuit))


def _flipped_first(circuit):
    made = circuit.copy_empty_like()
    for item in circuit.data:
        if item.operation.name == "measure" and item.clbits[0] == circuit.clbits[0]:
            made.x(item.qubits[0])
        made.append(item)
    return made


def many_wires(qubits, resets):
    """Return a circuit that measures and resets its qubits in turn, after they met others."""
    circuit = QuantumCircuit(qubits, resets)
    for number in range(resets):
        qubit = number % qubits
        circuit.h(qubit)
        circuit.cx(qubit, (qubit + 1) % qubits)
        circuit.measure(qubit, number)
        circuit.reset(qubit)
    return circuit


def test_circuits_of_many_wires_keep_the_order_in_which_these_are_done(monkeypatch):
    monkeypatch.setattr(order, "MOST_WIRES", 20)
    monkeypatch.setattr(order._Cones, "normalised", lambda *_: pytest.fail("takes their square"))
    circuit = many_wires(6, 30)
    chains = narrowest(circuit)
    assert len(chains) == 2
    verify_reuse(circuit, narrowed(circuit, chains), chains)


def test_nobody_narrows_a_circuit_of_many_wires_unasked(monkeypatch):
    settled = plan.settled_program

    def unnarrowed(program, options):
        assert not options.reuse_qubits
        return settled(program, options)

    monkeypatch.setattr(plan, "settled_program", unnarrowed)
    program = Program.of_circuit(many_wires(6, 95))
    with pytest.raises(TargetError, match=r"has 4; .+ or another encoding$"):
        compile(program, "star:4", Options())
