"""Synthesis methods: each turns one operator into ordinary gates.

Every method is an entry of Qiskit's `qiskit.synthesis` plugin group, named
`<operator>.<method>`, so that any `transpile()` call lowers the operators.
"""
