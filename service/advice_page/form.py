"""The form on which a position is described: cards to be ticked, and what else is known."""

from collections.abc import Mapping

from games.advising import Adviser, Answers, Field
from service.advice_page.cards import card
from service.play.html.layout import void
from service.report.markup import Html, element

PATH = "/advise"
LONGEST = 200


def position_form(adviser: Adviser, answers: Answers) -> Html:
    """Return the form, filled in with the answers that were given."""
    usual = [_asked(field, answers) for field in adviser.fields if not field.rare]
    rare = [field for field in adviser.fields if field.rare]
    opened = {"open": ""} if any(answers.get(field.key) for field in rare) else {}
    return element(
        "form",
        *usual,
        element("details", element("summary", "More that you know"),
                *(_asked(field, answers) for field in rare), **opened),
        element("button", "Advise me", type="submit", class_="main"),
        element("p", "It takes a few seconds.", class_="soft"),
        method="get",
        action=PATH,
        class_="panel start ask",
        id="ask",
    )  # fmt: skip


def examples_form(adviser: Adviser, chosen: str) -> Html:
    """Return the form that asks about an example."""
    return element(
        "form",
        element("label", element("span", "Example"), _select("example", adviser.examples, chosen)),
        element("button", "Show advice", type="submit"),
        method="get",
        action=PATH,
        class_="panel which",
    )


def _asked(field: Field, answers: Answers) -> Html:
    given = answers.get(field.key, ())
    if field.faces:
        return _cards(field, given)
    hint = {"aria_describedby": f"hint-{field.key}"} if field.hint else {}
    if field.choices:
        made = _select(field.key, field.choices, given[0] if given else "", **hint)
    else:
        made = void("input", name=field.key, value=" ".join(given), autocomplete="off",
                    spellcheck="false", maxlength=str(LONGEST), **hint)  # fmt: skip
    told = [element("p", field.hint, class_="soft", id=f"hint-{field.key}")] if field.hint else []
    return element("div", element("label", element("span", field.label), made), *told)


def _cards(field: Field, given: tuple[str, ...]) -> Html:
    boxes: dict[str, list[Html]] = {}
    for face in field.faces:
        ticked = {"checked": ""} if face.name in given else {}
        box = void("input", type="checkbox", name=field.key, value=face.name,
                   aria_label=face.words, **ticked)  # fmt: skip
        made = element("label", box, card(face, named=False), title=face.words)
        boxes.setdefault(face.suit, []).append(made)
    rows = (element("div", *row, class_="suit") for row in boxes.values())
    return element(
        "fieldset",
        element("legend", field.label),
        element("p", field.hint, " ", element("output", "", id="chosen"), class_="soft"),
        *rows,
        class_="hand",
    )


def _select(name: str, choices: Mapping[str, str], chosen: str, **more: str) -> Html:
    options = (
        element("option", words, value=value, **({"selected": ""} if value == chosen else {}))
        for value, words in choices.items()
    )
    return element("select", *options, name=name, **more)
