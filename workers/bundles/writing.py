"""Bundles: ZIP files with all that is needed to score jobs again, and to run them again.

Contents are checked before they are used, and nothing is ever unpacked onto a disk.
"""

import io
import json
import re
import shlex
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import asdict
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import backend_from_spec
from backends.regular_files import read_regular_file
from compiler.errors import InputError, StichwerkError
from compiler.formats.circuit_files import read_qpy
from compiler.formats.openqasm.writing import qasm3_text
from compiler.native_digest import native_digest
from compiler.targets.device import known_device
from compiler.targets.readout import device_of
from workers.attributes import attributes
from workers.clock import database_now
from workers.compilation.compiling import figures_of
from workers.jobs.lookup import find_job
from workers.provenance import revision, versions
from workers.records.devices import recall_device
from workers.records.tables import Compilation, Job

MANIFEST = "bundle.json"
FORMAT, VERSION = "stichwerk-bundle", 1

MAX_BYTES = 200_000_000
"""Of a bundle, and of all its files together."""

MAX_JSON_BYTES = 20_000_000
MAX_FILES = 10_000
MAX_NESTING = 50
NAME = re.compile(r"[a-z]+/[A-Za-z0-9_-]{1,80}\.[a-z]{1,8}", re.ASCII)
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
EPOCH = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a ZIP, the same bytes for the same files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def read_bundle(path: Path) -> Mapping[str, bytes]:
    """Return the files of a bundle, each as its manifest says that it is.

    Raises:
        InputError: if it is no bundle, damaged, or larger than a bundle is.
    """
    try:
        content = read_regular_file(path, MAX_BYTES)
    except OSError as error:
        raise InputError(f"bundle '{path}': cannot be read: {error.strerror}") from error
    try:
        files = _unzipped(content)
        _check_digests(files)
    except InputError as error:
        raise InputError(f"bundle '{path}': {error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError,
            RuntimeError, OSError) as error:  # fmt: skip
        raise InputError(f"bundle '{path}': is damaged, or no ZIP: {error}") from error
    return files


def parsed(content: bytes, name: str) -> dict[str, Any]:
    """Return the JSON object of a file.

    Raises:
        InputError: if it is none.
    """
    if len(content) > MAX_JSON_BYTES:
        raise InputError(f"{name} takes {len(content):,} bytes; {MAX_JSON_BYTES:,} are allowed")
    depth = 0
    for bracket in re.finditer(rb"[\[\]{}]", content):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MAX_NESTING:
            raise InputError(f"{name} is nested too deeply")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON ({error})") from error
    if not isinstance(document, dict):
        raise InputError(f"{name} is no JSON object")
    return document


