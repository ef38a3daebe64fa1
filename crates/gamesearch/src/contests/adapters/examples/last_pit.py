"""Plays Hus by lines of numbers, as LastPit.java does: it sows from its last pit that may be sown."""

import sys

for line in sys.stdin:
    words = line.split()
    if words[0] == "move":
        own = [int(word) for word in words[3:35]]
        print(max(pit for pit in range(32) if own[pit] >= 2), flush=True)
