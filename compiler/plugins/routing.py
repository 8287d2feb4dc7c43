"""Our routers as passes of Qiskit's: where gates act is settled, the rest is left to its stages.

Their results are native already, so that translation finds nothing to do. They are equivalent on
any input, up to a global phase and the final place of each qubit, which is in `final_layout`;
that is checked as far as it can be, see `compiler.verification.equivalence`.
"""

from collections.abc import Sequence

from attrs import evolve
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.converters import dag_to_circuit
from qiskit.dagcircuit import DAGCircuit
from qiskit.transpiler import AnalysisPass, Layout, Target, TransformationPass
from qiskit.transpiler.passmanager_config import PassManagerConfig

from compiler.caches import own_cache
from compiler.dynamic.pieces import final_part, is_dynamic, unconditional
from compiler.errors import LoweringError, StateTooLargeError, StichwerkError, TargetError
from compiler.formats.parameter_values import bound_at_random, unbound
from compiler.formats.plain_gates import append_plain
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.dynamic import lower_dynamic
from compiler.lowering.figures import figures
from compiler.lowering.hub.scheduling import hub_scheduling
from compiler.lowering.methods import synthesis
from compiler.lowering.mirror.router import mirror
from compiler.lowering.mirror.source import largest_component
from compiler.lowering.native import translation
from compiler.lowering.pipeline import Pipeline, best
from compiler.lowering.sweep.sabre_sweep import sabre_sweep
from compiler.measurement import final_measurements, measure_at
from compiler.targets import is_coupled
from compiler.targets.universal import check_measurable, check_universal
from compiler.verification.equivalence import verify_equivalent
from compiler.verification.program import require_native

QUICK = (Pipeline(name="sweep", passes=(synthesis, sabre_sweep)),)
THOROUGH = (
    *QUICK,
    Pipeline(name="mirror", passes=(synthesis, mirror)),
    Pipeline(name="hub", passes=(synthesis, hub_scheduling, translation)),
)
"""Routers that are tried, those that suit the target; the best result is taken."""


def target_of(config: PassManagerConfig) -> Target:
    """Return the target of a pass manager, made of native gates and couplings if it has to be.

    Raises:
        TargetError: if neither is known, or not every circuit can be written in its gates.
    """
    target = config.target
    if target is None:
        if config.coupling_map is None or not config.basis_gates:
            raise TargetError(
                "stage 'stichwerk' needs a target: name a backend, a target, or basis_gates and "
                "coupling_map"
            )
        target = Target.from_configuration(config.basis_gates, coupling_map=config.coupling_map)
    check_universal(target, target.description or "given")
    return target


class RouteByStichwerk(TransformationPass):
    """Brings two-qubit gates to coupled qubits, from where the layout has put them.

    Circuits that measure, reset and branch on the way are routed piece by piece.

    Args:
        target: native gates and couplings.
        seed: of random choices.
        thorough: whether all routers are tried, or the quickest alone.
    """

    def __init__(self, target: Target, *, seed: int = 0, thorough: bool = True) -> None:
        super().__init__()
        self._target, self._seed, self._thorough = target, seed, thorough

    def run(self, dag: DAGCircuit) -> DAGCircuit:
        """Return the routed circuit, and set `final_layout`.

        Raises:
            LoweringError: if the circuit holds an operation that cannot be routed.
            VerificationError: if the result is not equivalent.
        """
        circuit = _routable(dag)
        check_measurable(circuit, self._target, self._target.description or "given")
        if circuit.num_qubits != self._target.num_qubits:
            raise LoweringError("route after a layout: the circuit must be on the target's qubits")
        with own_cache():
            lowered = self._routed(circuit)
        native = measure_at(lowered.circuit, lowered.final_layout, circuit)
        self._prove(circuit, lowered, native)
        ends = Layout(dict(zip(dag.qubits, lowered.final_layout, strict=True)))
        before = self.property_set["final_layout"]
        self.property_set["final_layout"] = (
            ends if before is None else before.compose(ends, dag.qubits)
        )
        return _on_bits_of(dag, native)

    def _routed(self, circuit: QuantumCircuit) -> Draft:
        dynamic = is_dynamic(circuit)
        gates, _ = (final_part if dynamic else final_measurements)(circuit)
        start = _connected(gates, self._target)
        gates = _on_some(gates, start)
        setting = Setting(self._target, seed=self._seed, any_input=True, start=start)
        drafts = []
        for pipeline in THOROUGH if self._thorough else QUICK:
            if not pipeline.suits(self._target):
                continue
            if circuit.parameters and not pipeline.takes_parameters:
                continue
            lowered = (
                lower_dynamic(pipeline, gates, setting)
                if dynamic
                else pipeline.lower(gates, setting)
            )
            drafts.append((lowered, figures(lowered.circuit, self._target)))
        if not drafts:
            raise LoweringError(
                f"unbound parameters: {unbound(circuit)}; bind them, or route with 'sabre'"
            )
        chosen = best(drafts, setting.objective)
        layouts = (chosen.initial_layout, chosen.final_layout)
        initial, final = (dict(zip(start, layout, strict=True)) for layout in layouts)
        everywhere = range(circuit.num_qubits)
        return evolve(
            chosen,
            initial_layout=tuple(initial.get(qubit, qubit) for qubit in everywhere),
            final_layout=tuple(final.get(qubit, qubit) for qubit in everywhere),
        )

    def _prove(self, circuit: QuantumCircuit, lowered: Draft, native: QuantumCircuit) -> None:
        require_native(native, self._target)
        if lowered.initial_layout != tuple(range(circuit.num_qubits)):
            raise LoweringError("the router has moved qubits before their first gate")
        if is_dynamic(circuit):
            return
        gates, _ = final_measurements(circuit)
        try:
            for before, after in bound_at_random(gates, lowered.circuit):
                verify_equivalent(before, evolve(lowered, circuit=after), self._target)
        except StateTooLargeError:
            return


