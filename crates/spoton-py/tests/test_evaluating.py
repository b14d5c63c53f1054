"""Prompts, answers, game sets and scores, compared with the program."""

import json
import pickle
import random as dice
import sys
from datetime import date

import pytest

import spoton

# Answers with an invalid text, then with every move of the game until one is legal, and logs the turns.
TALKER = """
import json, sys
names, heard = json.loads(sys.argv[1]), open(sys.argv[2], "a")
tried = 0
for line in sys.stdin:
    turn = json.loads(line)
    tried = tried + 1 if "refused" in turn else 0
    answer = ["Hm.", *names][tried]
    heard.write(json.dumps([turn["prompt"], turn.get("legal"), turn.get("refused"), answer]) + "\\n")
    heard.flush()
    print(json.dumps({"answer": answer}), flush=True)
"""


def test_prompts_and_answers(program, shipped, invented, tmp_path):
    """Prompts are identical to the program's, and answers are read in the same way."""
    talker = tmp_path / "talker.py"
    talker.write_text(TALKER)
    compared = refused_illegal = 0
    for place, asked in enumerate([*shipped[::4], *invented[:3]]):
        book = asked.book
        disguise = place if place % 3 else None
        try:
            telling = spoton.Telling(book, legal_list=place % 2 == 0, disguise=disguise)
        except spoton.Error as no_words:
            assert "have no words for" in str(no_words)
            continue
        names, heard, kept = (tmp_path / f"{place}.{kind}" for kind in ("names", "heard", "jsonl"))
        names.write_text(json.dumps([telling.write(move) for move in book.alphabet]))
        command = f"exec:{sys.executable} {talker} \"$(cat {names})\" {heard}"
        how = ["--prompt"] if disguise is None else ["--disguise", disguise]
        how += [] if telling.legal_list else ["--no-legal-list"]
        args = ("--p1", command, "--p2", "random", "--rounds", 2, "--seed", 4, "--tries", 100, "--move-time", 60_000)
        program.run("arena", *asked.args, *args, *how, "--record", kept)
        lines = iter(map(json.loads, heard.read_text().splitlines()))
        for record in map(json.loads, kept.read_text().splitlines()):
            round = book.round(first=record["first"])
            while not round.over:
                if round.turn == 2:
                    move = record["moves"][len(round.history)]
                    assert move == round.choose("random", seed=4, number=record["first"])
                    round.play(move)
                    continue
                why = None
                while True:
                    prompt, legal, refused, answer = next(lines)
                    assert prompt == telling.prompt(round, why), asked
                    assert legal == (telling.legal(round) if telling.legal_list else None)
                    assert refused == why
                    read = telling.read(answer, round)
                    compared += 1
                    if read["refused"] is None:
                        break
                    assert read["move"] is None
                    why = read["refused"]
                    refused_illegal += why["why"] == "illegal"
                    round.refuse(why["why"])
                round.play(read["move"])
            assert round.history == record["moves"] and round.ending == record["ending"]
            players = [player["player"] for player in spoton.review(record)["players"]]
            told = spoton.grade(round.record(*players))
            assert told == spoton.grade(record)
            assert sum(line["unreadable"] for line in told) == round.refusals[0]["unreadable"]
        assert next(lines, None) is None
    assert compared > 200 and refused_illegal > 20


