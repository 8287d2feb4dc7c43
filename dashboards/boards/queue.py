"""The dashboard *Queue and providers*: do jobs get done, where do they wait, what is spent?"""

from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.models import dashboard as model

from dashboards import colours as c
from dashboards import variables
from dashboards.boards.providers import costs, obstacles, provider_calls, requests
from dashboards.expressions import FIRING, SPAN, quantile
from dashboards.fields import coloured, logarithmic, thresholds
from dashboards.layout import Section, Tile, dashboard, tile
from dashboards.panels import figure, gauges, lines, stacked
from dashboards.queries import at_once, over_time

ON = 'backend=~"$backend"'
TRANSITIONS = "stichwerk_job_transitions_total"
IN_STATE = "stichwerk_job_state_duration_seconds"
WHOLE = "stichwerk_job_duration_seconds"
JOBS = "/d/stichwerk-job?var-backend=${__field.labels.backend}"


def queue() -> model.Dashboard:
    """Return the dashboard."""
    return dashboard(
        "stichwerk-queue",
        "Stichwerk: Queue and providers",
        "Whether jobs get done, where they wait, how providers answer, and what is spent.",
        since="now-6h",
        refresh="30s",
        variables=[
            variables.prometheus(),
            variables.label("backend", "Device", "stichwerk_jobs"),
            variables.label("provider", "Provider", "stichwerk_provider_calls_total"),
        ],
        sections=[
            Section("Does it run?", _glance()),
            Section("What stands in the way", obstacles()),
            Section("Jobs", _jobs()),
            Section("How long jobs wait", _waits()),
            Section("Queues", _queues()),
            Section("Providers", provider_calls()),
            Section("Cost", costs()),
            Section("HTTP and workers", [*requests(), _workers()]),
        ],
    )


def _glance() -> list[Tile]:
    away, there = (
        model.ValueMappingResult(text="away", color=c.BAD),
        model.ValueMappingResult(text="up", color=c.GOOD),
    )
    broker = figure(
        "Redis",
        "Whether the API reaches the broker. Without it jobs wait; none is lost.",
        "none",
        over_time("min(stichwerk_broker_up)", "Redis"),
    ).mappings([model.ValueMap(options={"0": away, "1": there})])
    targets = figure(
        "APIs and workers up",
        "Share of the processes that Prometheus watches which answer it.",
        "percentunit",
        over_time('avg(up{job=~".*stichwerk.*"})', "up"),
    )
    processes = figure(
        "Worker processes",
        "That take jobs, of all workers.",
        "none",
        over_time("sum(stichwerk_worker_processes)", "processes"),
    )
    under_way = figure(
        "Jobs under way",
        "On the chosen devices, in any state but done, failed and cancelled.",
        "none",
        over_time(
            f"sum(max by (state, backend) (stichwerk_jobs{{{ON}, "
            'state!~"done|failed|cancelled"}))',
            "jobs",
        ),
    )
    oldest = figure(
        "Longest wait for a worker",
        "Of jobs that compiling, submitting or scoring is next for and that no worker has.",
        "s",
        over_time('max(stichwerk_queue_oldest_job_age_seconds{queue!="poll"})', "oldest"),
    )
    firing = figure(
        "Alerts",
        "Alerts of Stichwerk that are firing; docs/dashboards.md says what to do.",
        "none",
        over_time(FIRING, "firing"),
    )
    return [
        tile(broker.thresholds(thresholds((None, c.BAD), (1, c.GOOD))), 4, 4),
        tile(targets.thresholds(thresholds((None, c.BAD), (1, c.GOOD))).decimals(0), 4, 4),
        tile(processes.thresholds(thresholds((None, c.BAD), (1, c.GOOD))), 4, 4),
        tile(under_way, 4, 4),
        tile(oldest.thresholds(thresholds((None, c.PLAIN), (300, c.WATCH), (1800, c.BAD))), 4, 4),
        tile(firing.thresholds(thresholds((None, c.GOOD), (1, c.BAD))), 4, 4),
    ]


