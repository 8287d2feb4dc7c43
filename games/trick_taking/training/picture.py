"""The picture of a training: what is won, and the weights of the first play, step by step."""

from fractions import Fraction
from typing import TYPE_CHECKING

from games.trick_taking.rules.steps import seat_name
from games.trick_taking.training.result import EQUILIBRIUM, Training

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
"""Of the palette of Okabe and Ito, which colour-blind people can tell apart."""
LEAST_GAIN = 1e-16
"""Below it a gain is the rounding of floats."""


def picture(training: Training, figure: "Figure") -> None:
    """Draw P(win), in an equilibrium what seats could gain, and the weights of the first play."""
    both = training.objective == EQUILIBRIUM
    figure.set_size_inches(12.4 if both else 8.6, 3.7)
    game, looks = training.tree.game, training.looks
    won, *middle, weights = figure.subplots(1, 3 if both else 2)
    steps = [look.step for look in looks]
    won.plot(steps, [look.won for look in looks], color=COLOURS[0], label="trained")
    won.axhline(float(training.equal), color="#6b6b6b", linestyle=":", label="all weights equal")
    seat = seat_name(training.seat)
    if not both:
        best = training.best
        told = f"{best}" if isinstance(best, Fraction) else f"{best:.4f}"
        label = f"best response of {seat}, {told}"
        won.axhline(float(training.best), color=COLOURS[1], linestyle="--", label=label)
    won.set_ylabel("P(win) of the party")
    won.legend(frameon=False, fontsize=8)
    for axes in middle:
        for place, colour in zip(range(game.players), COLOURS, strict=False):
            left = [max(look.gains[place], LEAST_GAIN) for look in looks]
            axes.plot(steps, left, color=colour, label=seat_name(place))
        axes.set_yscale("log")
        axes.set_ylabel("P(win) that one seat alone could gain")
        axes.legend(frameon=False, fontsize=8)
    if training.weighted:
        one = training.weighted[0].information
        for place, card in enumerate(one.cards):
            weights.plot(
                steps,
                [look.chances[one.first + place] for look in looks],
                color=COLOURS[place % len(COLOURS)],
                label=str(game.deck[card]),
            )
        weights.legend(frameon=False, fontsize=8)
        weights.set_title(f"{seat} holds {' '.join(str(game.deck[c]) for c in one.hand)}", size=9)
    weights.set_ylabel(f"weights of the first play of {seat}")
    weights.set_ylim(-0.03, 1.03)
    for axes in (won, *middle, weights):
        axes.set_xlabel("step")
        # Most happens in the first steps.
        axes.set_xscale("symlog", linthresh=1, linscale=0.3)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlim(-0.5, training.steps * 1.1)
        axes.grid(color="#dddddd")
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{game.name}: {training.objective} ({game.rules.title})", fontsize=10)