def test_the_ways_to_tell_a_game():
    maze = spoton.load("number-maze")
    plain, story = spoton.Telling(maze), spoton.Telling(maze, legal_list=False, disguise=2)
    assert (plain.legal_list, plain.disguise, story.legal_list, story.disguise) == (True, None, False, 2)
    assert [plain.write(move) for move in maze.alphabet] == ["+1", "x2"] and story.write(1) != "x2"
    for telling in (plain, story):
        again = pickle.loads(pickle.dumps(telling))
        assert again == telling and hash(again) == hash(telling) and again != spoton.Telling(maze, disguise=9)
        assert telling.book == maze and telling.rules()
    round = maze.round()
    assert plain.read("move: x2", round) == {"move": "x2", "refused": None}
    assert plain.read("move: x2", round)["move"] == story.read(story.write("x2"), round)["move"]
    assert story.read("move: x2", round)["refused"]["why"] == "unreadable"
    for wrong in ["x7", "", 7]:
        with pytest.raises(spoton.IllegalMove):
            plain.write(wrong)
    for wrong in [{}, {"why": "illegal"}, {"why": "bored", "reason": "it is"}, {"why": 3, "reason": "it is"}]:
        with pytest.raises(spoton.Error):
            plain.prompt(round, wrong)
    with pytest.raises(spoton.Error, match="another rule book"):
        plain.prompt(spoton.load("race-to-23").round())
    while not round.over:
        round.play(round.legal[0])
    for ask in (plain.prompt, plain.legal, lambda round: plain.read("x2", round)):
        with pytest.raises(spoton.Error, match="the round is over"):
            ask(round)
    with pytest.raises(spoton.Error, match="B: disguises have no words for numbers below 0"):
        spoton.Telling(spoton.read("title = 'B'\nstart = 3\ntarget = -5\nmoves = ['-1', '-2']"), disguise=1)


def test_records_keep_answers_that_do_not_count():
    round = spoton.load("number-maze").round(first=2)
    round.refuse("illegal")
    round.refuse("illegal")
    round.play("x2")
    round.refuse("unreadable")
    round.forfeit()
    assert (round.over, round.winner, round.ending) == (True, None, "forfeited")
    assert round.refusals == ({"unreadable": 1}, {"illegal": 2})
    for same in (round, round.copy(), pickle.loads(pickle.dumps(round))):
        assert (same.ending, same.refusals, same.history) == ("forfeited", round.refusals, ["x2"])
        one, two = spoton.grade(same.record("Ann", "Ben"))
        assert (one["player"], one["unreadable"], one["illegal"], one["forfeited"]) == ("Ann", 1, 0, 1)
        assert (two["player"], two["unreadable"], two["illegal"], two["unfinished"]) == ("Ben", 0, 2, 1)
    with pytest.raises(spoton.Error, match="the round is over"):
        round.refuse("illegal")
    with pytest.raises(spoton.Error, match="must be one of illegal, unreadable, late, died, flooded"):
        spoton.load("number-maze").round().refuse("boring")


def test_the_sets_of_games(program):
    for fresh in (None, date(2026, 11, 16)):
        drawn = spoton.bench(fresh)
        args = ["--fresh", fresh] if fresh else []
        [told] = program.json("bench", "perfect", *args, "--rounds", 1, "--json")
        assert (drawn.name, drawn.fingerprint, len(drawn)) == (told["set"], told["fingerprint"], 50)
        assert [(book.id, book.fingerprint) for book in drawn] == [
            (game["game"], game["rulebook_hash"]) for game in told["games"]
        ]
        assert [book.depth for book in drawn] == [book.audit()["subtle"] for book in drawn]
        assert (drawn[0].depth, drawn[-1].depth) == (1, 20) and [book.id for book in drawn[:2]] == [drawn[0].id, drawn[1].id]
        assert pickle.loads(pickle.dumps(drawn[7])).depth == drawn[7].depth
    assert spoton.load("number-maze").depth is None
    # Fresh sets are cached by day.
    again = spoton.bench("2026-11-16")
    assert (again.name, again.fingerprint) == (drawn.name, drawn.fingerprint)
    assert spoton.bench("2026-11-17").fingerprint != again.fingerprint
    with pytest.raises(IndexError):
        spoton.bench()[50]
    with pytest.raises(ValueError, match="write a date like 2026-11-15"):
        spoton.bench("16 November")


