"""The table of settings in `docs/settings.md`; `python -m tools.settings_table` writes it."""

import re
from inspect import cleandoc
from pathlib import Path

from attrs import fields

from tools.tables import table, with_table
from workers.settings import PREFIX, Settings

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"


def markdown() -> str:
    """Return the table: variable, default, meaning."""
    meanings = explained()
    rows = []
    for field in fields(Settings):
        default = f"`{field.default}`" if field.default not in (None, "") else ""
        rows.append((f"`{PREFIX}{field.name.upper()}`", default, meanings[field.name]))
    return table(("variable", "default", "description"), rows)


def explained() -> dict[str, str]:
    """Return the class's description of each of its fields."""
    described = cleandoc(Settings.__doc__ or "").partition("Args:\n")[2]
    entries = re.findall(r"^    (\w+): (.*?)(?=^    \w+: |\Z)", described, re.DOTALL | re.MULTILINE)
    return {name: " ".join(text.split()).rstrip(".") for name, text in entries}


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(), markdown()))
