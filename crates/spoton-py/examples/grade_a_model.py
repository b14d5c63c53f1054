"""Grades a language model on the fixed set of games with Inspect.

    pip install './crates/spoton-py[inspect]'
    python grade_a_model.py MODEL

MODEL is Inspect's name for the model. Default: a script, for a dry run without a network.
"""

import argparse
import tempfile

from inspect_ai import eval

from spoton.inspect import FIRST_MOVE, duel

parser = argparse.ArgumentParser(description="Grades a language model on the fixed set of games.")
parser.add_argument("model", nargs="?", default=FIRST_MOVE, metavar="MODEL", help="Inspect's name for it (default: a script)")
model = parser.parse_args().model

with tempfile.TemporaryDirectory() as logs:
    [log] = eval(duel(opponent="careful"), model=model, display="none", log_dir=logs)

for score in log.results.scores:
    print(score.name)
    for name, metric in score.metrics.items():
        print(f"    {name:15} {metric.value:.3f}")
