"""Expendibots: stacks of tokens that move and explode."""

from ._native import ExpendibotsGame as Game
from ._native import ExpendibotsPosition as Position

__all__ = ["Game", "Position"]
