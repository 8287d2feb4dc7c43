"""Tables of an advice: the recommendation, its significance, and each card."""

from collections.abc import Sequence
from fractions import Fraction

from compiler.scores.intervals import Interval
from compiler.words.plurals import how_many
from games.panels import Cell, Grid, Lines, Panel
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.measuring import Measured
from games.trick_taking.advice.shares import MORE, NOT_ENOUGH, Estimate, sample_words
from games.trick_taking.rules.rules import NULL
from games.trick_taking.rules.setup import Setup, seat_name
from games.trick_taking.skat.records.position import Position

ESTIMATE_COLUMNS = (
    "card", "calls", "calls of sampling", "shots", "circuits", "iterates", "two-qubit gates",
    "per iterate",
)  # fmt: skip


def panels(
    advice: Advice,
    measured: Measured | None,
    recorded: Position | None = None,
    more: str = MORE,
) -> Sequence[Panel]:
    """Return the tables of an advice.

    Args:
        advice: the evidence for each card.
        measured: chances on a backend, or the jobs that are going to measure them.
        recorded: the position of a record, with its card.
        more: how to get more samples, for an advice that too few support.
    """
    played = [] if recorded is None else [_played(advice, recorded)]
    facts = [] if recorded is None else [Lines("Known facts", list(recorded.facts))]
    on_backend = [] if measured is None else _on_backend(advice, measured)
    if measured is not None and not measured.chances:
        measured = None
    return [
        *facts,
        Lines(_title(advice), [*recommendation(advice, more), *played]),
        _table(advice, measured),
        *on_backend,
        Lines("Method", _methods(advice, measured)),
    ]


def recommendation(advice: Advice, more: str = MORE) -> list[str]:
    """Return the card to play, its significance, and the card of superposed play, in sentences.

    No card is recommended that the deals do not distinguish from others.
    """
    best, superposed = advice.by_open_cards[0], advice.by_superposition[0]
    name, other = _name(advice, best), _name(advice, superposed)
    first = f"Play {name}." if advice.supported else f"{NOT_ENOUGH}: no card is recommended."
    last = f"Superposed play also prefers {other}."
    if not advice.superposition_supported:
        last = f"Superposed play: {other} leads, but the difference is not significant."
    elif best != superposed:
        last = f"Superposed play prefers {other}, but its opponents play at random."
    return [first, *_significance(advice, more), *_alike(advice), last]


def _played(advice: Advice, recorded: Position) -> str:
    """Return the card that was played, and its share of deals, in a sentence."""
    best = advice.by_open_cards[0]
    place = next(p for p in advice.by_open_cards if _name(advice, p) == str(recorded.played))
    if place == best:
        remark = "as recommended" if advice.supported else "which leads so far"
        return f"The player chose {recorded.played}, {remark}."
    shares = advice.open_play.shares
    return (
        f"The player chose {recorded.played}, which wins {shares.wins(place)} of {shares.deals} "
        f"deals; {_name(advice, best)} {shares.wins(best)}."
    )


def _significance(advice: Advice, hint: str) -> list[str]:
    lead, shares = advice.open_lead(), advice.open_play.shares
    if lead is None:
        return ["It is the only legal card."]
    best, second, *_ = advice.by_open_cards
    name, other = _name(advice, best), _name(advice, second)
    more = [] if advice.supported else [hint]
    counted = f"With open cards {name} wins {shares.wins(best)} of {how_many(shares.deals, 'deal')}"
    if shares.wins(best) == shares.wins(second):
        return [f"{counted}, as many as {other}; {_tied(advice, best, second)}.", *more]
    counted += f", {other} {shares.wins(second)}"
    if lead.p_value is None:
        return [f"{counted}. All deals were solved, so this is certain."]
    return [
        f"{counted}: in {lead.better} only {name} wins, in {lead.worse} only {other} "
        f"(sign test, p = {lead.p_value:.2g}).",
        *more,
    ]


def _alike(advice: Advice) -> list[str]:
    """Return the cards that win the same deals as the recommended one."""
    _, *others = advice.alike
    if not others or not advice.supported:
        return []
    names = ", ".join(_name(advice, place) for place in others)
    return [f"{names} would win exactly the same deals."]


def _tied(advice: Advice, best: int, second: int) -> str:
    points, chances = advice.open_play.points, advice.superposed.chances
    if points and points[best].value != points[second].value:
        return f"it is first by {unit_of(advice.game)}"
    if chances[best].value != chances[second].value:
        return "it is first by superposed play"
    return "they are equal in every figure"


def unit_of(game: Setup) -> str:
    """Return the unit of a game: points, or the cards of tricks where each counts one."""
    return "cards" if game.counts_cards else "points"


