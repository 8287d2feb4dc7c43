"""Storage of results: a file, with which a stopped comparison can go on, and the records."""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import asdict
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.attributes import attributes
from workers.peers.comparison import Result
from workers.peers.trials import Case
from workers.provenance import revision
from workers.records.tables import PeerResult


class ResultFile:
    """A file of JSON lines: the settings of the comparison, then all results of a case each.

    Args:
        path: of the file, which need not be there yet.
        depends_on: everything that decides results besides the case, as JSON has it.
        identifier: of the comparison, unless the file has one.

    Raises:
        InputError: if the file cannot be read or written, is something else, or its results
            depend on something else.
    """

    def __init__(self, path: str, depends_on: Mapping[str, Any], identifier: str) -> None:
        self._path = Path(path)
        head, lines = {"comparison": identifier, **depends_on}, []
        try:
            if self._path.exists():
                lines = _complete_lines(self._path.read_text())
            if lines:
                recorded, *lines = lines
                self._require_same(recorded, head)
                head = recorded
            self._by_case = {_key(line["case"]): line["results"] for line in lines}
            # Anew, for the last line may be the half of one.
            self._path.write_text("".join(json.dumps(line) + "\n" for line in (head, *lines)))
        except OSError as error:
            raise InputError(f"{path}: cannot be kept: {error.strerror}") from error
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}: is no file of kept results; name another") from None
        self.comparison = str(head["comparison"])

    def _require_same(self, recorded: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        different = sorted(k for k in wanted if k != "comparison" and recorded[k] != wanted[k])
        if different:
            raise InputError(
                f"{self._path}: was made with other {', '.join(different)}; delete it "
                "or name another"
            )

    def of(self, case: Case) -> list[Result] | None:
        """Return the results of a case, None if there are none."""
        rows = self._by_case.get(_key(_plain(case)))
        return None if rows is None else [Result(case=case, **row) for row in rows]

    def keep(self, case: Case, results: Sequence[Result]) -> None:
        """Add all results of a case.

        Raises:
            InputError: if they cannot be written.
        """
        rows = [asdict(result, filter=lambda field, _: field.name != "case") for result in results]
        try:
            with self._path.open("a") as file:
                file.write(json.dumps({"case": _plain(case), "results": rows}) + "\n")
        except OSError as error:
            raise InputError(f"{self._path}: cannot be kept: {error.strerror}") from error


def _plain(case: Case) -> dict[str, Any]:
    return asdict(case, value_serializer=lambda _case, _field, value: _serialised(value))


def _serialised(value: Any) -> Any:
    """Return the JSON form of a value: of a file its digest."""
    return sha256(value).hexdigest() if isinstance(value, bytes) else value


def _key(case: Mapping[str, Any]) -> str:
    return json.dumps(case, sort_keys=True)


def _complete_lines(text: str) -> list[Any]:
    lines = []
    for line in text.splitlines():
        try:
            lines.append(json.loads(line))
        except json.JSONDecodeError:
            break
    if text and not lines:
        raise ValueError
    return lines


def record_results(
    session: Session, comparison: str, results: Iterable[Result], versions: Mapping[str, str | None]
) -> None:
    """Record the results of compilers, and commit; skipped ones are left out.

    Args:
        session: of the database that holds the records.
        comparison: an identifier of the run that the results belong to.
        results: of every compiler on a case.
        versions: of the compilers' packages, and of everything else that decides results.
    """
    session.add_all(
        PeerResult(
            **attributes(
                PeerResult.__table__.columns.keys(),
                result,
                result.case,
                comparison=comparison,
                program=result.case.subject.title,
                form=str(result.case.form),
                versions=dict(versions),
                revision=revision(),
            )
        )
        for result in results
        if result.verified != "skipped"
    )
    session.commit()
