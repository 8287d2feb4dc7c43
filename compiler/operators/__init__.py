"""The operators a game is made of."""

from compiler.operators.card_play import CardPlay
from compiler.operators.chronicle import ChronicleDeal, ChroniclePlay, ChronicleTrick
from compiler.operators.hand_play import HandPlay
from compiler.operators.list_deal import ListSplit, SortedDeal
from compiler.operators.list_play import FollowPlay, LeadPlay
from compiler.operators.list_trick import TrickWinner
from compiler.operators.operator import LiteralOperator, Operator
from compiler.operators.rank_play import RankPlay
from compiler.operators.rank_trick import RankTrick
from compiler.operators.trick_owner import TrickOwner
from compiler.operators.trick_score import TrickScore
from compiler.operators.trick_taking import TrickTaking
from compiler.operators.uniform_deal import UniformDeal

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