def _jobs() -> list[Tile]:
    by_state = stacked(
        "Jobs under way by state",
        "On the chosen devices. Jobs that have ended are not shown.",
        "short",
        over_time(
            f"sum by (state) (max by (state, backend) (stichwerk_jobs{{{ON}, "
            'state!~"done|failed|cancelled"}))',
            "{{state}}",
        ),
    )
    throughput = lines(
        "Jobs ended, a minute",
        "By how they ended.",
        "short",
        over_time(
            f'60 * sum by (state) (rate({TRANSITIONS}{{{ON}, state=~"done|failed|cancelled"}}'
            "[$__rate_interval]))",
            "{{state}}",
        ),
    )
    failed = gauges(
        "Jobs failed within the hour",
        "Share of the jobs that were done or failed, by device. A click leads to the device's "
        "jobs and their reasons.",
        "percentunit",
        at_once(f"backend:stichwerk_jobs_failed:ratio1h{{{ON}}}", "{{backend}}"),
    )
    failed.max(1).thresholds(thresholds((None, c.GOOD), (0.05, c.WATCH), (0.2, c.BAD)))
    failed.data_links([board.DashboardLink("Its jobs").url(JOBS)])
    again = lines(
        "What is tried again, an hour",
        "Temporary failures by the state in which they happen: providers or databases that were "
        "away, workers that died.",
        "none",
        over_time(
            f"3600 * sum by (state) (rate(stichwerk_job_temporary_failures_total{{{ON}}}"
            "[$__rate_interval]))",
            "{{state}}",
        ),
    )
    return [
        tile(coloured(by_state, c.STATES), 7, 8),
        tile(coloured(throughput.interval(SPAN).axis_soft_max(1), c.STATES), 6, 8),
        tile(failed, 6, 8),
        tile(coloured(again.interval(SPAN), c.STATES), 5, 8),
    ]


def _waits() -> list[Tile]:
    def waits(q: float, words: str) -> Tile:
        panel = lines(
            f"Time in each state, p{100 * q:.0f}",
            f"{words} of the jobs that left a state had been there no longer; logarithmic.",
            "s",
            over_time(quantile(q, IN_STATE, "state", "$__rate_interval", ON), "{{state}}"),
        )
        return tile(logarithmic(coloured(panel.interval(SPAN), c.STATES)), 8, 9)

    whole = lines(
        "From submission to the end, p50 and p95",
        "Of jobs that were done, by device; logarithmic.",
        "s",
        *(
            over_time(
                quantile(q, WHOLE, "backend", "$__rate_interval", f'{ON}, state="done"'),
                f"{{{{backend}}}} p{100 * q:.0f}",
            )
            for q in (0.5, 0.95)
        ),
    )
    return [
        waits(0.5, "Half"),
        waits(0.95, "Nineteen in twenty"),
        tile(logarithmic(whole.interval(SPAN)), 8, 9),
    ]


def _queues() -> list[Tile]:
    depth = stacked(
        "Jobs that wait for a worker",
        "By the queue that their next work is in. Jobs at providers wait in `poll`.",
        "short",
        over_time("max by (queue) (stichwerk_queue_jobs)", "{{queue}}"),
    )
    age = lines(
        "Longest wait by queue",
        "Since the oldest of these jobs entered its state. In `poll` that is the provider's queue.",
        "s",
        over_time("max by (queue) (stichwerk_queue_oldest_job_age_seconds)", "{{queue}}"),
    )
    messages = lines(
        "Messages in Redis",
        "They only wake workers; jobs are in the database.",
        "short",
        over_time("max by (queue) (stichwerk_queue_messages)", "{{queue}}"),
    )
    progress = gauges(
        "Work done in half an hour",
        "States left and questions put to providers; a queue with old jobs and none of these is "
        "stuck.",
        "short",
        at_once("queue:stichwerk_progress:increase30m", "{{queue}}"),
    )
    swept = lines(
        "Messages from the sweeper, a minute",
        "For jobs that are due: those at providers, and those whose message or worker was lost.",
        "short",
        over_time(
            "60 * sum by (queue) (rate(stichwerk_swept_messages_total[$__rate_interval]))",
            "{{queue}}",
        ),
    )
    sweeps = lines(
        "Sweeps, a second",
        "Away: the database or Redis did not answer the sweeper.",
        "short",
        over_time(
            "sum by (outcome) (rate(stichwerk_sweeps_total[$__rate_interval]))", "{{outcome}}"
        ),
    )
    return [
        *(tile(coloured(panel, c.QUEUES), 8, 8) for panel in (depth, age, messages)),
        tile(coloured(progress, c.QUEUES), 8, 8),
        tile(coloured(swept.interval(SPAN), c.QUEUES), 8, 8),
        tile(coloured(sweeps, c.OUTCOMES), 8, 8),
    ]


def _workers() -> Tile:
    panel = lines(
        "Workers busy",
        "Processes that have a job, of those that run.",
        "none",
        over_time("sum(stichwerk_worker_busy_processes)", "busy"),
        over_time("sum(stichwerk_worker_processes)", "running"),
    )
    return tile(coloured(panel.min(0), {"busy": c.ORANGE, "running": c.GREY}), 6, 8)
