"""A player for RoPaSci 360 in the form of the contest of 2021; the class is in the module `player`."""
