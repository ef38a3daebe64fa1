"""Runs a program that plays Hus by lines of numbers, and speaks UGI for it.

Usage: huslines.py COMMAND [ARGUMENT ...]

For a new game the program gets the line `new`. For each move it gets the line

    move PLIES MILLISECONDS own0 own1 ... own31 other0 other1 ... other31 legal PIT PIT ...

with the number of moves made so far, the time for this move (0 if no clock runs), the seeds in all pits, first those of the
player to move, each player's pits in sowing order from that player's own view, and the pits that may be sown from; and it
answers with one line: the number of the pit to sow from, 0 to 31. At the end it gets the line `quit`.

Before it is said to be ready it gets `new` and a move at the start of a game, as a trial: a program that cannot start, or
ends at once, is found out before the first game, and a slow start counts to no move.
"""

import os
import select
import shlex
import subprocess
import sys
import time

import ugi

# So long is waited for the answer to the trial; the host waits ten seconds for everything before the first game.
TRIAL_SECONDS = 8
START = " ".join(["2"] * 24 + ["0"] * 8 + ["2"] * 24 + ["0"] * 8 + ["legal"] + [str(pit) for pit in range(24)])


class Program:
    def __init__(self, command):
        self.name = " ".join(shlex.quote(word) for word in command)
        # Lines that are owed for questions whose answers nobody waits for any more.
        self.owed = 0
        self.rest = b""
        try:
            self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            sys.exit("`%s` cannot be started: %s" % (self.name, error.strerror or error))
        self.try_out()

    def try_out(self):
        self.say("new")
        self.say("move 0 100 " + START)
        if self.line(time.monotonic() + TRIAL_SECONDS) is None:
            self.owed += 1

    def say(self, line):
        try:
            self.child.stdin.write(line.encode() + b"\n")
            self.child.stdin.flush()
        except OSError:
            self.ended()

    def ended(self):
        # Without its own words the reason would stay in the dark; they are on standard error already.
        sys.exit("`%s` ended with exit code %s instead of answering" % (self.name, self.child.wait()))

    def line(self, deadline=None):
        """The next line; None if the deadline passes before it comes."""
        output = self.child.stdout.fileno()
        while b"\n" not in self.rest:
            wait = None if deadline is None else max(0, deadline - time.monotonic())
            if not select.select([output], [], [], wait)[0]:
                return None
            read = os.read(output, 4096)
            if not read:
                self.ended()
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def new_game(self):
        self.say("new")

    def choose(self, game, fen, moves, role, limits, legal):
        if moves or fen is None:
            raise ValueError("expected `position fen F` without moves")
        pits, side, plies = fen.split()
        sides = [half.split(",") for half in pits.split("/")]
        if side == "1":
            sides.reverse()
        clock = "p1time" if side == "0" else "p2time"
        time_left = limits.get("movetime") or limits.get(clock) or "0"
        if legal is None:
            legal = [str(pit) for pit, seeds in enumerate(sides[0]) if int(seeds) >= 2]
        self.say(" ".join(["move", plies, time_left] + sides[0] + sides[1] + ["legal"] + legal))
        while self.owed:
            self.line()
            self.owed -= 1
        return self.line()


def main(command, name):
    streams = ugi.Lines()
    program = Program(command)
    ugi.serve(name, ["hus"], program, streams)
    program.say("quit")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: huslines.py COMMAND [ARGUMENT ...]")
    main(sys.argv[1:], sys.argv[1])
