"""Bots, searches, matrix games and the laws."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable

import gamesearch
import pytest
from gamesearch import GAMES, expendibots, hus, ropasci360

ENDGAME = ropasci360.Position("5/6/S6/p7/R8/r7/7/6/5 9 9 358")


@pytest.mark.parametrize("name", list(GAMES))
def test_every_bot_answers_twice_alike(name: str) -> None:
    game = GAMES[name].random(5)
    while len(game) > 6:
        game.pop()
    for spec in gamesearch.bots(name):
        answers = []
        for _ in range(2):
            bot = gamesearch.Bot(name, spec, seed=3)
            first = bot.analyse(game, player=game.to_move or 0, nodes=300, playouts=50, depth=2)
            assert first.move in game.legal_moves(game.to_move or 0)
            answers.append((first.move, first.line, first.depth))
            bot.new_game()
            again = bot.choose(game, player=game.to_move or 0, nodes=300, playouts=50, depth=2)
            assert again == first.move
        assert answers[0] == answers[1]


def test_an_analysis_is_plain_data() -> None:
    found = gamesearch.Bot("hus", "alphabeta").analyse(hus.Game(), depth=4)
    assert found.move == found.line[0] == found.moves[0].move and found.depth == 4
    assert found.score is not None and found.score.text == str(found.score) == f"{found.score.value:+}"
    assert found.statistics.nodes > 100 and found.statistics.seconds > 0 and found.mixed is None
    assert pickle.loads(pickle.dumps(found)) == found
    assert gamesearch.Bot("hus", "random").analyse(hus.Game()).score is None


def test_mixed_strategies_have_value_gap_and_matrix() -> None:
    analysis = gamesearch.Bot("ropasci360", "nash").analyse(ropasci360.Game(), player=1, depth=1)
    assert analysis.mixed is not None
    mixed = analysis.mixed
    for strategy in mixed.strategies:
        assert abs(sum(strategy.values()) - 1) < 1e-6 and list(strategy.values()) == sorted(
            strategy.values(), reverse=True
        )
    assert mixed.gap >= 0 and len(mixed.matrix) == len(mixed.strategies[0])
    assert all(len(row) == len(mixed.strategies[1]) for row in mixed.matrix)


def test_a_solved_endgame_is_an_equilibrium_of_its_matrix() -> None:
    found = gamesearch.solve(ENDGAME)
    assert found.mixed is not None and found.stop == "proven"
    assert found.value == found.mixed.value == pytest.approx(-1 / 3)
    matrix, (rows, columns) = found.mixed.matrix, found.mixed.strategies
    assert len(matrix) == len(rows) and all(len(row) == len(columns) for row in matrix)
    again = gamesearch.solve_matrix(matrix)
    assert abs(again.value - found.mixed.value) < 1e-6
    payoff = sum(
        p * q * matrix[i][j] for i, p in enumerate(rows.values()) for j, q in enumerate(columns.values())
    )
    assert abs(payoff - found.mixed.value) < 1e-6


def test_games_in_turns_are_solved_by_proof() -> None:
    game = expendibots.Game("8/8/8/8/8/8/1aA5/8 w 0")
    found = gamesearch.solve(game, nodes=20_000)
    assert found.stop == "proven" and found.value == 0.0 and found.line == ()
    game = expendibots.Game("8/8/8/8/8/8/1a1AA3/8 w 0")
    found = gamesearch.solve(game, nodes=200_000)
    assert (found.value, found.stop, found.plies) == (1.0, "proven", len(found.line))
    for move in found.line:
        game.push(move)
    assert game.outcome == "p1"
    assert gamesearch.solve(hus.Game(), nodes=100).value is None


def test_matrix_games() -> None:
    found = gamesearch.solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert all(abs(share - 1 / 3) < 1e-9 for share in found.row + found.column)
    assert abs(found.value) < 1e-9 and found.gap < 1e-9
    assert gamesearch.regret_matching([[3, 1], [0, 2]], 5000).value == pytest.approx(1.5, abs=0.01)
    with pytest.raises(ValueError, match="expected 2 payoffs in row 1, found 1"):
        gamesearch.solve_matrix([[1, 2], [3]])
    with pytest.raises(ValueError, match="finite payoff in row 0, column 1"):
        gamesearch.solve_matrix([[1, float("nan")]])
    with pytest.raises(TypeError):
        gamesearch.solve_matrix("no matrix")  # type: ignore[arg-type]


def test_a_predictable_strategy_can_be_exploited() -> None:
    def first(position: ropasci360.Position) -> dict[str, float]:
        return {position.legal_moves(0)[0]: 1.0}

    found = gamesearch.exploitability(ENDGAME, first, turns=2)
    assert (
        found.loss >= 0 and abs(found.value - found.guaranteed - found.loss) < 1e-9 and found.positions > 10
    )

    def raising(position: ropasci360.Position) -> dict[str, float]:
        raise KeyError(position.text)

    with pytest.raises(KeyError):
        gamesearch.exploitability(ENDGAME, raising, turns=1)
    with pytest.raises(ValueError, match="found hus"):
        gamesearch.exploitability(hus.Position(), first)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="more than 3 positions"):
        gamesearch.exploitability(ENDGAME, first, most_positions=3)


def test_a_wrong_generator_is_shown_by_a_short_game() -> None:
    def right(position: hus.Position, player: int) -> list[str]:
        return position.legal_moves(player)

    assert gamesearch.compare_moves(hus.Position(), right, games=5) is None

    def without_large_pits(position: hus.Position, player: int) -> list[int]:
        seeds = [int(count) for count in position.text.split(" ")[0].split("/")[player].split(",")]
        return [pit for pit in position.legal_actions(player) if seeds[pit] < 7]

    found = gamesearch.compare_moves(hus.Position(), without_large_pits)
    assert found is not None and found.extra == () and len(found.missing) >= 1 and len(found.turns) <= 4
    game = hus.Game(found.start, found.turns)
    assert game.position.text == found.position and game.to_move == found.player
    assert set(found.missing) <= set(game.legal_moves())

    def nonsense(position: hus.Position, player: int) -> list[str]:
        return ["nonsense"] if player == 0 else position.legal_moves(player)

    found = gamesearch.compare_moves(hus.Position(), nonsense)
    assert (
        found is not None and found.extra == ("nonsense",) and len(found.missing) == 24 and found.turns == ()
    )

    def failing(position: hus.Position, player: int) -> list[str]:
        raise RuntimeError("not written yet")

    found = gamesearch.compare_moves(hus.Position(), failing)
    assert found is not None and found.raised == "RuntimeError: not written yet"


def test_mistakes() -> None:
    for mistake, words in [
        (lambda: gamesearch.Bot("huss", "random"), "did you mean `hus`?"),
        (lambda: gamesearch.Bot("hus", "champoin"), "did you mean `champion`?"),
        (lambda: gamesearch.Bot("hus", "mcts:c=high"), "mcts: the option `c` takes"),
        (lambda: gamesearch.Bot("hus", "random").choose(hus.Game(), nodes=0), "from 1, found 0"),
        (
            lambda: gamesearch.Bot("hus", "random").choose(hus.Game(), movetime=-1),
            "seconds above 0, found -1",
        ),
        (lambda: gamesearch.Bot("hus", "random").choose(hus.Game(), player=1), "the player to move"),
        (lambda: gamesearch.Bot("hus", "random").choose(hus.Game.random(1)), "one that is over"),
    ]:
        with pytest.raises(ValueError, match=words.replace("?", r"\?")):
            mistake()
    with pytest.raises(TypeError, match="expected a Game or a Position of hus, found Game"):
        gamesearch.Bot("hus", "random").choose(expendibots.Game())


def test_playouts_are_those_of_the_seed() -> None:
    one, two = (gamesearch.playouts(hus.Game(), 50, seed) for seed in (1, 2))
    assert one == gamesearch.playouts(hus.Position(), 50, 1) != two
    assert one.games == 50 and sum(one.wins) + one.draws == 50


def interrupted(work: Callable[[], object]) -> float:
    """The seconds from Ctrl-C until the work has given up."""
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    ended = "not begun"
    try:
        ended = f"ended by itself: {work()}"
        # The signal is still to come.
        time.sleep(10)
    except KeyboardInterrupt:
        taken = time.perf_counter() - sent[0]
    finally:
        thread.join()
    assert ended == "not begun", ended
    return taken


@pytest.mark.parametrize(
    "work",
    [
        lambda: gamesearch.Bot("hus", "alphabeta").choose(hus.Game(), movetime=60),
        lambda: gamesearch.Bot("hus", "champion").choose(hus.Game(), nodes=10**12),
        lambda: gamesearch.Bot("hus", "mcts").choose(hus.Game(), playouts=10**12),
        lambda: gamesearch.Bot("ropasci360", "champion").choose(ropasci360.Game(), movetime=60),
        lambda: gamesearch.solve(hus.Game(), nodes=10**12),
        lambda: hus.Position().perft(30),
        lambda: gamesearch.playouts(hus.Position(), 10**12),
    ],
)
def test_ctrl_c_ends_a_search_at_once(work: Callable[[], object]) -> None:
    # The best of some tries: other programs may hold this one up.
    tries = []
    while not tries or (min(tries) > 0.1 and len(tries) < 5):
        tries.append(interrupted(work))
    assert min(tries) < 0.1, tries


def test_other_threads_run_while_a_bot_searches() -> None:
    counted = 0
    done = threading.Event()

    def search() -> None:
        gamesearch.Bot("hus", "alphabeta").choose(hus.Game(), movetime=0.5)
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 20


def test_two_threads_may_ask_one_bot() -> None:
    bot = gamesearch.Bot("hus", "alphabeta")
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(bot.choose(hus.Game(), depth=5))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1 and len(answers) == 4
