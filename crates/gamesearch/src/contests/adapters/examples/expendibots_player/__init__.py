"""A player for Expendibots in the form of the contest of 2020."""

from .player import ExamplePlayer as Player
