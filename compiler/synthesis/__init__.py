"""Operators and their synthesis methods: each method turns one operator into ordinary gates.

Both are registered by one decorator each. Every method is an entry of Qiskit's
`qiskit.synthesis` plugin group, too, named `<operator>.<method>`, so that any `transpile()` call
lowers the operators.
"""
