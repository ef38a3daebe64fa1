"""The environments of PettingZoo: its own tests, masks and results."""

from __future__ import annotations

import copy
import pickle
import types
from typing import Any

import numpy as np
import pytest
from gamesearch import GAMES
from gamesearch.pettingzoo import AGENTS, env, parallel_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test

NAMES = tuple(GAMES)
IN_TURNS = tuple(name for name in NAMES if name != "ropasci360")

# What PettingZoo says of every environment whose observations hold a mask and whose name it does not know.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("name", NAMES)
def test_api(name: str) -> None:
    api_test(env(name), num_cycles=150)


def test_parallel_api() -> None:
    parallel_api_test(parallel_env("ropasci360"), num_cycles=300)


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name: str) -> None:
    seed_test(lambda: env(name), num_cycles=60)


def test_seeds_of_the_parallel_environment() -> None:
    parallel_seed_test(lambda: parallel_env("ropasci360", illegal="random"), num_cycles=60)
    parallel_seed_test(lambda: parallel_env("ropasci360"), num_cycles=60)


@pytest.mark.parametrize("name", NAMES)
def test_cycles(name: str) -> None:
    # The test draws its actions without a mask and resets without a seed; by chance a game may end within the cycles. What was
    # seeded once stays so.
    def seeded(board: Any) -> Any:
        board.reset(seed=1)
        for number, agent in enumerate(AGENTS):
            board.action_space(agent).seed(number)
        return board

    def in_turns(max_cycles: int) -> object:
        return seeded(env(name, max_cycles=max_cycles, illegal="random"))

    def at_once(max_cycles: int) -> object:
        return seeded(parallel_env("ropasci360", max_cycles=max_cycles, illegal="random"))

    max_cycles_test(types.SimpleNamespace(parallel_env=at_once, env=in_turns))


@pytest.mark.parametrize("name", IN_TURNS)
def test_masks_are_the_legal_actions_and_rewards_the_result(name: str) -> None:
    played = GAMES[name].random(4)
    board = env(name)
    board.reset(seed=1)
    # The start is drawn by the seed: the same for both.
    board._board.game = played.copy()
    while len(board.game) > 0:
        board.game.pop()
    board.agent_selection = AGENTS[board.game.to_move]
    for turn in played.turns:
        observation, reward, terminated, truncated, _ = board.last()
        position = board.game.position
        legal = observation["action_mask"].nonzero()[0].tolist()
        assert legal == sorted(position.legal_actions()) and not terminated and not truncated and reward == 0
        other = AGENTS[1 - AGENTS.index(board.agent_selection)]
        assert not board.observe(other)["action_mask"].any()
        planes = np.frombuffer(position.planes(position.to_move), np.float32)
        assert np.array_equal(observation["observation"].ravel(), planes)
        board.step(position.action_of(turn))
    assert board.rewards == {agent: played.utility(player) for player, agent in enumerate(AGENTS)}
    assert all(board.terminations.values())
    assert not any(board.observe(agent)["action_mask"].any() for agent in AGENTS)


def test_an_illegal_action() -> None:
    board = env("hus")
    board.reset(seed=1)
    board.step(30)
    assert board.rewards == {"player_0": -1, "player_1": 1} and all(board.terminations.values())
    assert board.infos["player_0"] == {"illegal": True}
    board = env("hus", illegal="raise")
    board.reset(seed=1)
    with pytest.raises(ValueError, match="player_0 cannot play the action 30"):
        board.step(30)
    both = parallel_env("ropasci360")
    seen, _ = both.reset(seed=1)
    lawful = int(seen["player_0"]["action_mask"].argmax())
    _, rewards, terminated, _, infos = both.step({"player_0": lawful, "player_1": 0})
    assert rewards == {"player_0": 1, "player_1": -1} and all(terminated.values()) and both.agents == []
    assert infos == {"player_0": {}, "player_1": {"illegal": True}}


def test_set_ups_and_copies() -> None:
    board = env("colosseum", size=6)
    board.reset(seed=3)
    start = board.game.start
    assert board.action_space("player_0").n == 144 and start.shape == (7, 6, 6)
    twin = pickle.loads(pickle.dumps(board))
    third = copy.deepcopy(board)
    for each in (board, twin, third):
        each.step(int(each.last()[0]["action_mask"].argmax()))
    assert board.game == twin.game == third.game
    board.reset(seed=3)
    assert board.game.start == start
    board.reset(seed=4)
    assert board.game.start != start
    assert board.render() == board.game.picture()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: env("chess"), "there is no game `chess`; the games are expendibots"),
        (lambda: env("hus", size=4), "found `size=4`"),
        (lambda: env("hus", illegal="ignore"), "found 'ignore'"),
        (lambda: env("hus", max_cycles=0), "found 0"),
        (lambda: env("hus", render_mode="human"), "found 'human'"),
        (lambda: parallel_env("hus"), "found hus: use env"),
    ],
)
def test_mistakes(make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        make()
