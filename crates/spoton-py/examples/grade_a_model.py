"""A language model on the fixed set of games, by Inspect.

    pip install './crates/spoton-py[inspect]'
    python grade_a_model.py MODEL

MODEL is as Inspect names it. Without one, a script answers instead: it takes the first move of the list.
"""

import re
import sys
import tempfile

from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from spoton.inspect import duel


def script(messages, tools, tool_choice, config):
    first = re.search(r"Your legal moves: ([^,\n]+)", messages[-1].text)[1]
    output = ModelOutput.from_content("script", f"move: {first}")
    output.usage = ModelUsage()
    return output


model = sys.argv[1] if len(sys.argv) > 1 else get_model("mockllm/script", custom_outputs=script)
with tempfile.TemporaryDirectory() as logs:
    [log] = eval(duel(opponent="careful"), model=model, display="none", log_dir=logs)

for score in log.results.scores:
    print(score.name)
    for name, metric in score.metrics.items():
        print(f"    {name:15} {metric.value:.3f}")
