"""A part of *Queue and providers*: what stands in the way of jobs, as `stichwerk status` tells."""

from dashboards import colours as c
from dashboards.fields import coloured, thresholds
from dashboards.layout import Tile, tile
from dashboards.panels import gauges, lines, stacked
from dashboards.queries import at_once, over_time


def obstacles() -> list[Tile]:
    """Return which queues nobody listens to, which jobs are stuck, and which providers fail."""
    listening = lines(
        "Processes that listen, by queue",
        "Of workers that have told the database so within 35 s. Jobs wait in a queue that nobody "
        "listens to.",
        "none",
        over_time("max by (queue) (stichwerk_queue_processes)", "{{queue}}"),
    )
    stuck = stacked(
        "Jobs that do not go on, by reason",
        "In quarantine, credentials refused, provider away, in doubt whether its provider has it, "
        "no worker for its queue, due long ago.",
        "short",
        over_time("max by (reason) (stichwerk_jobs_stuck)", "{{reason}}"),
    )
    failing = gauges(
        "Providers that fail, since",
        "Time since a backend's provider last answered; after two minutes with jobs waiting, or at "
        "once if it refuses the credentials, an alert follows.",
        "s",
        at_once("max by (backend, problem) (stichwerk_provider_failing_seconds)",
                "{{backend}} {{problem}}"),
    )  # fmt: skip
    failing.thresholds(thresholds((None, c.GOOD), (1, c.WATCH), (120, c.BAD)))
    return [
        tile(coloured(listening.min(0), c.QUEUES), 8, 7),
        tile(stuck, 8, 7),
        tile(failing, 8, 7),
    ]
