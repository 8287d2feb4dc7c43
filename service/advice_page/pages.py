"""`/advise`: addresses say the whole question, so that they can be kept and sent on."""

from importlib.resources import files
from typing import Annotated, cast

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from compiler.errors import InputError
from games.advising import Advised, advisers
from service.advice_page.advising import GAME, Advising, Question
from service.advice_page.answer import advice_page, asking_page, circuit_page
from service.advice_page.form import LONGEST
from service.api.errors import told
from service.play.doors import count
from service.play.pages import PageRoute

FILES = {"advise.css": "text/css", "advise.js": "text/javascript"}
ADVICES_A_MINUTE = 60
MOST_FIELDS = 60

router = APIRouter(prefix="/advise", route_class=PageRoute, include_in_schema=False)


def question_of(request: Request) -> Question:
    """Return what an address asks; a question without anything for none.

    Raises:
        HTTPException: if it says too much.
    """
    pairs = request.query_params.multi_items()
    if len(pairs) > MOST_FIELDS or any(len(value) > LONGEST for _, value in pairs):
        raise HTTPException(422, "that is too much for a position")
    keys = [field.key for field in advisers[GAME].fields]
    for key, _ in pairs:
        if key not in (*keys, "example", "ask"):
            raise HTTPException(422, f"there is no field {key[:20]!r}")
    example = request.query_params.get("example", "")
    answers: dict[str, list[str]] = {}
    for key, value in pairs:
        if key in keys and value.strip():
            answers.setdefault(key, []).append(value)
    # In the order of the form, however they were written.
    found = tuple((key, tuple(answers[key])) for key in keys if key in answers)
    if example and found:
        raise HTTPException(422, "ask about an example or about a hand, not both")
    return Question(example, found)


def advising_of(request: Request) -> Advising:
    """Return what advises on the server of a request."""
    return cast(Advising, request.app.state.advising)


Asked = Annotated[Question, Depends(question_of)]
TheAdvising = Annotated[Advising, Depends(advising_of)]


@router.get("")
def show_advice(question: Asked, advising: TheAdvising, request: Request) -> HTMLResponse:
    """Show the form, or the advice on what an address says."""
    if question == Question("") or "ask" in request.query_params:
        return HTMLResponse(asking_page(question))
    try:
        return HTMLResponse(advice_page(question, _advised(question, advising, request)))
    except InputError as error:
        return HTMLResponse(asking_page(question, told(str(error))), 422)


@router.get("/circuit")
def show_circuit(question: Asked, advising: TheAdvising, request: Request) -> HTMLResponse:
    """Show the circuit that plays on from the recommended card."""
    return HTMLResponse(circuit_page(question, _advised(question, advising, request)))


@router.get("/files/{name}")
def show_file(name: str) -> Response:
    """Return what the pages load."""
    if name not in FILES:
        raise HTTPException(404, "there is no such file")
    content = (files("service.advice_page") / "browser" / name).read_text(encoding="utf-8")
    return Response(content, media_type=FILES[name])


def _advised(question: Question, advising: Advising, request: Request) -> Advised:
    count(request, "advise", ADVICES_A_MINUTE)
    return advising.advice(question)
