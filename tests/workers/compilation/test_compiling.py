"""The rows that a compilation leaves behind."""

import pickle

import pytest
from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.listener import each_here
from compiler.errors import InputError, TargetError, TooFewQubitsError, VerificationError
from compiler.formats.circuit_files import circuit_from_qpy
from compiler.lowering import pipelines
from compiler.native_digest import native_digest
from compiler.targets import target_from_spec
from games.sources import Source
from tests.workers.unproven import recorded_unproven
from workers.compilation.compiling import compile_order, lowered_program, prove_recorded, source_of
from workers.compilation.orders import CompileOrder, plan_on, plan_order
from workers.compilation.variant import variant
from workers.provenance import revision, versions
from workers.records.tables import Candidate, Compilation


def test_every_candidate_is_kept_and_one_is_chosen(session, compiled, ghz):
    compilation = compiled(ghz, "star:4:iqm", "literal", budget=8)
    candidates = session.scalars(select(Candidate)).all()
    assert candidates == compilation.candidates
    tried = [(one.synthesis, one.pipeline, one.seed) for one in candidates]
    assert len(set(tried)) == len(tried) > 4
    target = target_from_spec("star:4:iqm")
    assert {pipeline for _, pipeline, _ in tried} == {
        name
        for name, pipeline in pipelines.items()
        if pipeline.suits(target) and not (pipeline.after or pipeline.needs or pipeline.objective)
    }
    (chosen,) = [one for one in candidates if one.chosen]
    assert {one.verified for one in candidates if one.chosen} == {"exact"}
    assert {one.verified for one in candidates if not one.chosen} == {"not asked"}
    assert chosen is compilation.chosen
    assert chosen.two_qubit_gates == min(one.two_qubit_gates for one in candidates)
    assert [one.native is not None for one in candidates] == [one.chosen for one in candidates]
    native = circuit_from_qpy(chosen.native, "native")
    assert compilation.native_digest == native_digest(native)
    assert sum(len(item.qubits) == 2 for item in native.data) == chosen.two_qubit_gates
    assert all(one.lower_seconds > 0 for one in candidates)
    assert [one.verify_seconds is not None for one in candidates] == [
        one.chosen for one in candidates
    ]
    assert all(len(one.final_layout) == 3 for one in candidates)


def test_attempts_beyond_the_time_limit_are_not_begun(session, ghz):
    checked = plan_order(CompileOrder(ghz, "star", Options("literal"), time_limit=0.0))
    compilation = compile_order(session, *checked, each_here, lambda _: None)
    begun, *others = compilation.candidates
    assert begun.chosen
    assert begun.verified == "exact"
    assert others
    assert {one.verified for one in others} == {"failed"}
    assert {one.detail for one in others} == {"not begun: the time limit had passed"}


@pytest.mark.parametrize("moment", ["before", "within"])
def test_what_another_worker_has_chosen_meanwhile_stays_chosen(session, ghz, moment):
    checked = plan_order(CompileOrder(ghz, "star", Options("fast", budget=5)))
    compilation = recorded_unproven(session, *checked)
    assert not compilation.ready
    identity = compilation.id
    session.commit()
    chosen = []

    def meanwhile(_=""):
        if not chosen:
            with Session(session.get_bind()) as other:
                found = other.get_one(Compilation, identity)
                prove_recorded(other, found, each_here, lambda _: None)
                chosen.append((found.chosen.id, found.chosen.native, found.compile_seconds))

    if moment == "before":
        meanwhile()
    prove_recorded(session, compilation, each_here, meanwhile)
    assert chosen[0][1] is not None
    assert chosen == [
        (compilation.chosen.id, compilation.chosen.native, compilation.compile_seconds)
    ]
    assert sum(one.chosen for one in compilation.candidates) == 1


def test_a_compilation_says_where_it_comes_from(session, compiled, toy):
    compilation = session.get_one(Compilation, compiled(toy).id)
    assert source_of(compilation) == toy
    assert compilation.source_digest == toy.digest
    assert compilation.target == "all:16"
    assert (compilation.method, compilation.encoding) == ("fast", "paper")
    assert compilation.program_verified == compilation.verified == "exact"
    assert compilation.versions == versions()
    assert compilation.revision == revision()
    assert compilation.compile_seconds > 0


