"""Orders: what is to be compiled, checked before anything is computed or written."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from attrs import asdict, evolve, fields, frozen
from qiskit import transpile
from qiskit.exceptions import QiskitError
from qiskit.transpiler import Target

from compiler.errors import InputError, StateTooLargeError, TargetError
from compiler.lowering.figures import calibrated
from compiler.lowering.methods import lower_operators, syntheses
from compiler.lowering.pipeline import check_optional
from compiler.lowering.portfolio import BUDGET, SEEDS, Attempt, attempts
from compiler.measurement import final_measurements
from compiler.targets import sized_spec, target_from_spec
from compiler.workload import Source, Workload, workload
from workers.provenance import revision, versions


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
        any_input: whether the result must hold on any input, not from |0…0⟩ only; None for what
            the program stands for, see `Workload.any_input`.
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
    any_input: bool | None = None
    time_limit: float | None = None
    batch: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        """All that decides the result besides the source and the target, as JSON has it."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self, recurse=False).items()
            if name not in ("source", "target", "time_limit", "batch")
        }

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides the result, in hexadecimal.

        The versions of the packages that compile, and of this one, are part of it.
        """
        contents = {
            "name": self.source.name,
            "content": b64encode(self.source.content).decode(),
            "target": self.target,
            "options": self.options,
            "versions": versions(),
            "revision": revision(),
        }
        return sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()


def order_from_options(source: Source, target: str, options: Mapping[str, Any]) -> CompileOrder:
    """Return the order that was stored as its source, target and options."""
    known = {field.name for field in fields(CompileOrder)}
    chosen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in options.items()
        if name in known
    }
    return CompileOrder(source, target, **chosen)


@frozen(eq=False)
class Plan:
    """An order that has been checked: it names things that exist, and the program fits."""

    order: CompileOrder
    work: Workload
    attempts: list[Attempt]


def settled(order: CompileOrder) -> tuple[CompileOrder, Workload]:
    """Fill in what an order leaves to its program: the target's size, the encoding, the input.

    Raises:
        InputError: saying what is wrong with it.
    """
    work = workload(order.source, order.encoding)
    spec = sized_spec(order.target, max(2, work.program.num_qubits))
    check_optional(order.without)
    if order.any_input and work.resets:
        raise InputError(
            f"{order.source.name}: begins with resets, so that it has one input only; take the "
            "resets out ('initialize' is one, a state preparation is none), or ask for |0…0⟩"
        )
    any_input = work.any_input if order.any_input is None else order.any_input
    return evolve(order, target=spec, encoding=work.encoding, any_input=any_input), work


def plan(order: CompileOrder) -> Plan:
    """Check an order before anything is computed or written.

    Raises:
        InputError: saying what is wrong with it.
    """
    family = order.target.partition(":")[0]
    order, work = settled(order)
    qubits = work.program.num_qubits
    target = target_from_spec(order.target)
    if qubits > target.num_qubits:
        raise TargetError(
            f"{order.source.name} needs {qubits} qubits, target '{order.target}' has "
            f"{target.num_qubits}; try '{family}:{qubits}' or another encoding"
        )
    try:
        gates, _ = final_measurements(work.program)
    except (StateTooLargeError, QiskitError) as error:
        raise InputError(
            f"{order.source.name}: {error}; only gates and final measurements can be compiled: "
            "measure last, take a fresh qubit instead of a reset, and write loops out"
        ) from error
    if order.objective == "expected_fidelity" and not calibrated(target):
        raise InputError(
            f"objective 'expected_fidelity' needs calibration data, which target '{order.target}' "
            "lacks; try two_qubit_gates or two_qubit_depth"
        )
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
    return Plan(order, work, _attempts(order, plain.size(), target, cheap))


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