def played(book, bot, opponent, number, seed):
    """A round like in `spoton bot bench`: the bot is Player 1 and goes second in every second round."""
    round = book.round(first=1 if number % 2 else 2)
    while not round.over:
        round.play(bot(round) if round.turn == 1 else round.choose(opponent, seed, number))
    return round.record("bot", opponent)


def test_scores(program, tmp_path):
    """Scores equal the program's: perfect play, guessing and the player's results."""
    bot = tmp_path / "bot.py"
    bot.write_text("import json, sys\nfor line in sys.stdin:\n    print(json.loads(line)['legal'][-1], flush=True)\n")
    books = spoton.bench()
    for opponent, rounds in [("perfect", 2), ("otto", 4)]:
        args = ("--vs", opponent, "--rounds", rounds, "--seed", 3, "--move-time", 60_000)
        [told] = program.json("bench", f"exec:{sys.executable} {bot}", *args, "--json")
        numbers = range(1, rounds + 1)
        records = [played(book, lambda round: round.legal[-1], opponent, n, 3) for book in books for n in numbers]
        score = spoton.score(records, "bot", opponent)
        assert (score["player"], score["against"]) == ("bot", opponent)
        for seat, other in zip(score["seats"], told["seats"], strict=True):
            assert seat["got"] == other["got"] and (seat["seat"], seat["exact"]) == (other["seat"], None)
            assert seat["perfect"] == pytest.approx(other["perfect"], abs=1e-12)
            assert seat["careful"] == pytest.approx(other["careful"], abs=1e-12)
        both, other = score["both_seats"], told["both_seats"]
        assert both["got"] == other["got"] and both["perfect"] == pytest.approx(other["perfect"], abs=1e-12)
        for game, other in zip(score["games"], told["games"], strict=True):
            for seat in [*game["seats"], *other["seats"]]:
                del seat["name"]
            for key in ("game", "rulebook_hash", "exact", "in_its_place", "seats"):
                assert game[key] == other[key], key
    # They agree with the exact chances.
    assert spoton.chances(books[3], "careful", "perfect")[0]["wins"][0] == next(
        place["exact"][0]["wins"][0]
        for place in spoton.score(played(books[3], lambda round: round.legal[0], "perfect", 1, 1), "bot")["games"][0]["in_its_place"]
        if place["player"] == "careful"
    )


def test_scores_count_what_was_played():
    book = spoton.bench()[20]
    first, second = (played(book, lambda round: round.legal[0], "careful", number, 1) for number in (1, 2))
    both = spoton.score([first, second], "bot", "careful")
    thrice = spoton.score([first, first, first], "bot", "careful")
    assert [seat["got"]["rounds"] for seat in thrice["seats"]] == [3, 0]
    assert thrice["seats"][0]["perfect"] == pytest.approx(both["seats"][0]["perfect"])
    assert thrice["seats"][1]["perfect"] is None, "no rounds in this seat"
    assert both["both_seats"]["got"]["rounds"] == 2
    assert thrice["both_seats"] is None, "the seats are unequal"
    # The same seat as the opponent.
    round = book.round(first=2)
    while not round.over:
        round.play(round.legal[0] if round.turn == 2 else round.choose("careful", 1))
    other_side = spoton.score(round.record("careful", "bot"), "bot", "careful")
    for side in ("perfect", "careful"):
        assert other_side["seats"][0][side] == pytest.approx(both["seats"][0][side])
    with pytest.raises(spoton.RecordError, match="exactly one of the players must be Ann; this round is bot against careful"):
        spoton.score(first, "Ann")
    with pytest.raises(spoton.Error, match="did you mean careful"):
        spoton.score(first, "bot", "carefull")


