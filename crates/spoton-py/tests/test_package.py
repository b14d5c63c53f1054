"""Tests of the package by itself."""

import copy
import pickle
import random as dice
import subprocess
import sys
import threading

import pytest
from conftest import ROOT, walk

import spoton

SKIPPING = "title = 'S'\nnumbers = 'separate'\nstart = 1\ntarget = 9\nmoves = ['+3', '+1']\nno_repeat = 'own'\nstuck = 'skips'"


def test_the_tour():
    book = spoton.load("number-maze", target=34)
    here = book.opening()
    assert (here.numbers, here.turn, here.legal) == ((1,), 1, ["+1", "x2"])
    there = here.play("x2")
    assert (there.numbers, there.turn) == ((2,), 2)
    assert here.numbers == (1,), "positions are immutable"
    assert book.solve().verdict(there)["value"] == "loss"
    assert here.play(1) == there, "a move can be given by its number"
    assert book.alphabet == ("+1", "x2")


def test_a_game_by_name_path_and_text(tmp_path):
    maze = spoton.load("number-maze")
    for part in ["maze", "Number Maze", "number-m"]:
        assert spoton.load(part) == maze
    with pytest.raises(spoton.Error, match='"target" could be operation-target or target-twenty-one; type more of the'):
        spoton.load("target")
    path = tmp_path / "mine.toml"
    path.write_text(maze.to_toml())
    assert spoton.load(path) == spoton.load(str(path)) == spoton.read(maze.to_toml(), "mine.toml") == maze
    assert spoton.load(path).id == "mine"
    assert spoton.load("maze", variant="to-34").target == 34
    changed = spoton.load("maze", settings={"moves": ["+1", {"op": "x2", "uses": 1}], "no_repeat": "own", "target": 12})
    assert (changed.target, changed.opening().legal) == (12, ["+1", "x2"])
    assert changed.describe()["settings"] == ['moves=["+1", {"op" = "x2", "uses" = 1}]', "no_repeat=own", "target=12"]
    with pytest.raises(spoton.Error, match='there is no game "maez"; did you mean "number-maze"'):
        spoton.load("maez")
    with pytest.raises(spoton.Error, match=r'there is no game "qqqq"; call spoton\.games\(\) for a list'):
        spoton.load("qqqq")
    with pytest.raises(spoton.RulebookError, match="^target 1: `target` and `start` are both 1") as told:
        spoton.load("maze", target=1)
    assert [problem["source"] for problem in told.value.problems] == ["--target"]
    with pytest.raises(spoton.RulebookError, match="^rule target=x: `target` takes a whole number"):
        spoton.load("maze", settings={"target": "x"})
    with pytest.raises(spoton.Error, match="number-maze: .*to-35"):
        spoton.load("maze", variant="to-35")
    none = tmp_path / "none.toml"
    with pytest.raises(FileNotFoundError, match="No such file or directory: .*none.toml") as told:
        spoton.load(none)
    with pytest.raises(FileNotFoundError) as as_python_tells_it:
        none.open()
    for about in ("errno", "strerror"):
        assert getattr(told.value, about) == getattr(as_python_tells_it.value, about)
    assert told.value.filename == str(none)
    # No suggestions for empty names.
    for nothing in ["", ".", "?"]:
        with pytest.raises(spoton.Error, match=r"there is no game .*; call spoton\.games\(\) for a list"):
            spoton.load(nothing)
    (tmp_path / "latin.toml").write_bytes("title = 'Größe'".encode("latin-1"))
    with pytest.raises(spoton.RulebookError, match=r"latin\.toml:1:12: the file is not UTF-8 text"):
        spoton.load(tmp_path / "latin.toml")
    (tmp_path / "long.toml").write_text("#" * 70_000)
    with pytest.raises(spoton.RulebookError, match="has 70000 bytes; the limit is 65536"):
        spoton.load(tmp_path / "long.toml")
    with pytest.raises(TypeError, match="expected text, a number, a list or a dictionary, not object"):
        spoton.load("maze", settings={"target": object()})


def test_books_of_ones_own_and_the_duel_of_a_day(tmp_path, monkeypatch):
    """Finds the same names as `spoton rules NAME`."""
    books = tmp_path / "spoton" / "rulebooks"
    books.mkdir(parents=True)
    (books / "my-maze.toml").write_text("title = 'Mine'\nstart = 1\ntarget = 9\nmoves = ['+1', 'x2']")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert spoton.load("my-maze").title == spoton.load("my-m").title == "Mine"
    assert pickle.loads(pickle.dumps(spoton.load("my-maze"))).title == "Mine"
    with pytest.raises(spoton.Error, match='"maze" could be my-maze or number-maze; type more of the name'):
        spoton.load("maze")
    duel = spoton.load("today-2026-11-15")
    assert (duel.id, duel.title) == ("today-2026-11-15", "+2 +3 +5 +9 +digit to 57, no multiples of 5")
    assert pickle.loads(pickle.dumps(duel)) == duel
    with pytest.raises(spoton.Error, match="there is no game"):
        spoton.load("today-2026-02-30")


