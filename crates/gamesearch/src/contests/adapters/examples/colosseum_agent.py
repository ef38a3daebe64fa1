"""An agent for Colosseum Survival! in the form of the contest: it stays as near to the middle as it can."""

import numpy as np

from agents.agent import Agent
from store import register_agent


@register_agent("middle_agent")
class MiddleAgent(Agent):
    def __init__(self):
        super().__init__()
        self.name = "MiddleAgent"

    def step(self, chess_board, my_pos, adv_pos, max_step):
        size = chess_board.shape[0]
        middle = np.array([(size - 1) / 2, (size - 1) / 2])
        reached = {my_pos}
        border = [my_pos]
        for _ in range(max_step):
            border = [
                there
                for r, c in border
                for wall, (dr, dc) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1)))
                for there in [(r + dr, c + dc)]
                if not chess_board[r, c, wall] and there != adv_pos and there not in reached
            ]
            border = sorted(set(border))
            reached.update(border)
        cells = [cell for cell in reached if not chess_board[cell].all()]
        cell = min(sorted(cells), key=lambda cell: np.abs(np.array(cell) - middle).sum())
        return cell, int(np.argmin(chess_board[cell]))
