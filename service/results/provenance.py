"""Provenance of results: which versions they were made with."""

from collections.abc import Mapping

from pydantic import Field

from service.results.model import ResultModel
from workers.provenance import revision, versions


class MeasuredResult(ResultModel):
    """Result that depends on versions of packages and of the source.

    Args:
        versions: of Python and packages; None where a package is missing.
        revision: of the source in git; None if it is unknown.
    """

    versions: Mapping[str, str | None] = Field(default_factory=lambda: dict(versions()))
    revision: str | None = Field(default_factory=revision)

    @property
    def provenance(self) -> str:
        """Versions and revision on one line."""
        named = ", ".join(f"{name} {of or 'missing'}" for name, of in self.versions.items())
        return f"{named}; revision {self.revision or 'unknown'}"
