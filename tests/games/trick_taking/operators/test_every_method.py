"""Every operator's examples by every synthesis method, on legal inputs."""

from itertools import islice

import pytest

from compiler.synthesis.method import predictions
from compiler.synthesis.operator import operators
from compiler.verification.operators import MOST_GATES, verify_methods

MOST_QUBITS = 20
MOST_WORK = 3000
"""Inputs, times two-qubit gates of the cheapest method, up to which an example is tried."""


def small_examples(kind):
    """Return the examples that can be gone through, with the number of their legal inputs."""
    found = []
    for operator in kind.example_operators().values():
        if operator.num_qubits <= MOST_QUBITS:
            price = max(1, min(predictions(operator).values()))
            legal = sum(1 for _ in islice(operator.legal_inputs(), MOST_WORK))
            if legal * price <= MOST_WORK:
                found.append((operator, legal))
    return found


@pytest.mark.parametrize("name", sorted(operators))
def test_every_method_does_what_the_operator_specifies(name):
    found = small_examples(operators[name])
    assert found, f"{name} has no example that can be gone through"
    for operator, legal in found:
        built = {m for m, price in predictions(operator).items() if price <= MOST_GATES}
        assert verify_methods(operator) == dict.fromkeys(built, legal)


def test_labels_name_one_example_each():
    labels = [each.label for kind in operators.values() for each in kind.examples]
    assert len(set(labels)) == len(labels) > len(operators)
