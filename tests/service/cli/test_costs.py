"""The command `costs`, on a few rows of its tables."""

import json

import pytest

from compiler.synthesis.method import predictions
from games import cost_table
from games.operators import all_operators, operator_example

BARS = {
    "deal D(4,2)": 6,
    "deal D(6,3)": 33,
    "deal D(8,4)": 64,
    "deal D(32,10)": 1150,
    "CP_2^4, hand flags": 16,
    "CP_3^9, hand flags": 73,
    "CP_5^32, hand flags": 500,
    "CP_10^32, hand flags": 280,
    "TT_3^9, owner and stack bits": 300,
}

SHOWN = ("deal D(4,2)", "CP_3^9, hand flags", "F++")


@pytest.fixture
def few_rows(monkeypatch):
    for kind in all_operators().values():
        shown = [each for each in kind.examples if each.label in SHOWN]
        monkeypatch.setattr(kind, "examples", shown)
    monkeypatch.setattr(cost_table, "listed", {"skat-4": ("paper",)})


@pytest.mark.usefixtures("few_rows")
def test_json_has_predictions_counts_and_encodings(stichwerk):
    answer = json.loads(stichwerk("costs", "--json").out)
    deal = {row["method"]: row for row in answer["operators"] if row["operator"] == "deal D(4,2)"}
    assert deal["dicke"]["predicted"] == deal["dicke"]["counted"]["two_qubit_gates"] == 5
    assert deal["dicke"]["chosen"]
    assert not deal["literal"]["chosen"]
    assert deal["dicke"]["paper"] is None
    (split,) = (row for row in answer["operators"] if row["operator"] == "F++" and row["chosen"])
    assert (split["paper"], split["counted"]["two_qubit_gates"]) == ([3**6, 3**12], 6)
    toy = {(row["encoding"], row["method"]): row["counted"] for row in answer["programs"]}
    assert toy["paper", "literal"]["two_qubit_gates"] > 1000
    assert toy["paper", "cheapest"]["two_qubit_gates"] <= 45
    assert toy["lean", "cheapest"]["two_qubit_gates"] <= 20
    assert toy["lean", "cheapest"]["qubits"] == 8


@pytest.mark.parametrize(("name", "bar"), BARS.items())
def test_the_default_method_stays_within_its_bar(name, bar):
    assert min(predictions(operator_example(name)).values()) <= bar


def test_the_table_goes_through_all_operators():
    listed = [cost.operator for cost in cost_table.operator_costs(largest=0)]
    for name, kind in all_operators().items():
        assert kind.examples, name
        for each in kind.examples:
            assert each.label in listed
    assert set(BARS) < set(listed)
    assert listed.index("CP_2^4, owner bits") < listed.index("deal D(4,2)")
