"""Faults are found, and those that are not are told apart."""

import json

import pytest
from attrs import evolve

from benchmarks.mutations import __main__ as command
from benchmarks.mutations.faults import KINDS, fault
from benchmarks.mutations.subjects import (
    PROVEN,
    REFUTED,
    UNPROVEN,
    LargeGame,
    SmallGame,
    WideCircuit,
)
from games import encoded
from games.toml import game_from_toml
from tests.compiler.verification.test_operators import SIX, segmented


def six():
    program = encoded(game_from_toml(SIX, "six"), "lists")
    program = evolve(program, circuit=segmented(program.circuit), origin=None)
    return LargeGame(program, f"all:{program.circuit.num_qubits}", 48)


MADE = {
    "small": lambda: SmallGame("skat-4", "star:17"),
    "by operators": six,
    "wide": lambda: WideCircuit("heisenberg:10", "heavy-hex:12"),
}


def of_kind(found, kind):
    return [one for one in found if one["kind"] == kind]


@pytest.mark.parametrize(
    ("name", "faults"),
    [("small", 15), pytest.param("by operators", 20, marks=pytest.mark.full), ("wide", 25)],
)
def test_most_faults_are_found(name, faults):
    subject = MADE[name]()
    found = list(command.results(name, subject, range(faults), 0, {}))
    assert all(len(of_kind(found, kind)) == faults // len(KINDS) for kind in KINDS)
    missed = [one for one in found if one["verdict"] == PROVEN]
    assert {one["verdict"] for one in found} <= {PROVEN, REFUTED, UNPROVEN}
    assert len(missed) <= faults / 2
    unseen = [one["what"] for one in missed if not one["harmless"]]
    assert all(what.endswith(" by 1e-06") for what in unseen)
    assert not unseen or name == "small"


def test_the_right_circuit_is_proven_and_numbers_say_the_fault():
    subject = MADE["wide"]()
    kind, one = fault(subject.circuit, subject.layout, "wide", 3, 0)
    right = evolve(one, items=list(subject.circuit.data), final_layout=subject.layout)
    assert subject.verdict(right) == PROVEN
    assert kind == "layout"
    assert fault(subject.circuit, subject.layout, "wide", 3, 0)[1].what == one.what
    assert fault(subject.circuit, subject.layout, "wide", 3, 1)[1].what != one.what


def test_results_are_kept_and_the_rest_follows(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "SUBJECTS", {"wide": MADE["wide"]})
    made = []
    monkeypatch.setattr(command, "subject_of", lambda name: made.append(name) or MADE[name]())
    kept = tmp_path / "kept.jsonl"
    for faults, times in ((4, 1), (4, 1), (7, 2)):
        monkeypatch.setattr("sys.argv", ["mutations", "--faults", str(faults), "--keep", str(kept)])
        command.main()
        assert len(made) == times
        assert [json.loads(line)["number"] for line in kept.read_text().splitlines()] == [
            *range(faults)
        ]
        printed = capsys.readouterr().out
        assert "| wide    | all " in printed
        assert f"{faults} in wide" in printed
