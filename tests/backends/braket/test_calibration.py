"""What Braket tells of a machine's errors: of what a circuit does alone."""

import pytest
from qiskit import QuantumCircuit

from backends import CircuitJob, backend_from_spec
from tests.backends.braket.garnet import job as garnet_job
from tests.backends.braket.garnet import native, steered
from tests.backends.braket.simulated import job

CALIBRATED = {
    ("r", (1,)): 0.000586, ("r", (4,)): 0.000613, ("cz", (1, 4)): 0.009001,
    ("readout", (1,)): 0.02465, ("readout", (4,)): 0.0226,
}  # fmt: skip
"""By `compiler/targets/iqm.toml`, of what the circuit does once."""


def errors_of(told):
    assert all(one.uses == 1 for one in told.errors)
    return {(one.what, one.on): one.error for one in told.errors}


def test_the_simulated_machine_tells_its_calibration(server, garnet):
    told = garnet.calibration(job())
    assert errors_of(told) == pytest.approx(CALIBRATED)
    assert told.at[:2] == "20"


def test_what_a_branch_does_counts(server, garnet):
    told = garnet.calibration(garnet_job(native(steered())))
    uses = {(one.what, one.on): one.uses for one in told.errors}
    assert uses == {("r", (0,)): 1, ("r", (1,)): 1, ("readout", (0,)): 1, ("readout", (1,)): 1}


def test_a_simulator_has_none(server):
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    assert backend_from_spec("braket:sv1").calibration(CircuitJob(circuit, "all", 1, 0)) is None