def test_a_book_as_text_and_as_a_line(shipped, random):
    for asked in [*shipped, *random]:
        book = asked.book
        assert spoton.read(book.to_toml()) == book, asked
        again = spoton.read_line(book.line)
        assert again.fingerprint == book.fingerprint, asked
        assert (again.title, again.alphabet) == (book.title, book.alphabet), asked
    with pytest.raises(spoton.RulebookError, match="not a rule book on one line"):
        spoton.read_line("title = 'Mine'")
    assert spoton.read_line("{start = 1, target = 20, moves = ['+1']}", "mine").title == "mine"


def test_pickled_and_copied_objects_are_equal(shipped, invented, random):
    for asked in [*shipped, *invented[:20], *random[:100]]:
        book = pickle.loads(pickle.dumps(asked.book))
        assert book == asked.book and book.describe() == asked.book.describe()
        assert book.invented == asked.book.invented
        positions = [position for _, position in walk(asked.book, 60)]
        again = pickle.loads(pickle.dumps(positions))
        assert again == positions and [hash(p) for p in again] == [hash(p) for p in positions]
        assert [p.to_dict() for p in again] == [p.to_dict() for p in positions]
        assert all(book.position(str(p)) == p for p in positions if not p.over)
        round = asked.book.round(first=2)
        while not round.over and len(round.history) < 30:
            round.play(dice.Random(len(round.history)).choice(round.legal))
        for same in [pickle.loads(pickle.dumps(round)), copy.copy(round), copy.deepcopy(round), round.copy()]:
            assert (same.history, same.position, same.first) == (round.history, round.position, 2)
    line = spoton.read_line("{start = 1, target = 20, moves = ['+1']}", target=12)
    assert pickle.loads(pickle.dumps(line)).target == 12
    fresh = next(spoton.invent(5))
    assert pickle.loads(pickle.dumps(fresh)).invented == fresh.invented


def test_positions_are_equal_if_their_futures_are():
    book = spoton.load("number-maze")
    by_adding = book.opening().play("+1").play("+1").play("+1")
    by_doubling = book.opening().play("x2").play("+1").play("+1")
    assert by_adding == by_doubling and len({by_adding, by_doubling}) == 1
    assert by_adding != book.opening(first=2).play("x2").play("+1").play("+1")
    assert book.opening() != spoton.load("number-maze", target=15).opening()
    assert book.opening() != "1;1" and str(book.opening()) == "1;1"
    with pytest.raises(AttributeError):
        by_adding.numbers = (3,)


def test_a_move_is_named_in_any_spelling():
    book = spoton.load("target-twenty-one")
    for named in ("+1", " +1 ", "+ 1", "＋1", "add 1", "Plus one"):
        assert book.opening().play(named) == book.opening().play("+1"), named
        round = book.round()
        round.play(named)
        assert round.history == ["+1"], named


def test_why_a_move_is_refused():
    book = spoton.load("target-twenty-one")
    here = book.opening()
    for wrong in ["x7", "", "+1 +1", "\x1b[2J"]:
        with pytest.raises(spoton.IllegalMove, match="not one of this game's moves"):
            here.play(wrong)
        with pytest.raises(spoton.IllegalMove, match="not one of this game's moves"):
            book.round().play(wrong)
    # Errors don't quote huge inputs.
    telling, long = spoton.Telling(book), "x" * 2_000_000
    for refuse in (here.play, book.round().play, telling.write, book.round().refuse, spoton.load, book.position):
        with pytest.raises(spoton.Error) as told:
            refuse(long)
        assert len(str(told.value)) < 300
    for wrong in [-1, len(book.alphabet), 10**30, -(10**30)]:
        with pytest.raises(spoton.IllegalMove, match=f"^{wrong}: the moves of this game are numbered from 0 to "):
            here.play(wrong)
    for wrong in [None, 1.0, b"+1"]:
        with pytest.raises(TypeError, match="a move must be text or a number in the alphabet, not "):
            here.play(wrong)
    five = spoton.read("title = 'Five'\nstart = 4\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'")
    with pytest.raises(spoton.IllegalMove, match=r"^\+2: goes past 5$"):
        five.opening().play("+2")
    over = five.opening().play("+1")
    assert (over.over, over.winner, over.ending, over.turn, over.legal, over.numbers) == (True, 1, "reached", None, [], (5,))
    with pytest.raises(spoton.IllegalMove, match="the round is over"):
        over.play("+1")
    with pytest.raises(spoton.IllegalMove, match="only skip a turn when no move is legal"):
        five.round().play("skip")


