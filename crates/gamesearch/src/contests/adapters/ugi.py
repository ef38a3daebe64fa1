"""The engine's side of the protocol for bots in Python: what the adapters share.

A bot is an object with the method `choose(game, fen, moves, role, limits, legal)`, which returns the text of a move, and
the method `new_game()`. `legal` are the texts of the legal moves, or None from a host that does not tell them. If it also
has `opening(fen, moves)`, it is told before `new_game()` by which moves from which position the start of the next game came
about. With `start_only = True` it is given only games from the start. Only the standard library is used.
"""

import os
import sys


class Lines:
    """Input and output of the protocol, kept apart from what a bot prints.

    Bots print what they like to standard output; the protocol owns that stream. So the real one is put aside, and
    everything a bot prints, from Python or from below it, goes to standard error.
    """

    def __init__(self):
        self.output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self.input = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
        # A bot that waits for a person would wait for ever.
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)

    def say(self, line):
        self.output.write(line + "\n")
        self.output.flush()


def parse_position(words):
    """`startpos|fen F [moves ...]` as (fen or None, list of moves)."""
    moves = []
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], words[at + 1:]
    if not words or words[0] == "startpos":
        return None, moves
    return " ".join(words[1:]), moves


def parse_go(words):
    """The limits of a `go` as a dictionary, the times in milliseconds."""
    limits = {}
    rest = iter(words)
    for key in rest:
        limits[key] = True if key == "infinite" else next(rest, "")
    return limits


def serve(name, games, bot, lines=None):
    """Speaks the protocol for `bot` until the host says `quit`."""
    lines = lines or Lines()
    game = games[0]
    fen, moves, legal = None, [], None
    for line in lines.input:
        words = line.split()
        command = words[0] if words else ""
        if command == "ugi":
            lines.say("id name " + name)
            lines.say("id author its author")
            choices = " ".join("var " + other for other in games)
            lines.say("option name UGI_Game type combo default %s %s" % (game, choices))
            lines.say("option name UGI_LegalMoves type check default false")
            if hasattr(bot, "opening"):
                lines.say("option name UGI_Opening type string default startpos")
            if getattr(bot, "start_only", False):
                lines.say("option name UGI_StartOnly type check default true")
            lines.say("ugiok")
        elif command == "isready":
            lines.say("readyok")
        elif command == "setoption":
            if words[1:3] == ["name", "UGI_Game"] and len(words) > 4 and words[4] in games:
                game = words[4]
            elif words[1:4] == ["name", "UGI_Opening", "value"] and hasattr(bot, "opening"):
                bot.opening(*parse_position(words[4:]))
        elif command == "uginewgame":
            bot.new_game()
        elif command == "position":
            fen, moves = parse_position(words[1:])
            legal = None
        elif command == "legal":
            legal = words[1:]
        elif command == "go":
            limits = parse_go(words[1:])
            lines.say("bestmove " + bot.choose(game, fen, moves, limits.get("role"), limits, legal))
        elif command == "quit":
            return
