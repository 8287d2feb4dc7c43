"""Programs that are wider than the device, and fit if they use their qubits again."""

import pytest

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")


@pytest.fixture
def ladder(folder):
    """A ladder of CX on twenty qubits."""
    steps = "\n".join(f"cx q[{q}], q[{q + 1}];" for q in range(19))
    (folder / "ladder.qasm").write_text(
        'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[20] q;\nbit[20] c;\nh q[0];\n'
        f"{steps}\nc = measure q;\n"
    )
    return "ladder.qasm"


def test_twenty_qubits_run_on_seven(answer_of, ladder):
    answer = answer_of(
        "run", ladder, "--backend", "aer", "--target", "star:7", "--shots", "400",
        "--reuse-qubits", *FAST,
    )  # fmt: skip
    assert (answer["qubits_saved"], answer["verified"]) == (18, "exact")
    assert sorted(qubit for chain in answer["qubit_chains"] for qubit in chain) == [*range(20)]
    assert answer["verified_detail"].endswith("2 outcomes as probable as on 20 qubits")
    assert answer["counts"].keys() == {"0" * 20, "1" * 20}
    assert answer["scores"]["hellinger_fidelity"] > 0.98


def test_a_game_may_use_its_qubits_again(answer_of):
    words = ("skat-4", "--encoding", "lists-win", "--backend", "sparse", "--reuse-qubits")
    answer = answer_of("run", *words, *FAST)
    assert (answer["qubits_saved"], answer["verified"]) == (11, "exact")
    assert answer["scores"]["legal_fraction"] == 1
    assert answer["scores"]["hellinger_fidelity"] > 0.95
