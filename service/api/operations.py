"""For whoever keeps the service running: `GET /health` and `GET /metrics`."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from service.api.answers import Health
from service.api.guard import guarded_router
from service.api.metrics import QueueMetrics
from service.api.service import TheService
from workers.records import Job, now
from workers.states import FINAL, State
from workers.tokens import Scope

open_router = APIRouter()
router = guarded_router(Scope.METRICS)


@open_router.get(
    "/health",
    summary="Whether the service can work",
    responses={200: {"model": Health}, 503: {"model": Health}},
)
def health(service: TheService) -> JSONResponse:
    """Look at the database and the broker; needs no token.

    Without the broker jobs are taken all the same, and wait.
    """
    try:
        with service.reading() as session:
            session.execute(text("SELECT 1"))
        database = "ok"
    except SQLAlchemyError:
        database = "away"
    broker = "away" if service.broker.lengths() is None else "ok"
    status = "ok" if broker == "ok" else "degraded"
    found = {"status": status if database == "ok" else "away", "database": database}
    return JSONResponse(found | {"broker": broker}, 200 if database == "ok" else 503)


@router.get(
    "/metrics",
    summary="Counts for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(service: TheService) -> Response:
    """Return how many jobs, messages and requests there are, in Prometheus's text format."""
    with service.reading() as session:
        rows = session.execute(select(Job.state, func.count()).group_by(Job.state)).all()
        jobs = dict.fromkeys(State, 0) | {State(state): n for state, n in rows}
        due = session.scalar(
            select(func.count())
            .select_from(Job)
            .where(Job.due_at <= now(), Job.state.not_in(FINAL))
        )
    queues = CollectorRegistry()
    queues.register(QueueMetrics(jobs, due or 0, service.broker.lengths()))
    content = generate_latest(queues) + generate_latest(service.metrics.registry)
    return Response(content, media_type=CONTENT_TYPE_LATEST)
