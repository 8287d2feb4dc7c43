"""IBM's sampler program, on a simulator."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.primitives import BitArray, DataBin, PrimitiveResult, SamplerPubResult
from qiskit_ibm_runtime import RuntimeDecoder, RuntimeEncoder

from backends.backend import CircuitJob, LocalBackend
from compiler.targets.ibm_devices import snapshot_spec
from tests.servers.provider_simulators.ibm.dynamic import check_dynamic
from tests.servers.provider_simulators.protocol import Refusal


@frozen(eq=False)
class Submission:
    """What was posted: one circuit and its shots, with tags, the device's name and a session.

    Of the options nothing is played but the seconds of the device that the job may take: what the
    others ask for lessens noise that there is not.
    """

    circuit: QuantumCircuit
    shots: int
    tags: list[str]
    device: str
    session: str | None
    options: Mapping[str, Any]
    most_seconds: int | None


def submission(body: bytes) -> Submission:
    """Return what the body of `POST /jobs` holds.

    Raises:
        Refusal: 400 if it is not one circuit for the sampler, or one that no device takes.
    """
    try:
        posted = json.loads(body, cls=RuntimeDecoder)
        (pub,) = posted["params"]["pubs"]
        circuit, _, shots = pub
        program, device = posted["program_id"], posted["backend"]
        options = dict(posted["params"].get("options") or {})
    except (ValueError, LookupError, TypeError) as error:
        raise Refusal(400, "1216", "the body is not one circuit for the sampler") from error
    if program != "sampler" or not isinstance(circuit, QuantumCircuit):
        raise Refusal(400, "1216", f"program {program} is not simulated")
    most_seconds = posted.get("cost")
    if most_seconds is not None and (type(most_seconds) is not int or most_seconds < 1):
        raise Refusal(400, "1216", "cost must be a whole number of seconds from 1 on")
    check_dynamic(circuit)
    tags, session = list(posted.get("tags", [])), posted.get("session_id")
    return Submission(circuit, int(shots or 4096), tags, device, session, options, most_seconds)


def program(posted: Submission, simulator: LocalBackend, seed: int) -> Callable[[], bytes]:
    """Return what runs a submission and returns the sampler's JSON of its result."""

    def run() -> bytes:
        target = snapshot_spec(posted.device.removeprefix("ibm_"))
        counts = simulator.run(CircuitJob(posted.circuit, target, posted.shots, seed))
        return json.dumps(_result(posted.circuit, counts), cls=RuntimeEncoder).encode()

    return run


def _result(circuit: QuantumCircuit, counts: Mapping[int, int]) -> PrimitiveResult[Any]:
    outcomes = [outcome for outcome, shots in counts.items() for _ in range(shots)]
    registers = {
        register.name: BitArray.from_bool_array(
            np.array([[bool(o >> place & 1) for place in places] for o in outcomes]),
            order="little",
        )
        for register in circuit.cregs
        if (places := [circuit.find_bit(bit).index for bit in register])
    }
    data = DataBin(**registers, shape=())
    return PrimitiveResult(
        [SamplerPubResult(data, metadata={"circuit_metadata": circuit.metadata or {}})],
        metadata={"version": 2},
    )
