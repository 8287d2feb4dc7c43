"""An advice for people: the recommendation, how sure it is, and a table."""

from collections.abc import Sequence
from fractions import Fraction

from compiler.words.plurals import how_many
from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.means import Mean
from games.trick_taking.advice.on_backends.estimating import HandedOver
from games.trick_taking.advice.on_backends.measuring import Measured
from games.trick_taking.advice.on_backends.shown import estimates_shown, jobs_shown
from games.trick_taking.advice.shares import NOT_ENOUGH, Estimate
from games.trick_taking.advice.stakes import Untold
from games.trick_taking.rules.rules import NULL
from games.trick_taking.rules.setup import Setup
from games.trick_taking.rules.steps import seat_name
from games.trick_taking.skat.records.position import Position


def panels(
    advice: Advice,
    measured: Measured | None,
    recorded: Position | None = None,
    handed: HandedOver | None = None,
) -> Sequence[Panel]:
    """Return what is shown of an advice, of the card that a record has there, and of jobs."""
    told = [] if recorded is None else [_played(advice, recorded)]
    known = [] if recorded is None else [Lines("What is known", list(recorded.told))]
    return [
        *known,
        Lines(_title(advice), [*recommendation(advice), *told]),
        _table(advice, measured),
        *([] if measured is None else estimates_shown(advice, measured)),
        *([] if handed is None else [jobs_shown(advice, handed)]),
        Lines("How this was got", _methods(advice, measured)),
    ]


def recommendation(advice: Advice) -> list[str]:
    """Return what to play, how sure that is, and what superposed play says instead.

    Nothing is recommended that the deals do not tell from other cards.
    """
    best, superposed = advice.by_open_cards[0], advice.by_superposition[0]
    name, other = _name(advice, best), _name(advice, superposed)
    first = f"Play {name}." if advice.supported else f"{NOT_ENOUGH}: no card is recommended."
    told = [first, *_sure(advice), *_alike(advice)]
    if not advice.superposition_supported:
        return [*told, f"Superposed play: {other} leads, but does not stand out of the samples."]
    if best == superposed:
        return [*told, f"Superposed play says {other}, too."]
    return [
        *told,
        f"Superposed play says {other}: its opponents play any legal card, they are no players.",
    ]


def _played(advice: Advice, recorded: Position) -> str:
    """Return what was really played, and what open cards say of it."""
    best = advice.by_open_cards[0]
    place = next(p for p in advice.by_open_cards if _name(advice, p) == str(recorded.played))
    if place == best:
        said = "as recommended" if advice.supported else "which leads so far"
        return f"Played was {recorded.played}, {said}."
    shares = advice.open_play.shares
    return (
        f"Played was {recorded.played}, which wins {shares.wins(place)} of {shares.deals} deals, "
        f"{_name(advice, best)} {shares.wins(best)}."
    )


def _sure(advice: Advice) -> list[str]:
    lead, shares = advice.open_lead(), advice.open_play.shares
    if lead is None:
        return ["It is the only card that may be played."]
    best, second, *_ = advice.by_open_cards
    name, other = _name(advice, best), _name(advice, second)
    more = [] if advice.supported else ["More --seconds or --deals tell more."]
    counted = f"With open cards {name} wins {shares.wins(best)} of {how_many(shares.deals, 'deal')}"
    if shares.wins(best) == shares.wins(second):
        return [f"{counted}, as many as {other}; {_tied(advice, best, second)}.", *more]
    counted += f", {other} {shares.wins(second)}"
    if lead.p_value is None:
        return [f"{counted}. These are all deals, so that is certain."]
    return [
        f"{counted}: {lead.better} it wins and {other} loses, {lead.worse} the other way round "
        f"(sign test, p = {lead.p_value:.2g}).",
        *more,
    ]


def _alike(advice: Advice) -> list[str]:
    """Return which cards win the very same deals as the one that is recommended."""
    _, *others = advice.alike
    if not others or not advice.supported:
        return []
    names = ", ".join(_name(advice, place) for place in others)
    return [f"The very same deals are won with {names}."]


def _tied(advice: Advice, best: int, second: int) -> str:
    points, chances = advice.open_play.points, advice.superposed.chances
    if points and points[best].value != points[second].value:
        return f"it is first by {unit_of(advice.game)}"
    if chances[best].value != chances[second].value:
        return "it is first by superposed play"
    return "nothing that is looked at tells them apart"


def unit_of(game: Setup) -> str:
    """Return what a game counts: points, or the cards of tricks where each counts one."""
    return "cards" if game.counts_cards else "points"


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
        told = [_name(advice, place), _chance(advice.superposed.chances[place])]
        if measured is not None:
            told.append(_chance(measured.chances[advice.cards[place]]))
        told.append(_chance(open_play.shares.estimate(place)))
        if open_play.points:
            told.append(_mean(open_play.points[place]))
        if open_play.values:
            told.append(_mean(open_play.values[place], "to"))
        tone = "plain" if rows or not advice.supported else "good"
        rows.append([Cell(text, tone) for text in told])
    return Grid("Cards, the best first; 95 % intervals", names, rows)


def _chance(chance: Estimate) -> str:
    if isinstance(chance.value, Fraction):
        return f"{chance.value} exact"
    return f"{chance.value:.3f} ({chance.low:.3f} – {chance.high:.3f})"


def _mean(mean: Mean, to: str = "–") -> str:
    if mean.low == mean.high:
        return f"{mean.value:.2f}"
    return f"{mean.value:.1f} ({mean.low:.1f} {to} {mean.high:.1f})"


def _methods(advice: Advice, measured: Measured | None) -> list[str]:
    game, open_play = advice.game, advice.open_play
    playouts = advice.superposed.playouts
    superposed = f"sampled, {playouts:,} games" if playouts else "exact, all ways to play"
    all_of_them = "all" if open_play.shares.complete else "sampled,"
    side = [] if advice.for_party else ["P(win) and deals are the side's whose turn it is."]
    told = [
        *side,
        f"Superposed: everybody plays any legal card at random; {superposed}.",
        f"Open cards: all see all cards and play at their best; {all_of_them} "
        f"{open_play.shares.deals:,} of {open_play.consistent:,} deals.",
    ]
    if not open_play.points and game.rules.contract == "null":
        told.append("In a null game points do not count.")
    elif not open_play.points:
        left = unit_of(game).capitalize()
        told.append(f"{left} of so large hands take too long, and are left out.")
    elif game.counts_cards:
        told.append("Every trick is needed: counted are the cards of the party's tricks.")
    told.append(_worth(advice))
    if measured is not None and measured.asking is None:
        gates = [measured.two_qubit_gates[card] for card in advice.cards]
        told.append(
            f"{measured.backend}: {measured.shots:,} shots of a circuit for each card, "
            f"{min(gates):,} to {max(gates):,} two-qubit gates."
        )
    return told


def _worth(advice: Advice) -> str:
    stakes = advice.stakes
    if isinstance(stakes, Untold):
        return f"No game value is told: {stakes.reason}."
    counted = "the matadors are each deal's own"
    if stakes.contract.game == NULL:
        counted = "a null counts the same whatever happens"
    elif stakes.matadors is not None:
        counted = f"{'with' if stakes.matadors > 0 else 'without'} {abs(stakes.matadors)}"
    return (
        f"Game value: {stakes.contract}, bid {stakes.bid}, all playing for it with open cards; "
        f"{counted}, a lost game counts double."
    )


def _name(advice: Advice, place: int) -> str:
    return str(advice.game.deck[advice.cards[place]])