def _unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if len(entries) > MAX_FILES:
            raise InputError(f"holds {len(entries):,} files; {MAX_FILES:,} are allowed")
        for entry in entries:
            if entry.filename != MANIFEST and not NAME.fullmatch(entry.filename):
                raise InputError(f"holds {entry.filename[:80]!r}, which is no name of its files")
            if entry.flag_bits & 1 or entry.compress_type not in PLAIN:
                raise InputError(f"{entry.filename} is encrypted, or compressed in an unknown way")
        if len({entry.filename for entry in entries}) < len(entries):
            raise InputError("holds two files of one name")
        total = sum(entry.file_size for entry in entries)
        if total > MAX_BYTES:
            raise InputError(f"unpacks to {total:,} bytes; {MAX_BYTES:,} are allowed")
        return {entry.filename: _read(archive, entry) for entry in entries}


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return a file, of which no more is unpacked than its entry says, should that be a lie."""
    with archive.open(entry) as file:
        return file.read(entry.file_size + 1)


def _check_digests(files: Mapping[str, bytes]) -> None:
    if MANIFEST not in files:
        raise InputError(f"has no {MANIFEST}; make one with 'stichwerk records export'")
    manifest = parsed(files[MANIFEST], MANIFEST)
    if manifest.get("format") != FORMAT or manifest.get("version") != VERSION:
        raise InputError(
            f"is of format {str(manifest.get('format'))[:40]!r}, version "
            f"{str(manifest.get('version'))[:10]}; this reads {FORMAT!r}, version {VERSION}"
        )
    declared = manifest.get("files")
    digests = {
        name: sha256(content).hexdigest() for name, content in files.items() if name != MANIFEST
    }
    if not isinstance(declared, dict) or declared.keys() != digests.keys():
        raise InputError(f"does not hold the files that {MANIFEST} lists")
    for name, digest in digests.items():
        if declared[name] != digest:
            raise InputError(f"{name}: its SHA-256 differs from the recorded one")


MAX_JOBS = 2000
OF_COMPILATION = (
    "program", "source_digest", "encoding", "target", "method", "objective", "verified",
    "versions", "revision",
)  # fmt: skip
OF_CIRCUIT = ("synthesis", "pipeline")
OF_JOB = (
    "backend", "shots", "seed", "tag", "provider_id", "run_seconds", "usage_seconds", "counts",
)  # fmt: skip
"""Columns of records that a bundle holds as they are."""


def jobs_of(session: Session, numbers: Sequence[int], tag: str) -> list[Job]:
    """Return the jobs that are meant, each of which has counts.

    Raises:
        InputError: if there are none, too many, or one that is named has no counts.
    """
    if not tag:
        result = [find_job(session, number) for number in dict.fromkeys(numbers)]
    else:
        tagged = select(Job).where(Job.tag == tag, Job.compilation_id.is_not(None))
        rows = session.scalars(tagged.order_by(Job.id).limit(MAX_JOBS + 1))
        result = [job for job in rows if job.counts is not None]
        if not result:
            raise InputError(f"no job of tag '{tag}' has counts")
    if len(result) > MAX_JOBS:
        raise InputError(f"more than {MAX_JOBS} jobs: a bundle holds fewer; name some")
    for job in result:
        if job.counts is None or job.compilation is None:
            why = f": {job.error}" if job.error else ""
            raise InputError(f"job {job.id} is {job.state} and has no counts{why}")
        if job.compiled.chosen.native is None:
            raise InputError(f"the circuit of job {job.id} was not kept")
    return result


def bundle_files(session: Session, jobs: Iterable[Job]) -> dict[str, bytes]:
    """Return the files of a bundle by their names; equal contents are one file.

    Args:
        session: of the records.
        jobs: see `jobs_of`.
    """
    files: dict[str, bytes] = {}
    for job in jobs:
        recall_device(session, job.target)
        files[f"jobs/{job.id}.json"] = _json(_job(job, files))
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": database_now(session).isoformat(),
        "made_with": {"versions": versions(), "revision": revision()},
        "files": {name: sha256(content).hexdigest() for name, content in sorted(files.items())},
    }
    return {MANIFEST: _json(manifest), **files}


def _job(job: Job, files: dict[str, bytes]) -> dict[str, Any]:
    """Return the description of a job, and add its files."""
    compilation = job.compiled
    chosen = compilation.chosen
    native = chosen.native or b""
    text = _text(native, compilation.program)
    return {
        "job": job.id,
        **attributes(OF_COMPILATION, compilation),
        **attributes(OF_CIRCUIT, chosen),
        **attributes(OF_JOB, job),
        "source": _added(
            files, "sources", compilation.source, compilation.program.rpartition(".")[2]
        ),
        "expected": _added(files, "expected", compilation.expected, "json"),
        "target_snapshot": _added(files, "targets", target_snapshot(compilation.target), "json"),
        "is_device": known_device(compilation.target) is not None,
        "seed_of_compilation": compilation.seed,
        "circuit": _added(files, "circuits", native, "qpy"),
        "circuit_text": _added(files, "circuits", text, "qasm"),
        "circuit_digest": native_digest(read_qpy(native, compilation.program)),
        "logical_circuit": _added(files, "circuits", chosen.logical, "qpy"),
        "pipeline_seed": chosen.seed,
        "chosen_verified": chosen.verified,
        "figures": asdict(figures_of(chosen)),
        "reads_with_errors": _reads_with_errors(job.backend),
        "run_options": job.run_options.as_json(),
        "created_at": job.created_at.isoformat(),
        "finished_at": job.finished_at.isoformat() if job.finished_at else None,
        "scores": {kind: asdict(score) for kind, score in job.scored.items()},
        "command": _command(compilation, job),
    }


@lru_cache(maxsize=32)
def _text(native: bytes, name: str) -> bytes:
    """Return a circuit as OpenQASM 3; many jobs have the same one."""
    return qasm3_text(read_qpy(native, name)).encode()


def _command(record: Compilation, job: Job) -> str:
    """Return the command line of another run like it."""
    parts = ["stichwerk", "run", record.program, "--backend", job.backend, "--target",
             record.target, "--method", record.method, "--shots", str(job.shots),
             "--seed", str(record.seed)]  # fmt: skip
    parts += [] if record.encoding in ("none", "default") else ["--encoding", record.encoding]
    parts += [] if record.objective == "two_qubit_gates" else ["--objective", record.objective]
    parts += [word for name in record.without for word in ("--without", name)]
    parts += ["--any-input"] if record.any_input else []
    parts += ["--reuse-qubits"] if record.qubits_saved is not None else []
    return shlex.join(parts)


def _reads_with_errors(backend: str) -> bool:
    try:
        return backend_from_spec(backend).reads_with_errors()
    except StichwerkError:
        # One that this machine cannot ask, or that has gone since.
        return False


def target_snapshot(spec: str) -> bytes:
    """Return the target as recorded, in the form of `compiler.targets.device.Device.content`.

    A user's own device is defined by exactly this.
    """
    device = known_device(spec)
    return device.content if device else device_of(spec).content


def _added(files: dict[str, bytes], folder: str, content: bytes | None, suffix: str) -> str | None:
    """Add a file, and return its name; None without a content."""
    if not content:
        return None
    name = f"{folder}/{sha256(content).hexdigest()}.{suffix}"
    files[name] = content
    return name


def _json(answer: Mapping[str, Any]) -> bytes:
    return (json.dumps(answer, indent=2, allow_nan=False) + "\n").encode()
