"""Colours that people with any kind of colour vision tell apart.

Okabe and Ito, "Color Universal Design" (2008). What has a name known beforehand gets one of these;
other series get Grafana's palette, and are told apart by legends and tooltips.
"""

BLUE = "#0072B2"
SKY = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
ORANGE = "#E69F00"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#999999"

GOOD, WATCH, BAD, PLAIN = SKY, ORANGE, VERMILLION, GREY
"""What thresholds say."""

STATES = {
    "queued": GREY,
    "compiling": YELLOW,
    "verifying": ORANGE,
    "submitting": PURPLE,
    "at_provider": SKY,
    "running": BLUE,
    "scoring": GREEN,
    "done": "#A6D5F7",
    "failed": VERMILLION,
    "cancelled": "#A68A64",
}
"""Of `workers.jobs.states.State`."""

OUTCOMES = {
    "ok": SKY,
    "unavailable": ORANGE,
    "refused": PURPLE,
    "error": VERMILLION,
    "away": ORANGE,
    "hit": SKY,
    "miss": ORANGE,
}

QUEUES = {"compile": ORANGE, "submit": PURPLE, "poll": SKY, "score": GREEN}
"""Of `workers.jobs.states.Queue`."""

SELECTIONS = {
    "raw": BLUE,
    "post_selected": ORANGE,
    "mitigated": GREEN,
    "mitigated_post_selected": PURPLE,
}
"""Which shots a score is of."""
