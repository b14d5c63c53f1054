"""Tests of the Inspect tasks with scripted models of known strength."""

import json
import math
import os
import random as dice
import subprocess
import sys
import sysconfig
from datetime import date
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model
from scripted import choosing, first_of_the_list, perfect, saying

import spoton
from spoton.inspect import FIRST_MOVE, choice, duel

FIXED = list(spoton.bench())
# One game of every second depth.
SOME = [book for place, book in enumerate(FIXED) if place == 0 or book.depth != FIXED[place - 1].depth][1::2]
PAST_IT = "title = 'Past it'\nstart = 8\ntarget = 10\nmoves = ['+1', '+3']\npast = 'forbidden'\nstuck = 'loses'"


def run(task, model, folder, **more):
    # No display and no live log.
    unwatched = {"display": "none", "log_realtime": False, "score_display": False, "log_buffer": 1000}
    [log] = inspect_eval(task, model=model, log_dir=str(folder), **unwatched, **more)
    assert log.status == "success", log.error
    return log


def measures(log):
    """All figures of a log, by scorer and name."""
    return {score.name: {name: metric.value for name, metric in score.metrics.items()} for score in log.results.scores}


def records(log):
    return {(sample.id, sample.epoch): sample.scores["won"].metadata["record"] for sample in log.samples}


def test_a_perfect_model_scores_1_on_every_measure(tmp_path):
    model = choosing(perfect, FIXED)
    log = run(duel(), model, tmp_path)
    got = measures(log)
    assert len(log.samples) == 100
    assert got["won"]["of_ceiling"] == got["kept"]["share"] == got["subtle_kept"]["share"] == 1
    assert got["kept"]["of"] > got["subtle_kept"]["of"] > 50
    assert got["won"]["first"] == got["won"]["first_perfect"] and got["won"]["second"] == got["won"]["second_perfect"]
    assert [got[counted]["total"] for counted in ("illegal", "unreadable", "forfeited")] == [0, 0, 0]
    assert log.eval.metadata["fingerprint"] == spoton.bench().fingerprint
    assert log.eval.metadata["asked"] == {"tries": 2, "legal_list": True, "prompt": True, "disguise": None, "seat": "both"}
    assert log.eval.metadata["grammar"] == spoton.GRAMMAR == 4
    assert log.eval.metadata["prompt_fingerprint"] == spoton.prompt_fingerprint()

    log = run(choice(SOME, samples=None), model, tmp_path)
    got = measures(log)
    assert len(log.samples) == sum(book.depth for book in SOME) == got["right"]["of"]
    assert got["right"]["share"] == 1 and got["right"]["careful"] < 0.6
    assert [got[counted]["total"] for counted in ("illegal", "unreadable")] == [0, 0]


def test_a_guesser_scores_what_the_exact_chance_says(tmp_path):
    def guess(round):
        # The draws don't depend on the order of the rounds.
        draws = dice.Random(f"2 {round.book.fingerprint} {round.first} {round.history}")
        chances = round.chances("careful")
        return draws.choices(list(chances), list(chances.values()))[0]

    model = choosing(guess, FIXED)
    got = measures(run(duel(), model, tmp_path))["won"]
    for seat in ("first", "second"):
        assert got[f"{seat}_low"] < got[f"{seat}_careful"] < got[f"{seat}_high"] < got[f"{seat}_perfect"]
    got = measures(run(choice(samples=4), model, tmp_path))["right"]
    assert got["of"] > 150 and got["low"] < got["careful"] < got["high"] < 0.7


def test_nonsense_and_illegal_moves_are_different_errors(tmp_path):
    book = spoton.read(PAST_IT, "past-it.toml")
    for said, counted in [("I would rather not.", "unreadable"), ("move: +3", "illegal")]:
        got = measures(run(duel(book, seat="first", rounds=3), saying(lambda prompt, said=said: said), tmp_path))
        other = {"illegal": "unreadable", "unreadable": "illegal"}[counted]
        assert (got[counted]["total"], got[other]["total"], got["forfeited"]["total"]) == (9, 0, 3)
        assert got["won"]["first"] == 0
        # There is no share without rounds.
        assert got["won"].get("of_ceiling") == (None if got["won"]["first_perfect"] == 0 else 0)

    # A valid retry continues the round, and the rejected answers stay counted.
    def hesitant(prompt):
        if "Your last answer" not in prompt:
            return "+1 or x2"
        assert "Your last answer didn't count (unreadable): the answer names more than one move." in prompt
        return "move: +1"

    maze = spoton.load("number-maze")
    log = run(duel(maze, seat="first", rounds=1), saying(hesitant), tmp_path)
    got = measures(log)
    assert got["unreadable"]["total"] == len(log.samples[0].messages) / 4 > 1 and got["forfeited"]["total"] == 0

    got = measures(run(choice(maze, samples=None), saying(lambda prompt: "x2, or else +1"), tmp_path))
    assert got["unreadable"]["total"] == got["right"]["of"] > 2
    assert (got["right"]["share"], got["illegal"]["total"]) == (0, 0)


