"""A bot of Hus with a known strength: with the chance STRENGTH it sows where that leaves it the most seeds, else anywhere."""

import random
import sys

STRENGTH = {strength}


def seeds_after(own, other, pit, plies):
    own, other = own[:], other[:]
    hand, own[pit], at = own[pit], 0, pit
    for _ in range(199):
        for _ in range(hand):
            at = (at + 1) % 32
            own[at] += 1
        if own[at] == 1:
            return sum(own)
        if plies >= 2 and at >= 16 and other[47 - at] > 0:
            hand = other[47 - at] + other[at - 16]
            other[47 - at] = other[at - 16] = 0
        else:
            hand, own[at] = own[at], 0
    return -1


def main():
    own, other, plies, legal = [], [], 0, []
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "ugi":
            print("id name python")
            print("option name UGI_LegalMoves type check default false")
            print("ugiok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "position" and words[:1] == ["fen"]:
            rings = [[int(count) for count in ring.split(",")] for ring in words[1].split("/")]
            mover, plies = int(words[2]), int(words[3])
            own, other = rings[mover], rings[1 - mover]
        elif command == "legal":
            legal = [int(word) for word in words]
        elif command == "go":
            random.shuffle(legal)
            greedy = random.random() < STRENGTH
            move = max(legal, key=lambda pit: seeds_after(own, other, pit, plies)) if greedy else legal[0]
            print("bestmove", move, flush=True)
        elif command == "quit":
            break


main()
