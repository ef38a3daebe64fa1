"""A whole bot for every game: it is told the legal moves and plays any of them."""

import random
import sys

legal = []
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "ugi":
        print("id name any move")
        print("option name UGI_LegalMoves type check default false")
        print("option name UGI_Seed type spin default 0 min 0 max 9223372036854775807")
        print("ugiok", flush=True)
    elif command == "setoption" and words[1] == "UGI_Seed":
        random.seed(int(words[3]))
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "legal":
        legal = words
    elif command == "go":
        print("bestmove", random.choice(legal), flush=True)
    elif command == "quit":
        break
