"""Tournaments: the runner of the command line, with bots that may be written in Python."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ._native import play_tournament

if TYPE_CHECKING:
    import pandas

__all__ = ["Chooser", "Event", "PlayedGame", "Standing", "Tournament", "tournament"]


class Chooser(Protocol):
    """A bot written in Python. It may also have `new_game(player, seed)`, which is told of each new game."""

    def choose(self, game: Any) -> str | int:
        """A legal move in a `Game`. Where both players move it is asked with `player=0` or `player=1` besides."""


Entrant: TypeAlias = str | Chooser | type[Chooser]
"""A spec string, an object with `choose(game)`, or a class of such objects: then each game gets an object of its own."""


@dataclass(frozen=True)
class Standing:
    """A bot in the standings of one game."""

    rank: int
    """From 1."""
    bot: str
    """Its name."""
    points: float
    """One for a win, a half for a draw."""
    games: int
    """Games that count."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    elo: float | None
    """Its rating; all of an event sum to zero."""
    elo_error: float | None
    """The error of the rating: half of its 95 % interval. None between two bots, where the interval is not the same on both sides."""
    elo_low: float | None
    """The lower end of the rating's 95 % interval; None where the results set no bound."""
    elo_high: float | None
    """The upper end."""


@dataclass(frozen=True)
class Event:
    """What came out in one game of the tournament."""

    name: str
    """The name of the game, with its set-up if one was chosen."""
    standings: tuple[Standing, ...]
    """The bots, best first."""
    faults: Mapping[str, Mapping[str, int]]
    """For each bot that failed how often, by kind: `crash`, `illegal`, `time`."""


@dataclass(frozen=True)
class PlayedGame:
    """One game of the journal."""

    index: int
    """Its number in the tournament."""
    event: str
    """The event it belongs to."""
    players: tuple[str, str]
    """Who played first and second."""
    start: str
    """The position at the start."""
    turns: tuple[str, ...]
    """Its turns, so that `Game(start, turns)` is the game."""
    outcome: str
    """`p1`, `p2` or `draw`."""
    reason: str
    """Why it ended."""


@dataclass(frozen=True)
class Tournament:
    """What came out of a tournament. Everything else is in its folder, as the command line would have left it."""

    folder: Path
    """The run folder."""
    ending: str
    """`complete`, or `interrupted`."""
    seconds: float
    """How long it took."""
    events: tuple[Event, ...]
    """The results, game by game."""

    @property
    def report(self) -> Path:
        """The report, one page for the browser."""
        return self.folder / "report.html"

    def games(self) -> Iterator[PlayedGame]:
        """The games, in the order in which they were finished."""
        with (self.folder / "journal.jsonl").open(encoding="utf-8") as journal:
            for text in journal:
                line = json.loads(text)
                if "turns" in line and line.get("outcome"):
                    yield PlayedGame(
                        index=line["index"],
                        event=line["event"],
                        players=tuple(line["players"]),
                        start=line["start"],
                        turns=tuple(line["turns"].split()),
                        outcome=line["outcome"],
                        reason=line["reason"],
                    )

    def standings_frame(self) -> pandas.DataFrame:
        """The standings of all events as a data frame (needs pandas)."""
        import pandas

        rows = [{"event": event.name} | asdict(row) for event in self.events for row in event.standings]
        return pandas.DataFrame(rows)

    def games_frame(self) -> pandas.DataFrame:
        """The games as a data frame, in the order of their numbers (needs pandas)."""
        import pandas

        rows = [
            {
                "index": game.index,
                "event": game.event,
                "first": game.players[0],
                "second": game.players[1],
                "turns": len(game.turns),
                "outcome": game.outcome,
                "reason": game.reason,
            }
            for game in sorted(self.games(), key=lambda game: game.index)
        ]
        return pandas.DataFrame(rows)


