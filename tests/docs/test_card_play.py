import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.card_play import figures, parts

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = (DOCS / "card-play.md").read_text()
PICTURES = ("literal", "amplified", "stages", "costs", "tournament")
DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"

# Years, identifiers and file names are not figures; these are numbers of the text that are.
NUMBER = re.compile(r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?!\w)|(?<![\w.,/-])\d{3,}(?![\w./-])")
NO_FIGURES = {"2026", "2001"}


def block(name: str) -> str:
    found = re.search(rf"<!-- {name}: [\w/.]+ -->\n(.*?)\n<!-- end -->", DOCUMENT, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_table_is_what_the_code_computes_now() -> None:
    assert block("figures") == figures.markdown()


def test_every_number_of_the_text_is_in_the_table() -> None:
    text = re.sub(r"\]\([^)]*\)|<!--.*?<!-- end -->", "", DOCUMENT, flags=re.DOTALL)
    stated = set(NUMBER.findall(text)) - NO_FIGURES
    assert {"64,512,240", "84,446,523,056"} < stated
    assert stated <= set(re.findall(r"[\d,]+", block("figures")))


@pytest.mark.parametrize("value", ["34.0°", "1/40", "1/5"])
def test_the_angle_and_the_shares_of_the_text_are_in_the_table(value: str) -> None:
    assert value in DOCUMENT.split("<!-- figures")[0]
    assert f"| {value} |" in block("figures")


def test_the_gates_of_the_parts_are_those_of_the_text() -> None:
    n, k = figures.SKAT
    gates = [
        figures.resources(part.gates).two_qubit_gates for part in figures.amplified_parts(n, k)
    ]
    assert gates == [2 * n - 3, n + 3, 2 * n - 4, 2, 2 * n - 4, 1]
    assert sum(gates) == 7 * n - 5 == figures.counted(figures.HandPlay(n, k))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_there_and_shows_what_the_code_computes_now(name: str) -> None:
    root = ElementTree.parse(DOCS / "card-play" / f"{name}.svg").getroot()
    described = next(root.iter(DESCRIPTION)).text
    assert described == figures.described(name)


def test_every_picture_is_referenced_and_no_other() -> None:
    referenced = re.findall(r"!\[[^]]+\]\(card-play/(\w+)\.svg\)", DOCUMENT)
    assert sorted(referenced) == sorted(PICTURES)
    assert sorted(path.stem for path in (DOCS / "card-play").iterdir()) == sorted(PICTURES)


def test_the_mark_ends_on_the_hand_alone() -> None:
    shown = parts.stages()
    assert {i for i, p in enumerate(shown[-1].places) if p} == set(parts.HELD)
    assert set(shown[1].flipped) == set(parts.HELD)
    assert all(sum(stage.places) == 1 for stage in shown)
