"""Amazon Braket's simulator of state vectors with a seed; only this module needs the SDK."""

import logging
from typing import Any

import numpy as np
from braket.default_simulator import StateVectorSimulation, StateVectorSimulator

# It warns of each program that branches, which machines would not take.
logging.getLogger("braket.default_simulator.openqasm.interpreter").setLevel(logging.ERROR)


class SeededSimulator(StateVectorSimulator):
    """Draws all shots of a run from one generator, where the SDK makes a new one each time.

    Args:
        seed: of the generator.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._generator = np.random.default_rng(seed)

    def initialize_simulation(self, **options: Any) -> StateVectorSimulation:
        """Return a simulation of `qubit_count` qubits and `shots` shots; see the SDK's own."""
        simulation = super().initialize_simulation(**options)
        simulation._rng_generator = self._generator
        return simulation
