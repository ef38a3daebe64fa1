"""Throws its tokens, then slides them about: legal moves and nothing else."""

BEATS = {"r": "s", "s": "p", "p": "r"}


def on_board(r, q):
    return abs(r) <= 4 and abs(q) <= 4 and abs(r + q) <= 4


class Player:
    def __init__(self, player):
        self.player = player
        self.throws = 0
        # Hexes with our own tokens: hex -> list of symbols. What the opponent does matters only where tokens meet.
        self.board = {}

    def action(self):
        if self.throws < 9:
            symbol = "rps"[self.throws % 3]
            # The row of the first throw; later throws may go further, but need not.
            row = 4 if self.player == "upper" else -4
            columns = [q for q in range(-4, 5) if on_board(row, q)]
            return ("THROW", symbol, (row, columns[self.throws % len(columns)]))
        for (r, q), tokens in sorted(self.board.items()):
            if any(side == self.player for side, _ in tokens):
                for dr, dq in ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)):
                    if on_board(r + dr, q + dq):
                        return ("SLIDE", (r, q), (r + dr, q + dq))
        raise RuntimeError("no token left to move")

    def update(self, opponent_action, player_action):
        opponent = "lower" if self.player == "upper" else "upper"
        targets = []
        arrivals = []
        for side, action in ((self.player, player_action), (opponent, opponent_action)):
            if action[0] == "THROW":
                symbol, target = action[1], action[2]
                if side == self.player:
                    self.throws += 1
            else:
                _, origin, target = action
                token = next(token for token in self.board[origin] if token[0] == side)
                self.board[origin].remove(token)
                symbol = token[1]
            arrivals.append((target, (side, symbol)))
            targets.append(target)
        for target, token in arrivals:
            self.board.setdefault(target, []).append(token)
        for target in targets:
            symbols = {symbol for _, symbol in self.board[target]}
            # What is beaten by a symbol that is there goes; with all three, everything goes.
            self.board[target] = [
                token for token in self.board[target] if not any(BEATS[other] == token[1] for other in symbols)
            ]
        self.board = {there: tokens for there, tokens in self.board.items() if tokens}