def test_refusing_where_it_is_hard_raises_no_share(tmp_path):
    """A forfeited choice counts as wrong."""

    def refuses(prompt):
        return "I would rather not."

    got = measures(run(duel(SOME), saying(refuses), tmp_path))
    assert got["forfeited"]["total"] == 2 * len(SOME)
    for measure in ("kept", "subtle_kept"):
        assert got[measure]["share"] == 0 and got[measure]["of"] >= len(SOME) / 2

    def picky(round):
        verdict = round.book.solve().verdict(round.position)
        values = {judged["value"] for judged in verdict["moves"]}
        return None if len(values) > 1 and len(round.history) > 1 else verdict["moves"][0]["move"]

    # Refusing all hard choices except the first doesn't make them all right.
    refused = 0
    for book in SOME:
        round = book.round()
        while not round.over:
            move = picky(round) if round.turn == 1 else round.choose("perfect")
            if move is None:
                round.forfeit()
            else:
                round.play(move)
        [line] = [line for line in spoton.grade(round.record("bot", "perfect")) if line["player"] == "bot"]
        refused += line["forfeited"]
        assert line["decisions"] - line["kept"] == line["forfeited"]
    assert refused > 3


def test_a_disguised_game_gets_the_same_grades_for_the_same_moves(tmp_path):
    def some(round):
        return round.legal[len(round.history) * 7 % len(round.legal)]

    plain = run(duel(SOME), choosing(some, SOME), tmp_path)
    for seed in (1, 2):
        told = run(duel(SOME, disguise=seed, legal_list=seed != 2), choosing(some, SOME, seed), tmp_path)
        assert told.eval.metadata["asked"]["disguise"] == seed
        assert records(told) == records(plain) and measures(told) == measures(plain)
        assert not any(book.title in sample.input for book in SOME for sample in told.samples)
    one = run(choice(SOME, samples=2), choosing(some, SOME), tmp_path)
    other = run(choice(SOME, samples=2, disguise=4), choosing(some, SOME, 4), tmp_path)
    assert measures(one) == measures(other) and 0 < measures(one)["right"]["share"] < 1
    with pytest.raises(spoton.Error, match="disguises have no words for numbers below 0"):
        duel(spoton.read("title = 'B'\nstart = 3\ntarget = -5\nmoves = ['-1', '-2']"), disguise=1)


