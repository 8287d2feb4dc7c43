"""HTML made of strings: everything is escaped unless it is `Html` already."""

from collections.abc import Sequence
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


class Number(Html):
    """A number as it is to be written."""

    __slots__ = ()


def element(tag: str, *children: object, **attributes: str) -> Html:
    """Return an element.

    Args:
        tag: its name.
        children: `Html` as it is, anything else as escaped text.
        attributes: escaped; a trailing `_` is dropped and other `_` become `-`.
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
    )
    return Html(f"<{tag}{written}>{''.join(map(text, children))}</{tag}>")


def text(value: object) -> str:
    """Return a value as HTML: `Html` as it is, None as a dash, numbers to four digits."""
    match value:
        case Html():
            return value
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.4g}"
        case _:
            return escape(str(value))


def table(
    caption: object, columns: Sequence[object], rows: Sequence[Sequence[object]], wide: bool = True
) -> Html:
    """Return a table in a box that scrolls sideways; the first column heads its rows.

    Args:
        caption: says what is in it.
        columns: their headings.
        rows: cells; numbers are set to the right, and so are the headings of columns of numbers.
        wide: whether the table takes the whole width.
    """
    right = [_aligned(*column) for column in zip(*rows, strict=True)] or [{}] * len(columns)
    head = element(
        "tr",
        *(element("th", c, scope="col", **on) for c, on in zip(columns, right, strict=True)),
    )
    body = [element("tr", *(_cell(i, cell) for i, cell in enumerate(row))) for row in rows]
    made = element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
        class_="wide" if wide else "narrow",
    )
    return element("div", made, class_="scroll", tabindex="0", role="group", aria_label="table")


def _cell(place: int, value: object) -> Html:
    number = _aligned(value)
    if place == 0:
        return element("th", value, scope="row", **number)
    return element("td", value, **number)


def _aligned(*cells: object) -> dict[str, str]:
    numeric = all(isinstance(cell, Number | int | float | None) for cell in cells)
    return {"class_": "n"} if numeric else {}
