"""Comparison of compilers for the command `peers`: its programs, its calls and its records."""

from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.formats.openqasm.writing import qasm3_text
from compiler.public_circuits import circuit_from_spec
from service.cli.output.first_time import say_if_first
from service.cli.output.printing import say
from workers.limited import limited_pool
from workers.parallel import process_pool
from workers.peers import peers
from workers.peers.comparison import Result, compare, peer_versions
from workers.peers.own_circuits import own_cases, own_subjects
from workers.peers.storage import ResultFile, record_results
from workers.peers.suites import TARGETS, cases, public_circuits
from workers.peers.trials import Case
from workers.provenance import revision, versions
from workers.records.database import open_database


def peer_names(wanted: Sequence[str] | None) -> list[str]:
    """Return the compilers that are wanted, all of them by default, in the registry's order.

    Raises:
        UnknownNameError: if there is no such compiler.
    """
    for name in wanted or ():
        _ = peers[name]
    return [name for name in peers if name in (wanted or peers)]


def used_versions(names: Sequence[str]) -> dict[str, str | None]:
    """Return the versions that decide the results of compilers."""
    return versions() | peer_versions(names)


def chosen_cases(
    circuits: Sequence[str], suites: Sequence[str], targets: Sequence[str] | None
) -> list[Case]:
    """Return the programs of suites and of files, each for every target.

    Raises:
        InputError: if a suite, file or target is invalid.
    """
    chosen = cases(suites, targets) if suites else []
    if circuits:
        subjects = own_subjects(circuits)
        chosen += own_cases(subjects, targets or TARGETS, lambda why: say(f"left out: {why}"))
    return chosen


def compare_all(
    cases: Sequence[Case],
    names: Sequence[str],
    seeds: int,
    *,
    limit: float,
    state: str,
    processes: int,
    database: str,
) -> tuple[list[Result], str]:
    """Return the results of compilers for all cases, which are recorded, and their identifier.

    Args:
        cases: see `chosen_cases`.
        names: of the compilers.
        seeds: of each seeded compiler.
        limit: CPU seconds of a call; 0 for no limit.
        state: file of results so far; empty for none.
        processes: that make calls.
        database: of the records.

    Raises:
        InputError: if the state file is of another comparison.
    """
    used, comparison, cache = used_versions(names), uuid4().hex, None
    if state:
        depends_on = {"peers": names, "seeds": seeds, "limit": limit}
        depends_on |= {"versions": used, "revision": revision()}
        cache = ResultFile(state, depends_on, comparison)
        comparison = cache.comparison
    say_if_first("compiler")
    calls = limited_pool(processes, limit) if limit else process_pool(processes)
    results: list[Result] = []
    with Session(open_database(database)) as session, calls as pool:
        for number, case in enumerate(cases, 1):
            of_case = cache.of(case) if cache else None
            if of_case is None:
                say(f"{number} of {len(cases)}: {case.subject.title}, {case.form}, {case.target}")
                of_case = compare(case, names, seeds, pool, say)
                record_results(session, comparison, of_case, used)
                if cache:
                    cache.keep(case, of_case)
            results += of_case
    return results, comparison


def export_circuits(suites: Sequence[str], folder: str) -> list[str]:
    """Write the public circuits of suites to a folder as OpenQASM 3, and return the files.

    Raises:
        InputError: if there are none, or they cannot be written.
    """
    subjects = public_circuits(suites)
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
    return written