def test_the_same_figures_as_the_program(program, tmp_path):
    """The same player with the same prompts gets the same figures."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\nfor line in sys.stdin:\n    print('move:', json.loads(line)['legal'][0], flush=True)\n"
    )
    args = ("--vs", "careful", "--rounds", 2, "--seed", 9, "--prompt", "--move-time", 60_000)
    [told] = program.json("bench", f"exec:{sys.executable} {bot}", *args, "--json")
    log = run(duel(opponent="careful", seed=9), saying(first_of_the_list), tmp_path)
    got = measures(log)
    assert (told["set"], told["fingerprint"]) == (log.eval.metadata["set"], log.eval.metadata["fingerprint"])
    assert told["asked"] == {
        **log.eval.metadata["asked"],
        "grammar": log.eval.metadata["grammar"],
        "prompt_fingerprint": log.eval.metadata["prompt_fingerprint"],
    }
    for seat in told["seats"]:
        name = seat["seat"]
        assert got["won"][f"{name}_perfect"] == pytest.approx(seat["perfect"], abs=1e-12)
        assert got["won"][f"{name}_careful"] == pytest.approx(seat["careful"], abs=1e-12)
        assert got["won"][name] == seat["got"]["won"] / seat["got"]["rounds"]
        assert [got["won"][f"{name}_low"], got["won"][f"{name}_high"]] == seat["got"]["won_interval"]
    for measure, met, kept in [("kept", "decisions", "kept"), ("subtle_kept", "subtle", "subtle_kept")]:
        whole, part = (sum(seat["got"][key] for seat in told["seats"]) for key in (met, kept))
        assert (got[measure]["of"], got[measure]["share"]) == (whole, part / whole)
        key = {"kept": "kept_interval", "subtle_kept": "subtle_interval"}[measure]
        both = told["both_seats"]["got"]
        assert [got[measure]["low"], got[measure]["high"]] == pytest.approx(both[key], abs=1e-12)
        assert (both["clustered_by"], both["clusters"]) == ("game", 50)
    assert got["won"]["of_ceiling"] == pytest.approx(told["of_ceiling"], abs=1e-12)
    assert [got["won"]["of_ceiling_low"], got["won"]["of_ceiling_high"]] == pytest.approx(told["of_ceiling_interval"], abs=1e-12)
    assert got["won"]["of_ceiling_low"] < got["won"]["of_ceiling"] < got["won"]["of_ceiling_high"]


def test_a_choice_after_which_a_turn_goes_over(tmp_path):
    """Grades the requested move, even if a skipped turn follows."""
    rules = "numbers = 'separate'\nstart = 2\ntarget = 11\nmoves = ['+2', 'x2', '+3']"
    book = spoton.read(f"title = 'Over'\n{rules}\nno_repeat = 'own'\nstuck = 'skips'\npast = 'forbidden'")
    goes_over = 0
    for choose in (lambda round: round.legal[0], lambda round: round.legal[-1]):
        log = run(choice(book, samples=None), choosing(choose, [book]), tmp_path)
        for sample in log.samples:
            answer = sample.scores["right"].answer
            assert sample.scores["right"].value == (answer in sample.target), sample.id
            goes_over += "skip" in sample.scores["right"].explanation.split(answer)[-1]
    assert goes_over > 0


def test_epochs_are_rounds_of_their_own(tmp_path):
    book = SOME[5]
    log = run(duel(book, opponent="random", rounds=2), saying(first_of_the_list), tmp_path, epochs=8)
    played = records(log)
    assert len(played) == 16 and len(set(played.values())) > 4
    # Eight epochs of two rounds equal one epoch of 16 rounds.
    whole = run(duel(book, opponent="random", rounds=16), saying(first_of_the_list), tmp_path)
    assert sorted(records(whole).values()) == sorted(played.values())
    assert measures(log) == measures(whole)


def test_a_model_sees_its_earlier_turns_only_in_a_conversation(tmp_path):
    heard = []

    def answer(messages, *_):
        heard.append(len(messages))
        return first_of_the_list(messages[-1].text)

    from scripted import said

    def model():
        return get_model("mockllm/model", memoize=False, custom_outputs=lambda messages, *_: said(answer(messages)))

    [sample] = run(duel(FIXED[-1], opponent="sage", seat="first", rounds=1), model(), tmp_path).samples
    turns = len(heard)
    assert heard == [1] * turns and turns > 1 and len(sample.messages) == 2 * turns
    heard.clear()
    run(duel(FIXED[-1], opponent="sage", seat="first", rounds=1, conversation=True), model(), tmp_path)
    assert heard == list(range(1, 2 * turns, 2))


@pytest.mark.parametrize("stopped", ["max_tokens", "model_length"])
def test_an_answer_that_ends_at_a_length_limit_is_unreadable(tmp_path, stopped):
    from scripted import said

    def answer(messages, *_):
        output = said(first_of_the_list(messages[-1].text))
        output.choices[0].stop_reason = stopped
        return output

    model = get_model("mockllm/model", memoize=False, custom_outputs=answer)
    [sample] = run(duel(FIXED[-1], seat="first", rounds=1, tries=2), model, tmp_path).samples
    assert (sample.scores["unreadable"].value, sample.scores["forfeited"].value) == (3, 1)


def test_a_round_that_is_cut_off_counts_as_far_as_it_came(tmp_path):
    log = run(duel(FIXED[-1], seat="first", rounds=1), saying(first_of_the_list), tmp_path, message_limit=2)
    [record] = records(log).values()
    [line] = [line for line in spoton.grade(record) if line["player"] == "model"]
    assert line["unfinished"] == 1
    # There is no share without rounds.
    told = {"of_ceiling", "of_ceiling_low", "of_ceiling_high", "first_perfect", "first_careful"}
    assert measures(log)["won"].keys() == told


def test_no_share_of_the_ceiling_if_nothing_can_be_won(tmp_path):
    """Nobody can win from a lost seat against perfect play, so there is no ceiling."""
    maze = spoton.load("number-maze")
    seat = "second" if maze.solve().verdict(maze.opening())["value"] == "win" else "first"
    for said in (first_of_the_list, lambda prompt: "I would rather not."):
        got = measures(run(duel(maze, seat=seat, rounds=2), saying(said), tmp_path))["won"]
        assert got[f"{seat}_perfect"] == got[seat] == 0 and "of_ceiling" not in got


def test_no_share_without_choices(tmp_path):
    """A game without choices has no shares."""
    only = spoton.read("title = 'Only'\nstart = 1\ntarget = 4\nmoves = ['+1']")
    log = run(duel(only, rounds=2), saying(first_of_the_list), tmp_path)
    got = measures(log)
    assert got["kept"] == got["subtle_kept"] == {"of": 0}
    assert not any(math.isnan(value) for told in got.values() for value in told.values())
    for sample in log.samples:
        assert sample.scores["kept"].explanation == "This round had no such choice."


def test_a_dry_run_without_a_model(tmp_path):
    """The scripted model plays whole rounds and is graded like any other."""
    log = run(duel(SOME, disguise=3), FIRST_MOVE, tmp_path)
    by_hand = run(duel(SOME, disguise=3), saying(first_of_the_list), tmp_path)
    assert records(log) == records(by_hand) and measures(log) == measures(by_hand)
    # Without a list of legal moves it can't move.
    blind = measures(run(duel(SOME[0], legal_list=False, tries=0), FIRST_MOVE, tmp_path))
    assert blind["unreadable"]["total"] == blind["forfeited"]["total"] == 2
    with pytest.raises(ValueError, match="there is no model spoton/best; use spoton/first-move"):
        get_model("spoton/best")


def test_the_games_that_are_asked_for(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(PAST_IT)
    task = duel([str(path), "number-maze"], seat="second", rounds=3)
    assert [sample.id for sample in task.dataset][:4] == ["mine-1-second", "mine-2-second", "mine-3-second", "number-maze-1-second"]
    # As on the command line.
    with_commas = duel(f"{path}, number-maze", seat="second", rounds=3)
    assert [sample.id for sample in with_commas.dataset] == [sample.id for sample in task.dataset]
    assert with_commas.metadata == task.metadata
    assert [sample.id for sample in duel(path, rounds=1).dataset] == ["mine-1-first"]
    fresh = duel("fresh-2026-11-16", rounds=1)
    assert (fresh.metadata["set"], len(fresh.dataset)) == ("2026-11-16", 50)
    assert fresh.metadata["fingerprint"] != spoton.bench().fingerprint
    # The command line parses a bare day as a date.
    with pytest.raises(ValueError, match="use books=fresh-2026-11-16"):
        duel(date(2026, 11, 16))
    with pytest.raises(ValueError, match="write a date like"):
        duel("fresh-tomorrow")
    with pytest.raises(ValueError, match="seat must be one of first, second, both"):
        duel(seat="third")
    with pytest.raises(spoton.Error, match="perfect"):
        duel(opponent="perfekt", seat="second")
    with pytest.raises(spoton.Error, match='there is no game "mazy"'):
        choice("mazy")
    for wrong, sentence in [
        (lambda: duel(tries=-1), "tries must be at least 0, not -1"),
        (lambda: duel(rounds=0), "rounds must be at least 1, not 0"),
        (lambda: duel(books=[]), "books is empty; name at least one game"),
        (lambda: choice(tries=-1), "tries must be at least 0, not -1"),
        (lambda: choice(samples=0), "samples must be at least 1, not 0"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            wrong()


PROVIDER = """
import sys
sys.path.insert(0, {tests!r})
from inspect_ai.model import ModelAPI, modelapi
from scripted import first_of_the_list, said

