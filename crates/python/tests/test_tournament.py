"""Tournaments from Python."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from pathlib import Path

import gamesearch
import pytest
import tomllib
from gamesearch import GAMES

FILES = {
    "plan.json",
    "tournament.toml",
    "journal.jsonl",
    "summary.json",
    "standings.csv",
    "timings.json",
    "report.html",
}


class First:
    """Plays the first move."""

    def choose(self, game: gamesearch.Game, player: int | None = None) -> str:
        return game.legal_moves(player)[0]


class Chance:
    """Plays by chance, from the seed of each game."""

    def new_game(self, player: int, seed: int) -> None:
        self.rng = random.Random(seed)

    def choose(self, game: gamesearch.Game, player: int | None = None) -> int:
        return self.rng.choice(game.legal_actions(player))


def test_objects_classes_and_specs_play_each_other(tmp_path: Path) -> None:
    games = list(GAMES)
    bots = {"first": First(), "chance": Chance, "random": "random"}
    result = gamesearch.tournament(games, bots, rounds=1, seed=3, out=tmp_path / "run")
    assert result.ending == "complete" and [event.name for event in result.events] == games
    assert {path.name for path in (tmp_path / "run").iterdir()} >= FILES and result.report.is_file()
    played = list(result.games())
    assert len(played) == len(games) * 3 * 2
    for one in played:
        game = GAMES[one.event](one.start, one.turns)
        assert (game.outcome, game.reason) == (one.outcome, one.reason)
    for event in result.events:
        assert sum(row.games for row in event.standings) == 12 and event.faults == {}
        assert [row.rank for row in event.standings] == [1, 2, 3]


def test_a_bot_of_ours_may_be_given_as_an_object(tmp_path: Path) -> None:
    bots = [gamesearch.Bot("ropasci360", "greedy"), First]
    result = gamesearch.tournament("ropasci360", bots, rounds=1, out=tmp_path / "run", report=False)
    assert [row.bot for row in result.events[0].standings].count("First") == 1
    assert {path.name for path in (tmp_path / "run").iterdir()} >= FILES - {"report.html"}


def test_the_same_seed_plays_the_same_games_with_any_number_of_jobs(tmp_path: Path) -> None:
    def games(name: str, seed: int, jobs: int) -> list[tuple[int, str]]:
        bots = {"chance": Chance, "mcts": "mcts", "random": "random"}
        result = gamesearch.tournament(
            ["hus", "colosseum:size=6"],
            bots,
            rounds=2,
            seed=seed,
            jobs=jobs,
            out=tmp_path / name,
            report=False,
        )
        assert [event.name for event in result.events] == ["hus", "colosseum:size=6"]
        return sorted((game.index, " ".join(game.turns)) for game in result.games())

    one = games("one", 5, 1)
    assert one == games("two", 5, 3)
    assert one != games("three", 6, 2)
    texts = [(tmp_path / name / "summary.json").read_text() for name in ("one", "two")]
    assert texts[0] == texts[1]


def test_the_folder_is_that_of_the_command_line(tmp_path: Path) -> None:
    bots = ["random", "greedy", "quick=mcts", First()]
    limits = {"quick": "playouts=5"}
    gamesearch.tournament(["hus"], bots, rounds=1, seed=9, limits=limits, out=tmp_path / "run", report=False)
    plan = json.loads((tmp_path / "run" / "plan.json").read_text())
    assert [(bot["name"], bot["spec"]) for bot in plan["bots"]] == [
        ("random", "random"),
        ("greedy", "greedy"),
        ("quick", "mcts"),
        ("First", "python:First"),
    ]
    assert [bot["fingerprint"].split()[0] for bot in plan["bots"]] == ["agents", "agents", "agents", "python"]
    assert (
        plan["events"][0]["limits"][2] == "playouts=5"
        and plan["seed"] == 9
        and plan["format"] == "round-robin"
    )
    first = json.loads((tmp_path / "run" / "journal.jsonl").read_text().splitlines()[0])
    assert (
        first["settings"] == plan
        and first["plan"] == json.loads((tmp_path / "run" / "summary.json").read_text())["plan"]
    )
    settings = tomllib.loads((tmp_path / "run" / "tournament.toml").read_text())
    assert settings["games"] == ["hus"] and settings["bots"]["quick"] == {
        "spec": "mcts",
        "limits": "playouts=5",
    }
    assert settings["rounds"] == 1 and settings["limits"] == "usual" and settings["openings"] == "auto"


def test_failures_of_a_bot_lose_its_games_and_are_told(tmp_path: Path) -> None:
    class Broken:
        def choose(self, game: gamesearch.Game) -> str:
            raise RuntimeError("no idea")

    class Cheat:
        def choose(self, game: gamesearch.Game) -> str:
            return "31"

    result = gamesearch.tournament(
        "hus",
        {"broken": Broken(), "cheat": Cheat(), "random": "random"},
        rounds=1,
        out=tmp_path / "run",
        report=False,
    )
    faults = result.events[0].faults
    # Between the two it is over with the first who moves.
    assert set(faults["broken"]) == {"crash"} and set(faults["cheat"]) == {"illegal"}
    assert faults["broken"]["crash"] >= 2 and faults["cheat"]["illegal"] >= 1
    journal = (tmp_path / "run" / "journal.jsonl").read_text()
    assert "RuntimeError: no idea" in journal and "test_tournament.py" in journal
    assert result.events[0].standings[0].bot == "random"


def test_frames(tmp_path: Path) -> None:
    result = gamesearch.tournament("hus", ["random", "greedy"], rounds=2, out=tmp_path / "run", report=False)
    standings, games = result.standings_frame(), result.games_frame()
    assert list(standings["bot"]) == ["greedy", "random"] and list(standings["event"]) == ["hus"] * 2
    assert list(games["index"]) == [0, 1, 2, 3] and set(games["first"]) == {"random", "greedy"}


def test_the_next_free_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [
        gamesearch.tournament("hus", ["random", "greedy"], rounds=1, report=False).folder for _ in range(2)
    ]
    assert folders == [Path("runs/001"), Path("runs/002")]


def test_ctrl_c_and_resume(tmp_path: Path) -> None:
    class Slow:
        def choose(self, game: gamesearch.Game) -> str:
            time.sleep(0.002)
            return game.legal_moves()[0]

    def play(resume: bool, rounds: int = 8) -> gamesearch.tournaments.Tournament:
        bots = {"slow": Slow(), "random": "random"}
        return gamesearch.tournament(
            "hus", bots, rounds=rounds, out=tmp_path / "run", jobs=1, resume=resume, report=False
        )

    def interrupt() -> None:
        journal = tmp_path / "run" / "journal.jsonl"
        while not journal.is_file() or journal.read_text().count('"turns"') < 3:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        play(False)
    thread.join()
    with pytest.raises(ValueError, match="already holds a run"):
        play(False)
    with pytest.raises(ValueError, match="begun with other settings"):
        play(True, rounds=9)
    assert len(list(play(True).games())) == 16


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": "huss"}, "did you mean `hus`"),
        ({"games": []}, "at least one game"),
        ({"bots": ["random"]}, "at least two bots, found 1"),
        ({"bots": "random"}, "expected several bots"),
        ({"bots": ["random", "champoin"]}, "did you mean `champion`"),
        ({"bots": ["random", "random"]}, "the bot `random` is there twice"),
        ({"bots": {"one": "random", "two": object()}}, "with a method `choose`"),
        ({"limits": "fast"}, "key=value"),
        ({"limits": {"nobody": "nodes=5"}}, "no bot is called `nobody`"),
        ({"format": "knockout"}, "expected `round-robin`"),
        ({"openings": "random"}, "expected `auto`"),
        ({"rounds": 0}, "at least one round"),
    ],
)
def test_mistakes(arguments: dict[str, object], words: str, tmp_path: Path) -> None:
    given = {"games": "hus", "bots": ["random", "greedy"], "rounds": 1, "out": tmp_path / "run"} | arguments
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        gamesearch.tournament(**given)  # type: ignore[arg-type]
