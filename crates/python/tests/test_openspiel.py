"""The games in OpenSpiel: its own tests, and its algorithms."""

from __future__ import annotations

import pickle

import gamesearch
import gamesearch.openspiel as adapter
import numpy as np
import pyspiel
import pytest
from gamesearch import GAMES
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

NAMES = tuple(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_random_sim_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_the_official_simulation(name: str) -> None:
    assert name in pyspiel.registered_names()
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


def test_the_simultaneous_game_as_a_game_in_turns() -> None:
    game = pyspiel.load_game_as_turn_based("ropasci360")
    games_sim_test.GamesSimTest().sim_game(game)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_parameters() -> None:
    game = pyspiel.load_game("colosseum", {"size": 6, "seed": 3})
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert game.num_distinct_actions() == 144 and game.max_game_length() == 60
    assert str(game.new_initial_state()) == gamesearch.colosseum.Position(size=6, seed=3).text
    with pytest.raises(ValueError, match="from 3 to 12"):
        pyspiel.load_game("colosseum", {"size": 99})


@pytest.mark.parametrize("name", NAMES)
def test_any_position_is_a_start_and_survives_serialisation(name: str) -> None:
    for seed in range(10):
        played = GAMES[name].random(seed)
        for _ in range(1 + seed):
            played.pop()
        position = played.position
        game = pyspiel.load_game(name, {"position": adapter.spiel_text(position)})
        state = game.new_initial_state()
        assert str(state) == position.text
        for player in (0, 1):
            assert state.legal_actions(player) == sorted(position.legal_actions(player))
            seen = np.frombuffer(position.planes(player), np.float32)
            assert np.array_equal(state.observation_tensor(player), seen)
        again, twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(game) and str(twin) == str(state)
        assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_an_observation() -> None:
    game = pyspiel.load_game("hus")
    observation = make_observation(game)
    state = game.new_initial_state()
    observation.set_from(state, 1)
    assert observation.dict["planes"].shape == (8, 2, 16)
    assert observation.string_from(state, 1) == str(state)
    state.apply_action(3)
    assert state.information_state_string(0).endswith(" 3") and state.action_to_string(1, 4) == "4"


@pytest.mark.parametrize("name", NAMES)
def test_repetition_and_results_are_those_of_the_games(name: str) -> None:
    played = GAMES[name].random(11)
    # A start that is drawn is given as a position.
    text = adapter.spiel_text(played.start)
    state = pyspiel.load_game(name, {"position": text}).new_initial_state()
    for turn in played.turns:
        assert not state.is_terminal()
        actions = [type(played.start).action_of(move) for move in turn.split("|")]
        state.apply_actions(actions) if len(actions) == 2 else state.apply_action(actions[0])
    assert state.is_terminal() and state.returns() == [played.utility(0), played.utility(1)]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL and state.legal_actions() == []


def test_monte_carlo_tree_search_wins_an_endgame() -> None:
    start = gamesearch.expendibots.Position("8/8/8/8/8/8/1a1AA3/8 w 0")
    game = pyspiel.load_game("expendibots", {"position": adapter.spiel_text(start)})
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 300, evaluator, solve=True, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    winning = gamesearch.solve(start, nodes=100_000)
    assert winning.value == 1.0 and winning.plies is not None
    action = bot.step(state)
    after = start.play(action)
    assert after.outcome == "p1" or gamesearch.solve(after, nodes=100_000).value == 1.0


def test_counterfactual_regret_minimisation_solves_an_endgame() -> None:
    # Two turns before the cap on them: Upper's tokens have to guess where Lower's come from.
    start = gamesearch.ropasci360.Position("5/6/7/8/9/R7/p6/S5/r4 9 9 358")
    game = pyspiel.load_game("ropasci360", {"position": adapter.spiel_text(start)})
    in_turns = pyspiel.convert_to_turn_based(game)
    solver = cfr.CFRPlusSolver(in_turns)
    for _ in range(15):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(in_turns, policy) < 0.05
    value = expected_game_score.policy_value(in_turns.new_initial_state(), [policy, policy])[0]
    ours = gamesearch.solve(start)
    assert ours.value == pytest.approx(-2 / 3) and ours.stop == "proven"
    assert value == pytest.approx(ours.value, abs=0.05)
