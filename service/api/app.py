"""The application: routes, refusals, and the page that describes them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from play.hosted.matches import Matches, Store
from service.advice import pages as advice_pages
from service.advice.advising import Advising
from service.api.dependencies import Service
from service.api.errors import add_refusals
from service.api.middleware import RequestMiddleware
from service.api.routes import accounts, job_changes, jobs, operations, pages, submission
from service.play import pages as play_pages
from service.play import programs as play_programs
from workers.jobs.states import Queue
from workers.metrics.recording import count_events
from workers.provenance import versions
from workers.untrusted_programs.inspector import MAX_WAITING

THREADS = 4 * MAX_WAITING
"""So that those who wait for their programs to be read leave room for others."""

GUARDED = (
    (submission, "jobs"), (jobs, "jobs"), (job_changes, "jobs"), (accounts, "account"),
    (operations, "operate"),
)  # fmt: skip
"""Routes that need a token, and the tag that the description groups them under."""

TAGS = {
    "jobs": "Submit, list, change and score jobs.",
    "account": "Scopes and budgets of the token.",
    "operate": "Health, status and metrics of the service.",
    "play": "Matches and moves. They need the secret of a seat instead of a token.",
}

DESCRIPTION = """Submit quantum games and circuits; list, watch, cancel and score them.

Send a token as `Authorization: Bearer stw_…`; `stichwerk token create` creates a token. A token can
see and change only the jobs that were submitted with it; with the scope `all`, all jobs.

`stichwerk.Client` is a client in Python.

In a browser, `/` links all pages: play, advice, jobs, trends and the report.

Playing needs no token: the secret in the link of a seat gives access to the seat.
"""


def create_app(
    service: Service, hosts: Sequence[str] = ("*",), manual: Path | None = None
) -> FastAPI:
    """Return the application; as long as it runs, so do the inspector and the broker's thread.

    Args:
        service: database, settings and processes of the server.
        hosts: names that requests may be sent to; see `service.api.limits.allowed_hosts`.
        manual: folder of the documentation as HTML, served at `/manual`.
    """

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREADS
        count_events()
        service.inspector.start()
        service.broker.start()
        service.heart.start()
        yield
        service.heart.stop()
        service.broker.close()
        service.inspector.close()
        service.engine.dispose()

    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        title="Stichwerk",
        version=versions()["stichwerk"],
        description=DESCRIPTION,
        openapi_tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        lifespan=running,
    )
    app.state.service = service
    app.state.matches = Matches(
        Store(service.reading, service.writing, service.settings.most_matches),
        service.settings,
        lambda job_id: service.broker.tell(job_id, Queue.COMPILE),
    )
    app.state.advising = Advising()
    app.include_router(pages.open_router)
    # Before the list of jobs, which has the same address for programs.
    app.include_router(pages.jobs_router)
    app.include_router(pages.router)
    app.include_router(advice_pages.router)
    for guarded, tag in GUARDED:
        app.include_router(guarded.router, tags=[tag])
        # Fixed names come before links with free parts.
    app.include_router(operations.open_router, tags=["operate"])
    for part in (play_programs.router, play_pages.router):
        app.include_router(part)
    app.mount("/static", StaticFiles(packages=[("service.pages", "static")]))
    app.state.has_manual = manual is not None
    if manual is not None:
        app.mount("/manual", StaticFiles(directory=manual, html=True))
    add_refusals(app)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)
    # Outermost, so that refused hosts are counted and logged, too.
    app.add_middleware(
        RequestMiddleware, most_bytes=service.settings.most_bytes, metrics=service.metrics
    )
    return app
