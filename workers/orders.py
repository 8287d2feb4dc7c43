"""Orders: what is to be compiled, checked before anything is computed or written."""

from collections.abc import Sequence

from attrs import evolve, frozen
from qiskit import transpile
from qiskit.exceptions import QiskitError
from qiskit.transpiler import Target

from compiler.errors import InputError, StateTooLargeError, TargetError
from compiler.lowering.figures import calibrated
from compiler.lowering.methods import lower_operators, syntheses
from compiler.lowering.pipeline import check_optional, passes_from_zero
from compiler.lowering.portfolio import BUDGET, SEEDS, Attempt, attempts
from compiler.measurement import final_measurements
from compiler.targets import sized_spec, target_from_spec
from compiler.workload import Source, Workload, workload


@frozen
class CompileOrder:
    """What is to be compiled.

    Args:
        source: a game or a circuit.
        target: spec of the target, complete or without its size.
        method: `best`, `fast` or a synthesis method.
        encoding: `best` or an encoding's name.
        objective: what the portfolio minimises.
        seed: the first seed.
        pipelines: names of the pipelines to use; none for those that the method stands for.
        seeds: how many seeds each seeded pipeline tries.
        budget: candidates that a searching pass may look at.
        without: optimisations that are left out.
        any_input: whether the result must hold on any input, not from |0…0⟩ only.
        time_limit: seconds after which no further attempt is begun; None for no limit.
        batch: a tag that groups records.
    """

    source: Source
    target: str
    method: str
    encoding: str = "best"
    objective: str = "two_qubit_gates"
    seed: int = 0
    pipelines: tuple[str, ...] = ()
    seeds: int = SEEDS
    budget: int = BUDGET
    without: tuple[str, ...] = ()
    any_input: bool = False
    time_limit: float | None = None
    batch: str | None = None


@frozen(eq=False)
class Plan:
    """An order that has been checked: it names things that exist, and the program fits."""

    order: CompileOrder
    target: str
    work: Workload
    attempts: list[Attempt]


def plan(order: CompileOrder) -> Plan:
    """Check an order before anything is computed or written.

    Raises:
        InputError: saying what is wrong with it.
    """
    work = workload(order.source, order.encoding)
    qubits = work.program.num_qubits
    spec = sized_spec(order.target, max(2, qubits))
    target = target_from_spec(spec)
    if qubits > target.num_qubits:
        raise TargetError(
            f"{order.source.name} needs {qubits} qubits, target '{spec}' has {target.num_qubits}; "
            f"try '{order.target.partition(':')[0]}:{qubits}' or another encoding"
        )
    try:
        gates, _ = final_measurements(work.program)
    except (StateTooLargeError, QiskitError) as error:
        raise InputError(
            f"{order.source.name}: {error}; only gates and final measurements can be compiled"
        ) from error
    if order.objective == "expected_fidelity" and not calibrated(target):
        raise InputError(
            f"objective 'expected_fidelity' needs calibration data, which target '{spec}' lacks; "
            "try two_qubit_gates or two_qubit_depth"
        )
    check_optional(order.without)
    if order.any_input:
        left_out = dict.fromkeys((*order.without, *passes_from_zero()))
        order = evolve(order, without=tuple(left_out))
    cheap = syntheses(gates, target)
    tries = _attempts(order, 0, target, cheap)
    try:
        plain = transpile(
            lower_operators(gates, tries[0].synthesis),
            basis_gates=["cx", "rz", "sx", "x"],
            optimization_level=0,
        )
    except QiskitError as error:
        raise InputError(f"{order.source.name}: cannot be lowered: {error}") from error
    return Plan(order, spec, work, _attempts(order, plain.size(), target, cheap))


def _attempts(
    order: CompileOrder, gates: int, target: Target, cheap: Sequence[str]
) -> list[Attempt]:
    return attempts(
        order.method,
        order.seed,
        gates,
        target,
        cheap=cheap,
        names=order.pipelines,
        seeds=order.seeds,
    )
