"""The commands `skat …`."""

from games.commands import Commands
from games.trick_taking.skat.bidding.command import bid
from games.trick_taking.skat.reckoning import value
from games.trick_taking.skat.records.command import records

SKAT: Commands = {"bid": bid, "value": value, "records": records}
