"""A workbench for adversarial game search: four contest games, their bots, searches and tournaments.

>>> import gamesearch
>>> game = gamesearch.hus.Game()
>>> bot = gamesearch.Bot("hus", "champion", seed=1)
>>> game.push(bot.choose(game, nodes=1000))
>>> len(game)
1

The games are the modules `expendibots`, `ropasci360`, `hus` and `colosseum`, each with the classes `Position` and `Game`. What
searches hand back is in `results`. `gamesearch.openspiel` and `gamesearch.pettingzoo`, imported by name, are the games for those
frameworks.
"""

from . import colosseum, expendibots, hus, results, ropasci360
from ._native import (
    Bot,
    bots,
    compare_moves,
    exploitability,
    playouts,
    regret_matching,
    solve,
    solve_matrix,
)
from ._types import GAMES, Game, Position

__all__ = [
    "GAMES",
    "Bot",
    "Game",
    "Position",
    "bots",
    "colosseum",
    "compare_moves",
    "expendibots",
    "exploitability",
    "hus",
    "playouts",
    "regret_matching",
    "results",
    "ropasci360",
    "solve",
    "solve_matrix",
]
