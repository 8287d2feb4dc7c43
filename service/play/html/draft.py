"""The form of a move that is put together by choices, and can be written as well."""

from games.playing.draft import Draft
from service.play.html.board import look_button
from service.play.html.layout import void
from service.report.markup import Html, element

LONGEST_SHOWN = 60


def draft_form(draft: Draft, number: int, typed: str, longest: int) -> Html:
    """Return the form.

    Args:
        draft: as far as the move is put together.
        number: how many moves the seat has made.
        typed: what was written instead, and not taken.
        longest: characters of a move.
    """
    sorts = [
        look_button(
            "sort", sort.name, sort.name.replace("-", "−"), id=f"sort-{sort.name}",
            title=sort.words, aria_label=f"{sort.name}: {sort.words}",
            aria_pressed="true" if sort.name == draft.sort else "false",
        )
        for sort in draft.sorts
    ]  # fmt: skip
    [words] = [sort.words for sort in draft.sorts if sort.name == draft.sort]
    undo = [
        look_button("undo", "one", "Undo one choice", id="undo-one"),
        look_button("undo", "all", "Undo all", id="undo-all"),
    ] if draft.chosen else []  # fmt: skip
    field = void("input", name="move", required="", autocomplete="off", id="move",
                 maxlength=str(longest), value=typed or draft.written)  # fmt: skip
    return element(
        "form",
        void("input", type="hidden", name="number", value=str(number)),
        element("fieldset", element("legend", "Sort of move"),
                element("div", *sorts, class_="sorts")),
        element("p", f"{draft.sort}: {words}.", class_="soft"),
        element("p", _asked(draft), class_="next"),
        *[element("div", *undo, class_="buttons")] * bool(undo),
        element("p", element("label", "As it is written", for_="move"), field,
                element("button", "Play it" if draft.move else "Play", type="submit", id="play",
                        **({"class_": "main"} if draft.move else {})),
                class_="written"),
        method="post",
        class_="moves draft",
    )  # fmt: skip


def _asked(draft: Draft) -> str:
    if draft.move:
        move = draft.move
        shown = move if len(move) <= LONGEST_SHOWN else f"{move[:LONGEST_SHOWN]}…"
        return f"{shown}: play it, or take something back."
    if not draft.legal:
        return f"Not possible: {draft.refused}"
    return f"Choose {draft.asked}."
