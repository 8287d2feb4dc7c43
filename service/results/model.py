"""Base class of all result models, and the types of their times and amounts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

from attrs import frozen
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema

from workers.attributes import attributes
from workers.provenance import revision, versions

RESULTS: dict[str, Any] = {}
"""Model of a command's output with `--json`, or the union of several, of imported modules."""


class DescribedModel(BaseModel):
    """Model whose fields are described by the strings below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Join the lines of descriptions."""
        for described in cls.model_fields.values():
            if described.description:
                described.description = " ".join(described.description.split())
        if cls.__pydantic_complete__:
            cls.model_rebuild(force=True)


class ResultModel(DescribedModel):
    """Answer of a command or an HTTP route.

    Subclasses name the `commands` that print them with `--json`, separated by commas.

    Models take no unknown fields, and no NaN or infinity, for which JSON has no numbers.

    A published field is neither removed nor given another type, unless `schema_version` grows.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        from_attributes=True,
        allow_inf_nan=False,
        # A command builds only the validators of the models that it uses.
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )
    schema_version: ClassVar[int] = 1
    """Version of the published schema."""

    def __init_subclass__(cls, *, commands: str = "", **config: Any) -> None:
        """File the model under its commands."""
        super().__init_subclass__(**config)
        for command in filter(None, commands.split(", ")):
            RESULTS[command] = RESULTS[command] | cls if command in RESULTS else cls

    @classmethod
    def from_objects(cls, *objects: object, **fields: object) -> Self:
        """Build a result of fields, and for the others the attributes of objects.

        Args:
            objects: Where several have an attribute, that of the first.
            fields: By name; they come before attributes.
        """
        return cls.model_validate(attributes(cls.model_fields, *objects, **fields))


class MeasuredResult(ResultModel):
    """Result that depends on versions of packages and of the source.

    Args:
        versions: of Python and packages; None where a package is missing.
        revision: of the source in git; None if it is unknown.
    """

    versions: Mapping[str, str | None] = Field(default_factory=lambda: dict(versions()))
    revision: str | None = Field(default_factory=revision)


@frozen
class Table:
    """Table for people.

    Args:
        title: Heading.
        columns: Headings of the columns; empty for pairs of a name and a value.
        rows: Cells.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


def exact_usd(amount: Decimal) -> str:
    """Return an amount as an exact decimal without trailing zeros."""
    return f"{amount.normalize():f}"


Time = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A time with its zone, in JSON in ISO 8601."""
Usd = Annotated[Decimal, PlainSerializer(exact_usd, return_type=str, when_used="json")]
"""US dollars, in JSON an exact decimal."""
