"""Noise of a device of one's own, against what its file says."""

from math import sqrt

import pytest
from qiskit import QuantumCircuit

from backends import CircuitJob, backend_from_spec
from compiler.errors import TargetError
from compiler.targets.device import Device, Placed, QubitCalibration, make_known

ONE_FOR_ZERO, ZERO_FOR_ONE, GATE = 0.02, 0.1, 0.06
SHOTS = 20_000


def spec(*, error: float | None = GATE, duration: float | None = 50.0, t2: float | None = 80.0):
    return make_known(
        Device(
            "noisy",
            (QubitCalibration(60.0, t2, ONE_FOR_ZERO, ZERO_FOR_ONE),) * 2,
            {
                "cz": (Placed((0, 1), error, duration),),
                "rz": tuple(Placed((q,), 0.0, 0.0) for q in range(2)),
                "sx": tuple(Placed((q,), 0.0, 30.0) for q in range(2)),
                "x": tuple(Placed((q,), 0.0, 30.0) for q in range(2)),
                "measure": tuple(Placed((q,), 0.06 if error else None, 900.0) for q in range(2)),
            },
        )
    )


def shares(backend: str, circuit: QuantumCircuit) -> dict[int, float]:
    machine = backend_from_spec(backend)
    counts = machine.run(CircuitJob(circuit, machine.default_target(), SHOTS, 1))
    return {outcome: n / SHOTS for outcome, n in counts.items()}


def near(share: float, exact: float) -> bool:
    return abs(share - exact) < 5 * sqrt(exact * (1 - exact) / SHOTS)


@pytest.mark.parametrize("family", ["aer", "sparse"])
def test_readouts_and_gates_fail_as_the_file_says(family):
    circuit = QuantumCircuit(2, 2)
    circuit.x(1)
    circuit.measure([0, 1], [0, 1])
    found = shares(f"{family}:{spec()}", circuit)
    assert near(found[0b10], (1 - ONE_FOR_ZERO) * (1 - ZERO_FOR_ONE))
    assert near(found[0b00], (1 - ONE_FOR_ZERO) * ZERO_FOR_ONE)
    circuit = QuantumCircuit(2, 2)
    circuit.cz(0, 1)
    circuit.measure([0, 1], [0, 1])
    found = shares(f"{family}:{spec()}", circuit)
    # Of fifteen Paulis, each with e·4/(3·16), those with X or Y flip a bit of |00⟩.
    each = GATE * 4 / 3 / 16
    flipped = {0: 1 - 12 * each, 1: 4 * each, 2: 4 * each, 3: 4 * each}
    read = {0: (1 - ONE_FOR_ZERO, ONE_FOR_ZERO), 1: (ZERO_FOR_ONE, 1 - ZERO_FOR_ONE)}
    for outcome in range(4):
        exact = sum(
            p * read[state & 1][outcome & 1] * read[state >> 1][outcome >> 1]
            for state, p in flipped.items()
        )
        assert near(found[outcome], exact)


@pytest.mark.parametrize(
    ("given", "variant", "message"),
    [
        ({"error": None}, "", "has no errors, and so no noise"),
        ({"duration": None}, ":thermal", "tell 'duration_ns' of 'cz'"),
        ({"t2": None}, ":thermal", "add t1_us and t2_us of qubit 0"),
    ],
)
def test_too_little_is_known(given, variant, message):
    with pytest.raises(TargetError, match=message):
        backend_from_spec(f"aer:{spec(**given)}{variant}")


def test_what_the_file_tells_of_a_circuits_errors_is_known():
    device = spec()
    circuit = QuantumCircuit(2, 1)
    circuit.sx(1)
    circuit.cz(1, 0)
    circuit.cz(0, 1)
    circuit.measure(1, 0)
    found = backend_from_spec(f"aer:{device}").calibration(CircuitJob(circuit, device, 10, 1))
    assert [(one.what, one.on, one.error, one.uses) for one in found.errors] == [
        ("cz", (0, 1), GATE, 2),
        ("readout", (1,), 0.06, 1),
    ]
    # What is shipped is always the same: nothing can have changed.
    shipped = CircuitJob(circuit, "heavy-hex:torino", 10, 1)
    assert backend_from_spec("aer:torino").calibration(shipped) is None
