"""Results of compiling: the chosen circuit, and all candidates."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from service.results.model import ResultModel, Table

if TYPE_CHECKING:
    from workers.records.tables import Compilation


class CircuitFigures(ResultModel):
    """Size of a native circuit, final measurements included; null before it is lowered."""

    qubits: int | None
    two_qubit_gates: int | None
    two_qubit_depth: int | None
    depth: int | None
    gates: int | None
    duration_ns: float | None
    """null if the target has no durations"""
    expected_fidelity: float | None
    """From the target's errors; null if it has no errors"""


class Figures(CircuitFigures):
    """Size of a native circuit; figures of error-corrected qubits only if requested."""

    t_count: int | None
    t_count_unmeasured: int | None
    t_gates: int | None
    toffolis: int | None
    rotations: int | None
    table_rotations: int | None
    t_depth: int | None
    logical_qubits: int | None


class TriedEncoding(ResultModel):
    """Encoding of a game that was tried."""

    name: str
    two_qubit_gates: int | None
    left_out: str
    """Reason why it was not chosen; empty for the chosen one"""


def encodings_table(encodings: Sequence[TriedEncoding]) -> Table:
    """Return the encodings of a game that were tried; no rows if one was requested by name."""
    rows = [(encoding.name, encoding.two_qubit_gates, encoding.left_out) for encoding in encodings]
    return Table("Encodings", ("encoding", "two-qubit gates", "left out"), rows)


class Step(ResultModel):
    """Circuit after a pass."""

    name: str
    two_qubit_gates: int | None
    """null while there are gates on more than two qubits"""
    two_qubit_depth: int | None
    from_zero: bool
    """True if the circuit may be correct from |0…0⟩ only"""
    seconds: float | None


class CandidateResult(Figures):
    """Result of a pipeline with a synthesis and a seed."""

    synthesis: str
    pipeline: str
    seed: int
    from_zero: bool
    verified: str
    detail: str
    lower_seconds: float | None
    verify_seconds: float | None
    chosen: bool


class CompiledProgram(ResultModel):
    """Program as it was compiled."""

    program: str
    target: str
    method: str
    encoding: str
    encodings: Sequence[TriedEncoding]
    objective: str
    seed: int
    parameter_values: Mapping[str, float] | None
    """Values of the program's parameters; null if it has no parameters"""
    synthesis: str
    pipeline: str
    pipeline_seed: int
    budget: int
    without: Sequence[str]
    any_input: bool
    qubits_saved: int | None
    qubit_chains: Sequence[Sequence[int]]
    from_zero: bool
    steps: Sequence[Step]
    initial_layout: Sequence[int]
    """Physical qubit of each program qubit at the start; where a router resets qubits and uses them
    again, plus the number of the device's qubits for each reset before, and -1 for none"""
    final_layout: Sequence[int]
    """Physical qubit of each program qubit at the end, or where it was reset; likewise"""


class CompilationResult(Figures, CompiledProgram, commands="compile"):
    """Chosen circuit of a compilation, and all candidates."""

    operator_depths: Sequence[int] | None
    """Literal depth of each operator of a game's program, in which any gate counts one layer, as in
    the papers, and the deal is one gate; null for circuits"""
    verified: str
    """Level of proof: exact, sampled or unverified"""
    verified_detail: str
    compile_seconds: float | None
    candidates: Sequence[CandidateResult]
    versions: Mapping[str, str]
    revision: str | None
    record: int
    """Number of the compilation in the database"""

    @classmethod
    def of(cls, compilation: "Compilation", *objects: object, **fields: object) -> Self:
        """Return the result of a recorded compilation.

        Args:
            compilation: Compiled and verified.
            objects: With attributes of a subclass; see `from_objects`.
            fields: Of a subclass.
        """
        chosen = compilation.chosen
        return cls.from_objects(
            compilation,
            chosen,
            *objects,
            pipeline_seed=chosen.seed,
            operator_depths=_operator_depths(compilation),
            verified_detail=chosen.detail,
            record=compilation.id,
            **fields,
        )


class CompilationList(ResultModel, commands="compile"):
    """Compilations of several programs."""

    schema_version: ClassVar[int] = 2
    compilations: Sequence[CompilationResult]
    failures: Mapping[str, str]
    """Reasons of failures, by program"""


def _operator_depths(compilation: "Compilation") -> list[int] | None:
    from compiler.synthesis.method import LiteralOperator
    from games.sources import read_program
    from workers.compilation.compiling import source_of

    program = read_program(source_of(compilation), compilation.encoding).circuit
    operators = [i.operation for i in program.data if isinstance(i.operation, LiteralOperator)]
    return [operator.declared_depth for operator in operators] or None
