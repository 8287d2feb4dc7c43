"""Routes for operators: health, status and metrics."""

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.api.dependencies import Service, TheService, guarded_router
from service.api.metrics import exposition
from service.results.status import Alive, Health, StatusResult
from workers.accounts.tokens import Scope
from workers.status.status import service_status, too_full

open_router = APIRouter()
router = guarded_router(Scope.METRICS)


@open_router.get("/live", summary="Liveness of this process")
def live() -> Alive:
    """Respond without checking the database or the broker: a liveness probe."""
    return Alive(status="ok")


@open_router.get("/health", summary="Readiness of the service", responses={503: {"model": Health}})
def health(service: TheService, response: Response) -> Health:
    """Check database and broker.

    The status code is 503 if the database is not writable. Without the broker, jobs are accepted
    and wait.
    """
    database, broker = _database(service), _broker(service)
    if database != "ok":
        response.status_code = 503
        return Health(status="away", database=database, broker=broker)
    return Health(status="ok" if broker == "ok" else "degraded", database=database, broker=broker)


@router.get("/status", summary="Show the state of the service")
def status(service: TheService) -> StatusResult:
    """Return the state of database, broker, workers, providers and budgets, and stuck jobs.

    The same as `stichwerk status --json`; the status code is 200 even if there are problems.
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
