"""A player for `spoton bot arena`. On each turn, it reads a line of JSON and answers with a move.

It takes the move that gets closest to the target without going past it.

    spoton bot arena number-maze --p1 "exec:python3 examples/bot.py" --p2 careful
"""
import json
import sys


def after(number, move):
    """The number after a move such as +1 or x2."""
    sign, amount = move[0], int(move[1:])
    return {"+": number + amount, "-": number - amount, "x": number * amount, "/": number // amount}[sign]


def choose(turn):
    target, numbers = turn.get("target"), turn["position"]["numbers"]
    number = numbers[(turn["player"] - 1) % len(numbers)]  # one per player, or one shared number
    left = {move: target - after(number, move) for move in turn["legal"] if target is not None and move[0] != "@"}
    not_past = {move: rest for move, rest in left.items() if rest * (target - number) >= 0}
    return min(not_past, key=lambda move: abs(not_past[move]), default=turn["legal"][0])


for line in sys.stdin:
    print(choose(json.loads(line)), flush=True)
