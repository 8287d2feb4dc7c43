"""For whoever keeps the service running: health, status and metrics."""

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.api.auth import guarded_router
from service.api.dependencies import Service, TheService
from service.api.metrics import exposition
from service.results.status import Alive, Health, StatusResult
from workers.accounts.tokens import Scope
from workers.status.status import service_status, too_full

open_router = APIRouter()
router = guarded_router(Scope.METRICS)


@open_router.get("/live", summary="Whether this process lives")
def live() -> Alive:
    """Answer, and ask for nothing; needs no token. To start anew what does not answer may help."""
    return Alive(status="ok")


@open_router.get(
    "/health",
    summary="Whether the service can work",
    responses={503: {"model": Health}},
)
def health(service: TheService, response: Response) -> Health:
    """Look at the database and the broker; needs no token.

    503 without a database that takes what is written to it: nothing can be done then. Without the
    broker jobs are taken all the same, and wait.
    """
    database, broker = _database(service), _broker(service)
    if database != "ok":
        response.status_code = 503
        return Health(status="away", database=database, broker=broker)
    return Health(status="ok" if broker == "ok" else "degraded", database=database, broker=broker)


@router.get("/status", summary="What runs, and what is wrong")
def status(service: TheService) -> StatusResult:
    """Tell of database, broker, workers, providers, budgets, and jobs that do not go on.

    The same as `stichwerk status --json`; it is 200 also if something is wrong.
    """
    return StatusResult.of(service_status(service.engine, service.settings))


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(service: TheService) -> Response:
    """Return the metrics of docs/metrics.md, in Prometheus's text format."""
    return Response(exposition(service.metrics, service.records), media_type=CONTENT_TYPE_LATEST)


def _database(service: Service) -> str:
    try:
        with service.reading() as session:
            session.execute(text("SELECT 1"))
    except SQLAlchemyError:
        return "away"
    # This process's own heartbeats are written all the time; to write more would cost more.
    if service.heart.problem is not None:
        return "cannot be written"
    return "disk full" if too_full(service.engine) else "ok"


def _broker(service: Service) -> str:
    if service.broker.lengths() is not None:
        return "ok"
    return "takes no messages" if service.broker.refuses else "away"
