"""A typical retrograde solver in plain Python: all positions forwards, then backwards from the endings.

Takes any rules: a list of moves, a target, and the effect of passing it. Finds the value and remoteness of every reachable
position.
"""

from collections import deque

from measured import main

WIN, LOSS = 1, -1


def solve(start, target, moves, past_wins):
    """The value and the remoteness of every number, for the player to move."""
    successors, predecessors, found = {}, {}, {}
    decided = deque()
    queue = deque([start])
    successors[start] = None
    while queue:
        number = queue.popleft()
        ends, onward = [], []
        for move in moves:
            after = move(number)
            if after == target:
                ends.append(WIN)
            elif after > target:
                ends.append(WIN if past_wins else LOSS)
            else:
                onward.append(after)
                if after not in successors:
                    successors[after] = None
                    queue.append(after)
                predecessors.setdefault(after, []).append(number)
        if WIN in ends:
            found[number] = (WIN, 1)
            decided.append(number)
        elif not onward:
            found[number] = (LOSS, 1)
            decided.append(number)
        successors[number] = len(onward)
    while decided:
        number = decided.popleft()
        value, remoteness = found[number]
        for before in predecessors.get(number, ()):
            if before in found:
                continue
            successors[before] -= 1
            if value == LOSS:
                found[before] = (WIN, remoteness + 1)
                decided.append(before)
            elif successors[before] == 0:
                found[before] = (LOSS, remoteness + 1)
                decided.append(before)
    return found


def number_maze(target):
    value, remoteness = solve(1, target, [lambda n: n + 1, lambda n: n * 2], past_wins=False)[1]
    return value == WIN, remoteness


if __name__ == "__main__":
    main("", number_maze)
