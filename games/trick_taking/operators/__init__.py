"""The operators a game is made of."""

import sys

from compiler.registry import discover
from compiler.synthesis.operator import LiteralOperator, Operator
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.chronicle import ChronicleDeal, ChroniclePlay, ChronicleTrick
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.operators.rank_play import RankPlay
from games.trick_taking.operators.rank_trick import RankTrick
from games.trick_taking.operators.trick_owner import TrickOwner
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal

__all__ = [
    "CardPlay",
    "ChronicleDeal",
    "ChroniclePlay",
    "ChronicleTrick",
    "FollowPlay",
    "HandPlay",
    "LeadPlay",
    "ListSplit",
    "LiteralOperator",
    "Operator",
    "RankPlay",
    "RankTrick",
    "SortedDeal",
    "TrickOwner",
    "TrickScore",
    "TrickTaking",
    "TrickWinner",
    "UniformDeal",
]

discover(sys.modules[__name__])
