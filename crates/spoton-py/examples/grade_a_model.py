"""A language model on the fixed set of games, by Inspect.

    pip install './crates/spoton-py[inspect]'
    python grade_a_model.py MODEL

MODEL is as Inspect names it. Without one, a script answers instead, for a dry run without the network.
"""

import argparse
import tempfile

from inspect_ai import eval

from spoton.inspect import FIRST_MOVE, duel

parser = argparse.ArgumentParser(description="Grades a language model on the fixed set of games.")
parser.add_argument("model", nargs="?", default=FIRST_MOVE, metavar="MODEL", help="as Inspect names it; a script without one")
model = parser.parse_args().model

with tempfile.TemporaryDirectory() as logs:
    [log] = eval(duel(opponent="careful"), model=model, display="none", log_dir=logs)

for score in log.results.scores:
    print(score.name)
    for name, metric in score.metrics.items():
        print(f"    {name:15} {metric.value:.3f}")
