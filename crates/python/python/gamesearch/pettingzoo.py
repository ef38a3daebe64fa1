"""The four games for PettingZoo: `env` for the games in turns, `parallel_env` for those in which both players move at once.

>>> from gamesearch.pettingzoo import env
>>> hus = env("hus")
>>> hus.reset(seed=1)
>>> observation, reward, termination, truncation, info = hus.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((8, 2, 16), 24)
>>> hus.step(12)
>>> hus.agent_selection
'player_1'

An observation is a dict of `observation`, the planes of the position as the agent sees them, and `action_mask`, which has a 1 for each
legal action: all zeros for an agent that is not to move. Actions are those of the games' own classes.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo.utils import parallel_to_aec
from pettingzoo.utils.env import AECEnv, ParallelEnv

from . import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import Game

__all__ = ["AGENTS", "ParallelGameEnv", "TurnsEnv", "env", "parallel_env", "raw_env"]

AGENTS = ("player_0", "player_1")
"""The names of the two agents, the first player first."""

Observation: TypeAlias = dict[str, np.ndarray[Any, Any]]
"""What an agent sees."""

_Illegal: TypeAlias = Literal["lose", "random", "raise"]
"""What becomes of an illegal action: the agent loses the game, a legal action is drawn in its place, or a `ValueError` is raised."""


def env(
    game: str,
    *,
    max_cycles: int | None = None,
    illegal: _Illegal = "lose",
    render_mode: str | None = None,
    **setup: str | int,
) -> AECEnv[str, Observation, int]:
    """An environment in which the agents act one after the other.

    After `max_cycles` actions of each agent it is truncated. `illegal` says what becomes of an illegal action. Other arguments choose
    the set-up, such as `size=6`; a game that draws its start draws it with the seed of `reset`. A game in which both move at once is
    converted.
    """
    if _class_of(game)().position.SIMULTANEOUS:
        parallel = parallel_env(
            game, max_cycles=max_cycles, illegal=illegal, render_mode=render_mode, **setup
        )
        return parallel_to_aec(parallel)
    return TurnsEnv(game, max_cycles=max_cycles, illegal=illegal, render_mode=render_mode, **setup)


raw_env = env


def parallel_env(
    game: str,
    *,
    max_cycles: int | None = None,
    illegal: _Illegal = "lose",
    render_mode: str | None = None,
    **setup: str | int,
) -> ParallelEnv[str, Observation, int]:
    """An environment in which both agents act at once; takes the same arguments as `env`."""
    return ParallelGameEnv(game, max_cycles=max_cycles, illegal=illegal, render_mode=render_mode, **setup)


def _class_of(name: str) -> type[Game]:
    if name not in GAMES:
        raise ValueError(f"there is no game `{name}`; the games are {', '.join(GAMES)}")
    return GAMES[name]


class _Board:
    """What both kinds of environments share: the game, its spaces, and what its agents see."""

    def __init__(
        self,
        name: str,
        max_cycles: int | None,
        illegal: _Illegal,
        render_mode: str | None,
        setup: Mapping[str, Any],
    ) -> None:
        if illegal not in ("lose", "random", "raise"):
            raise ValueError(f"illegal: expected `lose`, `random` or `raise`, found {illegal!r}")
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles: expected a number from 1, found {max_cycles}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode: expected `ansi` or None, found {render_mode!r}")
        self.game_class = _class_of(name)
        self.setup: dict[str, Any] = dict(setup)
        self.illegal = illegal
        self.game: Game = self.game_class(**self.setup)
        position = self.game.position
        self.shape = position.shape
        self.actions: int = type(position).actions(**self.setup)
        self.random = random.Random()
        per_cycle = 1 if position.SIMULTANEOUS else 2
        self.most_turns = None if max_cycles is None else per_cycle * max_cycles
        self.action_spaces = {agent: spaces.Discrete(self.actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, self.shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def start(self, seed: int | None) -> None:
        """A new game, drawn by the seed, or by chance without one."""
        if seed is not None:
            self.random.seed(seed)
        self.game = self.game_class(seed=self.random.getrandbits(63), **self.setup)

    def see(self, player: int) -> Observation:
        """What a player sees."""
        planes = np.frombuffer(self.game.planes(player), np.float32).reshape(self.shape)
        legal = np.frombuffer(self.game.mask(player, actions=self.actions), np.int8)
        return {"observation": planes, "action_mask": legal}

    def is_lawful(self, player: int, action: int) -> bool:
        """Whether an action is legal. One that is not raises an error if it should."""
        lawful = action in self.game.legal_actions(player)
        if not lawful and self.illegal == "raise":
            raise ValueError(f"{AGENTS[player]} cannot play the action {action}")
        return lawful

    def draw(self, player: int) -> int:
        """A legal action by chance."""
        return self.random.choice(self.game.legal_actions(player))

    def is_cut(self) -> bool:
        """Whether as many turns were played as are allowed."""
        return self.most_turns is not None and len(self.game) >= self.most_turns


class TurnsEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game in turns as an environment of PettingZoo; `game` is the `Game` behind it."""

    def __init__(
        self,
        game: str,
        *,
        max_cycles: int | None = None,
        illegal: _Illegal = "lose",
        render_mode: str | None = None,
        **setup: str | int,
    ) -> None:
        super().__init__()
        self._board = _Board(game, max_cycles, illegal, render_mode, setup)
        if self._board.game.to_move is None:
            raise ValueError(f"expected a game in turns, found {game}: use parallel_env")
        self.metadata: dict[str, Any] = {
            "name": f"{game}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = self._board.action_spaces
        self.observation_spaces = self._board.observation_spaces

    @property
    def game(self) -> Game:
        """The game behind the environment."""
        return self._board.game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's observations are."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's actions are."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game. A seed decides everything that is drawn from now on."""
        self._board.start(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._board.game.to_move or 0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        return self._board.see(AGENTS.index(agent))

    def step(self, action: int | None) -> None:
        """Plays the action of the agent whose turn it is; `None` for an agent that is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"expected an action of {agent}, found None")
        board = self._board
        game = board.game
        player = AGENTS.index(agent)
        self._cumulative_rewards[agent] = 0
        if board.illegal != "lose" and not board.is_lawful(player, action):
            action = board.draw(player)
        try:
            game.push(action)
        except ValueError:
            self._end(-1 if player == 0 else 1)
            self.infos[agent] = {"illegal": True}
            self.agent_selection = AGENTS[1 - player]
            return
        if game.is_over:
            self._end(game.utility(0))
        elif board.is_cut():
            self.truncations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[game.to_move or 0]

    def _end(self, first: int) -> None:
        """The game is over, and the first player has won so much."""
        self.terminations = dict.fromkeys(AGENTS, True)
        self.rewards = {AGENTS[0]: first, AGENTS[1]: -first}
        self._accumulate_rewards()

    def render(self) -> str:
        """The board drawn with characters."""
        return self._board.game.picture()

    def close(self) -> None:
        """There is nothing to close."""


class ParallelGameEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """A game in which both move at once as an environment of PettingZoo; `game` is the `Game` behind it."""

    def __init__(
        self,
        game: str,
        *,
        max_cycles: int | None = None,
        illegal: _Illegal = "lose",
        render_mode: str | None = None,
        **setup: str | int,
    ) -> None:
        super().__init__()
        self._board = _Board(game, max_cycles, illegal, render_mode, setup)
        if self._board.game.to_move is not None:
            raise ValueError(f"expected a game in which both players move at once, found {game}: use env")
        self.metadata: dict[str, Any] = {"name": f"{game}_v0", "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = self._board.action_spaces
        self.observation_spaces = self._board.observation_spaces

    @property
    def game(self) -> Game:
        """The game behind the environment."""
        return self._board.game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's observations are."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's actions are."""
        return self.action_spaces[agent]

    def _see(self) -> dict[str, Observation]:
        return {agent: self._board.see(player) for player, agent in enumerate(AGENTS)}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts a new game. A seed decides everything that is drawn from now on."""
        self._board.start(seed)
        self.agents = list(AGENTS)
        return self._see(), {agent: {} for agent in AGENTS}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays the actions of both agents."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        board = self._board
        game = board.game
        chosen = [actions[agent] for agent in AGENTS]
        lawful = [board.is_lawful(player, action) for player, action in enumerate(chosen)]
        infos: dict[str, dict[str, Any]] = {
            agent: {} if legal else {"illegal": True} for agent, legal in zip(AGENTS, lawful, strict=True)
        }
        over = board.illegal == "lose" and not all(lawful)
        first = 0
        if over:
            # If both actions are illegal, nobody wins.
            first = int(lawful[0]) - int(lawful[1])
        else:
            game.push(
                *(
                    action if legal else board.draw(player)
                    for player, (action, legal) in enumerate(zip(chosen, lawful, strict=True))
                )
            )
            over = game.is_over
            first = game.utility(0)
        cut = not over and board.is_cut()
        if over or cut:
            self.agents = []
        return (
            self._see(),
            {AGENTS[0]: first, AGENTS[1]: -first},
            dict.fromkeys(AGENTS, over),
            dict.fromkeys(AGENTS, cut),
            infos,
        )

    def render(self) -> str:
        """The board drawn with characters."""
        return self._board.game.picture()

    def close(self) -> None:
        """There is nothing to close."""