class LayoutByStichwerk(AnalysisPass):
    """Sets `layout`: where the best of many routed circuits begins.

    Args:
        target: native gates and couplings.
        seed: of random choices.
    """

    def __init__(self, target: Target, *, seed: int = 0) -> None:
        super().__init__()
        self._target, self._seed = target, seed

    def run(self, dag: DAGCircuit) -> None:
        """Choose a layout.

        Raises:
            LoweringError: if the circuit holds an operation that cannot be routed.
        """
        if not dag.qubits:
            self.property_set["layout"] = Layout()
            return
        circuit = _routable(dag)
        setting = Setting(self._target, seed=self._seed, any_input=True)
        gates = unconditional(final_part(circuit)[0], apart=True)
        (sweep,) = QUICK
        with own_cache():
            lowered = sweep.lower(gates, setting)
        places = dict(zip(dag.qubits, lowered.initial_layout, strict=True))
        self.property_set["layout"] = Layout(places)
        for register in dag.qregs.values():
            self.property_set["layout"].add_register(register)


def _connected(circuit: QuantumCircuit, target: Target) -> tuple[int, ...]:
    """Return the qubits of a target's largest connected part, or all if a gate is on another."""
    everywhere = tuple(range(circuit.num_qubits))
    if not is_coupled(target):
        return everywhere
    qubits, _ = largest_component(target, 0)
    items = (item for item in circuit.data if item.name != "barrier")
    busy = {circuit.find_bit(qubit).index for item in items for qubit in item.qubits}
    return tuple(qubits.tolist()) if busy <= {*qubits.tolist()} else everywhere


def _on_some(circuit: QuantumCircuit, qubits: Sequence[int]) -> QuantumCircuit:
    """Return a circuit on some of its qubits, on the others of which are barriers alone."""
    if len(qubits) == circuit.num_qubits:
        return circuit
    register = QuantumRegister(len(qubits), "q")
    narrow = QuantumCircuit(register, circuit.clbits, *circuit.cregs)
    narrow.global_phase = circuit.global_phase
    bits = {circuit.qubits[qubit]: narrow.qubits[place] for place, qubit in enumerate(qubits)}
    for item in circuit.data:
        inside = [bits[qubit] for qubit in item.qubits if qubit in bits]
        if item.name == "barrier":
            narrow.barrier(inside)
        else:
            narrow.append(item.replace(qubits=inside))
    return narrow


def _routable(dag: DAGCircuit) -> QuantumCircuit:
    """Return the part of a circuit that is routed.

    Raises:
        LoweringError: naming the operation that cannot be routed.
    """
    circuit = dag_to_circuit(dag)
    data = list(circuit.data)
    circuit.data = [item for item in data if item.qubits]
    for item in data:
        if not item.qubits:
            append_plain(circuit, item)
    try:
        unconditional(final_part(circuit)[0])
    except StichwerkError as error:
        raise LoweringError(f"{error}; route it with 'sabre'") from error
    return circuit


def _on_bits_of(dag: DAGCircuit, native: QuantumCircuit) -> DAGCircuit:
    """Return a circuit as a DAG on the very bits and registers of another one."""
    result = dag.copy_empty_like()
    result.global_phase = native.global_phase
    for item in native.data:
        qubits = [dag.qubits[native.find_bit(qubit).index] for qubit in item.qubits]
        result.apply_operation_back(item.operation, qubits, item.clbits, check=False)
    return result