def test_a_score_names_the_opponent():
    """The records name the opponent, and `against` can't contradict them."""
    book = spoton.bench()[20]
    careful, perfect = (played(book, lambda round: round.legal[0], opponent, 1, 1) for opponent in ("careful", "perfect"))
    told = spoton.score(careful, "bot")
    assert told == spoton.score(careful, "bot", "careful") and told["against"] == "careful"
    assert spoton.score(perfect, "bot")["against"] == "perfect"
    assert spoton.score(perfect, "bot")["seats"][0]["careful"] != told["seats"][0]["careful"]
    with pytest.raises(spoton.RecordError, match="bot played against careful, not perfect"):
        spoton.score(careful, "bot", against="perfect")
    with pytest.raises(spoton.RecordError, match="bot played against careful and perfect: score each opponent separately"):
        spoton.score([careful, perfect], "bot")
    # A name that isn't a computer player's needs `against`.
    as_ann = careful.replace('"careful"', '"Ann"')
    with pytest.raises(spoton.RecordError, match="bot played against Ann, which isn't the name of a computer opponent"):
        spoton.score(as_ann, "bot")
    assert spoton.score(as_ann, "bot", against="careful")["seats"] == told["seats"]
    for nothing in ([], iter(())):
        with pytest.raises(spoton.RecordError, match="no rounds to score"):
            spoton.score(nothing, "bot")
    with pytest.raises(spoton.RecordError):
        spoton.score("", "bot")


def test_answers_with_the_move_on_the_next_line():
    fresh = next(spoton.invent(seed=7))
    round = fresh.round()
    for telling in (spoton.Telling(fresh), spoton.Telling(fresh, disguise=7)):
        two, four = telling.write("+2"), telling.write("+4")
        for said in (f"move:\n{four}", f"{two} is worse.\n\n**Move:**\n\n  {four}\n", f"move: {two}\nNo.\nmove:\n{four}"):
            assert telling.read(said, round) == {"move": "+4", "refused": None}, said
        for said in (f"move:\n{two}\n{four}", f"move:\n{two} or {four}"):
            assert telling.read(said, round)["refused"] == {"why": "unreadable", "reason": "the answer names more than one move"}
        assert telling.read("move: x77", round)["refused"]["reason"] == '"x77" names no move of this game'


def test_an_answer_that_a_length_limit_ended_never_counts():
    book = spoton.load("number-maze")
    telling, round = spoton.Telling(book), book.round()
    assert telling.read("move: x2", round, cut=False)["move"] == "x2"
    cut = telling.read("move: x2", round, cut=True)
    assert cut == {"move": None, "refused": {"why": "unreadable", "reason": "a length limit cut the answer off"}}


def test_intervals():
    low, high = spoton.interval(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
    assert spoton.interval(0, 0) is None
    with pytest.raises(ValueError, match="11 of 10 isn't a share"):
        spoton.interval(11, 10)


def test_choices_that_matter_without_showing_it(shipped, invented, random):
    """Their number equals the audit's count, and reviews mark each of them."""
    found = 0
    for asked in [*shipped, *invented[:10], *random[:60]]:
        book = asked.book
        try:
            figures = book.audit()
        except spoton.TooLarge:
            continue
        if figures["subtle"] > 400:
            continue
        choices = book.subtle_choices()
        assert len(choices) == figures["subtle"], asked
        for round in choices[:: max(1, len(choices) // 10)]:
            player = round.turn
            round.play(round.legal[0])
            *_, last = (judged for judged in spoton.review(round.record())["moves"] if judged["player"] == player)
            assert last["subtle"] and last["decision"], asked
            found += 1
        if len(choices) > 3:
            some = book.subtle_choices(3, seed=5)
            drawn = [str(round.position) for round in some]
            assert drawn == [str(round.position) for round in book.subtle_choices(3, seed=5)]
            # In order, without duplicates.
            places = [str(round.position) for round in book.subtle_choices()]
            assert sorted(map(places.index, drawn)) == [places.index(position) for position in drawn] and len(set(drawn)) == 3
    assert found > 200


def test_every_choice_may_be_drawn():
    book = spoton.bench()[-1]
    drawn = {str(round.position) for seed in range(200) for round in book.subtle_choices(1, dice.Random(seed).getrandbits(60))}
    assert len(drawn) == book.depth
