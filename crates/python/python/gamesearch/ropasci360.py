"""RoPaSci 360: rock, paper, scissors on a hexagon, both players at once."""

from ._native import Ropasci360Game as Game
from ._native import Ropasci360Position as Position

__all__ = ["Game", "Position"]
