"""The table of settings in `settings.md`, from the docstring that explains them."""

import re
from inspect import cleandoc

from attrs import fields

from workers.settings import PREFIX, Settings


def markdown() -> str:
    """Return the table: variable, default, meaning."""
    rows = ["| variable | default | what it is |", "|---|---|---|"]
    for field in fields(Settings):
        default = f"`{field.default}`" if field.default not in (None, "") else ""
        name = f"`{PREFIX}{field.name.upper()}`"
        rows.append(f"| {name} | {default} | {explained()[field.name]} |")
    return "\n".join(rows)


def explained() -> dict[str, str]:
    """Return what the class says of each of its fields."""
    described = cleandoc(Settings.__doc__ or "").partition("Args:\n")[2]
    entries = re.findall(r"^    (\w+): (.*?)(?=^    \w+: |\Z)", described, re.DOTALL | re.MULTILINE)
    return {name: " ".join(text.split()).rstrip(".") for name, text in entries}
