"""This project: all pipelines, what `compile` does on any input, and a quick attempt.

All pipelines may use that circuits of suites begin with |0…0⟩; on users' own circuits their results
hold on any input, as those of the other compilers do.
"""

from collections.abc import Sequence
from contextlib import nullcontext

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.compilation import Options, compile
from compiler.dynamic.pieces import is_dynamic
from compiler.formats.circuit_files import read_qpy
from compiler.lowering import Draft, Lowered, Setting, pipelines
from compiler.lowering.dynamic import lower_dynamic
from compiler.lowering.mirror.source import Source
from compiler.lowering.pipeline import may_be_refined, refinements, run_passes
from compiler.lowering.portfolio import SEEDS, fast_pipelines
from compiler.lowering.sweep.sabre_sweep import sabre_sweep, searched
from compiler.program import Program
from workers.peers.peer import Compile, Given, Variant, peer

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


def quick_attempt(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return the first attempt of the method `fast`."""
    first, *_ = fast_pipelines(one for one in pipelines.values() if one.suits(target))
    return [Variant(first.name, seeds[0])]


def routed(circuit: QuantumCircuit, target: Target, variant: Variant) -> int | None:
    """Return the swaps of our routing of coupled qubits, before any merges with a gate."""
    if sabre_sweep not in pipelines[variant.name].passes:
        return None
    setting = Setting(target, seed=variant.seed, any_input=True, quick=True)
    found = searched(Source.in_blocks(Draft.of(circuit), setting), setting)
    return min(each.swaps for each in found)


def _compile(*, any_input: bool, quick: bool = False) -> Compile:
    def compile_(given: Given, target: Target, variant: Variant) -> Lowered:
        held = any_input or not given.ours_from_zero
        setting = Setting(target, given.synthesis, variant.seed, any_input=held, quick=quick)
        if is_dynamic(given.program):
            return lower_dynamic(pipelines[variant.name], given.program, setting, (), nullcontext)
        return pipelines[variant.name].lower(given.program, setting)

    return compile_


def _refine(given: Given, lowered: Lowered, target: Target, variant: Variant) -> Lowered | None:
    setting = Setting(target, seed=variant.seed, any_input=not given.ours_from_zero)
    if is_dynamic(given.program) or not may_be_refined(pipelines[variant.name], setting):
        return None
    draft = Draft(lowered.circuit, lowered.initial_layout, lowered.final_layout)
    better, steps = run_passes(refinements.values(), draft, setting)
    layouts = better.initial_layout, better.final_layout
    return Lowered(better.circuit, lowered.logical, *layouts, lowered.steps + steps)


def _compile_on_any_input(given: Given, target: Target, variant: Variant) -> Lowered:
    """Do what `stichwerk compile --any-input` does, its proofs too."""
    options = Options(given.synthesis, seed=variant.seed, any_input=True)
    native = compile(Program.of_circuit(given.program), target, options).chosen.native
    circuits = read_qpy(native.native, "native"), read_qpy(native.logical, "logical")
    return Lowered(*circuits, native.initial_layout, native.final_layout, native.steps)


for _name, _compile_it, _variants, _further in (
    (OURS, _compile(any_input=False), attempts, {"from_zero": True, "refine": _refine}),
    (ANY_INPUT, _compile_on_any_input, one_compilation, {}),
    (QUICK, _compile(any_input=True, quick=True), quick_attempt, {"swaps": routed}),
):
    peer(_name, "compiler", _variants, ours=True, dynamic=True, **_further)(_compile_it)
