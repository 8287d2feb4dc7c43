"""The command `skat records`: real games, checked and scored."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from compiler.errors import InputError
from games.commands import Answer, Asked
from games.playing.panels import Cell, Grid, Lines, Panel
from games.sources import Source
from games.trick_taking.rules.steps import seat_name
from games.trick_taking.skat.records.checking import Checked, check
from games.trick_taking.skat.records.reading import RECORD, records_of
from games.trick_taking.skat.records.record import Record, RecordError, Unread
from games.trick_taking.skat.scores import Scoring, list_scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("game", "declarer", "contract", "matadors", "bid", "points", "tricks", "value", "server",
           "note")  # fmt: skip
MOST_SHOWN = 100
MOST_REASONS = 3
COLOURS = ("#0072B2", "#D55E00", "#009E73")
PLAYERS = 3


def records(
    *, source: Annotated[Source, Asked("A file of the Internet Skat Server.", "FILE.sgf")]
) -> Answer:
    """Check real games of Skat by the rules, and tell what each counts.

    Read are the Internet Skat Server's records. Value, points, tricks, matadors and overbids
    follow from the moves and are compared with what the server says; where a game has ended
    otherwise than by its cards, or by one side giving up, nothing follows. Each game is read by
    itself: those that cannot be read are listed with the reason. The list is Seeger and Fabian's,
    of three players, and drawn game by game. The exit code is 1 if the server says otherwise of
    some game, and 2 if no game can be read.

    Example: `stichwerk skat records games.sgf --plot list.png`
    """
    if not source.name.endswith(RECORD):
        raise InputError(f"{source.name}: no record; give a file that ends in {RECORD}")
    file = records_of(source)
    found, unread = list[tuple[Record, Checked | None]](), list(file.unread)
    for record in file.records:
        try:
            found.append((record, check(record)))
        except RecordError as error:
            unread.append(Unread(record.number, str(error)))
    unread.sort(key=lambda game: game.number)
    if not found:
        reasons = "; ".join(game.reason for game in unread[:MOST_REASONS])
        raise InputError(f"{source.name}: none of {len(unread)} games can be read: {reasons}")
    scores = _scores(found)
    agreed = all(one is None or one.agrees is not False for _, one in found)
    return Answer(
        _panels(found, unread, scores),
        _document(found, unread, scores),
        lambda figure: _draw(figure, found),
        yes=agreed,
    )


def _scores(found: Sequence[tuple[Record, Checked | None]]) -> list[int]:
    """Return what each seat has on the list after these games."""
    known = [
        (one.record.declarer, one.settlement)
        for _, one in found
        if one is not None and one.settlement is not None and one.record.declarer is not None
    ]
    return list_scores(known, PLAYERS, Scoring.SEEGER_FABIAN)


def _draw(figure: "Figure", found: Sequence[tuple[Record, Checked | None]]) -> None:
    """Draw the list, game by game."""
    from matplotlib.ticker import MaxNLocator

    figure.set_size_inches(8.0, 4.0)
    axes = figure.subplots()
    lists = [_scores(found[:games]) for games in range(len(found) + 1)]
    for seat, colour in enumerate(COLOURS):
        scores = [row[seat] for row in lists]
        # Where two lie upon each other, both are seen.
        axes.step(range(len(lists)), scores, where="post", color=colour, lw=4 - 1.2 * seat,
                  label=f"{seat_name(seat)}, {scores[-1]} in the end")  # fmt: skip
    axes.axhline(0, color="#6b6b6b", linestyle="--", linewidth=1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("games")
    axes.set_ylabel("score by Seeger and Fabian")
    axes.legend(frameon=False)
    axes.grid(color="#dddddd")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _panels(
    found: Sequence[tuple[Record, Checked | None]], unread: Sequence[Unread], scores: Sequence[int]
) -> list[Panel]:
    columns = COLUMNS if any(record.note for record, _ in found) else COLUMNS[:-1]
    rows = [_row(record, checked)[: len(columns)] for record, checked in found[:MOST_SHOWN]]
    verdicts = [checked.agrees for _, checked in found if checked is not None]
    passed = sum(record.passed for record, _ in found)
    early = len(found) - len(verdicts) - passed
    told = [
        f"{verdicts.count(True)} agree with the server, {verdicts.count(False)} do not; of "
        f"{verdicts.count(None) + early} nothing follows; all passed in {passed}",
        "Seeger-Fabian: " + ", ".join(f"{seat_name(s)} {score}" for s, score in enumerate(scores)),
        "A, B and C are the seats 0, 1 and 2 of the records",
    ]
    left = len(found) - len(rows)
    more = [Lines("Not shown", [f"{left} further games; --json has all"])] if left else []
    if unread:
        reasons = [game.reason for game in unread[:MOST_SHOWN]]
        if len(unread) > MOST_SHOWN:
            reasons.append(f"{len(unread) - MOST_SHOWN} further games; --json has all")
        more.append(Lines(f"Games that cannot be read, {len(unread)}", reasons))
    return [Grid(f"Games of Skat, {len(found)}", columns, rows), *more, Lines("Together", told)]


def _row(record: Record, checked: Checked | None) -> list[Cell]:
    declarer = "–" if record.declarer is None else seat_name(record.declarer)
    if checked is None:
        gap = "–" * (len(COLUMNS) - 3)
        row = ["all passed"] if record.passed else [declarer, *gap, record.note]
        return [Cell(str(record.number)), *(Cell(cell, "faint") for cell in row)]
    outcome, settlement = checked.outcome, checked.settlement
    told = ["–", "–", "–"]
    if outcome is not None and settlement is not None:
        overbid = " overbid" if settlement.overbid else ""
        told = [str(outcome.points), str(outcome.tricks), f"{settlement.value}{overbid}"]
    verdict = {True: "agrees", False: "says otherwise", None: ""}[checked.agrees]
    tone = "bad" if checked.agrees is False else "plain"
    cells = (record.number, declarer, checked.contract, checked.matadors, record.bid, *told)
    return [*(Cell(str(cell)) for cell in cells), Cell(verdict, tone), Cell(record.note)]


def _document(
    found: Sequence[tuple[Record, Checked | None]], unread: Sequence[Unread], scores: Sequence[int]
) -> dict[str, Any]:
    return {
        "games": [_game(record, checked) for record, checked in found],
        "unread": [{"game": game.number, "reason": game.reason} for game in unread],
        "seeger_fabian": list(scores),
    }


def _game(record: Record, checked: Checked | None) -> dict[str, Any]:
    if checked is None:
        return {"game": record.number, "passed": record.passed, "note": record.note}
    outcome, settlement = checked.outcome, checked.settlement
    return {
        "game": record.number,
        "passed": False,
        "declarer": record.declarer,
        "contract": str(checked.contract),
        "matadors": checked.matadors,
        "bid": record.bid,
        "points": outcome and outcome.points,
        "tricks": outcome and outcome.tricks,
        "value": settlement and settlement.value,
        "won": settlement and settlement.won,
        "overbid": settlement and settlement.overbid,
        "agrees": checked.agrees,
        "note": record.note,
    }
