def shortest(steps, start):
    """The step that goes least far."""
    return min(steps, key=lambda step: abs(step[0][0] - start[0]) + abs(step[0][1] - start[1]))
