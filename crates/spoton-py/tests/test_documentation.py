"""Tests the examples in the documentation."""

import doctest
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import spoton
import spoton.gymnasium
import spoton.inspect
import spoton.openspiel
import spoton.pettingzoo

EXAMPLES = sorted((ROOT / "crates" / "spoton-py" / "examples").glob("*.py"))
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_the_examples_run(script):
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "" and done.stdout, done.stderr


def test_the_examples_that_take_arguments_tell_of_them():
    taking = [script for script in EXAMPLES if "[DAY]" in script.read_text() or "MODEL" in script.read_text()]
    assert len(taking) == 2
    for script in taking:
        done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True)
        assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith("usage: "), done.stderr


def test_a_bot_of_ones_own_is_graded_on_fresh_games():
    """The example counts every round and compares each seat with perfect play."""
    script = ROOT / "crates" / "spoton-py" / "examples" / "grade_a_bot.py"
    done = subprocess.run([sys.executable, script, "2026-11-16"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("The 50 games of 2026-11-16, each from both seats, against careful:\n")
    for seat in ("first", "second"):
        told = done.stdout.split(f"going {seat}\n")[1]
        assert re.match(r" +won +\d+ of 50 \(\d+% to \d+%\)\n +perfect play would win 90\.2%\n +a guesser would win", told)


@pytest.mark.parametrize(("name", "least"), [("python.md", 9), ("python-frameworks.md", 4)])
def test_the_page_in_ten_minutes(name, least):
    blocks = BLOCK.findall((ROOT / "docs" / name).read_text())
    assert len(blocks) >= least
    globs = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks):
        if ">>>" not in block:
            exec(compile(block, f"block {number}", "exec"), globs)
            continue
        test = doctest.DocTestParser().get_doctest(block, globs, f"block {number}", f"docs/{name}", 0)
        runner.run(test, clear_globs=False)
        globs = test.globs
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("module", [spoton, spoton.pettingzoo, spoton.gymnasium, spoton.openspiel, spoton.inspect])
def test_the_examples_of_the_modules(module):
    tests = doctest.DocTestParser().get_doctest(module.__doc__, {}, module.__name__, module.__file__, 0)
    assert doctest.DocTestRunner().run(tests).failed == 0 and tests.examples


def test_everything_is_documented():
    for name in spoton.__all__:
        thing = getattr(spoton, name)
        assert name == "__version__" or thing.__doc__, name
        for attribute in vars(thing) if isinstance(thing, type) and not issubclass(thing, Exception) else []:
            assert attribute.startswith("__") or getattr(thing, attribute).__doc__, f"{name}.{attribute}"
