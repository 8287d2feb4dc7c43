"""Pages for browsers: the front page, the API, signing in, jobs, trends, and the report."""

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from service.api.dependencies import TheCaller, TheService, caller_of_token, guarded_router
from service.api.errors import COOKIE, sign_in_page
from service.api.requests import Listed
from service.api.routes.jobs import Id, page_of
from service.pages.api import api_html
from service.pages.jobs import LISTED, jobs_table
from service.pages.rendering import render
from service.play.doors import PlayRoute
from service.play.match_page import Form
from service.report.page import report_html, trends_html
from workers.accounts.tokens import Scope
from workers.jobs.states import State

open_router = APIRouter(route_class=PlayRoute, include_in_schema=False)
router = guarded_router(Scope.READ)
jobs_router = guarded_router(Scope.READ, for_browsers=True)

NO_JOBS = "There are no jobs yet: submit one with stichwerk submit, or POST /jobs."
NO_OWN_JOBS = (
    "This token has no jobs yet. To see jobs of the command line and of other tokens, use a token "
    "with the scope 'all'."
)


@open_router.get("/")
def show_front_page(request: Request) -> HTMLResponse:
    """Show the front page: all parts, with a sentence each."""
    page = render(
        "front.html", signed_in=COOKIE in request.cookies, has_manual=request.app.state.has_manual
    )
    return HTMLResponse(page)


@open_router.get("/docs")
def show_api(request: Request) -> HTMLResponse:
    """Show the routes and types of the API."""
    return HTMLResponse(api_html(request.app.openapi()))


@open_router.get("/sign-in")
def show_sign_in() -> Response:
    """Show the form for a token."""
    return sign_in_page(200, "", "/jobs", None)


@open_router.post("/sign-in")
def sign_in(form: Form, request: Request) -> Response:
    """Keep a token in a cookie that scripts cannot read and other sites cannot send."""
    token, address = form.get("token", "").strip(), _local(form.get("next", ""))
    try:
        caller_of_token(request, token)
    except HTTPException as error:
        return sign_in_page(error.status_code, str(error.detail), address, error.headers)
    response = RedirectResponse(address, 303)
    response.set_cookie(
        COOKIE, token, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
    return response


@open_router.post("/sign-out")
def sign_out() -> Response:
    """Forget the token."""
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


def _local(address: str) -> str:
    """Return an address of this server, the front page for any other."""
    is_local = address.startswith("/") and address.isprintable() and "\\" not in address
    return address if is_local and not address.startswith("//") else "/"


@jobs_router.get("/jobs", include_in_schema=False)
def show_jobs(service: TheService, caller: TheCaller) -> HTMLResponse:
    """Show the page, whose script calls the API with the cookie; a table for lack of scripts."""
    page = render(
        "jobs.html",
        states=[state.value for state in State],
        columns=LISTED,
        no_jobs=NO_JOBS if caller.sees is None else NO_OWN_JOBS,
        newest=jobs_table(page_of(Listed.model_validate({}), service, caller).jobs, live=False),
    )
    return HTMLResponse(page)


@jobs_router.get("/jobs/{job_id}", include_in_schema=False)
def show_job(job_id: Id) -> Response:
    """Show the page of jobs with one of them open."""
    return RedirectResponse(f"/jobs#job={job_id}", 303)


@router.get("/trends", include_in_schema=False)
def show_trends(service: TheService, caller: TheCaller) -> HTMLResponse:
    """Show plots of the runs that the token sees over time."""
    with service.reading() as session:
        return HTMLResponse(trends_html(session, caller.sees))


@router.get("/report", include_in_schema=False)
def show_report(service: TheService, caller: TheCaller) -> HTMLResponse:
    """Show the report on all records."""
    if caller.sees is not None:
        raise HTTPException(403, "the report shows all records: this token lacks the scope 'all'")
    with service.reading() as session:
        return HTMLResponse(report_html(session, served=True))
