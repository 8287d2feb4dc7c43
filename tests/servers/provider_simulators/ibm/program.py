"""IBM's executor program, on a simulator."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen
from ibm_quantum_schemas.common import CompressedTensorModel
from ibm_quantum_schemas.executor.version_2_0 import QuantumProgramResultModel
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.primitives.containers.sampler_pub import SamplerPub
from qiskit_ibm_runtime.fake_provider.executor.broadcast_sample import broadcast_sample
from qiskit_ibm_runtime.quantum_program import QuantumProgram
from qiskit_ibm_runtime.quantum_program.params_converters import QUANTUM_PROGRAM_PARAMS_CONVERTERS
from qiskit_ibm_runtime.utils import validate_isa_circuits, validate_rzz_pubs
from samplomatic.quantum_program import CircuitItem, SamplexItem

from backends.backend import CircuitJob, LocalBackend
from backends.device_simulator import light_cone
from compiler.errors import TargetError
from compiler.targets.ibm_devices import snapshot, snapshot_spec
from tests.servers.provider_simulators.ibm.dynamic import check_dynamic
from tests.servers.provider_simulators.protocol import Refusal

MAX_EXECUTIONS = 10_000_000
"""Circuits times shots of a job, by IBM's guide on job limits."""

CONVERTER = QUANTUM_PROGRAM_PARAMS_CONVERTERS["v2.0"]


@frozen(eq=False)
class Submission:
    """A posted program of circuits, which have the same shots.

    Of random forms the first one is played, with the shots of all. Of the sampler's options
    nothing else is: the SDK has put decoupling into the circuit.

    Args:
        params: of the program, as they were posted.
        circuits: with the angles of random forms as parameters.
        forms: of each, values of the parameters by form; one without values if it has no forms.
        shots: of each, of all its forms together.
        tags: of the job.
        device: name.
        session: that it was posted in.
        options: of the sampler.
        most_seconds: time on the device after which the job is ended.
    """

    params: Mapping[str, Any]
    circuits: Sequence[QuantumCircuit]
    forms: Sequence[NDArray[np.float64]]
    shots: int
    tags: list[str]
    device: str
    session: str | None
    options: Mapping[str, Any]
    most_seconds: int | None


def submission(body: bytes) -> Submission:
    """Return what the body of `POST /jobs` holds.

    Raises:
        Refusal: 400 if it is not circuits for the executor, or of a kind or number that the device
            does not take.
    """
    try:
        posted = json.loads(body)
        params, device = posted["params"], posted["backend"]
        if posted["program_id"] != "executor":
            raise Refusal(400, "1216", f"program {posted['program_id']} is not simulated")
        program, _ = CONVERTER.decoder(CONVERTER.model.model_validate(params))
        items = list(program.items)
        passed: Any = program.passthrough_data
        options = passed["post_processor"]["options"]
    except (ValueError, LookupError, TypeError) as error:
        raise Refusal(400, "1216", "the body is not circuits for the executor") from error
    most_seconds = posted.get("cost")
    if most_seconds is not None and (type(most_seconds) is not int or most_seconds < 1):
        raise Refusal(400, "1216", "cost must be a whole number of seconds from 1 on")
    forms = [_forms(item) for item in items]
    for item, values in zip(items, forms, strict=True):
        check_dynamic(item.circuit)
        check_native(item.circuit, values, device)
    shots = program.shots * len(forms[0])
    if not items or shots * len(items) > MAX_EXECUTIONS:
        raise Refusal(400, "1216", f"a job has circuits, and at most {MAX_EXECUTIONS} executions")
    return Submission(
        params, [item.circuit for item in items], forms, shots, list(posted.get("tags", [])),
        device, posted.get("session_id"), options, most_seconds,
    )  # fmt: skip


def without_first_gate(posted: Submission) -> Submission:
    """Return a submission whose first circuit loses its first gate on the way to the device."""
    program, options = CONVERTER.decoder(CONVERTER.model.model_validate(posted.params))
    circuits = [posted.circuits[0].copy(), *posted.circuits[1:]]
    del circuits[0].data[0]
    items = [CircuitItem(circuit) for circuit in circuits]
    other = QuantumProgram(program.shots, items, passthrough_data=program.passthrough_data)
    params = CONVERTER.encoder(other, options).model_dump(mode="json")
    return evolve(posted, circuits=circuits, params=params)


def check_native(circuit: QuantumCircuit, forms: NDArray[np.float64], device: str) -> None:
    """Refuse gates, couplers and angles that the device does not have, in any random form."""
    try:
        validate_isa_circuits([circuit], snapshot(device.removeprefix("ibm_")).target)
        validate_rzz_pubs([SamplerPub.coerce((circuit, forms) if circuit.parameters else circuit)])
    except TargetError:
        return  # of no snapshot
    except ValueError as error:
        raise Refusal(400, "1216", " ".join(str(error).split())) from error


def _forms(item: Any) -> NDArray[np.float64]:
    """Return the values of a circuit's parameters by random form, an array (forms, parameters)."""
    if not isinstance(item, SamplexItem):
        return np.zeros((1, 0))
    samplex = item.samplex.finalize()
    chance = np.random.default_rng(1)
    sampled = broadcast_sample(samplex, item.samplex_arguments, item.shape, chance)
    values: NDArray[np.float64] = np.asarray(sampled["parameter_values"])
    return values


def program(posted: Submission, simulator: LocalBackend, seed: int) -> Callable[[], bytes]:
    """Return what runs a submission and returns the executor's JSON of its result."""

    def run() -> bytes:
        target = snapshot_spec(posted.device.removeprefix("ibm_"))
        items = []
        for circuit, forms in zip(posted.circuits, posted.forms, strict=True):
            played = light_cone(circuit.assign_parameters(forms[0]))
            counts = simulator.run(CircuitJob(played, target, posted.shots, seed))
            items.append({"results": _samples(circuit, len(forms), counts), "metadata": {}})
        sent = posted.params["quantum_program"]
        model = QuantumProgramResultModel(
            data=items,
            metadata={"chunk_timing": []},
            passthrough_data=sent["passthrough_data"],
            semantic_role=sent["semantic_role"],
        )
        return model.model_dump_json().encode()

    return run


def _samples(circuit: QuantumCircuit, forms: int, counts: Mapping[int, int]) -> dict[str, Any]:
    outcomes = [outcome for outcome, n in counts.items() for _ in range(n)]
    results = {}
    for register in circuit.cregs:
        places = [circuit.find_bit(bit).index for bit in register]
        bits = np.array([[bool(outcome >> p & 1) for p in places] for outcome in outcomes])
        if places and circuit.parameters:
            bits = bits.reshape(forms, -1, len(places))
        if places:
            results[register.name] = CompressedTensorModel.from_numpy(bits)
    return results
