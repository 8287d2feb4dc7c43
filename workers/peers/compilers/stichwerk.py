"""This project: all pipelines, and `compile` on any input by `best` and by `fast`.

All pipelines may use that circuits of suites begin with |0…0⟩; on users' own circuits their results
hold on any input, as those of the other compilers do.
"""

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.compilation import Candidate, Options, compile
from compiler.compilation.candidate import is_refinable, lower, refine
from compiler.compilation.plan import Plan
from compiler.errors import LoweringError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Draft, Setting, pipelines
from compiler.lowering.draft import no_clock
from compiler.lowering.mirror.source import Source
from compiler.lowering.pipeline import SEEDS, Attempt, fast_pipelines
from compiler.lowering.sweep.sabre_sweep import sabre_sweep, searched
from compiler.program import Program
from workers.peers.peer import Compile, CompilerInputs, Variant, peer

STOCK = "qiskit"
OURS, ANY_INPUT, QUICK = "stichwerk", "stichwerk-any-input", "stichwerk-fast"
FEWER = 10
"""Seeds for one of ours."""


def attempts(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return every pipeline that suits the target, with seeds where it has any.

    The one that calls Qiskit gets as many as `compile` tries, fewer than Qiskit itself does; those
    that search on their own get one in `FEWER`, for each of theirs stands for many candidates.
    """
    few = -(-len(seeds) // FEWER)
    return [
        Variant(name, seed)
        for name, pipeline in pipelines.items()
        if pipeline.suits(target)
        for seed in seeds[: SEEDS if name == STOCK else few if pipeline.seeded else 1]
    ]


def one_compilation(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return the one call that makes all attempts, with as many seeds as it makes by default."""
    return [Variant("", seeds[0])]


def routed(circuit: QuantumCircuit, target: Target, variant: Variant) -> int | None:
    """Return the swaps of our routing of coupled qubits, before any merges with a gate."""
    first, *_ = fast_pipelines(
        pipeline for pipeline in pipelines.values() if pipeline.suits(target)
    )
    if sabre_sweep not in first.passes:
        return None
    setting = Setting(target, seed=variant.seed, any_input=True, quick=True)
    drafts = searched(Source.in_blocks(Draft.of(circuit), setting), setting)
    return min(each.swaps for each in drafts)


def _attempted(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
    candidate = lower(_plan(work, target, variant), no_clock, _attempt(work, variant))
    if candidate.error:
        raise LoweringError(candidate.error)
    return _lowered(candidate)


def _refine(work: CompilerInputs, lowered: Draft, target: Target, variant: Variant) -> Draft | None:
    plan, attempt = _plan(work, target, variant), _attempt(work, variant)
    if not is_refinable(plan, attempt):
        return None
    assert lowered.logical is not None
    circuits = qpy_bytes(lowered.circuit), qpy_bytes(lowered.logical)
    layouts = lowered.initial_layout, lowered.final_layout
    return _lowered(refine(plan, no_clock, Candidate(attempt, *circuits, *layouts)))


def _plan(work: CompilerInputs, target: Target, variant: Variant) -> Plan:
    any_input = not work.ours_from_zero
    options = Options(
        work.synthesis, work.objective, any_input=any_input, pipelines=(variant.name,)
    )
    return Plan(Program(work.program), target, options)


def _attempt(work: CompilerInputs, variant: Variant) -> Attempt:
    return Attempt(work.synthesis, variant.name, variant.seed)


def _compile_on_any_input(method: str = "") -> Compile:
    """Return a compiler that works as `stichwerk compile --any-input` does, with its proofs.

    Syntheses of an operator agree on its legal inputs only, and the proof is for any input: the
    reference is the synthesis that all compilers are given.
    """

    def compile_(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
        circuit = work.gates if work.synthesis == "literal" else work.program
        options = Options(
            method or work.synthesis, work.objective, seed=variant.seed, any_input=True
        )
        return _lowered(compile(Program.of_circuit(circuit), target, options).chosen)

    return compile_


def _lowered(candidate: Candidate) -> Draft:
    native, logical = (read_qpy(of, "") for of in (candidate.native, candidate.logical))
    return Draft(native, candidate.initial_layout, candidate.final_layout, logical=logical)


for _name, _compile_it, _variants, _further in (
    (OURS, _attempted, attempts, {"from_zero": True, "refine": _refine}),
    (ANY_INPUT, _compile_on_any_input(), one_compilation, {}),
    (QUICK, _compile_on_any_input("fast"), one_compilation, {"swaps": routed}),
):
    peer(_name, "compiler", _variants, ours=True, dynamic=True, **_further)(_compile_it)