LADDER = Source(
    "ladder.qasm",
    b'OPENQASM 3.0; include "stdgates.inc"; qubit[5] q; bit[5] c; h q[0]; cx q[0], q[1];'
    b"cx q[1], q[2]; cx q[2], q[3]; cx q[3], q[4]; c = measure q;",
)


ORDER = CompileOrder(LADDER, "all", Options("fast", reuse_qubits=True))


def made(session, order=ORDER):
    return compile_order(session, *plan_order(order), each_here, lambda _: None)


def test_the_record_says_what_was_saved_and_how(session):
    compilation = made(session)
    assert (compilation.qubits_saved, compilation.target) == (3, "all:2")
    assert [len(chain) for chain in compilation.qubit_chains] == [3, 2]
    assert compilation.verified == "exact"
    assert lowered_program(compilation).circuit.num_qubits == 2


def test_a_circuit_is_proven_as_the_record_says_and_not_as_would_be_found_now(session):
    compilation = recorded_unproven(session, *plan_order(ORDER))
    compilation.qubit_chains = [[0, 1, 2, 3], [4]]
    with pytest.raises(VerificationError):
        prove_recorded(session, compilation, each_here, lambda _: None)
    assert compilation.program_verified == "refuted"


def test_compilations_with_and_without_it_are_not_compared():
    usual = {"objective": "two_qubit_gates", "without": [], "any_input": False}
    assert variant(**usual, reuse_qubits=False) == ""
    assert variant(**usual, reuse_qubits=True) == "re-used qubits"


def test_a_plan_fills_in_the_size(toy, ghz):
    assert plan_order(CompileOrder(toy, "star::cz", Options("fast")))[0].target == "star:16:cz"
    assert plan_order(CompileOrder(ghz, "all", Options("fast")))[0].target == "all:3"
    with pytest.raises(TargetError, match=r"toy\.toml needs 16 qubits, target 'star:15' has 15"):
        plan_order(CompileOrder(toy, "star:15", Options("fast")))
    with pytest.raises(TargetError, match="needs 3 qubits, target 'resonator:2' has 2; try 'res"):
        plan_order(CompileOrder(ghz, "resonator:2", Options("fast")))


TOFFOLI = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nbit c;\nccx q[0], q[1], q[2];\n'


@pytest.mark.parametrize(
    ("more", "asked", "settled"),
    [
        ("", None, True),
        ("", False, False),
        ("", True, True),
        ("c = measure q[2];", None, False),
        ("c = measure q[2];", True, True),
    ],
)
def test_a_circuit_that_measures_nothing_is_for_any_input(more, asked, settled):
    source = Source("own.qasm", (TOFFOLI + more).encode())
    checked, _ = plan_order(CompileOrder(source, "all", Options("fast", any_input=asked)))
    assert checked.options.any_input is settled
    assert checked.options.without == ()


def test_a_circuit_that_resets_its_qubits_first_has_one_input():
    text = TOFFOLI.replace("bit c;", "reset q;")
    order = CompileOrder(Source("own.qasm", text.encode()), "all", Options("fast"))
    assert plan_order(order)[0].options.any_input is False
    with pytest.raises(InputError, match=r"own\.qasm: begins with resets, so that it has one"):
        plan_order(evolve(order, options=Options("fast", any_input=True)))


def test_a_game_begins_with_zeros(toy):
    assert plan_order(CompileOrder(toy, "all", Options("fast")))[0].options.any_input is False


@pytest.mark.parametrize(
    ("backend", "wires", "larger"),
    [
        ("braket:garnet", 21, "'braket:emerald' or another encoding"),
        ("braket:ibex-q1", 55, "'braket:cepheus-1-108q' or another encoding"),
        ("braket:garnet", 109, "another encoding"),
        ("aer:miami", 121, "'aer:boston' or another encoding"),
    ],
)
def test_a_device_that_is_too_small_names_a_larger_one_of_its_family(backend, wires, larger):
    text = f"OPENQASM 3.0;\nqubit[{wires}] q;\nbit[{wires}] c;\nU(1, 0, 0) q[0];\nc = measure q;\n"
    with pytest.raises(TooFewQubitsError) as refused:
        plan_on(backend, CompileOrder(Source("wide.qasm", text.encode()), "", Options("fast")))
    assert f"; try {larger}" in str(refused.value)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