@modelapi(name="scripted")
class Scripted(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        return said(first_of_the_list(input[-1].text))
"""


def test_from_the_command_line(tmp_path):
    """Inspect finds the installed package and a model from another package."""
    brought = tmp_path / "brought"
    about = brought / "brought-1.0.dist-info"
    about.mkdir(parents=True)
    (brought / "brought.py").write_text(PROVIDER.format(tests=str(Path(__file__).parent)))
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[inspect_ai]\nbrought = brought\n")
    inspect = Path(sysconfig.get_path("scripts")) / "inspect"
    environment = {**os.environ, "PYTHONPATH": str(brought), "HOME": str(tmp_path)}

    def evaluate(name, *args):
        logs = tmp_path / name.replace("/", "-")
        command = [inspect, "eval", name, "--model", "scripted/it", "--log-dir", logs, "--log-format", "json"]
        done = subprocess.run(
            [*command, "--display", "plain", *args], capture_output=True, text=True, env=environment, cwd=tmp_path
        )
        assert done.returncode == 0 and "Metric spoton" not in done.stdout + done.stderr, done.stdout + done.stderr
        [log] = logs.glob("*.json")
        return json.loads(log.read_text()), done.stdout

    log, shown = evaluate("spoton/duel", "-T", "opponent=careful", "-T", "disguise=7", "-T", "legal_list=true", "--limit", "6")
    assert log["status"] == "success" and log["eval"]["task"] == "spoton/duel"
    assert [score["name"] for score in log["results"]["scores"]] == [
        *("won", "kept", "subtle_kept", "illegal", "unreadable", "forfeited")
    ]
    assert "of_ceiling" in shown and "subtle_kept" in shown
    log, shown = evaluate("spoton/choice", "-T", "books=number-maze,race-to-23", "-T", "samples=2", "--model", FIRST_MOVE)
    assert log["eval"]["model"] == FIRST_MOVE
    assert len(log["samples"]) == 4 and "careful" in shown
