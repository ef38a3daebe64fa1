"""Walks its tokens towards the other side, and booms when that kills more than it costs."""

SIZE = 8
FILES = (0, 1, 3, 4, 6, 7)


class ExamplePlayer:
    def __init__(self, colour):
        self.colour = colour
        self.forward = 1 if colour == "white" else -1
        # Square -> (colour, number of tokens).
        self.board = {}
        for x in FILES:
            for y in (0, 1):
                self.board[x, y] = ("white", 1)
                self.board[x, SIZE - 1 - y] = ("black", 1)
        print("I am", colour)

    def action(self):
        own = [square for square, (colour, _) in self.board.items() if colour == self.colour]
        gain, square = max((self.gain(square), square) for square in own)
        if gain > 0:
            return ("BOOM", square)
        for x, y in sorted(own, key=lambda square: square[1] * self.forward):
            for target in ((x, y + self.forward), (x + 1, y), (x - 1, y), (x, y - self.forward)):
                if all(0 <= c < SIZE for c in target) and target not in self.board:
                    return ("MOVE", 1, (x, y), target)
        return ("BOOM", square)

    def update(self, colour, action):
        if action[0] == "BOOM":
            for square in self.component(action[1]):
                del self.board[square]
            return
        _, n, a, b = action
        left = self.board[a][1] - n
        there = self.board.get(b, (colour, 0))[1]
        if left:
            self.board[a] = (colour, left)
        else:
            del self.board[a]
        self.board[b] = (colour, there + n)

    def component(self, square):
        """The squares that a boom here takes."""
        seen, open_squares = {square}, [square]
        while open_squares:
            x, y = open_squares.pop()
            for near in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
                if near in self.board and near not in seen:
                    seen.add(near)
                    open_squares.append(near)
        return seen

    def gain(self, square):
        """Enemy tokens minus own tokens that a boom here takes."""
        tokens = [self.board[there] for there in self.component(square)]
        return sum(-n if colour == self.colour else n for colour, n in tokens)
