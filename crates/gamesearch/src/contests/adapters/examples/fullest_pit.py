"""A whole bot for Hus: it sows from its fullest pit."""

import sys


def say(line):
    print(line, flush=True)


position = ""
for line in sys.stdin:
    words = line.split()
    command = words[0] if words else ""
    if command == "ugi":
        say("id name fullest pit")
        say("id author the workbench")
        say("option name UGI_Game type combo default hus var hus")
        say("ugiok")
    elif command == "isready":
        say("readyok")
    elif command == "position":
        # position fen COUNTS/COUNTS SIDE PLIES
        position = words[2:]
    elif command == "go":
        counts, side = position[0].split("/"), int(position[1])
        own = [int(count) for count in counts[side].split(",")]
        say("bestmove %d" % own.index(max(own)))
    elif command == "quit":
        break