def test_numbers_out_of_range_are_refused_in_a_sentence():
    book = spoton.load("number-maze")
    # The error names the argument.
    for wrong in [
        lambda: spoton.invent(seed=-1),
        lambda: spoton.invent(1, count=-1),
        lambda: spoton.Telling(book, disguise=-1),
        lambda: book.subtle_choices(-1),
        lambda: book.round().choose("careful", seed=-1),
        lambda: spoton.interval(-1, 3),
        lambda: spoton.set_memory(-1),
    ]:
        with pytest.raises(ValueError, match="^expected a whole number of at least 0, not -1\nwhile processing"):
            wrong()
    with pytest.raises(ValueError, match="^100000000000000000000 is too large\nwhile processing 'seed'"):
        spoton.invent(seed=10**20)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        spoton.invent(seed="x")
    for target in (10**19, -(10**19)):
        with pytest.raises(spoton.RulebookError, match=f"^target {target}: "):
            spoton.load("maze", target=target)
    for first in (3, -1, 300):
        with pytest.raises(spoton.Error, match=f"players are 1 and 2, not {first}"):
            book.round(first=first)


def test_turns_that_go_over():
    book = spoton.read(
        "title = 'Far'\nnumbers = 'separate'\nstart = [7, 1]\ntarget = 9\nmoves = ['+3']\npast = 'forbidden'\nstuck = 'skips'"
    )
    here = book.opening()
    # A skip isn't a choice, so it's neither legal nor an action. solve lists it, and remoteness counts it.
    assert (here.legal, here.actions, here.skips, here.over) == ([], [], True, False)
    there = here.play("skip")
    assert (there.legal, there.actions, there.skips) == (["+3"], [0], False)
    assert [judged["move"] for judged in book.solve().verdict(here)["moves"]] == ["skip"]
    # Player 1 never moves: skip, +4, skip, +4.
    text = "title = 'Near'\nnumbers = 'separate'\nstart = [8, 1]\ntarget = 9\nmoves = ['+4']\npast = 'forbidden'\nstuck = 'skips'"
    near = spoton.read(text)
    verdict = near.solve().verdict(near.opening())
    assert (verdict["value"], verdict["remoteness"], verdict["moves"][0]["move"]) == ("loss", 4, "skip")
    round = book.round()
    assert (round.turn, round.legal, round.history) == (2, ["+3"], ["skip"])
    round.play("+3")
    assert round.history == ["skip", "+3", "skip"]


def test_the_house_rule_and_the_end_of_patience():
    text = "title = 'Round'\nstart = 5\ntarget = 10\nrange = [0, 10]\nmoves = ['+1', '-1']\n"
    round = spoton.read(text).round()
    while not round.over:
        round.play("+1" if len(round.history) % 2 == 0 else "-1")
    assert (round.ending, round.winner, len(round.history)) == ("repetition", None, 4)
    assert not round.position.over, "positions have no history"
    assert pickle.loads(pickle.dumps(round.position)) == round.position
    round = spoton.read(text + "repetition = 0").round()
    while not round.over:
        round.play("+1" if len(round.history) % 2 == 0 else "-1")
    assert (round.ending, len(round.history)) == ("stopped", 10_000)


def test_no_round_is_longer_than_it_says(shipped, random):
    for asked in [*shipped, *random]:
        longest = asked.book.longest_round()
        for seed in range(3):
            round, chance = asked.book.round(), dice.Random(seed)
            while not round.over:
                round.play(chance.choice(round.actions))
            assert len(round.history) <= longest, asked


def test_the_alphabet_has_every_move(shipped, invented, random):
    for asked in [*shipped, *invented, *random]:
        alphabet = asked.book.alphabet
        assert len(set(alphabet)) == len(alphabet)
        for _, position in walk(asked.book, 200):
            assert [alphabet[action] for action in position.actions] == position.legal
            assert "skip" not in position.legal
            assert all(position.play(action) == position.play(alphabet[action]) for action in position.actions)
            if not position.over:
                # A move without an amount at this number is listed by its operation.
                assert all(move in alphabet or not move[1:].lstrip("+-x/").isdigit() for move in position.barred)


def test_legal_moves_and_actions_have_one_order():
    """A move is listed at its first entry that applies, which can differ from its place in the alphabet."""
    book = spoton.read("title = 'T'\nstart = 8\ntarget = 100\nmoves = [{op = '+4', when = 'odd'}, '+divisor']")
    round = book.round()
    assert round.legal == round.position.legal == ["+1", "+2", "+4"]
    assert [book.alphabet[action] for action in round.actions] == round.legal
    assert [book.alphabet[action] for action in round.position.actions] == round.legal
    assert spoton.Telling(book).legal(round) == round.legal


