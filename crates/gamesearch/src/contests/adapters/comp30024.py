"""Runs a player of the contests of COMP30024 (University of Melbourne) as it is, and speaks UGI for it.

Usage: comp30024.py DIR

DIR is the player's package, or a folder with one package of a player in it. 2020 is Expendibots: `Player(colour)` with "white" or "black", `action()`,
`update(colour, action)`. 2021 is RoPaSci 360: `Player(side)` with "upper" or "lower", `action()`,
`update(opponent_action, own_action)`. All arguments are given by position, as the contest's referee does. The host chooses the
game. Before each `action()` the player's attribute `legal_actions` holds its legal actions, for those who look.
"""

import importlib
import os
import sys

import entries
import ugi

# So deep below a folder players are looked for.
DEPTH = 4
CLASSES = ("Player", "ExamplePlayer")


def square(text):
    """`e4` as (4, 3)."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def square_text(pair):
    x, y = pair
    return "abcdefgh"[x] + str(y + 1)


def hexagon(text):
    """`e5` as (0, 0): row, then column."""
    return ord(text[0]) - ord("e"), int(text[1:]) - 5


def hexagon_text(pair):
    r, q = pair
    return chr(ord("e") + r) + str(q + 5)


def distance(a, b):
    dr, dq = a[0] - b[0], a[1] - b[1]
    return (abs(dr) + abs(dq) + abs(dr + dq)) // 2


class Expendibots:
    sides = ("white", "black")
    start = "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0"

    @staticmethod
    def action(text):
        """The contest's tuple for the text of a move."""
        if text.endswith("!"):
            return ("BOOM", square(text[:-1]))
        return ("MOVE", int(text[:-4]), square(text[-4:-2]), square(text[-2:]))

    @staticmethod
    def text(action):
        """The text of a move for the contest's tuple."""
        if action[0] == "BOOM":
            return square_text(action[1]) + "!"
        if action[0] == "MOVE":
            return str(action[1]) + square_text(action[2]) + square_text(action[3])
        raise ValueError("expected a MOVE or a BOOM, found %r" % (action,))

    @staticmethod
    def side(moves, role):
        return len(moves) % 2

    @classmethod
    def update(cls, player, side, number, move):
        player.update(cls.sides[number % 2], cls.action(move))


class RoPaSci360:
    sides = ("upper", "lower")
    start = "5/6/7/8/9/8/7/6/5 0 0 0"

    @staticmethod
    def action(text):
        if "@" in text:
            symbol, where = text.split("@")
            return ("THROW", symbol, hexagon(where))
        a, b = hexagon(text[:2]), hexagon(text[2:])
        return ("SLIDE" if distance(a, b) == 1 else "SWING", a, b)

    @staticmethod
    def text(action):
        if action[0] == "THROW":
            return action[1].lower() + "@" + hexagon_text(action[2])
        if action[0] in ("SLIDE", "SWING"):
            return hexagon_text(action[1]) + hexagon_text(action[2])
        raise ValueError("expected a THROW, a SLIDE or a SWING, found %r" % (action,))

    @staticmethod
    def side(moves, role):
        return 0 if role == "p1" else 1

    @classmethod
    def update(cls, player, side, number, move):
        both = [cls.action(part) for part in move.split("|")]
        # By position, as the contest's referee does it: a player may call its parameters what it likes.
        player.update(both[1 - side], both[side])


GAMES = {"expendibots": Expendibots, "ropasci360": RoPaSci360}


def is_player(folder):
    """Whether a folder looks like the package of a player."""
    if "Player" in entries.names_of(os.path.join(folder, "__init__.py")):
        return True
    return not entries.names_of(os.path.join(folder, "player.py")).isdisjoint(CLASSES)


def players_below(folder):
    """The packages of players below a folder, the folders of tools and hidden ones left out."""
    found = []
    for here, folders, _ in os.walk(folder):
        depth = os.path.relpath(here, folder).count(os.sep) + 1 if here != folder else 0
        folders[:] = sorted(name for name in folders if name[0] not in "._") if depth < DEPTH else []
        found.extend(path for path in (os.path.join(here, name) for name in folders) if is_player(path))
    return found


def package(folder):
    """The folder of the player's package: this one, or the only one below it."""
    if is_player(folder) or "*" in entries.names_of(os.path.join(folder, "__init__.py")):
        return folder
    found = players_below(folder)
    if len(found) == 1:
        return found[0]
    if found:
        sys.exit(
            "expected the package of one player, found several below %s; name one of them:\n%s"
            % (folder, "\n".join("  comp30024:" + path for path in found))
        )
    sys.exit(
        "expected the package of a player (a folder whose `__init__.py` or `player.py` has a class `Player`), "
        "found none in %s nor in its folders" % folder
    )


def load(folder):
    """The class of the player: `Player`, from the package or from its module `player`."""
    # Players read their files from beside their package, and so does the contest's referee.
    os.chdir(os.path.dirname(folder))
    sys.path.insert(0, os.path.dirname(folder))
    name = entries.package_name(folder)
    loaded = entries.import_package(folder, name)
    if hasattr(loaded, "Player"):
        return loaded.Player
    module = importlib.import_module(name + ".player")
    for candidate in CLASSES:
        if hasattr(module, candidate):
            return getattr(module, candidate)
    sys.exit("expected a class `Player` in the package `%s` or in its module `player`" % name)


class Contest:
    """One player of the contest, told of all moves as the contest's referee tells them."""

    def __init__(self, folder):
        self.make = load(folder)
        self.before = (None, [])
        self.new_game()

    def opening(self, fen, moves):
        self.before = (fen, moves)

    def new_game(self):
        self.player = None
        self.told = []

    def choose(self, game, fen, moves, role, limits, legal):
        rules = GAMES[game]
        if fen not in (None, rules.start):
            # The player saw nothing of the opening yet: it is told of those moves like of any others.
            origin, opening = self.before
            if not opening or origin not in (None, rules.start):
                raise ValueError(
                    "a contest player can only follow a game from the standard start, found the start `%s`; "
                    "use openings auto, random:N or start" % fen
                )
            moves = opening + moves
        side = rules.side(moves, role)
        if self.player is None or moves[: len(self.told)] != self.told or self.told_side != side:
            self.player = self.make(rules.sides[side])
            self.told, self.told_side = [], side
        for number in range(len(self.told), len(moves)):
            rules.update(self.player, side, number, moves[number])
            self.told.append(moves[number])
        if legal is not None:
            try:
                self.player.legal_actions = [rules.action(move) for move in legal]
            except AttributeError:
                pass  # A class with slots has no place for it, and does not ask.
        return rules.text(self.player.action())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: comp30024.py DIR")
    # First the streams: a player may print while it is loaded.
    streams = ugi.Lines()
    folder = package(os.path.abspath(sys.argv[1]))
    ugi.serve(os.path.basename(folder), list(GAMES), Contest(folder), streams)
