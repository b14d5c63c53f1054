"""Long calls release the GIL, stop at Ctrl-C, and leak no memory."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import spoton
from spoton._spoton import Duels

# Each call takes many seconds unless stopped: most solve `book` first.
CALLS = {
    "solve": "book.solve()",
    "audit": "book.audit()",
    "subtle_choices": "book.subtle_choices()",
    "longest_round": "book.longest_round()",
    "round.chances": "book.round().chances('perfect')",
    "round.choose": "book.round().choose('sage')",
    "chances": "spoton.chances(book, 'careful', 'perfect')",
    "review": "spoton.review(record)",
    "grade": "spoton.grade([record])",
    "score": "spoton.score([record], 'bot')",
    # Each single step is fast. If the call isn't stopped, the second item raises a different error.
    "grade of many": "list(map(spoton.grade, [[short] * 60_000, None]))",
    "grade of many in one text": "list(map(spoton.grade, [short * 60_000, None]))",
    "score of many": "list(map(spoton.score, [[short] * 60_000, None], ['bot', 'bot']))",
    "invent": "next(spoton.invent(1, 1, length=(21, 21), subtle=(100000, 200000)))",
    "bench": "spoton.bench('2026-01-01')",
    "reset of many duels": "Duels(book, 8, 'perfect', 'second').reset(range(8))",
    "step of many duels": "begun_duels.step(bytes(8 * 8))",
}

SCRIPT = """
import _thread, json, signal, sys, threading, time
import spoton
from spoton._spoton import Duels

# Background jobs of a shell start with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
far_apart = {"numbers": "separate", "target": 6000, "moves": ["+1", "-1", "x2"]}
book = spoton.load("operation-target", settings=far_apart)
round = book.round()
round.play("x2")
record = round.record("bot", "perfect")
round = spoton.load("number-maze").round()
while not round.over:
    round.play(round.legal[0])
short = round.record("bot", "perfect")
begun_duels = Duels(book, 8, "perfect", "first")
begun_duels.reset(range(8))


def is_stopped(call):
    begun, ended = threading.Event(), threading.Event()

    def interrupt():
        begun.wait()
        # If the call held the GIL, it would finish first.
        for _ in range(100):
            time.sleep(0.001)
        if not ended.is_set():
            _thread.interrupt_main()

    other = threading.Thread(target=interrupt)
    other.start()
    try:
        begun.set()
        call()
        ended.set()
        return False
    except KeyboardInterrupt:
        return True
    finally:
        ended.set()
        other.join()


for name, call in json.loads(sys.argv[1]).items():
    print(name, "is stopped" if is_stopped(eval(f"lambda: {call}")) else "goes on", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals as Unix has them")
def test_every_long_call_lets_others_run_and_stops_at_ctrl_c():
    """The interrupt comes from another thread, which must run during the call."""
    script = [sys.executable, "-c", SCRIPT, json.dumps(CALLS)]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.stdout.splitlines() == [f"{name} is stopped" for name in CALLS], done.stderr


def resident_pages():
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured by /proc")
def test_no_call_leaks(invented):
    text = invented[0].book.to_toml()
    record = spoton.load("maze").round().record("bot", "careful")

    def everything():
        book = spoton.read(text)
        position = book.opening().play(book.opening().legal[0])
        hash(position), position.to_dict(), position.barred, pickle.loads(pickle.dumps(position))
        book.solve().verdict(position)
        book.rules(), book.describe(), book.audit(), book.line, book.alphabet
        round = book.round()
        round.chances("careful"), round.copy().play(round.legal[0]), round.mask, round.observation(1), book.features
        spoton.review(record), spoton.grade([record]), spoton.score(record, "bot"), spoton.games()
        telling = spoton.Telling(book, disguise=3)
        telling.prompt(round), telling.read("move: none", round), telling.read(telling.legal(round)[0], round)
        duels = Duels(book, 16, "careful", "random")
        duels.reset(range(16)), duels.step(bytes(8 * 16)), duels.step(b"\xff" * 8 * 16)
        for bad in ["title = 3", "{"]:
            with pytest.raises(spoton.RulebookError):
                spoton.read(bad)
        with pytest.raises(spoton.IllegalMove):
            position.play("x9999")

    def what_takes_longer():
        book = next(spoton.invent(7))
        spoton.chances(book, "careful", "perfect"), book.subtle_choices(), book.longest_round()
        assert len([*spoton.bench()]) == 50

    def after(call, times):
        for _ in range(times):
            call()
        return resident_pages()

    for call, times in [(everything, 150), (what_takes_longer, 15)]:
        warm = after(call, times)
        assert after(call, 4 * times) - warm < 512, "two mebibytes"
