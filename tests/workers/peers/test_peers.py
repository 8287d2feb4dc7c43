"""Compilers side by side: right results are counted, wrong and missing ones never."""

import math

import pytest
from attrs import evolve
from qiskit import QuantumCircuit

from compiler.compilation.listener import each_here
from compiler.errors import VerificationError
from compiler.lowering import Draft, pipelines
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent
from compiler.verification.program import Verdict
from tests.workers.peers.cases import DEAL, QFT, TOY
from workers.peers import Variant, comparison, peer, peers
from workers.peers.comparison import compare, peer_versions
from workers.peers.peer import CompilerInputs
from workers.peers.ratios import ratios
from workers.peers.subjects import Kind, Subject
from workers.peers.trials import (
    ANY,
    LEGAL,
    ZERO,
    Proof,
    Trial,
    attempt,
    prove,
    target_of,
    verify_by_diagrams,
)


@pytest.fixture(autouse=True)
def quick_pipelines(monkeypatch):
    """Leave our quick pipelines only; the others have tests of their own."""
    quick = {name: pipelines[name] for name in ("qiskit", "tket-qiskit")}
    monkeypatch.setattr("workers.peers.compilers.stichwerk.pipelines", quick)


def say(message):
    """Swallow progress."""


def qiskit(circuit, target, seed=0):
    """What the peer `qiskit` makes of gates."""
    return peers["qiskit"].compile(
        CompilerInputs(circuit, circuit, "cheapest"), target, Variant("", seed)
    )


@pytest.fixture
def added():
    """Return a function that adds a peer, which is forgotten afterwards."""
    names = []

    def add(name, compile_, **options):
        @peer(name, options.pop("package", "qiskit"), **options)
        def compile_gates(given, target, variant):
            return compile_(given.gates, target, variant)

        names.append(name)

    yield add
    for name in names:
        peers.unregister(name)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        *(("qiskit", case) for case in (QFT, TOY, DEAL)),
        ("tket", QFT),
        *(pytest.param("tket", case, marks=pytest.mark.full) for case in (TOY, DEAL)),
    ],
    ids=str,
)
def test_every_result_is_proven(case, name):
    target = target_from_spec(case.target)
    for variant in peers[name].variants(target, [1]):
        trial = Trial(case, name, variant)
        outcome = attempt(trial)
        proof = prove(trial, outcome)
        assert (outcome.error, proof.verified) == ("", "exact")
        wanted = {Kind.CIRCUIT: ANY, Kind.GAME: ZERO, Kind.OPERATOR: LEGAL}
        assert proof.holds == wanted[case.subject.kind]


def test_a_wrong_circuit_is_refuted_and_never_counted(added):
    def empty(circuit, target, variant):
        return Draft.of(QuantumCircuit(target.num_qubits))

    added("empty", empty)
    wrong, right = compare(QFT, ["empty", "qiskit"], 1, each_here, say)
    assert (wrong.verified, wrong.two_qubit_gates, wrong.counts) == ("refuted", None, False)
    assert "from a random product state the distance" in wrong.detail
    assert ratios([wrong]) == []
    assert right.counts


