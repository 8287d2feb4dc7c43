"""The pages: what is asked, what is advised, and the circuit for whoever wants to look."""

from urllib.parse import urlencode

from games.advising import Advised, Chance, Choice, Holding, advisers
from games.playing.panels import Grid, Lines
from service.advice_page.advising import GAME, Question
from service.advice_page.cards import back, card
from service.advice_page.circuit import circuit_figure
from service.advice_page.form import PATH, examples_form, position_form
from service.play.html.layout import page, void
from service.play.html.panels import box, table_of
from service.report.markup import Html, element, text

TITLE = "Which card to play?"
MOST_BACKS = 12


def asking_page(question: Question, error: str = "") -> str:
    """Return the page that asks.

    Args:
        question: what was asked before.
        error: what was wrong with it.
    """
    adviser = advisers[GAME]
    wrong = [element("p", error, class_="error panel", role="alert")] if error else []
    return _page(
        f"{adviser.title}: {TITLE}",
        element("h1", f"{adviser.title}: {TITLE}"),
        element("p", "Tick your cards and say what is played. You are told which card wins most "
                "deals, with open cards and when everybody plays any legal card in superposition, "
                "and what the game is worth.", class_="soft"),
        *wrong,
        examples_form(adviser, question.example),
        position_form(adviser, question.by_field),
        class_="narrow",
    )  # fmt: skip


def advice_page(question: Question, advised: Advised) -> str:
    """Return the page with an advice."""
    best, *_ = advised.choices
    said = element(
        "section",
        element("h2", "Advice"),
        element("div", card(best.face) if advised.supported else "", element("div",
                *(element("p", line, **({} if number else {"class_": "asked"}))
                  for number, line in enumerate(advised.said)))),
        class_="panel said",
    )  # fmt: skip
    deal = element("section", element("h2", "The deal, as far as it is known"),
                   *map(_holding, advised.holdings), class_="panel deal")  # fmt: skip
    choices = element("section", element("h2", "How often each card wins"),
                      element("ul", *map(_choice, advised.choices), class_="choices"),
                      class_="panel")  # fmt: skip
    tables = [
        table_of(panel) if isinstance(panel, Grid) else _lines(panel)
        for panel in advised.panels
        if isinstance(panel, Grid | Lines)
    ]
    circuit_at = f"{PATH}/circuit?{urlencode(_pairs(question))}"
    circuit = element(
        "section",
        element("h2", "The circuit"),
        element("p", element("a", "Look at the circuit", href=circuit_at),
                f" that plays on from {best.face.name} in all ways at once."),
        class_="panel",
    )  # fmt: skip
    file = element(
        "details",
        element("summary", element("h2", "On the command line")),
        element("p", "Saved as a file, the same is asked, for longer and on quantum computers, by"),
        element("pre", element("code", advised.command), tabindex="0"),
        element("pre", element("code", _kept_lines(advised.file)), tabindex="0"),
        class_="panel bars",
    )
    again = f"{PATH}?{urlencode(_pairs(question, ask='again'))}"
    change = element("a", "Ask about another hand", href=again)
    return _page(
        f"{best.face.name if advised.supported else 'More samples needed'}: {TITLE}",
        element("h1", f"{advised.title[0].upper()}{advised.title[1:]}"),
        element("p", change, class_="whole"),
        element("div", said, choices),
        element("div", deal, circuit, file),
        element("div", *tables, class_="whole"),
        class_="advice",
    )


def circuit_page(question: Question, advised: Advised) -> str:
    """Return the page with the circuit of an advice."""
    best, *_ = advised.choices
    return _page(
        f"Circuit: {TITLE}",
        element("h1", f"All that may follow {best.face.name}, at once"),
        element("p", element("a", "Back to the advice",
                href=f"{PATH}?{urlencode(_pairs(question))}")),
        box("Circuit", circuit_figure(advised.circuit()), "circuit"),
    )  # fmt: skip


def _page(title: str, *content: Html, **attributes: str) -> str:
    more = (void("link", rel="stylesheet", href=f"{PATH}/files/advise.css"),
            Html(f'<script src="{PATH}/files/advise.js" defer></script>'))  # fmt: skip
    return page(title, *content, refreshed=False, more=more, **attributes)


def _pairs(question: Question, **more: str) -> list[tuple[str, str]]:
    pairs = [("example", question.example)] if question.example else []
    pairs += [(key, value) for key, values in question.answers for value in values]
    return [*more.items(), *pairs]


def _holding(held: Holding) -> Html:
    told = [held.note] * bool(held.note)
    if held.hidden:
        told.insert(0, f"{held.hidden} unknown card{'s' * (held.hidden > 1)}")
    note = element("span", f" {'; '.join(told)}", class_="soft") if told else ""
    cards = [*map(card, held.faces), *(back() for _ in range(min(held.hidden, MOST_BACKS)))]
    kind = "fan" if held.faces else "fan hidden"
    return element("div", element("h3", held.title), note, element("div", *cards, class_=kind))


def _choice(choice: Choice) -> Html:
    return element("li", card(choice.face), element("dl", *(_meter(one) for one in choice.chances)))


def _meter(chance: Chance) -> Html:
    full = 100 * chance.value
    bar = element(
        "svg",
        element("rect", width="100", height="8", class_="rest"),
        element("rect", width=f"{full:.1f}", height="8", class_="share"),
        viewBox="0 0 100 8",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
    return element("div", element("dt", chance.label), element("dd", bar, chance.text))


def _kept_lines(written: str) -> Html:
    return Html("\n".join(map(text, written.splitlines())))


def _lines(panel: Lines) -> Html:
    lines = (element("li", line) for line in panel.lines)
    return box(panel.title, element("ul", *lines), "lines")