def tournament(
    games: str | Sequence[str],
    bots: Mapping[str, Entrant] | Sequence[Entrant],
    *,
    rounds: int = 30,
    limits: str | Mapping[str, str] = "usual",
    seed: int = 1,
    out: str | Path | None = None,
    format: str = "round-robin",
    openings: str = "auto",
    jobs: int | None = None,
    resume: bool = False,
    report: bool = True,
) -> Tournament:
    """Plays a tournament, and writes the run folder that the command line writes.

    `games` are names, with a set-up behind a colon if wanted: `"hus"`, `"colosseum:size=6"`. `bots` are spec strings (also
    `NAME=SPEC`), objects with `choose(game)` or classes of them; a dict gives them names. In each round every pairing plays two games
    from one opening. `limits` is `usual`, `official`, or a list such as `nodes=2000,playouts=200` or `movetime=100ms`; a dict gives
    single bots their own. `out` is the folder; without it, the next free number in `runs`.

    With limits other than times, the same seed plays the same games, on the command line too, if the bots do the same for the same
    game. Ctrl-C gives up the games under way; `resume=True` goes on.

    >>> import gamesearch, tempfile
    >>> class Last:
    ...     def choose(self, game):
    ...         return game.legal_moves()[-1]
    >>> folder = tempfile.mkdtemp()
    >>> result = gamesearch.tournament("hus", {"last": Last(), "random": "random"}, rounds=2, out=folder, report=False)
    >>> sum(row.games for row in result.events[0].standings), len(list(result.games()))
    (8, 4)
    """
    names = [games] if isinstance(games, str) else list(games)
    entrants = _entrants(bots)
    own = {} if isinstance(limits, str) else dict(limits)
    for name in own:
        if name not in dict(entrants):
            known = ", ".join(name for name, _ in entrants)
            raise ValueError(f"limits: no bot is called `{name}`; the bots are {known}")
    usual = limits if isinstance(limits, str) else "usual"
    players: list[tuple[str, object, str]] = [
        (name, player, own.get(name, usual)) for name, player in entrants
    ]
    folder = _next_folder() if out is None else Path(out)
    ending, summary, seconds = play_tournament(
        games=names,
        bots=players,
        rounds=rounds,
        seed=seed,
        format=format,
        openings=openings,
        jobs=jobs,
        folder=str(folder),
        resume=resume,
        report=report,
        settings=_settings(names, players, rounds, usual, seed, format, openings),
    )
    return Tournament(folder, ending, seconds, tuple(_events(json.loads(summary))))


def _entrants(bots: Mapping[str, Entrant] | Sequence[Entrant]) -> list[tuple[str, Entrant]]:
    """The bots with their names."""
    if isinstance(bots, Mapping):
        return list(bots.items())
    if isinstance(bots, str):
        raise ValueError(f"expected several bots, found the text {bots!r}")
    named: list[tuple[str, Entrant]] = []
    for bot in bots:
        if isinstance(bot, str):
            # As on the command line: an equals sign before any colon ends a name.
            name, equals, spec = bot.partition("=")
            named.append((name, spec) if equals and ":" not in name else (bot, bot))
        else:
            kind = bot if isinstance(bot, type) else type(bot)
            named.append((str(getattr(bot, "name", kind.__name__)), bot))
    return named


def _next_folder() -> Path:
    """The next free number in `runs`, made at once, so that nobody else takes it."""
    runs = Path("runs")
    runs.mkdir(exist_ok=True)
    number = 1
    while True:
        folder = runs / f"{number:03}"
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder


def _settings(
    games: list[str],
    players: list[tuple[str, object, str]],
    rounds: int,
    limits: str,
    seed: int,
    format: str,
    openings: str,
) -> str:
    """The text of `tournament.toml`. Strings of JSON are strings of TOML."""
    lines = [
        f"games = [{', '.join(json.dumps(game) for game in games)}]",
        f"rounds = {rounds}",
        f"format = {json.dumps(format)}",
        f"openings = {json.dumps(openings)}",
        f"limits = {json.dumps(limits)}",
        f"seed = {seed}",
    ]
    for name, player, own in players:
        spec = player if isinstance(player, str) else f"python:{name}"
        lines += ["", f"[bots.{json.dumps(name)}]", f"spec = {json.dumps(spec)}"]
        if own != limits:
            lines.append(f"limits = {json.dumps(own)}")
    return "\n".join(lines) + "\n"


def _events(summary: dict[str, Any]) -> Iterator[Event]:
    for event in summary["events"]:
        rows = tuple(
            Standing(
                rank=row["rank"],
                bot=row["bot"],
                points=row["points"],
                games=row["games"],
                wins=row["wins"],
                draws=row["draws"],
                losses=row["losses"],
                elo=row["elo"],
                elo_error=row["elo_error"],
                elo_low=row["elo_low"],
                elo_high=row["elo_high"],
            )
            for row in event["rows"]
        )
        yield Event(event["event"], rows, event["faults"])
