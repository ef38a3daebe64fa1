"""How fast the wheel is, beside OpenSpiel, PettingZoo and the same games without Python: `crates/python/test.sh speed`.

Everything is measured in processor time and in one run, the two sides of a row in turn; the best of some rounds counts.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import time
from collections.abc import Callable

import gamesearch
import gamesearch.pettingzoo
import pyspiel
from gamesearch import GAMES
from pettingzoo.classic import connect_four_v3

ROUNDS = 5
SECONDS = 0.4
PLAYOUTS = 20_000


def rate(work: Callable[[], int]) -> float:
    """How many units the work does a second, if it is done over and over."""
    done, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        done += work()
    return done / (time.process_time() - begun)


def open_spiel(name: str) -> Callable[[], int]:
    """A random game of OpenSpiel, ply by ply."""
    game, rng = pyspiel.load_game(name), random.Random(1)

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return plies

    return play


def ours(name: str) -> Callable[[], int]:
    """A random game of ours, driven the same way."""
    make, rng = GAMES[name], random.Random(1)

    def play() -> int:
        game, plies = make(), 0
        while not game.is_over:
            game.push(rng.choice(game.legal_actions()))
            plies += 1
        return plies

    return play


def steps(make: Callable[[], object]) -> Callable[[], int]:
    """The steps of one random game, with `last` before each; drawing the actions is not counted: they are drawn before."""
    board, rng = make(), random.Random(1)
    board.reset(seed=1)
    actions = []
    while True:
        observation, _, terminated, truncated, _ = board.last()
        if terminated or truncated:
            break
        actions.append(int(rng.choice(observation["action_mask"].nonzero()[0])))
        board.step(actions[-1])

    def play() -> int:
        board.reset(seed=1)
        for action in actions:
            board.last()
            board.step(action)
        return len(actions)

    return play


def native_playouts(name: str) -> float:
    """Turns a second of random games without Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run(
        [os.environ["GAMESEARCH_NATIVE"], "playouts", name, str(PLAYOUTS)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(out.stdout) / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def batch_playouts(name: str) -> float:
    """Turns a second of `playouts`."""
    begun = time.process_time()
    found = gamesearch.playouts(GAMES[name](), PLAYOUTS)
    return found.turns / (time.process_time() - begun)


def row(what: str, one: Callable[[], float], other: Callable[[], float], goal: float) -> bool:
    """Prints a row: the two rates, and the median of the ratios."""
    pairs = [(one(), other()) for _ in range(ROUNDS)]
    ratio = sorted(ours / theirs for ours, theirs in pairs)[ROUNDS // 2]
    fast, slow = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    print(f"{what:58} {fast:13,.0f} {slow:13,.0f} {ratio:7.2f}  (goal {goal})")
    return ratio >= goal


def main() -> None:
    """Prints all rows, and fails if one misses its goal."""
    print(f"{'a second':58} {'ours':>13} {'theirs':>13} {'ratio':>7}")
    met = []
    for name, theirs in [("hus", "oware"), ("expendibots", "connect_four"), ("colosseum", "connect_four")]:
        mine, other = ours(name), open_spiel(theirs)
        what = f"plies from Python: {name} / {theirs} of OpenSpiel"
        met.append(row(what, lambda mine=mine: rate(mine), lambda other=other: rate(other), 1.0))
    for name in GAMES:
        what = f"plies of random games: playouts({name}) / native"
        met.append(
            row(what, lambda name=name: batch_playouts(name), lambda name=name: native_playouts(name), 0.9)
        )
    theirs = steps(connect_four_v3.env)
    for name in ("hus", "expendibots", "colosseum"):
        mine = steps(lambda name=name: gamesearch.pettingzoo.env(name))
        what = f"steps: env({name}) / connect_four_v3 of PettingZoo"
        met.append(row(what, lambda mine=mine: rate(mine), lambda: rate(theirs), 5.0))
    if not all(met):
        raise SystemExit("a goal is missed")


if __name__ == "__main__":
    main()
