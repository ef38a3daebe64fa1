"""The four games for OpenSpiel: importing this module registers them with `pyspiel`, under their own names.

>>> import gamesearch.openspiel
>>> import pyspiel
>>> state = pyspiel.load_game("hus").new_initial_state()
>>> state.apply_action(12)
>>> state.current_player()
1

Every game takes the parameter `position`, the text of a position to start from with `_` for each space, and Colosseum also `size`,
`edition` and `seed`: `pyspiel.load_game("colosseum", {"size": 6, "seed": 3})`. Actions are those of the games' own classes, so that
`state.game` (a `gamesearch` game) and OpenSpiel speak of the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyspiel

from . import colosseum, expendibots, hus, ropasci360

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from . import Game, Position

__all__ = [
    "ColosseumGame",
    "ExpendibotsGame",
    "HusGame",
    "Ropasci360Game",
    "SpielGame",
    "SpielObserver",
    "SpielState",
    "spiel_text",
]

_PARAMETERS: dict[str, Any] = {"position": ""}
_OF_COLOSSEUM: dict[str, Any] = {"size": 8, "edition": "winter2022", "seed": 0}


def spiel_text(position: Position) -> str:
    """The text of a position as the parameter `position`, which may hold no spaces, commas or parentheses.

    >>> from gamesearch import expendibots
    >>> spiel_text(expendibots.Position())
    'aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA_w_0'
    """
    return position.text.translate(_TO_SPIEL)


_TO_SPIEL = str.maketrans({" ": "_", ",": ".", "(": "<", ")": ">"})
_FROM_SPIEL = str.maketrans({"_": " ", ".": ",", "<": "(", ">": ")"})


def _parameters(name: str) -> dict[str, Any]:
    return _PARAMETERS | (_OF_COLOSSEUM if name == "colosseum" else {})


def _game_type(game: type[Game]) -> pyspiel.GameType:
    position = game().position
    dynamics = pyspiel.GameType.Dynamics
    return pyspiel.GameType(
        short_name=game.NAME,
        long_name=position.TITLE,
        dynamics=dynamics.SIMULTANEOUS if position.SIMULTANEOUS else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game.NAME),
    )


def _longest(position: Position) -> int:
    """The number of turns that a game from here has at most."""
    if position.turns_left is not None:
        return position.turns_left
    # Every turn of Colosseum puts a wall between two cells.
    _, rows, columns = position.shape
    return 2 * rows * columns - rows - columns


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games with its parameters."""

    GAME: ClassVar[type[Game]]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.GAME
        given = dict(params or {})
        settings = _parameters(game.NAME) | given
        text = settings.pop("position").translate(_FROM_SPIEL)
        if text:
            self.start: Game = game(text)
            self.num_actions = type(self.start.position).ACTIONS
        else:
            seed = settings.pop("seed", 0)
            self.start = game(seed=seed, **settings)
            self.num_actions = type(self.start.position).actions(**settings)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_longest(self.start.position),
        )
        super().__init__(_TYPES[game.NAME], info, given)

    def new_initial_state(self) -> SpielState:
        """The state at the start of a game."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> SpielObserver:
        """What shows states to the players."""
        return SpielObserver(self, iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game under way: `game` is the `Game` behind it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.game: Game = game.start.copy()

    def current_player(self) -> int:
        """The player to move, or that the game is over, or that both move."""
        if self.game.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.game.to_move
        return int(pyspiel.PlayerId.SIMULTANEOUS) if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.game.legal_actions(player))

    def _apply_action(self, action: int) -> None:
        self.game.push(action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.game.push(*actions)

    def _action_to_string(self, player: int, action: int) -> str:
        return type(self.game.position).move_of(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.game.is_over

    def returns(self) -> list[float]:
        """What each player has won."""
        return [float(self.game.utility(player)) for player in (0, 1)]

    def __str__(self) -> str:
        return self.game.position.text


class SpielObserver:
    """Shows the planes of a position; with perfect recall, the whole game as text."""

    def __init__(
        self,
        game: SpielGame,
        iig_obs_type: pyspiel.IIGObservationType | None,
        params: Mapping[str, Any] | None,
    ) -> None:
        if params:
            raise ValueError(f"expected no parameters of the observer, found {dict(params)}")
        self.perfect_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        shape = game.start.position.shape
        self.tensor = np.zeros(shape[0] * shape[1] * shape[2], np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes what a player sees into the tensor."""
        self.tensor[:] = np.frombuffer(state.game.position.planes(player), np.float32)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, as text."""
        if self.perfect_recall:
            return f"{state.game.start.text} {state.game}"
        return state.game.position.text


class ExpendibotsGame(SpielGame):
    """Expendibots for OpenSpiel."""

    GAME = expendibots.Game


class Ropasci360Game(SpielGame):
    """RoPaSci 360 for OpenSpiel."""

    GAME = ropasci360.Game


class HusGame(SpielGame):
    """Hus for OpenSpiel."""

    GAME = hus.Game


class ColosseumGame(SpielGame):
    """Colosseum Survival! for OpenSpiel."""

    GAME = colosseum.Game


_CLASSES: tuple[type[SpielGame], ...] = (ExpendibotsGame, Ropasci360Game, HusGame, ColosseumGame)
_TYPES: dict[str, pyspiel.GameType] = {game.GAME.NAME: _game_type(game.GAME) for game in _CLASSES}

for _class in _CLASSES:
    pyspiel.register_game(_TYPES[_class.GAME.NAME], _class)
