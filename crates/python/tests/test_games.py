"""The classes `Position` and `Game` of every game."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest
from gamesearch import GAMES, Game, Position, colosseum, expendibots, hus, ropasci360

NAMES = tuple(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_games_are_those_of_the_native_record(name: str, native: Path) -> None:
    lines = subprocess.run([native, "record", name, "1000"], capture_output=True, text=True, check=True)
    rows = lines.stdout.splitlines()
    assert len(rows) == 1000
    for row in rows:
        start, turns, keys, counts, outcome, reason = row.split("\t")
        game = GAMES[name](start)
        for turn, key, count in zip([*turns.split(), None], keys.split(), counts.split(), strict=True):
            position = game.position
            assert game.key == position.key == int(key, 16)
            assert turn_count(game) == (0 if turn is None else int(count))
            if turn is None:
                break
            moves = turn.split("|")
            for player, move in enumerate(moves):
                whose = player if position.SIMULTANEOUS else None
                assert move in game.legal_moves(whose)
            after = position.play(*moves)
            game.push(*moves)
            assert game.position == after
        assert (game.outcome, game.reason) == (outcome, reason)
        assert game.turns == turns.split()


def turn_count(game: Game) -> int:
    if game.to_move is None:
        return len(game.legal_moves(0)) * len(game.legal_moves(1))
    return len(game.legal_moves())


@pytest.mark.parametrize("name", NAMES)
def test_positions_and_games_survive_every_copy(name: str) -> None:
    for seed in range(20):
        game = GAMES[name].random(seed)
        for _ in range(seed % 3):
            game.pop()
        position = game.position
        for other in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            assert other == position and hash(other) == hash(position) and str(other) == position.text
        for twin in (copy.copy(game), copy.deepcopy(game), game.copy(), pickle.loads(pickle.dumps(game))):
            assert twin == game and twin.occurrences == game.occurrences and twin.outcome == game.outcome
            if len(twin) > 0:
                twin.pop()
                assert twin != game and len(twin) == len(game) - 1
        assert eval(repr(position), {name: __import__("gamesearch").__dict__[name]}) == position
        assert eval(repr(game), {name: __import__("gamesearch").__dict__[name]}) == game


@pytest.mark.parametrize("name", NAMES)
def test_what_is_taken_back_was_never_played(name: str) -> None:
    game = GAMES[name].random(7)
    states = []
    turns = game.turns
    while len(game) > 0:
        states.append((game.key, game.occurrences, game.outcome, game.reason))
        assert game.pop() == turns[len(game)]
    assert game == GAMES[name](game.start)
    for turn, state in zip(turns, reversed(states), strict=True):
        game.push(*turn.split("|"))
        assert (game.key, game.occurrences, game.outcome, game.reason) == state


def test_repetition_ends_a_game_but_not_a_position() -> None:
    game = expendibots.Game()
    for _ in range(20):
        if game.is_over:
            break
        for move in ("1b1c1", "1b8c8", "1c1b1", "1c8b8"):
            if not game.is_over:
                game.push(move)
    assert (game.outcome, game.reason) == ("draw", "repetition")
    assert not game.position.is_over and game.legal_moves() == [] and game.position.legal_moves() != []
    assert game.occurrences > 1 and game.utility(0) == 0
    assert not any(game.mask())
    game.pop()
    assert not game.is_over


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_actions_and_planes(name: str) -> None:
    game = GAMES[name].random(3)
    while len(game) > 0:
        game.pop()
        position = game.position
        for player in (0, 1):
            moves, actions = position.legal_moves(player), position.legal_actions(player)
            assert [position.move_of(action) for action in actions] == moves
            assert [position.action_of(move) for move in moves] == actions
            mask = np.frombuffer(position.mask(player), np.int8)
            assert mask.shape == (position.ACTIONS,) and sorted(actions) == mask.nonzero()[0].tolist()
            planes = np.frombuffer(position.planes(player), np.float32).reshape(position.shape)
            assert len(position.PLANES) == position.shape[0]
            assert planes.min() >= 0 and planes.max() <= 1 and planes.any()
            assert game.planes(player) == position.planes(player)
    assert GAMES[name]().position.actions() <= GAMES[name]().position.ACTIONS


def test_set_ups() -> None:
    assert colosseum.Position(size=6, seed=3) == colosseum.Position(seed=3, size="6")
    assert colosseum.Position(size=6, seed=3) != colosseum.Position(size=6, seed=4)
    assert colosseum.Game(size=6, seed=3).start == colosseum.Position(size=6, seed=3)
    assert colosseum.Position.actions(size=6) == 144
    assert hus.Game(hus.Position().play("12"), ["3"]).turns == ["3"]
    assert hus.Game(turns="12 3") == hus.Game(turns=["12", "3"])
    assert hus.Position() != colosseum.Position()
    assert isinstance(hus.Position(), Position) and isinstance(hus.Game(), Game)
    assert not isinstance(hus.Game(), Position)


def test_a_picture_and_a_drawing() -> None:
    game = hus.Game(turns="12")
    assert game.picture() == game.position.picture() != game.picture(colour=True)
    drawing = game._repr_svg_()
    assert drawing == game.svg() and drawing.startswith("<svg xmlns=") and drawing.endswith("</svg>")
    # The last turn is shown in the game's drawing only.
    assert drawing != game.position.svg()


def test_perft() -> None:
    assert hus.Position().perft(3) == 11_040
    assert ropasci360.Position().perft(2) == 301_401
    assert sum(expendibots.Position().divide(2).values()) == expendibots.Position().perft(2) == 2_500
    assert hus.Position().divide(0) == {} and hus.Position().perft(0) == 1


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (lambda: hus.Position("x"), "found 1 parts in `x`"),
        (lambda: hus.Position(size=3), "expected `standard` or nothing, found `size=3`"),
        (lambda: hus.Position("x", seed=1), "found both"),
        (lambda: colosseum.Position(size=99), "from 3 to 12, found `99`"),
        (lambda: colosseum.Position(size=6, colour="red"), "colour"),
        (lambda: hus.Position(seed=-1), "found -1"),
        (lambda: hus.Position().play("99"), "a pit from 0 to 31, found `99`"),
        (lambda: hus.Position().play("30"), "`30` is not a legal move of p1; legal: 0 1 2"),
        (lambda: hus.Position().play(32), "actions 0 to 31, found 32"),
        (lambda: hus.Position().play(-1), "found -1"),
        (lambda: hus.Position().play(2**70), "found 1180591620717411303424"),
        (lambda: hus.Position().play("1", "2"), "expected one move, found two"),
        (lambda: ropasci360.Position().play(1), "expected two moves, found one"),
        (lambda: ropasci360.Position().play("r@i5"), "two moves joined by `|`, found `r@i5`"),
        (lambda: ropasci360.Position().legal_moves(), "say whose moves, 0 or 1"),
        (lambda: hus.Position().legal_moves(2), "the player 0 or 1, found 2"),
        (lambda: hus.Position().perft(-1), "found -1"),
        (lambda: hus.Game(turns="0 55"), "turn 2 cannot be played"),
        (lambda: hus.Game().pop(), "at its start"),
        (lambda: hus.Position("\ud800"), ""),
    ],
)
def test_mistakes_are_value_errors_in_words(mistake, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError) as caught:
        mistake()
    assert words in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_any_text_is_read_or_refused(name: str) -> None:
    rng = random.Random(5)
    make = GAMES[name]
    good = [make.random(seed).position.text for seed in range(5)]
    for _ in range(3000):
        text = list(rng.choice(good))
        for _ in range(rng.randrange(1, 4)):
            spot = rng.randrange(len(text))
            text[spot] = rng.choice([*"0123456789/ abcdwpRPS()!,", "", "ä", "\0", "\U0001f3b2"])
        broken = "".join(text)
        try:
            position = make(broken).position
        except ValueError as error:
            assert str(error)
        else:
            assert type(position)(position.text) == position
            if not position.is_over:
                moves = [rng.choice(position.legal_moves(player)) for player in players(position)]
                position.play(*moves)
        try:
            make().push(broken)
        except ValueError as error:
            assert str(error)


def players(position: Position) -> tuple[int, ...]:
    return (0, 1) if position.to_move is None else (position.to_move,)
