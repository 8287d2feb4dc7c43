"""This project's own pipelines, once with all passes and once without those from |0…0⟩ only."""

from collections.abc import Callable, Sequence

from qiskit.transpiler import Target

from compiler.lowering import Lowered, Setting, pipelines
from compiler.lowering.portfolio import SEEDS
from workers.peers.peer import Compile, Given, Peer, Variant, peers

STOCK = "qiskit"
OURS, ANY_INPUT = "stichwerk", "stichwerk-any-input"


def attempts(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return every pipeline that suits the target, with seeds where it has any.

    The one that calls Qiskit gets all seeds, as Qiskit does; those that search on their own get
    as many as a compilation gives them.
    """
    return [
        Variant(name, seed)
        for name, pipeline in pipelines.items()
        if pipeline.suits(target)
        for seed in seeds[: None if name == STOCK else SEEDS if pipeline.seeded else 1]
    ]


def _compile(without: Callable[[str], tuple[str, ...]]) -> Compile:
    def compile_(given: Given, target: Target, variant: Variant) -> Lowered:
        setting = Setting(target, given.synthesis, variant.seed)
        return pipelines[variant.name].lower(given.program, setting, without(variant.name))

    return compile_


def _nothing(pipeline: str) -> tuple[str, ...]:
    return ()


def from_zero_passes(pipeline: str) -> tuple[str, ...]:
    """Return the passes of a pipeline whose results hold from |0…0⟩ only."""
    return tuple(step.name for step in pipelines[pipeline].passes if step.from_zero)


for _name, _without, _from_zero in (
    (OURS, _nothing, True),
    (ANY_INPUT, from_zero_passes, False),
):
    peers.register(_name)(
        Peer(_name, _compile(_without), attempts, "compiler", ours=True, from_zero=_from_zero)
    )
