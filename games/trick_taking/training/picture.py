"""Pictures of a training, step by step: P(win), gains, and the weights of the first play."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from games.pictures import COLOURS, GREY, plain_axes
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.training.backend_learning import EXACT
from games.trick_taking.training.document import BackendResult, TrainingDocument
from games.trick_taking.training.learning import EQUILIBRIUM
from games.trick_taking.training.result import Training

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MIN_GAIN = 1e-16
"""Below it a gain is the rounding of floats."""
MIN_DRAWN_GAIN = 1e-6
"""Smallest gain that is drawn of a training on backends."""
MARKERS = "osv^D"


def picture(training: Training, figure: "Figure") -> None:
    """Draw P(win), in an equilibrium the possible gains, and the weights of the first play."""
    both = training.task.objective == EQUILIBRIUM
    figure.set_size_inches(12.4 if both else 8.6, 3.7)
    game, looks = training.tree.game, training.looks
    won, *middle, weights = figure.subplots(1, 3 if both else 2)
    steps = [look.step for look in looks]
    won.plot(steps, [look.won for look in looks], color=COLOURS[0], label="trained")
    won.axhline(float(training.equal), color=GREY, linestyle=":", label="all weights equal")
    seat = seat_name(training.task.seat)
    if not both:
        best = training.best
        text = f"{best}" if isinstance(best, Fraction) else f"{best:.4f}"
        label = f"best response of {seat}, {text}"
        won.axhline(float(training.best), color=COLOURS[1], linestyle="--", label=label)
    won.set_ylabel("P(win) of the party")
    won.legend(frameon=False, fontsize=8)
    for axes in middle:
        for place, colour in zip(range(game.players), COLOURS, strict=False):
            left = [max(look.gains[place], MIN_GAIN) for look in looks]
            axes.plot(steps, left, color=colour, label=seat_name(place))
        axes.set_yscale("log")
        axes.set_ylabel("P(win) that one seat alone could gain")
        axes.legend(frameon=False, fontsize=8)
    if training.choices:
        choice = training.choices[0]
        for place, card in enumerate(choice.cards):
            weights.plot(
                steps,
                [look.chances[choice.first + place] for look in looks],
                color=COLOURS[place % len(COLOURS)],
                label=str(game.deck[card]),
            )
        weights.legend(frameon=False, fontsize=8)
        weights.set_title(
            f"{seat} holds {' '.join(str(game.deck[c]) for c in choice.hand)}", size=9
        )
    weights.set_ylabel(f"weights of the first play of {seat}")
    weights.set_ylim(-0.03, 1.03)
    for axes in (won, *middle, weights):
        axes.set_xlabel("step")
        # Most happens in the first steps.
        axes.set_xscale("symlog", linthresh=1, linscale=0.3)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlim(-0.5, training.task.steps * 1.1)
        plain_axes(axes)
    figure.suptitle(f"{game.name}: {training.task.objective} ({game.rules.title})", fontsize=10)


def measured_picture(document: TrainingDocument, figure: "Figure") -> None:
    """Draw P(win) of the weights step by step, computed and measured.

    For an equilibrium, draw also the largest possible gain of one seat alone.
    """
    from matplotlib.ticker import MaxNLocator

    both = document.objective == EQUILIBRIUM
    figure.set_size_inches(12.4 if both else 8.6, 3.7)
    if both:
        won, left, seen = figure.subplots(1, 3)
        seen.sharey(won)
    else:
        won, seen = figure.subplots(1, 2, sharey=True)
    for place, backend in enumerate(document.backends):
        steps = [look.step for look in backend.training]
        exact = backend.backend == EXACT
        # Wide and pale below the lines of backends.
        style: dict[str, Any] = {"lw": 5, "alpha": 0.3} if exact else {"ms": 5, "mfc": "none"}
        style |= {"color": COLOURS[place % len(COLOURS)]}
        style |= {"label": "exact gradients" if exact else f"gradients from {backend.backend}"}
        mark = "-" if exact else f"{MARKERS[place % len(MARKERS)]}-"
        won.plot(steps, [look.p_win for look in backend.training], mark, **style)
        if both:
            gains = [max(MIN_DRAWN_GAIN, *look.gains) for look in backend.training]
            left.plot(steps, gains, mark, **style)
        if not exact:
            _draw_measured(backend, seen, MARKERS[place % len(MARKERS)], style["color"])
    equal, best = document.p_win_equal_weights, document.p_win_best_response
    for axes in (won, seen):
        axes.axhline(float(Fraction(equal)), color=GREY, linestyle=":")
        if not both:
            axes.axhline(float(Fraction(best)), color=GREY, linestyle="--")
    for axes in figure.axes:
        axes.set_xlabel("step")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        # Its ground is white, as it may lie upon the dashed or dotted line.
        axes.legend(framealpha=1, edgecolor="none", fontsize=8)
    won.set_ylabel("P(win) of the party")
    won.set_title("of the weights, exact", size=9)
    seen.set_title("lines exact, points measured, legal shots", size=9)
    if both:
        left.set_yscale("log")
        left.set_title("P(win) that one seat alone could gain, exact", size=9)
    seat = "all seats learn" if both else f"{seat_name(document.seat)} learns"
    suffix = "" if both else f"; dashed: best response, {best}"
    figure.suptitle(
        f"{document.game}, {seat} in {document.backends[0].angles} angles, "
        f"{document.shots:,} shots a circuit; dotted: equal weights, {equal}{suffix}",
        size=9,
    )


def _draw_measured(result: BackendResult, axes: "Axes", mark: str, colour: str) -> None:
    steps = [look.step for look in result.training]
    measured = [look.measured for look in result.training]
    ends = [(look.low, look.high) for look in result.training]
    below = [chance - low for chance, (low, _) in zip(measured, ends, strict=True)]
    above = [high - chance for chance, (_, high) in zip(measured, ends, strict=True)]
    axes.errorbar(
        steps,
        measured,
        (below, above),
        fmt=mark,
        ms=4,
        color=colour,
        capsize=2,
        label=f"measured on {result.backend}, {result.two_qubit_gates} two-qubit gates",
    )
    won = [look.p_win for look in result.training]
    axes.plot(steps, won, color=colour, lw=0.8, alpha=0.6)
