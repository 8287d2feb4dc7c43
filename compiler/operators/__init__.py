"""The operators a game is made of."""

from compiler.operators.card_play import CardPlay
from compiler.operators.hand_play import HandPlay
from compiler.operators.operator import LiteralOperator, Operator
from compiler.operators.trick_taking import TrickTaking
from compiler.operators.uniform_deal import UniformDeal

__all__ = ["CardPlay", "HandPlay", "LiteralOperator", "Operator", "TrickTaking", "UniformDeal"]
