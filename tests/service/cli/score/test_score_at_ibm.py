"""The command `score --queue` at IBM, played over loopback: cost, limits, taken up, drift."""

import json

from tests.service.cli.score.led import ended, handed, led, states

COST_USD = "9.6"
"""What both parts cost: three seconds each."""


def test_it_is_told_what_it_costs_and_each_part_is_paid_once(stichwerk, folder, ibm):
    parent, told = handed(stichwerk, "monday", "--max-cost", "20USD")
    assert f"2 circuits, 300 shots, 0 parts left out, at least {COST_USD}0 USD" in told
    # Each look is another worker's, as after one that was killed.
    led(folder, parent, 2)
    assert [state for state, *_ in states(folder, parent)] == ["running", *["submitting"] * 2]
    assert ibm.machine.audit() == []
    assert "0 of 2 parts are done" in stichwerk("score", "--job", str(parent)).err
    led(folder, parent)
    answer = json.loads(stichwerk("job", str(parent), "--json").out)
    assert answer["estimated_cost_usd"] == COST_USD
    assert any(
        event["detail"] == f"2 circuits for providers, up to {COST_USD} USD"
        for event in answer["events"]
    )
    ended(folder, parent)
    assert [one[:2] for one in states(folder, parent)] == [("done", 0), ("done", 1), ("done", 1)]
    assert len(ibm.machine.audit()) == 2
    found = json.loads(stichwerk("score", "--job", str(parent), "--json").out)
    assert found["complete"]
    assert [part["outcome"] for part in found["parts"]] == ["completed", "completed"]
    assert found["score"] > 0.5
    assert float(found["cost_usd"]) > 0
    (listed,) = json.loads(stichwerk("jobs", "--json").out)["jobs"]
    assert listed["score"] == found["score"]
    assert f"{found['score']:.3f} s" in stichwerk("jobs").out
    rounds = json.loads(stichwerk("job", str(parent), "--json").out)["rounds"]
    assert listed["charged_cost_usd"] == rounds["charged_cost_usd"]
    again, _ = handed(stichwerk, "monday", "--max-cost", "20USD")
    assert again == parent
