"""Score list of real games of Skat: each game checked by the rules and compared with the server."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.errors import InputError
from games.panels import Cell, Grid, Lines, Panel
from games.pictures import COLOURS, GREY, plain_axes
from games.sources import Source
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.skat.records.checking import Checked, check
from games.trick_taking.skat.records.reading import RECORD, records_of
from games.trick_taking.skat.records.record import Record, RecordError, Unread
from games.trick_taking.skat.scores import Scoring, list_scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("game", "declarer", "contract", "matadors", "bid", "points", "tricks", "value", "server",
           "note")  # fmt: skip
MAX_SHOWN = 100
MAX_REASONS = 3
PLAYERS = 3


@frozen(eq=False)
class CheckedRecords:
    """The games of a file, checked by the rules.

    Args:
        games: each game, with the results of its moves; None if there is no contract.
        unread: games that cannot be read.
    """

    games: Sequence[tuple[Record, Checked | None]]
    unread: Sequence[Unread]

    @property
    def agrees(self) -> bool:
        """Return whether the server contradicts no game."""
        return all(game is None or game.agrees is not False for _, game in self.games)

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the three players of all games, in the seats of the first one; else empty."""
        tables = [record.players for record, _ in self.games]
        names = tuple(name for _, name in sorted(tables[0].items()))
        same = all({*table.values()} == {*names} for table in tables)
        return names if same and len({*names}) == PLAYERS else ()

    def place(self, record: Record, seat: int) -> int:
        """Return the place of a seat's player in the list, or the seat if players change."""
        return self.players.index(record.players[seat]) if self.players else seat

    def scores(self, games: int | None = None) -> list[int]:
        """Return the score of each place in the list by Seeger and Fabian.

        Args:
            games: number of games that are counted; None for all.
        """
        counted = [
            (self.place(game.record, game.record.declarer), game.settlement)
            for _, game in self.games[:games]
            if game is not None and game.settlement is not None and game.record.declarer is not None
        ]
        return list_scores(counted, PLAYERS, Scoring.SEEGER_FABIAN)


def check_records(source: Source) -> CheckedRecords:
    """Check the games of a file of the Internet Skat Server.

    Raises:
        InputError: if the file is no record, or no game can be read.
    """
    if not source.name.endswith(RECORD):
        raise InputError(f"{source.name}: no record; give a file that ends in {RECORD}")
    file = records_of(source)
    games, unread = list[tuple[Record, Checked | None]](), list(file.unread)
    for record in file.records:
        try:
            games.append((record, check(record)))
        except RecordError as error:
            unread.append(Unread(record.number, str(error)))
    unread.sort(key=lambda game: game.number)
    if not games:
        reasons = "; ".join(game.reason for game in unread[:MAX_REASONS])
        raise InputError(f"{source.name}: none of {len(unread)} games can be read: {reasons}")
    return CheckedRecords(games, unread)


def draw_scores(records: CheckedRecords, figure: "Figure") -> None:
    """Draw the score list, game by game."""
    from matplotlib.ticker import MaxNLocator

    figure.set_size_inches(8.0, 4.0)
    axes = figure.subplots()
    lists = [records.scores(games) for games in range(len(records.games) + 1)]
    for seat, colour in enumerate(COLOURS[:3]):
        scores = [row[seat] for row in lists]
        # Where two lie upon each other, both are seen.
        axes.step(range(len(lists)), scores, where="post", color=colour, lw=4 - 1.2 * seat,
                  label=f"{seat_name(seat)}, {scores[-1]} in the end")  # fmt: skip
    axes.axhline(0, color=GREY, linestyle="--", linewidth=1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("games")
    axes.set_ylabel("Seeger-Fabian score")
    axes.legend(frameon=False)
    plain_axes(axes)


def score_panels(records: CheckedRecords) -> list[Panel]:
    """Return the tables of a score list."""
    games, unread, scores = records.games, records.unread, records.scores()
    columns = COLUMNS if any(record.note for record, _ in games) else COLUMNS[:-1]
    rows = [_row(records, *game)[: len(columns)] for game in games[:MAX_SHOWN]]
    verdicts = [checked.agrees for _, checked in games if checked is not None]
    passed = sum(record.passed for record, _ in games)
    early = len(games) - len(verdicts) - passed
    summary = [
        f"{verdicts.count(True)} agree with the server, {verdicts.count(False)} do not; "
        f"{verdicts.count(None) + early} not comparable; {passed} passed",
        "Seeger-Fabian: " + ", ".join(f"{seat_name(s)} {score}" for s, score in enumerate(scores)),
        f"A, B and C are {', '.join(records.players) or 'the seats 0, 1 and 2 of the records'}",
    ]
    left = len(games) - len(rows)
    more = [Lines("Not shown", [f"{left} further games; --json has all"])] if left else []
    if unread:
        reasons = [game.reason for game in unread[:MAX_SHOWN]]
        if len(unread) > MAX_SHOWN:
            reasons.append(f"{len(unread) - MAX_SHOWN} further games; --json has all")
        more.append(Lines(f"Games that cannot be read, {len(unread)}", reasons))
    return [Grid(f"Games of Skat, {len(games)}", columns, rows), *more, Lines("Summary", summary)]


def _row(records: CheckedRecords, record: Record, checked: Checked | None) -> list[Cell]:
    declarer = "–"
    if record.declarer is not None:
        declarer = seat_name(records.place(record, record.declarer))
    if checked is None:
        gap = "–" * (len(COLUMNS) - 3)
        row = ["all passed"] if record.passed else [declarer, *gap, record.note]
        return [Cell(str(record.number)), *(Cell(cell, "faint") for cell in row)]
    outcome, settlement = checked.outcome, checked.settlement
    ended = ["–", "–", "–"]
    if outcome is not None and settlement is not None:
        overbid = " overbid" if settlement.overbid else ""
        ended = [str(outcome.points), str(outcome.tricks), f"{settlement.value}{overbid}"]
    verdict = {True: "agrees", False: "says otherwise", None: ""}[checked.agrees]
    tone = "bad" if checked.agrees is False else "plain"
    cells = (record.number, declarer, checked.contract, checked.matadors, record.bid, *ended)
    return [*(Cell(str(cell)) for cell in cells), Cell(verdict, tone), Cell(record.note)]
