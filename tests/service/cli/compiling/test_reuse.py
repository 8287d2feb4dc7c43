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


def refusal(done):
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    return line


def test_a_program_that_is_too_wide_is_told_what_would_help(stichwerk, ladder):
    line = refusal(stichwerk("compile", ladder, "-t", "star:7", *FAST))
    assert line.endswith("; with its qubits re-used (--reuse-qubits) it needs 2")
    assert "needs 20 qubits, target 'star:7' has 7" in line


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


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--reuse-qubits", "--any-input"), "so that the result cannot hold on any input"),
        (("--reuse-qubits",), "measures nothing, so that no qubit is ever done with"),
    ],
)
def test_what_has_no_outcomes_to_keep_is_refused(stichwerk, folder, words, reason):
    (folder / "part.qasm").write_text(
        'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\ncx q[0], q[1];\n'
    )
    program = "ghz3.qasm" if "--any-input" in words else "part.qasm"
    assert reason in refusal(stichwerk("compile", program, *words, *FAST))


def test_a_backend_that_only_measures_last_refuses_before_anything_is_done(stichwerk, ladder):
    words = ("--backend", "braket:emerald", "--reuse-qubits", "--method", "fast")
    for command in ("run", "submit"):
        line = refusal(stichwerk(command, ladder, *words))
        assert "does not run measurements on the way; try aer" in line
