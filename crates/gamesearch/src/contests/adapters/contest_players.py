"""Our engines inside the contests' own referees: players in the forms of COMP30024 and COMP 424.

Each runs an engine as a child process and speaks UGI with it. The engine is the command line in the environment variable
WORKBENCH_ENGINE, for instance

    export WORKBENCH_ENGINE="target/release/xtask engine expendibots champion"

and the time for a move is WORKBENCH_MOVETIME in milliseconds (1000 if it is not set). To enter the contest of 2020, copy
this file beside the referee and write a package whose `__init__.py` says

    from contest_players import Player2020 as Player

and Player2021 for 2021. For COMP 424, write an agent file that says

    from agents.agent import Agent
    from store import register_agent
    from contest_players import Player424

    @register_agent("student_agent")
    class StudentAgent(Player424, Agent):
        pass

Only the standard library is used.
"""

import atexit
import os
import shlex
import subprocess


class Engine:
    """A conversation with an engine."""

    def __init__(self, command=None):
        command = command or shlex.split(os.environ["WORKBENCH_ENGINE"])
        self.movetime = os.environ.get("WORKBENCH_MOVETIME", "1000")
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )
        atexit.register(self.close)
        self.ask("ugi", "ugiok")
        self.say("uginewgame")
        self.ask("isready", "readyok")

    def say(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def ask(self, line, word):
        """Says a line and waits for the line that begins with a word."""
        self.say(line)
        for answer in self.child.stdout:
            words = answer.split()
            if words and words[0] == word:
                return words
        raise RuntimeError("the engine ended while it was asked `%s`" % line)

    def move(self, position, role=""):
        self.say("position " + position)
        return self.ask("go %smovetime %s" % (role, self.movetime), "bestmove")[1]

    def close(self):
        if self.child.poll() is None:
            try:
                self.say("quit")
                self.child.wait(2)
            except (OSError, subprocess.TimeoutExpired):
                self.child.kill()


def moves_text(moves):
    return "startpos" + (" moves " + " ".join(moves) if moves else "")


def square(text):
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def square_text(pair):
    return "abcdefgh"[pair[0]] + str(pair[1] + 1)


class Player2020:
    """Expendibots: `Player(colour)`, `action()`, `update(colour, action)`."""

    def __init__(self, colour):
        self.engine = Engine()
        self.moves = []

    def action(self):
        text = self.engine.move(moves_text(self.moves))
        if text.endswith("!"):
            return ("BOOM", square(text[:-1]))
        return ("MOVE", int(text[:-4]), square(text[-4:-2]), square(text[-2:]))

    def update(self, colour, action):
        if action[0] == "BOOM":
            self.moves.append(square_text(action[1]) + "!")
        else:
            self.moves.append(str(action[1]) + square_text(action[2]) + square_text(action[3]))


def hexagon(text):
    return ord(text[0]) - ord("e"), int(text[1:]) - 5


def hexagon_text(pair):
    return chr(ord("e") + pair[0]) + str(pair[1] + 5)


def joint_text(action):
    if action[0] == "THROW":
        return action[1] + "@" + hexagon_text(action[2])
    return hexagon_text(action[1]) + hexagon_text(action[2])


class Player2021:
    """RoPaSci 360: `Player(side)`, `action()`, `update(opponent_action, player_action)`."""

    def __init__(self, player):
        self.engine = Engine()
        self.upper = player == "upper"
        self.moves = []

    def action(self):
        text = self.engine.move(moves_text(self.moves), "role p1 " if self.upper else "role p2 ")
        if "@" in text:
            symbol, where = text.split("@")
            return ("THROW", symbol, hexagon(where))
        a, b = hexagon(text[:2]), hexagon(text[2:])
        dr, dq = a[0] - b[0], a[1] - b[1]
        distance = (abs(dr) + abs(dq) + abs(dr + dq)) // 2
        return ("SLIDE" if distance == 1 else "SWING", a, b)

    def update(self, opponent_action, player_action):
        own, other = joint_text(player_action), joint_text(opponent_action)
        self.moves.append(own + "|" + other if self.upper else other + "|" + own)


class Player424:
    """Colosseum Survival!: `step(chess_board, my_pos, adv_pos, max_step)`."""

    def __init__(self):
        super().__init__()
        self.engine = Engine()
        self.name = "Workbench"
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        # The contest does not tell who began; for the engine the player to move is `a` on an even ply.
        rows = "/".join(
            "".join("%x" % sum(1 << wall for wall in range(4) if cell[wall]) for cell in row) for row in chess_board
        )
        cells = ["abcdefghijkl"[int(c)] + str(int(r) + 1) for r, c in (my_pos, adv_pos)]
        text = self.engine.move("fen %d %s %s %s a 0" % (len(chess_board), rows, cells[0], cells[1]))
        return (int(text[1:-1]) - 1, ord(text[0]) - ord("a")), "urdl".index(text[-1])
