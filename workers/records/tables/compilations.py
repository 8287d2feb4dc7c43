"""Compilations with their candidates, circuits and devices, and results of other compilers."""

import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Dialect, ForeignKey, Index, LargeBinary, String, TypeDecorator
from sqlalchemy.orm import Mapped, mapped_column, relationship

from compiler.certainty import how_verified
from workers.records.tables.base import Record, now, only


class Compressed(TypeDecorator[bytes]):
    """Bytes that take less room in the database than here."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they are kept."""
        return None if value is None else zlib.compress(value, 9)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they were given."""
        return None if value is None else zlib.decompress(value)


class CircuitRow(Record):
    """A circuit, known by its contents; compilations that chose the same one share it."""

    __tablename__ = "circuits"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the content, in hexadecimal."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    content: Mapped[bytes] = mapped_column(Compressed)
    """QPY."""


class FiguresColumns:
    """The figures of a native circuit; see `compiler.lowering.figures.Figures`."""

    qubits: Mapped[int | None]
    two_qubit_gates: Mapped[int | None]
    two_qubit_depth: Mapped[int | None]
    depth: Mapped[int | None]
    gates: Mapped[int | None]
    duration_ns: Mapped[float | None]
    expected_fidelity: Mapped[float | None]
    t_count: Mapped[int | None]
    t_count_unmeasured: Mapped[int | None]
    t_gates: Mapped[int | None]
    toffolis: Mapped[int | None]
    rotations: Mapped[int | None]
    table_rotations: Mapped[int | None]
    t_depth: Mapped[int | None]
    logical_qubits: Mapped[int | None]


class Compilation(Record):
    """One source lowered to one target by one method: the request, and all that was tried."""

    __tablename__ = "compilations"

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    batch: Mapped[str | None] = mapped_column(String(80), index=True)
    program: Mapped[str] = mapped_column(String(200), index=True)
    source: Mapped[bytes] = mapped_column(LargeBinary)
    source_digest: Mapped[str] = mapped_column(String(64))
    """Of the source of the request, with its expected result at that time."""
    expected: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """Expected result of a user's circuit, given or computed; see `compiler.expectation`."""
    unscored: Mapped[str | None]
    """Why the expected result of a circuit that has run is unknown."""
    target: Mapped[str] = mapped_column(String(80), index=True)
    calibration_digest: Mapped[str | None] = mapped_column(String(64))
    """Of the calibration of the target: `compiler.targets.calibration`."""
    calibrated_at: Mapped[datetime | None]
    """Time of that calibration."""
    method: Mapped[str] = mapped_column(String(40))
    encoding: Mapped[str] = mapped_column(String(40))
    encodings: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Results of all encodings of a game, if the best was requested; see `games.contest.Tried`."""
    objective: Mapped[str] = mapped_column(String(40))
    seed: Mapped[int]
    budget: Mapped[int] = mapped_column(default=0)
    without: Mapped[list[str]] = mapped_column(default=list)
    """Names of the optimisations that were left out."""
    any_input: Mapped[bool] = mapped_column(default=False)
    """True if the result was to hold on any input, not from |0…0⟩ only."""
    qubits_saved: Mapped[int | None]
    """Number of qubits saved by reuse; None without reuse."""
    qubit_chains: Mapped[list[list[int]]] = mapped_column(default=list)
    """Program qubits of each qubit in turn; see `compiler.reuse.narrowing.Chains`."""
    parameter_values: Mapped[dict[str, Any] | None]
    """Numbers in the place of the source's parameters, by name; None for none."""
    program_verified: Mapped[str] = mapped_column(String(20))
    """`exact` against a game's rules, `unverified`, or `given`: a circuit is its own measure."""
    order_digest: Mapped[str | None] = mapped_column(String(64), index=True)
    """Digest of the order; see `Order`."""
    native_digest: Mapped[str | None] = mapped_column(String(64), index=True)
    """SHA-256 of the chosen native circuit, the same for the same gates on the same qubits."""
    compile_seconds: Mapped[float | None]
    versions: Mapped[dict[str, Any]]
    revision: Mapped[str | None] = mapped_column(String(60))

    candidates: Mapped[list["Candidate"]] = relationship(
        back_populates="compilation", order_by="Candidate.id"
    )

    @property
    def chosen(self) -> "Candidate":
        """The candidate that won."""
        return next(candidate for candidate in self.candidates if candidate.chosen)

    @property
    def ready(self) -> bool:
        """Return whether a candidate has been chosen."""
        return any(candidate.chosen for candidate in self.candidates)

    @property
    def verified(self) -> str:
        """Proof of the chosen circuit; see `compiler.certainty.how_verified`."""
        return how_verified(self.program_verified, self.chosen.verified)


