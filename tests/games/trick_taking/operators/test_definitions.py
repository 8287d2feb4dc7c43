"""Definitions and synthesis methods against the specification, on every legal input."""

from itertools import islice

from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.verification.operators import verify_operator


def test_definition_meets_the_specification(operator):
    legal = sum(1 for _ in operator.legal_inputs())
    assert legal <= 2000
    assert verify_operator(operator) == legal


def test_every_synthesis_method_meets_the_specification(operator):
    plugins = HighLevelSynthesisPluginManager()
    methods = set(plugins.method_names(operator.name)) - {"default"}
    assert "literal" in methods
    for method in sorted(methods):
        circuit = plugins.method(operator.name, method).run(operator)
        assert circuit.num_qubits == operator.num_qubits
        assert verify_operator(operator, circuit, islice(operator.legal_inputs(), 0, None, 7)) >= 1
