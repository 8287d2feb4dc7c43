"""Estimates of cards for people: what was found and what it took, or whose jobs they are."""

from games.commands import Estimated
from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.on_backends.estimating import HandedOver
from games.trick_taking.advice.on_backends.measuring import Measured

COLUMNS = (
    "card", "calls", "sampling takes", "shots", "circuits", "iterates", "two-qubit gates",
    "an iterate adds",
)  # fmt: skip


def estimates_shown(advice: Advice, measured: Measured) -> list[Panel]:
    """Return what estimates have found and taken; nothing of counted shots."""
    if measured.asking is None:
        return []
    rows, wide = [], []
    for place in advice.by_open_cards:
        card = advice.cards[place]
        name, one = advice.game.deck[card], measured.estimates[card]
        rows.append([Cell(text) for text in (f"{name}", *_taken(one))])
        if not one.reached:
            half = (one.high - one.low) / 2
            wide.append(
                f"{name}: the interval reaches {half:.3f} to either side, not "
                f"{measured.asking.error:g}."
            )
    grid = Grid(f"On {measured.backend} by {measured.asking.told}", COLUMNS, rows)
    return [grid, *([Lines("Wider than was asked for", wide)] if wide else [])]


def _taken(one: Estimated) -> tuple[str, ...]:
    return (
        f"{one.calls:,}", f"{one.sampling_calls:,}", f"{one.shots:,}", f"{one.circuits}",
        f"{one.deepest}", f"{one.two_qubit_gates:,}", f"{one.iterate_two_qubit_gates:,}",
    )  # fmt: skip


def jobs_shown(advice: Advice, handed: HandedOver) -> Panel:
    """Return which job estimates which card."""
    told = [f"{advice.game.deck[card]}: job {job}" for card, job in handed.jobs.items()]
    job = next(iter(handed.jobs.values()))
    return Lines(
        f"Handed to the workers: {handed.asking.told} on {handed.backend}",
        [*told, f"then, of each: job {job} --watch, result {job}, result {job} -o chance.png"],
    )
