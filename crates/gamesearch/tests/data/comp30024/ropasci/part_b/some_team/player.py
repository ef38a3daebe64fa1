"""Plays one of the legal actions it is told; its parameters have names of their own."""

import random


class Player:
    def __init__(self, side):
        self.dice = random.Random(side)
        self.own = None

    def action(self):
        self.own = self.dice.choice(self.legal_actions)
        return self.own

    def update(self, theirs, mine):
        if self.own is not None:
            assert mine == self.own, (theirs, mine, self.own)
        self.own = None
