"""What all pages share: the head, the header, and how a refusal looks."""

from collections.abc import Sequence

from service.report.markup import Html, element

FILES = {"page.css": "text/css", "play.js": "text/javascript", "board.js": "text/javascript"}
"""What pages load, by name: its kind."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'"
)
"""Stricter than that of all answers, which the API's description needs."""

REFRESH_SECONDS = 5
"""For browsers without scripts, while somebody else has to move."""


def page(
    title: str,
    *content: Html,
    refreshed: bool = False,
    more: Sequence[Html] = (),
    **attributes: str,
) -> str:
    """Return a page.

    Args:
        title: of the window.
        content: of the main part.
        more: that stands in the head, such as another style sheet.
        refreshed: whether a browser without scripts loads it again and again.
        attributes: of the main part.
    """
    again = void("meta", http_equiv="refresh", content=str(REFRESH_SECONDS))
    head = element(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=POLICY),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="robots", content="noindex"),
        element("title", title),
        void("link", rel="icon", href="data:,"),
        void("link", rel="stylesheet", href="/play/files/page.css"),
        *(
            Html(f'<script src="/play/files/{name}" defer></script>')
            for name in FILES
            if name.endswith(".js")
        ),
        *more,
        *[element("noscript", again)] * refreshed,
    )
    main = element("main", *content, **attributes)
    return f"<!DOCTYPE html>\n{element('html', head, element('body', main), lang='en')}\n"


def problem_page(detail: str) -> str:
    """Return a page that says what was wrong."""
    return page(
        "Stichwerk",
        element("h1", "That does not work"),
        element("p", detail, class_="error", role="alert"),
        element("p", element("a", "Start a match", href="/play")),
    )


def void(tag: str, **attributes: str) -> Html:
    """Return an element that has no content, such as an `input`."""
    return Html(element(tag, **attributes).removesuffix(f"</{tag}>"))
