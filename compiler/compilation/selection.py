"""The attempts that the options of a compilation stand for."""

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.compilation.options import Options
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import InputError
from compiler.lowering.draft import Pass
from compiler.lowering.methods import LEAN
from compiler.lowering.pipeline import (
    LARGE,
    MEDIUM,
    T_COUNT,
    Attempt,
    Pipeline,
    fast_pipelines,
    pipelines,
)
from compiler.targets import is_coupled


def attempts(
    circuit: QuantumCircuit, options: Options, gates: int, target: Target, *, reuses: bool = False
) -> list[Attempt]:
    """Return the attempts that options stand for, in a fixed order.

    The method `best` is every cheap synthesis, every pipeline, several seeds; `fast` is the first
    synthesis with few pipelines, once; a synthesis method's name is every pipeline, several seeds.
    Circuits beyond `LARGE` are tried with one seed and few pipelines: Qiskit's, and on any input
    `sweep`. Pipelines are left out that are of no use on the target, are for another objective,
    need numbers where the circuit has unbound parameters, or cannot go on from a given layout
    where it measures on the way; so are those that are then the same as others.

    Args:
        circuit: of the program.
        options: of the compilation; named pipelines take the place of all others.
        gates: CX of the synthesised circuit, or anything beyond `LARGE` where there are more.
        target: of the lowering.
        reuses: whether qubits are used again by pipelines.

    Raises:
        InputError: if a named pipeline is of no use on the target or for the program, or none is.
    """
    method, names, any_input = options.method, options.pipelines, bool(options.any_input)
    dynamic, parameters = is_dynamic(circuit), bool(circuit.parameters)
    for name in names:
        if not pipelines[name].suits(target):
            raise InputError(
                f"pipeline '{name}' is of no use on target '{target.description}'; choose another"
            )
        if pipelines[name].reuses != reuses:
            raise InputError(
                f"pipeline '{name}' {'uses' if pipelines[name].reuses else 'does not use'} qubits "
                "again: choose another, or change --reuse-qubits"
            )
        if dynamic and not pipelines[name].takes_start:
            raise InputError(
                f"pipeline '{name}' cannot go on from a measurement on the way; choose another"
            )
        if parameters and not pipelines[name].takes_parameters:
            raise InputError(
                f"pipeline '{name}' takes no unbound parameters; bind them, or choose another"
            )
    objectives = {pipeline.objective for pipeline in pipelines.values()}
    suited = [
        pipeline
        for pipeline in pipelines.values()
        if pipeline.objective == (options.objective if options.objective in objectives else "")
        and pipeline.suits(target)
        and pipeline.reuses == reuses
        and (pipeline.takes_start or not dynamic)
        and not (any_input and pipeline.from_zero_only)
        and (pipeline.takes_parameters or not parameters)
    ]
    limit = "max_gates_on_any_input" if any_input and is_coupled(target) else "max_gates"
    fitting = [each for each in suited if each.min_gates < gates <= getattr(each, limit)]
    # Of pipelines that are the same here the first one stands for all, in the place of the last.
    different: dict[tuple[Pass, ...], Pipeline] = {}
    for pipeline in reversed(fitting or suited[:1]):
        different[pipeline.passes_for(any_input=any_input, parameters=parameters)] = pipeline
    if not different:
        raise InputError(
            f"no pipeline for target '{target.description}' can go on from a measurement on the "
            "way, or takes unbound parameters; measure last, bind them, or choose another target"
        )
    chosen, seeds = [*different.values()][::-1], options.seeds
    if method == "fast" or gates > LARGE:
        chosen, seeds = _quick(chosen, gates), 1
    lean = options.objective == T_COUNT and not any_input
    cheap = (LEAN, "cheapest") if lean else ("cheapest",)
    return [
        Attempt(synthesis, pipeline.name, options.seed + offset)
        for synthesis in {"best": cheap, "fast": cheap[:1]}.get(method, (method,))
        for pipeline in ([pipelines[name] for name in names] or chosen)
        for offset in range(pipeline.seeds_of(seeds, any_input=any_input))
    ]


def _quick(suited: Sequence[Pipeline], gates: int) -> list[Pipeline]:
    """Return the pipelines of the method `fast`, few where there are many gates.

    Qiskit's own is always one of them.
    """
    if gates > LARGE:
        return [*suited]
    group = fast_pipelines(suited) or [*suited]
    if gates > MEDIUM:
        group = [group[0], *(pipeline for pipeline in group[1:] if pipeline.always)]
    stock = [each for each in suited if each.always and each.stock and each not in group]
    return [*group, *stock]
