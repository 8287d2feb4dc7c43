"""The picture of a job's states, drawn from the tables that the service goes by."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workers.jobs.states import AGAIN, FINAL, ON_THE_WAY, Queue, State, queue_of

PLACES = {
    State.QUEUED: (0, 2), State.COMPILING: (1.6, 2), State.VERIFYING: (3.2, 2),
    State.SUBMITTING: (4.8, 2), State.AT_PROVIDER: (6.6, 2), State.RUNNING: (8.3, 2),
    State.SCORING: (9.9, 2), State.DONE: (11.5, 2), State.FAILED: (4.1, 0.2),
    State.CANCELLED: (7.0, 0.2),
}  # fmt: skip
COLOURS = {
    Queue.COMPILE: "#dbe7f5", Queue.SUBMIT: "#fbe3c5", Queue.POLL: "#e9dcf3",
    Queue.SCORE: "#dcefdc", None: "#eeeeee",
}  # fmt: skip
NAMES = {
    Queue.COMPILE: "queue compile", Queue.SUBMIT: "queue submit",
    Queue.POLL: "queue poll", Queue.SCORE: "queue score", None: "ended",
}  # fmt: skip
ARC = 0.45
DARK, PALE = "#333333", "#b0b0b0"


def job_states() -> Figure:
    """Draw the states in the colours of their queues, and every way between them."""
    figure = Figure(figsize=(11, 3.6))
    axes = figure.subplots()
    axes.set_xlim(-0.8, 12.3)
    axes.set_ylim(-0.55, 3.6)
    axes.axis("off")
    for state, following in ON_THE_WAY.items():
        for other in sorted(following):
            _arrow(axes, state, other, DARK)
    for state, following in AGAIN.items():
        for other in sorted(following):
            if state is not State.DONE:
                _arrow(axes, state, other, PALE)
    for state, (x, y) in PLACES.items():
        queue = queue_of(state, local=False)
        axes.text(
            x, y, state.replace("_", " "), ha="center", va="center", fontsize=10,
            bbox={"boxstyle": "round,pad=0.45", "facecolor": COLOURS[queue], "edgecolor": DARK},
        )  # fmt: skip
    for place, (queue, colour) in enumerate(COLOURS.items()):
        axes.text(
            -0.6 + place * 2.2, 3.35, NAMES[queue], fontsize=8.5, va="center",
            bbox={"boxstyle": "round,pad=0.3", "facecolor": colour, "edgecolor": "none"},
        )  # fmt: skip
    axes.text(
        12.2, -0.4, "from every state on the way a job may also fail or be cancelled; "
        "grey: retry; done and failed jobs can be scored again",
        fontsize=8.5, ha="right", color="#555555",
    )  # fmt: skip
    assert set(PLACES) == set(State)
    assert {state for state in PLACES if queue_of(state, local=False) is None} == FINAL
    return figure


def _arrow(axes: Axes, start: State, end: State, colour: str) -> None:
    (x, y), (to_x, to_y) = PLACES[start], PLACES[end]
    level = y == to_y
    bend = 0.0 if not level or abs(to_x - x) < 2 else -ARC * 1.6 / (to_x - x) ** 0.5
    axes.annotate(
        "", (to_x, to_y), (x, y),
        arrowprops={
            "arrowstyle": "->", "color": colour,
            "shrinkA": 30 if level else 16, "shrinkB": 33 if level or abs(to_x - x) > 3 else 18,
            "connectionstyle": f"arc3,rad={bend}",
        },
    )  # fmt: skip
