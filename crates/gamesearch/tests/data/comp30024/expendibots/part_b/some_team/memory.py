class Memory:
    def __init__(self, color):
        self.color = color
        self.turn = 0

    def add(self, who, what):
        expected = ("white", "black")[self.turn % 2]
        assert who == expected and what[0] in ("MOVE", "BOOM"), (who, what)
        self.turn += 1
