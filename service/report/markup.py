"""HTML made of strings: everything is escaped unless it is `Html` already."""

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite

from compiler.words.held_inputs import from_zero_suffix

LONG = 40
"""Letters beyond which a cell is broken into lines."""


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
        f' {name.rstrip("_").replace("_", "-")}="{escape(plain(value))}"'
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
            return f"{value:.4g}" if isfinite(value) else "–"
        case _:
            return escape(plain(str(value)))


def plain(words: str) -> str:
    """Return a text on one line, with a mark for what would not show but change how it reads.

    Such are control characters and those that turn the direction of writing.
    """
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in words)


def table(
    caption: object,
    columns: Sequence[object],
    rows: Sequence[Sequence[object]],
    *,
    wide: bool = True,
    marks: Sequence[Mapping[str, str]] | None = None,
) -> Html:
    """Return a table in a box that scrolls; the first column heads its rows.

    Args:
        caption: says what is in it.
        columns: their headings.
        rows: cells; numbers are set to the right, and so are the headings of columns of numbers.
        wide: whether the table takes the whole width.
        marks: attributes of each row.
    """
    numeric = [all(map(_is_number, column)) for column in zip(*rows, strict=True)]
    numeric = numeric or [False] * len(columns)
    head = element(
        "tr",
        *(element("th", c, scope="col", **_side(n)) for c, n in zip(columns, numeric, strict=True)),
    )
    body = [
        element("tr", *map(_cell, range(len(row)), row, numeric), **mark)
        for row, mark in zip(rows, marks or [{}] * len(rows), strict=True)
    ]
    made = element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
        class_="wide" if wide else "narrow",
    )
    label = caption if isinstance(caption, str) and not isinstance(caption, Html) else "table"
    return element("div", made, class_="scroll", tabindex="0", role="group", aria_label=label)


def figure_of(value: float | None, digits: int = 3) -> Number | None:
    """Return a number with so many digits after the point; None if there is none."""
    return None if value is None or not isfinite(value) else Number(f"{value:.{digits}f}")


def count_of(value: int | None, *, from_zero: bool) -> Number | int | None:
    """Return a count of gates or layers, which says so if it holds from |0…0⟩ only."""
    if value is None or not from_zero:
        return value
    return Number(f"{value:,}{from_zero_suffix(from_zero=True)}")


def percent(share: float) -> Number:
    """Return a share in percent."""
    return Number(f"{100 * share:.1f} %")


def badge(word: str) -> Html:
    """Return a word in a coloured frame: green for what is good, red for what is wrong."""
    kind = {
        "exact": "good", "sampled": "good", "signal": "good", "better": "good", "done": "good",
        "refuted": "bad", "failed": "bad", "noise": "bad", "mostly noise": "bad", "worse": "bad",
        "outside": "bad",
    }.get(word, "open")  # fmt: skip
    return element("span", word, class_=f"badge {kind}")


def _cell(place: int, value: object, numeric: bool) -> Html:
    if place == 0:
        return element("th", value, scope="row", **_side(numeric))
    if isinstance(value, str) and len(value) > LONG and not isinstance(value, Html):
        return element("td", value, class_="long")
    return element("td", value, **_side(numeric))


def _is_number(cell: object) -> bool:
    return isinstance(cell, Number | int | float | None)


def _side(numeric: bool) -> dict[str, str]:
    return {"class_": "n"} if numeric else {}
