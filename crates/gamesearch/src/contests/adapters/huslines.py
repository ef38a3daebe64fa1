"""Runs a program that plays Hus by lines of numbers, and speaks UGI for it.

Usage: huslines.py COMMAND [ARGUMENT ...]

For a new game the program gets the line `new`. For each move it gets the line

    move PLIES MILLISECONDS own0 own1 ... own31 other0 other1 ... other31

with the number of moves made so far, the time for this move (0 if no clock runs) and the seeds in all pits, first those
of the player to move, each player's pits in sowing order from that player's own view; and it answers with one line: the
number of the pit to sow from, 0 to 31. At the end it gets the line `quit`.
"""

import subprocess
import sys

import ugi


class Program:
    def __init__(self, command):
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )

    def say(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def new_game(self):
        self.say("new")

    def choose(self, game, fen, moves, role, limits):
        if moves or fen is None:
            raise ValueError("expected `position fen F` without moves")
        pits, side, plies = fen.split()
        sides = [half.split(",") for half in pits.split("/")]
        if side == "1":
            sides.reverse()
        clock = "p1time" if side == "0" else "p2time"
        time = limits.get("movetime") or limits.get(clock) or "0"
        self.say(" ".join(["move", plies, time] + sides[0] + sides[1]))
        answer = self.child.stdout.readline()
        if not answer.endswith("\n"):
            # Without its own words the reason would stay in the dark; they are on standard error already.
            sys.exit("the program ended with exit code %s instead of answering" % self.child.wait())
        return answer.strip()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: huslines.py COMMAND [ARGUMENT ...]")
    streams = ugi.Lines()
    program = Program(sys.argv[1:])
    ugi.serve(sys.argv[1], ["hus"], program, streams)
    program.say("quit")
