"""The rows that a compilation leaves behind."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.formats.circuit_files import circuit_from_qpy
from compiler.lowering import pipelines
from compiler.native_digest import native_digest
from compiler.targets import target_from_spec
from tests.workers.unproven import recorded_unproven
from workers.compilation.compiling import compile_order, prove_recorded, source_of
from workers.compilation.orders import CompileOrder, plan_order
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
        if pipeline.suits(target) and pipeline.after is None
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


def test_passes_are_timed_by_themselves(compiled, ghz):
    compilation = compiled(ghz, "star:4:iqm", "literal", budget=8)
    for one in compilation.candidates:
        seconds = [step["seconds"] for step in one.steps]
        assert all(took > 0 for took in seconds)
        assert sum(seconds) < one.lower_seconds
        assert one.steps[-1]["two_qubit_gates"] == one.two_qubit_gates
        assert one.steps[-1]["two_qubit_depth"] == one.two_qubit_depth


def test_attempts_beyond_the_time_limit_are_not_begun(session, ghz):
    checked = plan_order(CompileOrder(ghz, "star", Options("literal"), time_limit=0.0))
    compilation = compile_order(session, *checked, None, lambda _: None)
    begun, *others = compilation.candidates
    assert begun.chosen
    assert begun.verified == "exact"
    assert others
    assert {one.verified for one in others} == {"failed"}
    assert {one.detail for one in others} == {"not begun: the time limit had passed"}


@pytest.mark.parametrize("moment", ["before", "within"])
def test_what_another_worker_has_chosen_meanwhile_stays_chosen(session, ghz, moment):
    checked = plan_order(CompileOrder(ghz, "star", Options("literal")))
    compilation = recorded_unproven(session, *checked)
    assert not compilation.ready
    identity = compilation.id
    session.commit()
    chosen = []

    def meanwhile(_=""):
        if not chosen:
            with Session(session.get_bind()) as other:
                found = other.get_one(Compilation, identity)
                prove_recorded(other, found, None, lambda _: None)
                chosen.append((found.chosen.id, found.chosen.native, found.compile_seconds))

    if moment == "before":
        meanwhile()
    prove_recorded(session, compilation, None, meanwhile)
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
