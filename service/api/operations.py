"""For whoever keeps the service running: `GET /health` and `GET /metrics`."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.api.answers import Health
from service.api.guard import guarded_router
from service.api.metrics import exposition
from service.api.service import TheService
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
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(service: TheService) -> Response:
    """Return the metrics of docs/metrics.md, in Prometheus's text format."""
    return Response(exposition(service.metrics, service.records), media_type=CONTENT_TYPE_LATEST)
