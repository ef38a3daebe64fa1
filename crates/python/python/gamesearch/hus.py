"""Hus: four rows of pits, mancala with relay sowing."""

from ._native import HusGame as Game
from ._native import HusPosition as Position

__all__ = ["Game", "Position"]
