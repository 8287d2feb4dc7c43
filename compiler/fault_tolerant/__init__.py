"""Costs of programs on error-corrected qubits, where T gates are dear and Clifford gates free."""

from compiler.fault_tolerant.amplitude_estimation import Estimation, estimation
from compiler.fault_tolerant.counting import logical_resources
from compiler.fault_tolerant.resources import LogicalResources

__all__ = ["Estimation", "LogicalResources", "estimation", "logical_resources"]