def _on_backend(advice: Advice, measured: Measured) -> list[Panel]:
    """Return the effort of estimates, or their jobs; nothing of counted shots."""
    deck, title = advice.game.deck, f"{measured.method} on {measured.backend}"
    if not measured.chances:
        jobs = [f"{deck[card]}: job {job}" for card, job in measured.jobs.items()]
        job = next(iter(measured.jobs.values()))
        then = f"then for each: job {job} --watch, result {job}, result {job} -o chance.png"
        return [Lines(f"Submitted to the workers: {title}", [*jobs, then])]
    if measured.estimator is None:
        return []
    rows, wide = [], []
    for place in advice.by_open_cards:
        card = advice.cards[place]
        estimate, chance = measured.estimates[card], measured.chances[card]
        numbers = (
            estimate.calls, estimate.sampling_calls, estimate.shots, estimate.circuits,
            estimate.deepest, measured.two_qubit_gates[card], estimate.iterate_two_qubit_gates,
        )  # fmt: skip
        rows.append([Cell(str(deck[card])), *(Cell(f"{number:,}") for number in numbers)])
        if not estimate.reached:
            half = (chance.high - chance.low) / 2
            wide.append(
                f"{deck[card]}: the half width of the interval is {half:.3f} instead of "
                f"{measured.error:g}."
            )
    grid = Grid(f"On {measured.backend} by {measured.method}", ESTIMATE_COLUMNS, rows)
    return [grid, *([Lines("Wider than requested", wide)] if wide else [])]


def _title(advice: Advice) -> str:
    game = advice.game
    return f"{game.name}, {game.rules.title}, seat {advice.seat} ({seat_name(advice.seat)}) to play"


def _table(advice: Advice, measured: Measured | None) -> Grid:
    open_play, names = advice.open_play, ["card", "superposed P(win)"]
    if measured is not None:
        names.append(f"P(win) on {measured.backend}")
    names.append("open cards: deals won")
    if open_play.points:
        unit = unit_of(advice.game)
        names.append(unit if advice.for_party else f"party's {unit}")
    if open_play.values:
        own = advice.for_party
        names.append("game value" if own else "declarer's value")
    rows: list[list[Cell]] = []
    for place in advice.by_open_cards:
        cells = [_name(advice, place), _chance(advice.superposed.chances[place])]
        if measured is not None:
            cells.append(_chance(measured.chances[advice.cards[place]]))
        cells.append(_chance(open_play.shares.estimate(place)))
        if open_play.points:
            cells.append(_mean(open_play.points[place]))
        if open_play.values:
            cells.append(_mean(open_play.values[place], "to"))
        tone = "plain" if rows or not advice.supported else "good"
        rows.append([Cell(text, tone) for text in cells])
    shares = open_play.shares
    sample = "" if shares.complete else f", {sample_words(shares.deals)}"
    return Grid(f"Cards, the best first{sample}; 95 % intervals", names, rows)


def _chance(chance: Estimate) -> str:
    if isinstance(chance.value, Fraction):
        return f"{chance.value} exact"
    return f"{chance.value:.3f} ({chance.low:.3f} – {chance.high:.3f})"


def _mean(mean: Interval, to: str = "–") -> str:
    if mean.low == mean.high:
        return f"{mean.value:.2f}"
    return f"{mean.value:.1f} ({mean.low:.1f} {to} {mean.high:.1f})"


def _methods(advice: Advice, measured: Measured | None) -> list[str]:
    game, open_play = advice.game, advice.open_play
    playouts = advice.superposed.playouts
    superposed = f"sampled, {playouts:,} games" if playouts else "exact, all courses of the game"
    all_of_them = "all" if open_play.shares.complete else "sampled,"
    side = [] if advice.for_party else ["P(win) and deals won refer to the side to move."]
    lines = [
        *side,
        f"Superposed: every player plays a random legal card; {superposed}.",
        f"Open cards: all players see all cards and play perfectly; {all_of_them} "
        f"{open_play.shares.deals:,} of {open_play.consistent:,} deals.",
    ]
    if not open_play.points and game.rules.contract == "null":
        lines.append("In a null game points do not count.")
    elif not open_play.points:
        left = unit_of(game).capitalize()
        lines.append(f"{left} are not computed for hands of this size: it would take too long.")
    elif game.counts_cards:
        lines.append("Every trick is needed, so the cards of the party's tricks are counted.")
    lines.append(_worth(advice))
    if measured is not None and measured.estimator is None:
        gates = [measured.two_qubit_gates[card] for card in advice.cards]
        lines.append(
            f"{measured.backend}: {measured.shots:,} shots of a circuit for each card, "
            f"{min(gates):,} to {max(gates):,} two-qubit gates."
        )
    return lines


def _worth(advice: Advice) -> str:
    stakes = advice.stakes
    if isinstance(stakes, str):
        return f"No game value: {stakes}."
    counted = "each deal has its own matadors"
    if stakes.contract.game == NULL:
        counted = "a null has a fixed value"
    elif stakes.matadors is not None:
        counted = f"{'with' if stakes.matadors > 0 else 'without'} {abs(stakes.matadors)}"
    return (
        f"Game value: {stakes.contract}, bid {stakes.bid}, with best play for the value with open "
        f"cards; {counted}, and a lost game counts double."
    )


def _name(advice: Advice, place: int) -> str:
    return str(advice.game.deck[advice.cards[place]])
