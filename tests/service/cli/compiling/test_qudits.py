"""The command `qudits`, and random rounds from a run to the report."""

import json

RANDOM = "endless-fun-random:players=2,rows=3,d=3,seed=4"


def test_machines_side_by_side_as_json(stichwerk):
    done = stichwerk(
        "qudits", "compare", "--games", "endless-fun:pair", "--trajectories", "50", "--json"
    )
    assert done.code == 0
    answer = json.loads(done.out)
    assert (answer["error"], answer["trajectories"], answer["seed"]) == (0.01, 50, 0)
    gates = {(one["machine"], one["form"]): one["two_body_gates"] for one in answer["played"]}
    # How few the method `fast` finds card by card depends on how this processor rounds.
    assert 3 <= gates.pop(("qubits", "cards")) <= 8
    assert gates == {
        ("qubits", "relabelled"): 3,
        ("qutrits", "relabelled"): 1,
        ("qutrits", "cards"): 1,
    }


def test_a_random_round_is_run_scored_and_reported_by_its_observables(stichwerk, folder):
    done = stichwerk(
        "run", RANDOM, "--backend", "sparse", "--shots", "500", "--method", "fast", "--json"
    )
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["program"] == RANDOM
    observables = answer["scores"]["observables"]
    assert {"winning_state", "qudit_1_value", "qudit_2_highest"} <= set(observables)
    assert stichwerk("report", "-o", "report.html").code == 0
    page = (folder / "report.html").read_text()
    assert RANDOM in page
    assert "P(winning state)" in page
