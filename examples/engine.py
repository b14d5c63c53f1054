"""An engine for `spoton bot arena` (docs/engines.md). It picks a random move.

    spoton bot arena number-maze --p1 "engine:python3 examples/engine.py" --p2 careful
    spoton bot check "python3 examples/engine.py"
"""
import random
import sys


def answer(line):
    word, *rest = line.split() or [""]
    if (word, rest) == ("spoton", []):
        return ["id name Any Move At All", "spotonok"]
    if word in ("rules", "position") and rest or (word, rest) == ("newgame", []):
        return ["ok"]  # a real engine sets up the position here
    if word == "go" and "among" in rest and "perfect" not in rest:
        return ["info value unknown", "bestmove " + random.choice(rest[rest.index("among") + 1:])]
    if (word, rest) == ("quit", []):
        return ["bye"]
    return ["error not understood"]


for line in sys.stdin.buffer:
    lines = answer(line.decode(errors="replace"))
    print(*lines, sep="\n", flush=True)
    if lines == ["bye"]:
        break