class Candidate(Record, FiguresColumns):
    """One attempt of a portfolio: its circuit, its figures, its verdict."""

    __tablename__ = "candidates"
    __table_args__ = (
        Index("ix_candidates_chosen", "compilation_id", **only("chosen", "chosen = 1")),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    compilation_id: Mapped[int] = mapped_column(ForeignKey("compilations.id"), index=True)
    synthesis: Mapped[str] = mapped_column(String(40))
    pipeline: Mapped[str] = mapped_column(String(40))
    seed: Mapped[int]
    lower_seconds: Mapped[float | None]
    verify_seconds: Mapped[float | None]
    verified: Mapped[str] = mapped_column(String(20), default="pending")
    detail: Mapped[str] = mapped_column(default="")
    chosen: Mapped[bool] = mapped_column(default=False)
    initial_layout: Mapped[list[int]] = mapped_column(default=list)
    final_layout: Mapped[list[int]] = mapped_column(default=list)
    steps: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Result of each pass; see `compiler.lowering.pipeline.Step`."""
    pending_native: Mapped[bytes | None] = mapped_column(Compressed, deferred=True)
    """Its native circuit while nothing has been chosen yet; see `native`."""
    pending_logical: Mapped[bytes | None] = mapped_column(Compressed, deferred=True)
    native_sha256: Mapped[str | None] = mapped_column(ForeignKey("circuits.digest"), index=True)
    """Digest of the native circuit, once the candidate is chosen."""
    logical_sha256: Mapped[str | None] = mapped_column(ForeignKey("circuits.digest"), index=True)

    native_circuit: Mapped[CircuitRow | None] = relationship(
        foreign_keys=native_sha256, viewonly=True
    )
    logical_circuit: Mapped[CircuitRow | None] = relationship(
        foreign_keys=logical_sha256, viewonly=True
    )
    compilation: Mapped[Compilation] = relationship(back_populates="candidates")

    @property
    def native(self) -> bytes | None:
        """The native circuit with its measurements, as QPY; None of a candidate that has lost."""
        circuit = self.native_circuit if self.native_sha256 else None
        return circuit.content if circuit else self.pending_native

    @native.setter
    def native(self, content: bytes | None) -> None:
        self.pending_native, self.native_sha256 = content, None

    @property
    def logical(self) -> bytes | None:
        """The circuit that it was made from, its operators synthesised, as QPY; kept likewise."""
        circuit = self.logical_circuit if self.logical_sha256 else None
        return circuit.content if circuit else self.pending_logical

    @logical.setter
    def logical(self, content: bytes | None) -> None:
        self.pending_logical, self.logical_sha256 = content, None

    @property
    def from_zero(self) -> bool:
        """Return whether the circuit equals the program from |0…0⟩ only."""
        return steps_from_zero(self.steps)


def steps_from_zero(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the circuit after these steps holds from |0…0⟩ only."""
    return any(step.get("from_zero") for step in steps)


class DeviceRow(Record):
    """A device, by the spec that orders, compilations and jobs name it by."""

    __tablename__ = "devices"

    spec: Mapped[str] = mapped_column(String(80), primary_key=True)
    """It ends with a digest of the content."""
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """See `compiler.targets.device.Device.content`."""
    created_at: Mapped[datetime] = mapped_column(default=now)


class PublishedRecord(Record):
    """A record of others' in the public form of Metriq; see `workers.bundles.metriq`."""

    __tablename__ = "published_records"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the content, in hexadecimal."""
    imported_at: Mapped[datetime] = mapped_column(default=now)
    content: Mapped[dict[str, Any]]


class PeerResult(Record):
    """The best that one compiler made of one program; see `workers.peers.comparison.Result`."""

    __tablename__ = "peer_results"

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    comparison: Mapped[str] = mapped_column(String(40), index=True)
    """The same for all results of one run of `stichwerk peers`."""
    suite: Mapped[str] = mapped_column(String(40))
    program: Mapped[str] = mapped_column(String(200))
    """With its encoding, if it is a game."""
    form: Mapped[str] = mapped_column(String(20))
    target: Mapped[str] = mapped_column(String(80))
    peer: Mapped[str] = mapped_column(String(40))
    variant: Mapped[str] = mapped_column(String(80))
    """The seed or pipeline that made it."""
    two_qubit_gates: Mapped[int | None]
    """None, as the other figures, if there is no result, or all are refuted."""
    two_qubit_depth: Mapped[int | None]
    depth: Mapped[int | None]
    gates: Mapped[int | None]
    seconds: Mapped[float]
    """Of all of the compiler's calls together."""
    cpu_seconds: Mapped[float | None]
    """Of all threads and processes of these calls; None before it was measured."""
    swaps: Mapped[int | None]
    """The fewest that its routing alone took, where the optimum is known."""
    verified: Mapped[str] = mapped_column(String(20))
    """`exact`, `sampled`, `unverified`, `refuted` or `failed`."""
    holds: Mapped[str] = mapped_column(String(40))
    """For which inputs it is proven right."""
    versions: Mapped[dict[str, Any]]
    revision: Mapped[str | None] = mapped_column(String(60))
