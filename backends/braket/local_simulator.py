"""Amazon Braket's own simulator, in this process."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from backends.backend import CircuitJob, LocalBackend
from backends.braket.branching import branching_source, reported_bits
from backends.braket.program import probabilities_source, simulator_program
from backends.errors import BackendError
from backends.families import backend, refuse_argument
from compiler.dynamic.needs import EVERYTHING, Need
from compiler.dynamic.pieces import acted_on, is_dynamic
from compiler.errors import MissingExtraError

MAX_QUBITS = 20
"""Active qubits beyond which its state vector takes minutes."""


@backend("braket-local", "Amazon Braket's LocalSimulator, a state vector without noise")
class LocalBraketBackend(LocalBackend):
    """Asks the simulator for exact probabilities and draws the shots itself, by the job's seed.

    Circuits that measure on the way are run shot by shot by the simulator, with a seed.
    """

    def __init__(self, argument: str) -> None:
        refuse_argument("braket-local", argument)
        MissingExtraError.require("braket")

    def supports(self) -> frozenset[Need]:
        """Return everything: the simulator branches at each measurement."""
        return EVERYTHING

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        from braket.devices import LocalSimulator
        from braket.ir.openqasm import Program

        dynamic = is_dynamic(job.circuit)
        if (active := len(acted_on(job.circuit))) > MAX_QUBITS:
            raise BackendError(
                f"backend 'braket-local': {active} active qubits are more than {MAX_QUBITS}; "
                "try 'aer' or 'sparse'"
            )
        if dynamic:
            return _branching_counts(job)
        bit_of = simulator_program(job.circuit).bit_of
        # The simulator gives them in increasing order, in any case.
        labels = sorted(bit_of)
        program = Program(source=probabilities_source(job.circuit, labels))
        exact = np.maximum(LocalSimulator().run(program, shots=0).result().values[0], 0)
        drawn = np.random.default_rng(job.seed).multinomial(job.shots, exact / exact.sum())
        places = [bit_of[label] for label in reversed(labels)]
        return {
            sum(1 << bit for i, bit in enumerate(places) if index >> i & 1): int(drawn[index])
            for index in map(int, np.flatnonzero(drawn))
        }


def _branching_counts(job: CircuitJob) -> Mapping[int, int]:
    from braket.devices import LocalSimulator
    from braket.ir.openqasm import Program

    from backends.braket.seeded_simulator import SeededSimulator

    program = Program(source=branching_source(job.circuit))
    ran = LocalSimulator(SeededSimulator(job.seed)).run(program, shots=job.shots).result()
    bits = reported_bits(job.circuit)
    columns = [(column, bit) for column, bit in enumerate(bits) if bit < job.circuit.num_clbits]
    return Counter(
        sum(1 << bit for column, bit in columns if row[column]) for row in ran.measurements
    )
