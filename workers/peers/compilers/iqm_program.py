"""Program that calls IQM's transpiler in an environment of its own.

It reads one JSON object: `qubits` around the resonator, `program` as `qubits` and a list of
`gates`, each with its name, parameters and qubits, the `seed` and the `level`. It prints another:
`gates` on the device, whose last index is the resonator, and for each qubit of the program the
`initial` and `final` place; or the `error`.
"""

import json
import sys
from contextlib import redirect_stdout
from typing import Any
from uuid import UUID

# Its imports stand in functions: reading this file needs no package of IQM's.


def main() -> None:
    """Answer the question on the standard input."""
    question = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        try:
            answer = transpiled(question)
        except Exception as error:  # noqa: BLE001 - third-party code may raise anything
            answer = {"error": " ".join(str(error).split()) or type(error).__name__}
    print(json.dumps(answer))


def transpiled(question: dict[str, Any]) -> dict[str, Any]:
    """Return native gates and layouts."""
    from iqm.qiskit_iqm import transpile_to_IQM

    program = circuit_of(**question["program"])
    native = transpile_to_IQM(
        program,
        star(question["qubits"]),
        optimization_level=question["level"],
        seed_transpiler=question["seed"],
    )
    places = list(range(program.num_qubits))
    layout = native.layout
    return {
        "gates": [
            (
                item.operation.name,
                [float(angle) for angle in item.operation.params],
                [native.find_bit(qubit).index for qubit in item.qubits],
            )
            for item in native.data
        ],
        "initial": layout.initial_index_layout(filter_ancillas=True) if layout else places,
        "final": layout.final_index_layout() if layout else places,
    }


def circuit_of(qubits: int, gates: list[tuple[str, list[float], list[int]]]) -> Any:
    """Return a circuit of gates that Qiskit knows by name."""
    from qiskit import QuantumCircuit

    circuit = QuantumCircuit(qubits)
    for name, angles, places in gates:
        getattr(circuit, name)(*angles, *places)
    return circuit


def star(qubits: int) -> Any:
    """Return the back end of a device like Deneb, of any number of qubits around one resonator.

    It has the architecture of `IQMFakeDeneb`, without its noise, which needs no simulator.
    """
    from iqm.iqm_client import DynamicQuantumArchitecture, GateImplementationInfo, GateInfo
    from iqm.qiskit_iqm.iqm_backend import IQMBackendBase
    from qiskit.providers import Options

    names = [f"QB{number + 1}" for number in range(qubits)]
    resonator = "CR1"
    alone = tuple((name,) for name in names)
    coupled = tuple((name, resonator) for name in names)

    def gate(places: tuple[tuple[str, ...], ...]) -> Any:
        info = {"any": GateImplementationInfo(loci=places)}
        return GateInfo(
            implementations=info, default_implementation="any", override_default_implementation={}
        )

    class Star(IQMBackendBase):
        @classmethod
        def _default_options(cls) -> Options:
            return Options()

        def run(self, run_input: Any, **options: Any) -> Any:
            raise TypeError("circuits are compiled for this device, and none is run")

    return Star(
        DynamicQuantumArchitecture(
            calibration_set_id=UUID(int=0),
            qubits=names,
            computational_resonators=[resonator],
            gates={
                "prx": gate(alone),
                "measure": gate(alone),
                "cz": gate(coupled),
                "move": gate(coupled),
            },
        )
    )


if __name__ == "__main__":
    main()
