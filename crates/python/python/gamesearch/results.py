"""What searches, playouts and tournaments hand back: plain dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Analysis",
    "Disagreement",
    "Exploitability",
    "MatrixSolution",
    "Mixed",
    "Playouts",
    "RootMove",
    "Score",
    "Solution",
    "Statistics",
]


@dataclass(frozen=True)
class Score:
    """A score for the player who asked: larger is better."""

    value: int
    """The number. Proven wins and losses lie beyond every other score."""
    text: str
    """For people: `+12`, `win in 5`."""
    win_in: int | None
    """Plies to a proven win."""
    loss_in: int | None
    """Plies to a proven loss."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Statistics:
    """What a search did, in numbers."""

    nodes: int
    """Visited nodes, those of the quiescence search included."""
    quiescence_nodes: int
    """Those of them in the quiescence search."""
    evaluations: int
    """Calls of the evaluation."""
    cutoffs: int
    """Nodes left early because a move was too good."""
    first_move_cutoffs: int
    """Those of them where the first move searched was the one."""
    table_hits: int
    """Look-ups that found the position in the table."""
    playouts: int
    """Playouts of a Monte Carlo search."""
    seconds: float
    """Time taken."""


@dataclass(frozen=True)
class RootMove:
    """A move and what the search thinks of it."""

    move: str
    """The move."""
    score: Score
    """Its score for the player who asked."""
    bound: str
    """What the score says of the true one: `exact`, or an `upper` or `lower` bound of it."""
    visits: int
    """Visits of a Monte Carlo search; nodes below it in another search."""
    weight: float
    """Probability in a mixed strategy, or share of the visits."""


@dataclass(frozen=True)
class Mixed:
    """Mixed strategies where both players choose at once."""

    strategies: tuple[dict[str, float], dict[str, float]]
    """For each player the moves that are played, with their probabilities, the likeliest first."""
    value: float
    """The value for the player who asked, from -1 (lost) to +1 (won)."""
    gap: float
    """How much the two could gain together by best responses: 0 at an equilibrium of what was searched."""
    matrix: tuple[tuple[float, ...], ...]
    """What the player who asked gets for each pair of the moves in `strategies`: a row for each move of the first player. Empty
    where the search keeps no such values (Monte Carlo)."""


@dataclass(frozen=True)
class Analysis:
    """The answer of a bot."""

    move: str
    """The move that it plays. (Where both players move it is drawn from the strategy.)"""
    score: Score | None
    """The score for the player who asked; `None` for a bot that does not look ahead."""
    line: tuple[str, ...]
    """The expected course of the game."""
    depth: int
    """The deepest finished iteration, or the longest line of the tree."""
    stop: str | None
    """Why it came back: `depth`, `nodes`, `playouts`, `time`, `stopped`, `only-move`, `proven`, `decided`, `clearly-best`."""
    statistics: Statistics
    """What it did."""
    moves: tuple[RootMove, ...]
    """The moves of the position, best first."""
    mixed: Mixed | None
    """The strategies, where both players move at once."""


@dataclass(frozen=True)
class Solution:
    """What is known of the value of a game if both play their best."""

    value: float | None
    """What the game is worth to the first player, from -1 (lost) to +1 (won); `None` if the limits came first."""
    line: tuple[str, ...]
    """Moves of the winner with the answers that hold out longest, of a game in turns that is won."""
    plies: int | None
    """The ply at which the game is decided at the latest."""
    mixed: Mixed | None
    """The strategies, where both players move at once, with the values for the first player."""
    nodes: int
    """Visited nodes."""
    stop: str
    """Why the search came back; `proven` if the value is known."""


@dataclass(frozen=True)
class MatrixSolution:
    """A solution of a matrix game."""

    value: float
    """What the row player gets."""
    row: tuple[float, ...]
    """The probability of each row."""
    column: tuple[float, ...]
    """The probability of each column."""
    gap: float
    """How much the two could gain together by best responses."""


@dataclass(frozen=True)
class Exploitability:
    """How a strategy fares against the opponent who knows it best."""

    value: float
    """What the game is worth to the player."""
    guaranteed: float
    """What the strategy gets against a best response."""
    loss: float
    """The difference: 0 for a strategy of an equilibrium."""
    positions: int
    """The positions that were looked at."""


@dataclass(frozen=True)
class Playouts:
    """What came out of random games."""

    games: int
    """How many were played."""
    turns: int
    """How many turns all of them had together."""
    wins: tuple[int, int]
    """The wins of each player."""
    draws: int
    """The draws."""


@dataclass(frozen=True)
class Disagreement:
    """A position at which two move generators differ, with a short game that leads to it."""

    start: str
    """Where the game starts."""
    turns: tuple[str, ...]
    """Its turns."""
    position: str
    """The position that they lead to."""
    player: int
    """Whose moves differ."""
    missing: tuple[str, ...]
    """Legal moves that your generator leaves out."""
    extra: tuple[str, ...]
    """Moves of your generator that are not legal, or that it lists twice."""
    raised: str | None
    """The error that your generator raised, if that is what happened."""
