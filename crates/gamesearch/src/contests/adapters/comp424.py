"""Runs an agent of the contests of COMP 424 (McGill, 2022 and 2023) as it is, and speaks UGI for it.

Usage: comp424.py FILE

FILE defines a class with the method `step(chess_board, my_pos, adv_pos, max_step)`, which gets a numpy array of
booleans (rows x columns x 4 walls: up, right, down, left) and returns `((row, column), wall)`. The modules `store` and
`agents.agent` that the contest gives to an agent are there. FILE is loaded as a part of its package, so that it may import its
neighbours as `from .search import best` too. Before each step the agent's attribute `legal_steps` holds what `step` may return.
"""

import inspect
import os
import sys
import types

import entries
import ugi

WALLS = "urdl"


class Agent:
    """The base class of agents."""

    def __init__(self):
        self.name = "Agent"
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        raise NotImplementedError

    def __str__(self):
        return self.name


def contest_modules(folder):
    """What `from agents.agent import Agent` and `from store import register_agent` expect."""
    store = types.ModuleType("store")
    store.AGENT_REGISTRY = {}

    def register_agent(name):
        def keep(agent):
            store.AGENT_REGISTRY[name] = agent
            return agent

        return keep

    store.register_agent = register_agent
    agents = types.ModuleType("agents")
    agents.__path__ = [folder]
    above = folder
    while os.path.basename(above) not in ("agents", ""):
        above = os.path.dirname(above)
    if os.path.basename(above) == "agents" and above != folder:
        agents.__path__.append(above)
    agents.agent = types.ModuleType("agents.agent")
    agents.agent.Agent = Agent
    sys.modules.update({"store": store, "agents": agents, "agents.agent": agents.agent})


def load(file):
    """The agent's class: the registered one, else the only one in the file with a method `step`."""
    file = os.path.abspath(file)
    folder = os.path.dirname(file)
    contest_modules(folder)
    sys.path[:0] = [folder, os.path.dirname(folder)]
    module = entries.import_file(file)
    registered = list(sys.modules["store"].AGENT_REGISTRY.values())
    # A package may register all its agents; the one that is meant stands in the file.
    here = [kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == module.__name__]
    found = (
        [kind for kind in registered if kind in here] or registered or [kind for kind in here if hasattr(kind, "step")]
    )
    if len(found) != 1:
        sys.exit(
            "expected one class with a method `step` in %s, found %d: %s"
            % (file, len(found), ", ".join(kind.__name__ for kind in found) or "none")
        )
    return found[0]


def cell(text):
    """`c4` as (3, 2): row, then column."""
    return int(text[1:]) - 1, ord(text[0]) - ord("a")


def step(text):
    """`c4u` as ((3, 2), 0)."""
    return cell(text[:-1]), WALLS.index(text[-1])


class Contest:
    def __init__(self, file):
        try:
            import numpy
        except ImportError:
            sys.exit("an agent of COMP 424 gets numpy arrays, but this Python has no numpy: %s" % sys.executable)
        self.numpy = numpy
        self.make = load(file)
        self.new_game()

    def new_game(self):
        self.agent = None

    def choose(self, game, fen, moves, role, limits, legal):
        if moves or fen is None:
            raise ValueError("expected `position fen F` without moves")
        if self.agent is None:
            self.agent = self.make()
        size, rows, first, second, side = fen.split()[:5]
        size = int(size)
        board = self.numpy.zeros((size, size, 4), dtype=bool)
        for r, row in enumerate(rows.split("/")):
            for c, digit in enumerate(row):
                for wall in range(4):
                    board[r, c, wall] = int(digit, 16) >> wall & 1
        cells = [cell(first), cell(second)]
        if side == "b":
            cells.reverse()
        if legal is not None:
            try:
                self.agent.legal_steps = [step(move) for move in legal]
            except AttributeError:
                pass  # A class with slots has no place for it, and does not ask.
        (r, c), wall = self.agent.step(board, cells[0], cells[1], (size + 1) // 2)
        return "abcdefghijkl"[int(c)] + str(int(r) + 1) + WALLS[int(wall)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: comp424.py FILE")
    # First the streams: an agent may print while it is loaded.
    streams = ugi.Lines()
    ugi.serve(os.path.splitext(os.path.basename(sys.argv[1]))[0], ["colosseum"], Contest(sys.argv[1]), streams)
