"""A player for `spoton arena`: on each turn it reads a line of JSON and answers with a move.

It lands on the target if it can, and else picks any move that does not go past it.

    spoton arena number-maze --p1 "exec:python3 examples/bot.py" --p2 careful
"""
import json
import random
import sys


def after(number, move):
    """The number that a move such as +1 or x2 leads to."""
    sign, amount = move[0], int(move[1:])
    return {"+": number + amount, "-": number - amount, "x": number * amount, "/": number // amount}[sign]


def choose(turn):
    target, numbers = turn.get("target"), turn["position"]["numbers"]
    number = numbers[(turn["player"] - 1) % len(numbers)]  # one for each player, or one for both
    results = {move: after(number, move) for move in turn["legal"] if move[0] in "+-x/"}
    if target is None or not results:
        return random.choice(turn["legal"])
    spot_on = [move for move, result in results.items() if result == target]
    not_past = [move for move, result in results.items() if (result < target) == (number < target)]
    return random.choice(spot_on or not_past or turn["legal"])


random.seed(1)
for line in sys.stdin:
    print(choose(json.loads(line)), flush=True)
