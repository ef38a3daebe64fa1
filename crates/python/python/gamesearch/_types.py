"""Names for what all games share."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from . import colosseum, expendibots, hus, ropasci360

if TYPE_CHECKING:
    from collections.abc import Mapping

Position: TypeAlias = expendibots.Position | ropasci360.Position | hus.Position | colosseum.Position
"""A position of any of the games; also for `isinstance`."""

Game: TypeAlias = expendibots.Game | ropasci360.Game | hus.Game | colosseum.Game
"""A game of any of the games; also for `isinstance`."""

_CLASSES: tuple[type[Game], ...] = (expendibots.Game, ropasci360.Game, hus.Game, colosseum.Game)

GAMES: Mapping[str, type[Game]] = MappingProxyType({game.NAME: game for game in _CLASSES})
"""The classes `Game` by the names of the games."""