def test_a_refuted_seed_gives_way_to_the_next_best(added):
    def sometimes(circuit, target, variant):
        if variant.seed == 0:
            return Draft(QuantumCircuit(5), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
        return qiskit(circuit, target, variant.seed)

    added("sometimes", sometimes)
    (result,) = compare(QFT, ["sometimes"], 3, each_here, say)
    (stock,) = compare(QFT, ["qiskit"], 3, each_here, say)
    assert result.verified == "exact"
    assert result.variant in ("1", "2")
    assert result.two_qubit_gates >= stock.two_qubit_gates
    assert "1 better ones refuted" in result.detail


@pytest.mark.parametrize(("unproven", "verified"), [(1, "exact"), (2, "exact"), (9, "unverified")])
def test_a_seed_that_cannot_be_proven_gives_way_to_one_that_can(
    added, monkeypatch, unproven, verified
):
    asked = []

    def prove_some(trial, outcome):
        asked.append(trial.variant.seed)
        return Proof("unverified" if len(asked) <= unproven else "exact", ANY, "looked at")

    monkeypatch.setattr(comparison, "prove", prove_some)
    added("stock", lambda circuit, target, variant: qiskit(circuit, target, variant.seed))
    (result,) = compare(QFT, ["stock"], 9, each_here, say)
    assert result.verified == verified
    place = unproven if verified == "exact" else 0
    assert result.variant == str(asked[place])
    assert len(asked) == (unproven + 1 if verified == "exact" else comparison.MAX_UNPROVEN)
    assert (f"{unproven} better ones not proven" in result.detail) == (verified == "exact")


def test_a_missing_or_unsuitable_compiler_is_skipped(added):
    def never(circuit, target, variant):
        raise AssertionError("called")

    added("missing", never, package="no_such_package")
    added("small", never, largest=3)
    missing, small = compare(QFT, ["missing", "small"], 1, each_here, say)
    assert missing.verified == small.verified == "skipped"
    assert missing.detail == "skipped: package 'no_such_package' is not installed"
    assert small.detail == "skipped: 26 CX are more than 3"
    assert peer_versions(["missing", "qiskit"]).keys() == {"no_such_package", "qiskit"}
    assert peer_versions(["missing"])["no_such_package"] is None


def test_what_holds_from_zero_only_is_marked(added):
    case = evolve(QFT, subject=Subject(Kind.CIRCUIT, "ghz:5"), target="all:5")
    circuit = QuantumCircuit(5)
    circuit.rz(math.pi / 2, 0)
    circuit.sx(0)
    circuit.rz(math.pi / 2, 0)
    for a, b in ((0, 2), (2, 1), (2, 3), (0, 4)):
        circuit.cx(a, b)
    added("zero", lambda *_: Draft.of(circuit))
    trial = Trial(case, "zero", Variant("", 0))
    outcome = attempt(trial)
    assert prove(trial, outcome).verified == "refuted"
    peers.unregister("zero")
    peers.register("zero")(evolve(peers["qiskit"], name="zero", from_zero=True))
    proof = prove(trial, outcome)
    assert (proof.verified, proof.holds) == ("exact", ZERO)


def test_decision_diagrams_decide_what_is_too_wide_for_a_dense_state(monkeypatch):
    monkeypatch.setattr("workers.peers.trials.SECONDS", 300.0)
    circuit, target = circuit_from_spec("ghz:26", 0), target_from_spec("heavy-hex:30")
    made = qiskit(circuit, target)
    draft = Draft(made.circuit, made.initial_layout, made.final_layout)
    assert verify_by_diagrams(circuit, draft).verified == "exact"
    broken = made.circuit.copy()
    del broken.data[[item.operation.name for item in broken.data].index("cz")]
    with pytest.raises(VerificationError, match="QCEC"):
        verify_by_diagrams(circuit, evolve(draft, circuit=broken))
    turned = made.circuit.copy()
    turned.rx(1e-6, made.final_layout[2])
    found = verify_by_diagrams(circuit, evolve(draft, circuit=turned))
    assert found == Verdict("unverified", "QCEC: they differ by more than rounding")


def test_tket_places_idle_qubits_too():
    circuit = circuit_from_spec("qubikos:heavy-hex:7:1:0", 0)
    wider = QuantumCircuit(9)
    wider.compose(circuit, [0, 1, 3, 4, 5, 6, 8], inplace=True)
    target = target_of("heavy-hex:9")
    for variant in peers["tket"].variants(target, [0]):
        made = peers["tket"].compile(CompilerInputs(wider, wider, "cheapest"), target, variant)
        draft = Draft(made.circuit, made.initial_layout, made.final_layout)
        assert verify_equivalent(wider, draft, target).verified == "exact"


@pytest.mark.full
def test_bqskit():
    pytest.importorskip("bqskit")
    (found,) = compare(QFT, ["bqskit"], 1, each_here, say)
    assert (found.verified, found.holds) == ("exact", ANY)


@pytest.mark.parametrize("target", ["star:5", "heavy-hex:21"])
def test_qmap_is_proven_though_qiskit_leaves_out_the_swaps_at_the_end(target):
    (found,) = compare(evolve(QFT, target=target), ["qmap"], 1, each_here, say)
    assert (found.verified, found.holds) == ("exact", ANY)
    assert found.calls == (2 if target == "star:5" else 1)
