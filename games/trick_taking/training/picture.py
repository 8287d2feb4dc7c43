"""Picture of a training: P(win) and gains step by step, and the weights or what was measured."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from games.pictures import COLOURS, GREY, plain_axes
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.training.backend_learning import EXACT
from games.trick_taking.training.document import MeasuredStep, TrainingDocument, TrainingStep
from games.trick_taking.training.learning import EQUILIBRIUM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MIN_GAIN = 1e-16
"""Below it a gain is the rounding of floats."""
MARKERS = "osv^D"


def picture(document: TrainingDocument, figure: "Figure") -> None:
    """Draw P(win), in an equilibrium the largest gain, and the weights of the first play.

    Of a training on backends it draws the measured P(win) instead of the weights.
    """
    both, seat = document.objective == EQUILIBRIUM, seat_name(document.seat)
    figure.set_size_inches(12.4 if both else 8.6, 3.7)
    won, *middle, last = figure.subplots(1, 3 if both else 2)
    runs: list[tuple[str, Sequence[TrainingStep]]]
    runs = [(run.backend, run.training) for run in document.backends]
    for place, (backend, steps) in enumerate(runs or [("", document.training)]):
        numbers, exact = [step.step for step in steps], backend in ("", EXACT)
        # Wide and pale below the lines of backends.
        style: dict[str, Any] = {"lw": 5, "alpha": 0.3} if backend == EXACT else {"mfc": "none"}
        style |= {"color": COLOURS[place], "marker": "" if exact else MARKERS[place]}
        style["label"] = f"gradients from {backend}" if backend else "trained"
        won.plot(numbers, [step.p_win for step in steps], **style)
        for axes in middle:
            axes.plot(numbers, [max(MIN_GAIN, *step.gains) for step in steps], **style)
        if not exact:
            _draw_measured(last, steps, color=style["color"], fmt=style["marker"], label=backend)
    equal, best = document.p_win_equal_weights, document.p_win_best_response
    for axes in (won, last) if runs else (won,):
        axes.axhline(float(Fraction(equal)), color=GREY, linestyle=":", label=f"equal, {equal}")
        if not both:
            label = f"best response of {seat}, {float(Fraction(best)):.4f}"
            axes.axhline(float(Fraction(best)), color=GREY, linestyle="--", label=label)
    for axes in middle:
        axes.set_yscale("log")
        axes.set_ylabel("P(win) that one seat alone could gain")
    won.set_ylabel("P(win) of the party")
    for axes in (won, *middle, last) if runs else (won, *middle):
        axes.set_xlabel("step")
        axes.legend(
            framealpha=1, edgecolor="none", fontsize=8, loc="best" if runs else "center right"
        )
        if not runs:
            # Most happens in the first steps.
            axes.set_xscale("symlog", linthresh=1, linscale=0.3)
            axes.xaxis.set_major_formatter("{x:g}")
            axes.set_xlim(left=-0.5)
    if runs:
        last.set_ylabel("P(win) measured, legal shots")
    elif document.weights:
        first = document.weights[0]
        last.bar(list(first.cards), list(first.cards.values()), color=COLOURS[0])
        last.set_ylabel(f"weights of {seat}, who holds {' '.join(first.hand)}")
    plain_axes(won, *middle, last)
    figure.suptitle(f"{document.game}: {document.objective}", fontsize=10)


def _draw_measured(axes: "Axes", steps: "Sequence[TrainingStep]", **style: Any) -> None:
    numbers = [step.step for step in steps]
    measured = [step for step in steps if isinstance(step, MeasuredStep)]
    below = [step.measured - step.low for step in measured]
    above = [step.high - step.measured for step in measured]
    values = [step.measured for step in measured]
    axes.errorbar(numbers, values, (below, above), ms=4, capsize=2, **style)
    axes.plot(numbers, [step.p_win for step in steps], color=style["color"], lw=0.8, alpha=0.6)
