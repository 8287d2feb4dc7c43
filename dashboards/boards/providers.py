"""Parts of *Queue and providers*: obstacles, calls of providers, cost and HTTP requests."""

from dashboards import colours as c
from dashboards.expressions import SPAN, quantile
from dashboards.fields import coloured, thresholds
from dashboards.layout import Tile, tile
from dashboards.panels import gauges, lines, stacked, steps_over_time
from dashboards.queries import at_once, over_time

CALLS = "stichwerk_provider_calls_total"
CALL_SECONDS = "stichwerk_provider_call_duration_seconds"
OF = 'provider=~"$provider"'
REQUESTS = "stichwerk_http_requests_total"
REQUEST_SECONDS = "stichwerk_http_request_duration_seconds"


def obstacles() -> list[Tile]:
    """Return the queues without a worker, which jobs are stuck, and which providers fail."""
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


def provider_calls() -> list[Tile]:
    """Return how providers answer."""
    outcomes = stacked(
        "Calls by outcome, a minute",
        "Unavailable: cut, too many requests, server errors; tried again. Refused: the provider "
        "wants no such job.",
        "short",
        over_time(
            f"60 * sum by (provider, outcome) (rate({CALLS}{{{OF}}}[$__rate_interval]))",
            "{{provider}} {{outcome}}",
        ),
    )
    calls = lines(
        "Calls by kind, a minute",
        "What providers are asked.",
        "short",
        over_time(
            f"60 * sum by (provider, call) (rate({CALLS}{{{OF}}}[$__rate_interval]))",
            "{{provider}} {{call}}",
        ),
    )
    failing = lines(
        "Calls that fail",
        "Share of the calls of a quarter of an hour that were unavailable or errors; above 20 % "
        "an alert follows.",
        "percentunit",
        over_time(f"provider:stichwerk_provider_calls_failing:ratio15m{{{OF}}}", "{{provider}}"),
    )
    latency = lines(
        "Time of a call, p50 and p95",
        "Until the provider has answered.",
        "s",
        over_time(
            quantile(0.5, CALL_SECONDS, "provider", "$__rate_interval", OF), "{{provider}} p50"
        ),
        over_time(
            quantile(0.95, CALL_SECONDS, "provider, call", "$__rate_interval", OF),
            "{{provider}} {{call}} p95",
        ),
    )
    return [
        tile(coloured(outcomes.interval(SPAN), c.OUTCOMES, shades=True), 6, 9),
        tile(calls.interval(SPAN), 6, 9),
        tile(failing.min(0).max(1), 6, 9),
        tile(latency.interval(SPAN), 6, 9),
    ]


def costs() -> list[Tile]:
    """Return what is spent."""
    used = gauges(
        "Budgets used",
        "Share of each limit that is reserved; beyond it jobs fail before they are submitted.",
        "percentunit",
        at_once("budget:stichwerk_budget_used:ratio", "{{budget}}"),
    )
    used.max(1).thresholds(thresholds((None, c.GOOD), (0.8, c.WATCH), (1, c.BAD)))
    reserved = steps_over_time(
        "Reserved by budget",
        "What submitted jobs of the day, and of the tags with the most, are expected to cost; "
        "limits where there are some.",
        "currencyUSD",
        over_time("max by (budget) (stichwerk_budget_reserved_usd)", "{{budget}}"),
        over_time("max by (budget) (stichwerk_budget_limit_usd)", "{{budget}} limit"),
    )
    by_device = gauges(
        "Reserved by device",
        "Within the chosen time, as workers count it; what a worker reserves before it is first "
        "watched is missing. *Reserved by budget* is exact.",
        "currencyUSD",
        at_once(
            "sort_desc(sum by (backend) "
            '(increase(stichwerk_reserved_cost_usd_total{backend=~"$backend"}[$__range])))',
            "{{backend}}",
        ),
    )
    return [tile(used, 8, 7), tile(reserved, 8, 7), tile(by_device.decimals(2), 8, 7)]


def requests() -> list[Tile]:
    """Return what the HTTP API is asked."""
    by_route = lines(
        "Requests by route, a second",
        "That the API has answered.",
        "reqps",
        over_time(
            f"sum by (method, route) (rate({REQUESTS}[$__rate_interval]))", "{{method}} {{route}}"
        ),
    )
    by_status = lines(
        "Requests by status, a second",
        "From 500 on the fault is the service's.",
        "reqps",
        over_time(f"sum by (status) (rate({REQUESTS}[$__rate_interval]))", "{{status}}"),
    )
    latency = lines(
        "Time of a request, p95",
        "By route.",
        "s",
        over_time(
            quantile(0.95, REQUEST_SECONDS, "method, route", "$__rate_interval"),
            "{{method}} {{route}}",
        ),
    )
    return [tile(by_route, 6, 8), tile(by_status, 6, 8), tile(latency, 6, 8)]
