"""Pages under `/advise`: an address contains the whole question, and can be sent on."""

from typing import Annotated, cast
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse

from compiler.errors import InputError
from games.advising import Advised
from games.panels import Grid, Lines
from games.trick_taking.advice.page.fields import EXAMPLES, FIELDS
from service.advice.advising import Advising, Question
from service.api.errors import told
from service.pages.circuit import circuit_figure
from service.pages.rendering import render
from service.play.doors import count
from service.play.pages import PageRoute

ADVICES_A_MINUTE = 60
MAX_LETTERS = 200
"""Characters of a field."""
MAX_FIELDS = 60

router = APIRouter(prefix="/advise", route_class=PageRoute, include_in_schema=False)


def question_of(request: Request) -> Question:
    """Return the request of an address; an empty request for none.

    Raises:
        HTTPException: if it is too long.
    """
    pairs = request.query_params.multi_items()
    if len(pairs) > MAX_FIELDS or any(len(value) > MAX_LETTERS for _, value in pairs):
        raise HTTPException(422, "that is too much for a position")
    keys = [field.key for field in FIELDS]
    for key, _ in pairs:
        if key not in (*keys, "example", "ask"):
            raise HTTPException(422, f"there is no field {key[:20]!r}")
    example = request.query_params.get("example", "")
    answers: dict[str, list[str]] = {}
    for key, value in pairs:
        if key in keys and value.strip():
            answers.setdefault(key, []).append(value)
    # In the order of the form, however they were written.
    fields = tuple((key, tuple(answers[key])) for key in keys if key in answers)
    if example and fields:
        raise HTTPException(422, "ask about an example or about a hand, not both")
    return Question(example, fields)


def advising_of(request: Request) -> Advising:
    """Return the adviser of the server of a request."""
    return cast(Advising, request.app.state.advising)


AskedQuestion = Annotated[Question, Depends(question_of)]
TheAdvising = Annotated[Advising, Depends(advising_of)]


@router.get("")
def show_advice(question: AskedQuestion, advising: TheAdvising, request: Request) -> HTMLResponse:
    """Show the form, or the advice on the question of an address."""
    if question == Question("") or "ask" in request.query_params:
        return _form(question)
    try:
        advised = _advised(question, advising, request)
    except InputError as error:
        return _form(question, told(str(error)), 422)
    panels = [panel for panel in advised.panels if isinstance(panel, Grid | Lines)]
    page = render(
        "advice/answer.html",
        advised=advised,
        query=_query(question),
        panels=[(type(panel).__name__, panel) for panel in panels],
    )
    return HTMLResponse(page)


@router.get("/circuit")
def show_circuit(question: AskedQuestion, advising: TheAdvising, request: Request) -> HTMLResponse:
    """Show the circuit that plays on from the recommended card."""
    advised = _advised(question, advising, request)
    page = render(
        "advice/circuit.html",
        card=advised.choices[0].face.name,
        query=_query(question),
        circuit=circuit_figure(advised.circuit(), bundled=True),
    )
    return HTMLResponse(page)


def _form(question: Question, error: str = "", status: int = 200) -> HTMLResponse:
    page = render(
        "advice/form.html",
        examples=EXAMPLES,
        fields=FIELDS,
        answers=question.by_field,
        example=question.example,
        error=error,
        max_letters=MAX_LETTERS,
    )
    return HTMLResponse(page, status)


def _query(question: Question) -> str:
    example = [("example", question.example)] if question.example else []
    pairs = [(key, value) for key, values in question.answers for value in values]
    return urlencode([*example, *pairs])


def _advised(question: Question, advising: Advising, request: Request) -> Advised:
    count(request, "advise", ADVICES_A_MINUTE)
    return advising.advice(question)
