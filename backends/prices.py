"""Prices of providers: a dated table, of which a file may change entries."""

import os
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from backends.errors import PriceError
from backends.regular_files import read_regular_file
from compiler.formats.toml_document import TomlError, toml_document

PRICES_FILE = "STICHWERK_PRICES"
"""Environment variable with the path of a TOML file whose entries go before the bundled ones."""

MAX_BYTES = 1_000_000
MAX_PRICE = 10_000
"""Limit of the dollars or seconds of an entry; larger numbers are typing errors."""

AMOUNTS = ("per_task_usd", "per_shot_usd", "per_second_usd", "least_seconds", "step_seconds")


@frozen
class Price:
    """Prices of one provider or device.

    Args:
        per_task_usd: for each job.
        per_shot_usd: for each shot of it.
        per_second_usd: for each second that it runs.
        as_of: day of the price.
        source: where it is published.
        least_seconds: seconds charged for a job that runs for less.
        step_seconds: seconds are charged in whole multiples of this; 0 if they are not rounded.
    """

    per_task_usd: Decimal
    per_shot_usd: Decimal
    per_second_usd: Decimal
    as_of: date
    source: str
    least_seconds: Decimal = Decimal(0)
    step_seconds: Decimal = Decimal(0)

    def of_job(self, shots: int, seconds: Decimal = Decimal(0)) -> Decimal:
        """Return what a job costs in US dollars.

        Args:
            shots: of the job.
            seconds: of its run.
        """
        charged = self.charged_seconds(seconds)
        return self.per_task_usd + shots * self.per_shot_usd + charged * self.per_second_usd

    def charged_seconds(self, seconds: Decimal) -> Decimal:
        """Return the seconds that a job is charged for which runs for some seconds."""
        if self.step_seconds:
            seconds = ceil(seconds / self.step_seconds) * self.step_seconds
        return max(seconds, self.least_seconds)


FREE = Price(Decimal(0), Decimal(0), Decimal(0), date.min, "")


def prices() -> Mapping[str, Price]:
    """Return the price of each provider or device by name, such as `ibm` or `braket:garnet`.

    An entry of the file that `STICHWERK_PRICES` names says since when it holds (`as_of`) and
    where it is from (`source`); the amounts that it leaves out stay as bundled.

    Raises:
        PriceError: if that file cannot be read, names no known entry or holds no valid price.
    """
    bundled = _bundled()
    path = os.environ.get(PRICES_FILE)
    return {**bundled, **_overriding(path, bundled)} if path else bundled


def price(name: str, provider_price: Callable[[Price], Price | None] = lambda _: None) -> Price:
    """Return the price of one provider or device.

    An entry of the user's own file goes first, then the price that the provider tells, then the
    bundled one.

    Args:
        name: such as `braket:garnet`.
        provider_price: returns the provider's price, None if it has none; its argument is the
            bundled price of all of the provider's devices.

    Raises:
        PriceError: if there is none, or the table cannot be read.
    """
    overriding, bundled = prices(), _bundled()
    if overriding.get(name) != bundled.get(name):
        return overriding[name]
    by_provider = provider_price(overriding.get(name.partition(":")[0], FREE))
    if by_provider is not None:
        return by_provider
    if name not in overriding:
        raise PriceError(f"no price is known for '{name}'; known: {', '.join(overriding)}")
    return overriding[name]


@cache
def _bundled() -> Mapping[str, Price]:
    text = files("backends").joinpath("prices.toml").read_text(encoding="utf-8")
    tables = toml_document(text, parse_float=Decimal)
    return {name: _price(table, FREE, f"prices.toml: [{name}]") for name, table in tables.items()}


def _overriding(path: str, bundled: Mapping[str, Price]) -> dict[str, Price]:
    try:
        text = read_regular_file(Path(path), MAX_BYTES).decode()
        tables = toml_document(text, parse_float=Decimal)
    except (OSError, UnicodeDecodeError, TomlError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
        raise PriceError(f"prices '{path}' ({PRICES_FILE}): {reason}") from error
    for name in tables:
        if name not in bundled and name.partition(":")[0] not in bundled:
            raise PriceError(
                f"prices '{path}': unknown entry '{name}'; known: {', '.join(bundled)}"
            )
    return {
        name: _price(
            table,
            bundled.get(name) or bundled[name.partition(":")[0]],
            f"prices '{path}': [{name}]",
        )
        for name, table in tables.items()
    }


def _price(table: Any, base: Price, where: str) -> Price:
    """Return `base` with the entries of a table in the file.

    Raises:
        PriceError: if the table is invalid, or lacks its date or source.
    """
    keys = (*AMOUNTS, "as_of", "source")
    if not isinstance(table, dict) or (unknown := [key for key in table if key not in keys]):
        what = f"unknown key '{unknown[0]}'" if isinstance(table, dict) else "not a table"
        raise PriceError(f"{where}: {what}; known keys: {', '.join(keys)}")
    since, source = table.get("as_of"), table.get("source")
    if type(since) is not date or not isinstance(source, str) or not source:
        raise PriceError(f"{where}: needs 'as_of = YYYY-MM-DD' and 'source = \"...\"'")
    amounts = {key: _amount(table[key], f"{where}: {key}") for key in AMOUNTS if key in table}
    return evolve(base, **amounts, as_of=since, source=source)


def _amount(value: object, where: str) -> Decimal:
    number = type(value) in (int, Decimal)
    if not number or not (amount := Decimal(str(value))).is_finite() or amount < 0:
        raise PriceError(f"{where}: {value!s} is not a finite number from 0 on")
    if amount > MAX_PRICE:
        raise PriceError(f"{where}: {value!s} is more than {MAX_PRICE:,}")
    return amount