def test_observations_distinguish_positions(shipped, random):
    """Equal observations for both players mean equal positions."""
    for asked in [*shipped, *random[:100]]:
        seen = {}
        for seed in range(4):
            round, chance = asked.book.round(), dice.Random(seed)
            bounds = [(low, high) for _, low, high in asked.book.features]
            while not round.over and len(round.history) < 60:
                views = tuple(tuple(round.observation(player)) for player in (1, 2))
                assert all(low <= n <= high for view in views for n, (low, high) in zip(view, bounds, strict=True))
                assert seen.setdefault(views, round.position) == round.position
                assert list(round.mask) == [int(move in round.legal) for move in asked.book.alphabet]
                round.play(chance.choice(round.legal))
            for player in (1, 2):
                view = round.observation(player)
                assert all(low <= n <= high for n, (low, high) in zip(view, bounds, strict=True))


def test_opponents_are_chances():
    round = spoton.load("number-maze").round()
    for opponent in spoton.opponents():
        chances = round.chances(opponent["opponent"])
        assert abs(sum(chances.values()) - 1) < 1e-9 and set(chances) <= set(round.legal)
    with pytest.raises(spoton.Error, match="did you mean dash"):
        round.chances("dahs")
    assert {round.choose("random", seed) for seed in range(40)} == set(round.legal)


def test_records_that_are_none():
    for wrong in ["", "Dear Ann", "[Rulebook \"number-maze\"]\n\n1. x7 *\n", {"spoton": 1}]:
        with pytest.raises(spoton.RecordError):
            spoton.review(wrong)
    assert spoton.grade([]) == []
    with pytest.raises(TypeError):
        spoton.review(3)


def test_a_verdict_on_a_round(shipped, random):
    """A round is evaluated at its current position; a finished round returns its outcome."""
    for asked in [*shipped[::3], *random[:40]]:
        try:
            solution = asked.book.solve()
        except spoton.TooLarge:
            continue
        round, chance = asked.book.round(), dice.Random(4)
        while not round.over:
            assert solution.verdict(round) == solution.verdict(round.position)
            round.play(chance.choice(round.legal))
        outcome = solution.verdict(round)["outcome"]
        assert outcome == {"winner": round.winner, "ending": round.ending}
    # The house rule ends rounds, not positions.
    book = spoton.read("title = 'R'\nstart = 5\ntarget = 10\nrange = [0, 10]\nmoves = ['+1', '-1']\n")
    round, solution = book.round(), book.solve()
    while not round.over:
        round.play("+1" if len(round.history) % 2 == 0 else "-1")
    assert solution.verdict(round)["outcome"]["ending"] == "repetition" and "value" in solution.verdict(round.position)
    with pytest.raises(spoton.Error, match="the round belongs to another rule book"):
        solution.verdict(spoton.load("maze").round())
    with pytest.raises(TypeError, match="expected a position or a round, not str"):
        solution.verdict("5;1")


def test_memory_can_be_set():
    far = spoton.load("operation-target", settings={"numbers": "separate", "target": 3000, "moves": ["+1", "-1", "x2"]})
    spoton.set_memory(1)
    try:
        with pytest.raises(spoton.TooLarge, match="too large: .*1 MiB"):
            far.solve()
    finally:
        spoton.set_memory(1024)
    with pytest.raises(ValueError):
        spoton.set_memory(0)
    with pytest.raises(spoton.Error, match="another rule book"):
        spoton.load("maze").solve().verdict(spoton.load("race-to-23").opening())


def test_threads_query_in_parallel(invented):
    books = [asked.book for asked in invented[:30]]
    alone = [book.audit() for book in books]
    answers = {}

    def ask(number):
        answers[number] = [(book.audit(), book.solve().verdict(book.opening())["value"]) for book in books]

    threads = [threading.Thread(target=ask, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        assert [audit for audit, _ in answers[number]] == alone


def test_the_stubs_match():
    stubtest = [sys.executable, "-m", "mypy.stubtest", "spoton._spoton", "--ignore-disjoint-bases"]
    done = subprocess.run(stubtest, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_used(tmp_path):
    """Type checkers accept correct code and report mistakes."""
    (tmp_path / "right.py").write_text(
        "import spoton\nhere = spoton.load('maze').opening()\nvalue: str = here.book.solve().verdict(here)['value']\n"
    )
    (tmp_path / "wrong.py").write_text("import spoton\nspoton.load('maze').opening().numbers.append(3)\n")
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    right = subprocess.run([*check, tmp_path / "right.py"], capture_output=True, text=True, cwd=tmp_path)
    assert right.returncode == 0, right.stdout
    wrong = subprocess.run([*check, tmp_path / "wrong.py"], capture_output=True, text=True, cwd=tmp_path)
    assert "has no attribute" in wrong.stdout


def test_the_version_is_the_projects():
    assert f'version = "{spoton.__version__}"' in (ROOT / "Cargo.toml").read_text()
