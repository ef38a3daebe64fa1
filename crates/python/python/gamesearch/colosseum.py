"""Colosseum Survival!: walls on a grid, until the players are apart."""

from ._native import ColosseumGame as Game
from ._native import ColosseumPosition as Position

__all__ = ["Game", "Position"]
