"""Memory stays flat, however many plies are played."""

from __future__ import annotations

import gc
import random
import resource

import gamesearch
from gamesearch import GAMES

PLIES = 1_000_000


def resident() -> float:
    """The memory that this process holds now, in MiB."""
    with open("/proc/self/statm") as status:
        return int(status.read().split()[1]) * resource.getpagesize() / 2**20


def play(plies: int, rng: random.Random) -> None:
    played = 0
    while played < plies:
        for make in GAMES.values():
            game = make()
            while not game.is_over and played < plies:
                if game.to_move is None:
                    game.push(*(rng.choice(game.legal_actions(player)) for player in (0, 1)))
                else:
                    game.push(rng.choice(game.legal_moves()))
                played += 1
                if played % 7 == 0:
                    game.pop()
                if played % 50 == 0:
                    game.mask(0), game.planes(0), game.svg(), game.position.play_out(1), repr(game)


def test_a_million_plies_leave_nothing_behind() -> None:
    rng = random.Random(1)
    bot = gamesearch.Bot("hus", "alphabeta")
    play(PLIES // 10, rng)
    bot.choose(gamesearch.hus.Game(), nodes=10_000)
    gc.collect()
    before = resident()
    play(PLIES, rng)
    for _ in range(50):
        bot.choose(gamesearch.hus.Game(), nodes=1_000)
        bot.new_game()
    gc.collect()
    assert resident() - before < 8
