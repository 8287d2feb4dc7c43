"""Charts of a card play: place of the mark, gates, winners of a tournament."""

from collections.abc import Collection, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from service.pages.colours import BLUE, FAINT, GREY, INK, SKY, VERMILION
from tools.card_play.figures import DeckCost, Node
from tools.card_play.parts import Stage

SIZE = 11.0


def draw_stages(stages: Sequence[Stage], held: Collection[int]) -> Figure:
    """Draw the probability of every place of the mark after each stage.

    Args:
        stages: in order.
        held: cards in the hand.
    """
    figure = Figure(figsize=(11, 3.3))
    places = len(stages[0].places)
    labels = [f"t{i}" for i in range(places - 1)] + ["start"]
    colours = [BLUE if place in held else SKY for place in range(places - 1)] + [GREY]
    panels = figure.subplots(1, len(stages), sharey=True)
    for panel, stage in zip(panels, stages, strict=True):
        panel.bar(range(places), [float(p) for p in stage.places], 0.8, color=colours)
        panel.set_title(stage.name, size=SIZE + 1)
        panel.set_xticks(range(places), labels, rotation=90, size=SIZE - 1)
        panel.tick_params(axis="x", length=0)
        panel.set_ylim(0, 0.4)
        for place, probability in enumerate(stage.places):
            if place in stage.flipped:
                panel.text(place, float(probability) / 2, "−", ha="center", va="center",
                           color="white", weight="bold", size=SIZE + 2)  # fmt: skip
            if probability:
                panel.text(place, float(probability) + 0.008, str(probability), ha="center",
                           va="bottom", rotation=90, size=SIZE - 1.5)  # fmt: skip
    panels[0].set_ylabel("probability of the mark", size=SIZE)
    handles = [
        Patch(color=BLUE, label="table qubit of a hand card"),
        Patch(color=SKY, label="table qubit of another card"),
        Patch(color=GREY, label="start: the extra leaf and card 8"),
    ]
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=SIZE)
    figure.subplots_adjust(left=0.065, right=0.995, top=0.9, bottom=0.27, wspace=0.06)
    return figure


def draw_deck_costs(costs: Sequence[DeckCost]) -> Figure:
    """Draw the two-qubit gates of both constructions by deck size, on a log scale.

    Args:
        costs: in order of deck size.
    """
    figure = Figure(figsize=(7.2, 4.2))
    axes = figure.add_axes((0.11, 0.135, 0.865, 0.84))
    cards = [cost.cards for cost in costs]
    curves = (
        ([cost.literal for cost in costs], VERMILION, "s", "literal: every subset (formula)", 4.0),
        ([cost.amplified for cost in costs], BLUE, "o", "amplified (counted)", 1.8),
    )
    middle = len(costs) // 2
    for gates, colour, marker, label, above in curves:
        axes.plot(cards, gates, marker=marker, markersize=4.5, linewidth=1.2, color=colour)
        axes.text(cards[middle], gates[middle] * above, label, color=colour, ha="right",
                  va="bottom", size=SIZE)  # fmt: skip
        axes.text(cards[-1], gates[-1] * 1.9, f"{gates[-1]:,}", color=colour, ha="right",
                  va="bottom", size=SIZE)  # fmt: skip
    built = [(cost.cards, cost.literal_counted) for cost in costs if cost.literal_counted]
    axes.plot(*zip(*built, strict=True), "s", markersize=6.5, markerfacecolor="white",
              markeredgecolor=VERMILION)  # fmt: skip
    last, gates_of_last = built[-1]
    axes.text(last + 0.5, gates_of_last / 1.3, "literal (counted)", color=VERMILION, ha="left",
              va="top", size=SIZE)  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(10, 3e12)
    axes.set_xlim(min(cards) - 0.7, max(cards) + 0.7)
    axes.set_xticks([6, 9, 12, 15, 18, 21, 24, 27, 30, 32])
    axes.set_yticks([10.0**power for power in range(1, 13)])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(axis="y", color=FAINT, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=SIZE - 1)
    axes.set_xlabel("cards in the deck, a third of them in the hand", size=SIZE)
    axes.set_ylabel("two-qubit gates", size=SIZE)
    return figure


def draw_tournaments(trees: Sequence[tuple[str, Node, Sequence[int]]]) -> Figure:
    """Draw tournaments side by side, with the probability on every branch.

    Args:
        trees: of the tournaments: the draw of the whole hand, and the marked cards.
    """
    figure = Figure(figsize=(3.8 * len(trees), 3.5))
    for place, (title, root, marks) in enumerate(trees):
        axes = figure.add_axes((place / len(trees), 0, 1 / len(trees), 1))
        axes.set_axis_off()
        axes.set_xlim(-0.7, len(marks) - 0.3)
        axes.set_ylim(-0.95, 2.55)
        axes.set_title(title, size=SIZE + 1, y=0.9)
        _draw_node(axes, root, marks)
        for slot, probability in sorted(root.winners().items()):
            axes.text(slot, -0.62, str(probability), ha="center", size=SIZE + 1, weight="bold")
        middle = (len(marks) - 1) / 2
        axes.text(middle, -0.92, "probability to be played", ha="center", size=SIZE - 1, color=GREY)
    return figure


def _draw_node(axes: Axes, node: Node, marks: Sequence[int]) -> tuple[float, float]:
    """Draw a group above its halves; return where its top is."""
    if node.left_wins is None or not node.halves:
        slot = node.slots[0]
        box = {"boxstyle": "round,pad=0.35", "edgecolor": INK, "linewidth": 0.8,
               "facecolor": SKY if marks[slot] else "white"}  # fmt: skip
        axes.text(slot, -0.15, f"slot {slot}", ha="center", va="center", size=SIZE, bbox=box)
        return float(slot), 0.0
    plain = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    round_box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": INK}
    ends = [_draw_node(axes, half, marks) for half in node.halves]
    x, y = sum(end[0] for end in ends) / 2, max(end[1] for end in ends) + 0.95
    for (below_x, below_y), chance in zip(ends, (node.left_wins, 1 - node.left_wins), strict=True):
        axes.plot([x, below_x], [y, below_y], color=INK if chance else FAINT,
                  linewidth=0.8 + 3 * float(chance), zorder=1)  # fmt: skip
        axes.text((x + below_x) / 2, (y + below_y) / 2, str(chance), ha="center", va="center",
                  size=SIZE, bbox=plain)  # fmt: skip
    legal = [sum(marks[slot] for slot in half.slots) for half in node.halves]
    sizes = [len(half.slots) for half in node.halves]
    counts = legal if any(legal) else sizes
    axes.text(x, y, f"{counts[0]} : {counts[1]}", ha="center", va="center", size=SIZE, zorder=3,
              bbox=round_box)  # fmt: skip
    return x, y
