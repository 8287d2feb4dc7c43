"""Placement of routed circuits on a device's best qubits and couplers."""
