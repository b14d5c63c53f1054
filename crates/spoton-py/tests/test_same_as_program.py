"""Compares the package with the program, position by position."""

import json

import pytest
from conftest import walk

import spoton

MOST_POSITIONS = 150


def test_every_verdict(program, shipped, invented, random):
    compared = 0
    for asked in [*shipped, *invented, *random]:
        try:
            solution = asked.book.solve()
        except spoton.TooLarge as too_large:
            told = program.json("solve", *asked.args, "--json", status=1)
            assert told == [{"error": str(too_large)}], asked
            continue
        lines = list(walk(asked.book, MOST_POSITIONS))
        questions = "".join(" ".join(moves) + "\n" for moves, _ in lines)
        answers = program.json("solve", *asked.args, "--stdin", given=questions)
        for (moves, position), answer in zip(lines, answers, strict=True):
            assert solution.verdict(position) == answer, (asked, moves)
            assert list(solution.verdict(position)) == list(answer), "the keys have the same order"
            if not position.over:
                legal = ["skip"] if position.skips else position.legal
                assert sorted(legal) == sorted(judged["move"] for judged in answer["moves"])
                assert position.to_dict() == answer["position"]
                told = {barred["move"]: barred["reason"] for barred in answer.get("barred", [])}
                assert position.barred == told, (asked, moves)
            compared += 1
    assert compared > 15_000


def test_audits_rules_and_texts(program, shipped, invented, random):
    for asked in [*shipped[::2], *invented[:5], *random[:30]]:
        assert asked.book.rules() == program.run("rules", *asked.args), asked
        assert [asked.book.describe()] == program.json("rules", *asked.args, "--json"), asked
        try:
            audit = asked.book.audit()
        except spoton.TooLarge as too_large:
            [refused] = program.json("audit", *asked.args, "--json", status=1)
            # The command may add advice.
            assert refused["error"].startswith(str(too_large)), asked
            continue
        assert [audit] == program.json("audit", *asked.args, "--json"), asked


def test_mistakes_of_books(program, drawn, tmp_path):
    wrong = 0
    texts = [path.read_text() for path, *_ in drawn[:40]]
    # Removing a character in the middle breaks most books in different ways.
    for number, text in enumerate(texts):
        path = tmp_path / f"wrong-{number}.toml"
        path.write_text(text[: len(text) // 2] + text[len(text) // 2 + 1 :])
        [checked] = program.json("check", path, "--json", status=0 if is_valid(path) else 2)
        mistakes = [problem for problem in checked["problems"] if problem["severity"] == "error"]
        assert is_valid(path) == checked["valid"]
        if checked["valid"]:
            continue
        wrong += 1
        with pytest.raises(spoton.RulebookError) as error:
            spoton.load(path)
        assert error.value.problems == mistakes
        for line, problem in zip(str(error.value).splitlines(), mistakes, strict=False):
            assert f"{problem['line']}:{problem['column']}" in line
    assert wrong > 10


def is_valid(path):
    try:
        spoton.load(path)
    except spoton.RulebookError:
        return False
    return True


def test_inventions(program):
    told = program.json("invent", "--seed", "7", "--count", "20", "--json")
    assert [book.invented for book in spoton.invent(7, 20)] == told
    assert [book.to_toml() for book in spoton.invent(7, 20)] == [game["text"] for game in told]
    told = program.json("invent", "--seed", "3", "--count", "3", "--level", "2", "--json")
    assert [book.invented for book in spoton.invent(3, 3, level=2)] == told
    like = spoton.load("race-to-23")
    told = program.json("invent", "--seed", "3", "--count", "2", "--like", "race-to-23", "--json")
    assert [book.invented for book in spoton.invent(3, 2, like=like)] == told


def test_rounds_reviews_and_grades(program, shipped, invented, random, tmp_path):
    """The same seed gives the same round in the arena, with the same review and grades."""
    for asked in [*shipped[::3], *invented[:5], *random[:20]]:
        path = tmp_path / "rounds.jsonl"
        path.unlink(missing_ok=True)
        program.run(
            "arena", *asked.args, "--p1", "otto", "--p2", "careful", "--rounds", 1, "--seed", 5, "--record", path
        )
        [played] = [json.loads(line) for line in path.read_text().splitlines()]
        round = asked.book.round()
        while not round.over:
            round.play(round.choose("otto" if round.turn == 1 else "careful", seed=5))
        assert round.history == played["moves"], asked
        assert round.ending == played["ending"], asked

        record = round.record("Ann", "Ben")
        (tmp_path / "record.txt").write_text(record)
        try:
            review = spoton.review(record)
        except spoton.TooLarge:
            continue
        [told] = program.json("review", tmp_path / "record.txt", "--json")
        assert review == told, asked
        [as_data] = program.json("record", tmp_path / "record.txt", "--json")
        assert spoton.review(as_data) == told, asked
        [summary] = program.json("review", tmp_path / "record.txt", "--summary", "--json")
        assert spoton.grade([record]) == spoton.grade(as_data) == summary, asked
        [twice] = program.json("review", tmp_path / "record.txt", tmp_path / "record.txt", "--summary", "--json")
        assert spoton.grade([record, as_data]) == spoton.grade(record + "\n" + record) == twice, asked


def test_refusals_have_the_same_words(program, tmp_path):
    """Exceptions for records, opponents, moves and games have the program's messages."""
    maze, path = spoton.load("number-maze"), tmp_path / "record.txt"

    def both(call, *args):
        with pytest.raises(spoton.Error) as error:
            call()
        refused = program.run(*args, status=None, errors=True)
        assert str(error.value) in refused, args

    for text in ["Dear Ann", '[Rulebook "number-maze"]\n\n1. x7 *\n', '[Rulebook "none-such"]\n\n1. +1 *\n', '{"spoton": 1}']:
        path.write_text(text)
        both(lambda text=text: spoton.review(text), "review", path)
        both(lambda text=text: spoton.grade([text]), "review", "--summary", path)
    for name in ["dahs", "dash:slip=2", "nobody-at-all"]:
        both(lambda name=name: spoton.chances(maze, name, "perfect"), "arena", "number-maze", "--p1", name, "--p2", "perfect")
        both(lambda name=name: maze.round().choose(name), "arena", "number-maze", "--p1", name, "--p2", "perfect")
    for name in ["maez", "target"]:
        both(lambda name=name: spoton.load(name), "rules", name)
    both(lambda: spoton.load("number-maze", variant="to-35"), "rules", "number-maze", "--variant", "to-35")
    with pytest.raises(spoton.IllegalMove, match="x7: (.*)") as error:
        maze.round().play("x7")
    assert str(error.value).split(": ", 1)[1] in program.run(
        "solve", "number-maze", "--moves", "x7", status=None, errors=True
    )


def test_exact_chances(program, shipped, invented, random):
    for asked in [*shipped[::5], *invented[:4], *random[:8]]:
        for one, two in [("careful", "perfect"), ("random", "pip")]:
            try:
                exact = spoton.chances(asked.book, one, two)
            except spoton.TooLarge:
                continue
            [told] = program.json("arena", *asked.args, "--p1", one, "--p2", two, "--json")
            assert exact == told["exact"], asked


def test_lists(program):
    [games] = program.json("games", "--json")
    assert spoton.games() == [game for game in games if not game["own_file"]]
    [opponents] = program.json("opponents", "--json")
    assert spoton.opponents() == opponents
