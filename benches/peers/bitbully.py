"""BitBully behind a pipe, for the rows of `exact.rs`: `pip install bitbully==0.0.79`.

Each line of input is a class of positions as columns from 1, joined by spaces (an empty line: the empty board). The answer is
their values joined by commas, the nanoseconds of processor time they took from an empty table, and the nodes searched.
"""

import sys
import time

try:
    from bitbully import BitBully, Board
except ImportError:
    sys.exit("no module bitbully")


def main() -> None:
    agent = BitBully(opening_book=None)
    print("ready", flush=True)
    for line in sys.stdin:
        boards = []
        for moves in line.split() or [""]:
            board = Board()
            for column in moves:
                board.play(int(column) - 1)
            boards.append(board)
        agent.reset_transposition_table()
        agent.reset_node_counter()
        started = time.process_time_ns()
        values = [agent.mtdf(board) for board in boards]
        took = time.process_time_ns() - started
        print(",".join(map(str, values)), took, agent.get_node_counter(), flush=True)


main()
