"""Programs that read as few qubits as tell the outcome, and do nothing that is not read."""

from compiler.readouts.fewest import FewReadouts, fewest_readouts

__all__ = ["FewReadouts", "fewest_readouts"]
