"""Writing the public circuits of suites, for other tools to compile."""

from collections.abc import Sequence
from pathlib import Path

from compiler.errors import InputError
from compiler.formats.openqasm.writing import qasm3_text
from compiler.public_circuits import circuit_from_spec
from service.cli.output.printing import print_json
from workers.peers.subjects import Kind
from workers.peers.suites import SUITES, chosen_suites


def export(suites: Sequence[str], folder: str, *, as_json: bool) -> None:
    """Write the circuits of suites to a folder as OpenQASM 3, and print where they are.

    Raises:
        InputError: if there are none, or they cannot be written.
    """
    subjects = [
        subject
        for name in chosen_suites(suites)
        for subject, _ in SUITES[name]
        if subject.kind is Kind.CIRCUIT
    ]
    if not subjects:
        raise InputError(
            f"suite '{', '.join(suites)}' has no public circuits; take circuits, random or all"
        )
    written = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for subject in subjects:
            path = Path(folder) / (subject.name.replace(":", "-") + ".qasm")
            path.write_text(qasm3_text(circuit_from_spec(subject.name, subject.seed)))
            written.append(str(path))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    if as_json:
        print_json({"written": written})
    else:
        print("\n".join(written))
