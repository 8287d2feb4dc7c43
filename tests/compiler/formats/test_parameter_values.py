"""Values of parameters: what is read and refused, and put into circuits."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Parameter

from compiler.errors import InputError
from compiler.formats.parameter_values import bound, merged, values_from_json, values_from_text

ONE = (("a", 0.3), ("b", 2.0))


def test_values_are_read_in_the_order_of_their_names():
    assert values_from_text(["b = 2", "a=3e-1"]) == ONE
    assert values_from_json('{"b": 2, "a": 0.3}', "v.json") == [ONE]
    assert values_from_json('[{"x": [1, 2]}, {}]', "v.json") == [(("x[0]", 1.0), ("x[1]", 2.0)), ()]
    assert merged([ONE[:1], (("a", 4.0),)], ONE[1:]) == [ONE, (("a", 4.0), ("b", 2.0))]
    assert merged([], ONE) == [ONE]
    assert merged([], ()) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (["a"], "'a'"), (["=1"], "'=1'"), (["a="], "''"), (["a=nan"], "'nan'"), (["a=1j"], "'1j'"),
        (["a=inf"], "'inf'"), (["a=1", "a=1"], "twice: 'a'"),
    ],
)  # fmt: skip
def test_bad_assignments_are_refused(text, named):
    with pytest.raises(InputError, match=named):
        values_from_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "3", "[]", "[1]", '{"a": "1"}', '{"a": true}', '{"a": NaN}', '{"a": 1e999}',
        '{"a": null}', '{"a": 1, "a": 1}', '{"a": {"b": 1}}', '{"a": [[1]]}', "[" * 10**5,
        '{"a[0]": 1, "a": [1]}', f'{{"a": 1{"0" * 400}}}', f'{{"a": 1{"0" * 5000}}}',
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_one_line(text):
    with pytest.raises(InputError) as error:
        values_from_json(text, "v.json")
    assert str(error.value).startswith("v.json: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("values", "named"),
    [({"thet": 1.0}, "'thet'; did you mean 'theta'"), ({"theta": 0.0}, "the values give no angle")],
)
def test_values_that_fit_no_parameter_are_refused(values, named):
    circuit = QuantumCircuit(1, name="c")
    circuit.rx(1 / Parameter("theta"), 0)
    with pytest.raises(InputError, match=named):
        bound(circuit, tuple(values.items()))
    assert not bound(circuit, (("theta", 2.0), ("other", 1.0)), strict=False).parameters
