"""The commands `skat bid`, `skat value` and `skat records`."""

from functools import partial
from time import thread_time
from typing import Annotated

import typer

from games.trick_taking.advice.effort import Effort
from games.trick_taking.skat.bidding.advice import PLAYOUTS, try_contracts
from games.trick_taking.skat.bidding.offers import Hand
from games.trick_taking.skat.bidding.panels import bid_panels, draw_bid
from games.trick_taking.skat.records.scoring import check_records, draw_scores, score_panels
from games.trick_taking.skat.scores import draw_break_even, game_worth, worth_panels
from service.cli.options import PROCESSES, Json, RandomSeed
from service.cli.output.panels import write_result
from service.cli.output.plots import Plot
from service.cli.output.printing import progress
from service.cli.output.progress import say_if_first
from service.cli.program_argument import read_source
from service.results.games.skat import BidAdvice, GameValue, ScoreList

Bid = Annotated[int, typer.Option(min=18, max=264)]
"""The declarer's highest bid."""


def bid_command(
    *,
    hand: Annotated[str, typer.Option(metavar="CARDS")],
    skat: Annotated[str, typer.Option(metavar="CARDS")] = "",
    place: Annotated[int, typer.Option(min=1, max=3)] = 1,
    bid: Bid = 18,
    deals: Annotated[int, typer.Option(min=1, max=5000)] = 500,
    seconds: Annotated[int, typer.Option(min=1, max=3600)] = 20,
    seed: RandomSeed = 0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Advise how far to bid with a hand, and on which contract.

    The skat and the other hands are drawn at random. Before you take the skat, the command tries
    each contract with the skat and as a hand game; with --skat, all 66 discards. Schneider and
    schwarz count. They are announced, or the game is played ouvert, if the expected score is
    higher.

    Examples:
    - `stichwerk skat bid --hand "CJ HJ CA C10 CQ C8 SA S10 HA D7"`

    - `stichwerk skat bid --hand "CJ HJ CA C10 CQ C8 SA S10 HA D7" --skat "C7 DK" --bid 20`

    Options:
        hand: Your ten cards, such as 'CJ SJ CA C10 …'.
        skat: The skat's two cards, once you have taken it.
        place: 1 if you lead first, 2 or 3 if you play second or third.
        deals: Deals to solve for each contract.
        seconds: CPU seconds of each processor, after which no further deal starts.
    """
    held = Hand.parse(hand, skat)
    say_if_first("games")
    effort = Effort(PLAYOUTS, deals, float(seconds), seed, PROCESSES, thread_time)
    bidding = try_contracts(held, place, bid, effort, progress)
    write_result(
        bid_panels(bidding),
        BidAdvice.of(bidding),
        plot,
        partial(draw_bid, bidding),
        as_json=as_json,
    )


def value_command(
    *,
    contract: Annotated[str, typer.Option(metavar="CONTRACT")],
    matadors: Annotated[int, typer.Option(min=-11, max=11)] = 1,
    points: Annotated[int, typer.Option(min=0, max=120)] = 61,
    tricks: Annotated[int, typer.Option(min=-1, max=10)] = -1,
    bid: Bid = 18,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Compute the value of a game and its break-even probability.

    Overbid games also have a value. The command prints the scores with and without Seeger-Fabian,
    and the break-even probability of winning, as exact fractions.

    Example: `stichwerk skat value --contract "S hand" --matadors 2 --points 70 --bid 22`

    Options:
        contract: A suit, grand or null, and announcements: 'S hand schneider'.
        matadors: Number of matadors, negative for 'without'; not for a null.
        points: The declarer's points with the skat.
        tricks: The declarer's tricks; -1 stands for 6, or 0 in a null.
    """
    worth = game_worth(contract, matadors, points, tricks, bid)
    write_result(worth_panels(worth), GameValue.of(worth), plot, draw_break_even, as_json=as_json)


def records_command(
    *,
    source: Annotated[str, typer.Argument(metavar="FILE.sgf")],
    plot: Plot = None,
    as_json: Json = False,
) -> int:
    """Check recorded games by the rules, and compute their values.

    The files are records of the Internet Skat Server. Value, points, tricks, matadors and overbids
    are computed from the moves and compared with the server's. Games that ended by resignation or
    without all cards are not compared. Unreadable games are listed with the reason. The score list
    is by Seeger-Fabian for three players. The exit code is 1 if a game differs from the server, and
    2 if no game can be read.

    Example: `stichwerk skat records games.sgf --plot list.png`

    Options:
        source: A file of the Internet Skat Server.
    """
    records = check_records(read_source(source))
    write_result(
        score_panels(records),
        ScoreList.of(records),
        plot,
        partial(draw_scores, records),
        as_json=as_json,
    )
    return 0 if records.agrees else 1
