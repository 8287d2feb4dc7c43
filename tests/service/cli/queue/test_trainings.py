"""Trainings that are handed to the workers: recorded, followed, shown, written."""

import json

import pytest


def test_from_submission_to_trained_weights(stichwerk, work, folder):
    said = stichwerk(
        *("train", "skat-4", "--seat", "1", "--queue", "--backend", "sparse", "--shots", "1500"),
        *("--steps", "1", "--tag", "mine", "--pipeline", "window-qiskit", "--json"),
    )
    assert said.code == 0, said.err
    answer = json.loads(said.out)
    assert answer == {"jobs": [1], "new": [1], "circuits": 4, "least_cost_usd": "0"}
    assert said.err.startswith("planned: 4 circuits of 1,500 shots each")
    assert stichwerk("result", "1").code == 2
    while (answer := json.loads(stichwerk("job", "1", "--json").out))["state"] != "done":
        assert answer["state"] in ("queued", "running"), answer["error"]
        work(1)
        for one in json.loads(stichwerk("job", "1", "--json").out)["rounds"]["jobs"]:
            if one["state"] != "done":
                work(one["id"])
    found = json.loads(stichwerk("result", "1", "--json").out)
    assert found == answer["trained"]
    assert len(answer["rounds"]["jobs"]) == 4
    first, last = found["backends"][-1]["training"]
    assert first["p_win"] == pytest.approx(5 / 12, abs=1e-12)
    assert last["p_win"] < 0.4
    assert last["measured"] == pytest.approx(last["p_win"], abs=0.06)
    assert stichwerk("result", "1", "-o", "trained.toml").code == 0
    facts = json.loads(stichwerk("games", "trained.toml", "--json").out)
    assert float(facts["observables"]["win"]) == pytest.approx(last["p_win"], abs=1e-9)
    assert stichwerk("result", "1", "-o", "trained.png").code == 0
    assert (folder / "trained.png").read_bytes().startswith(b"\x89PNG")
