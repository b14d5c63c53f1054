"""PettingZoo's own checks, and a comparison with the engine's rounds."""

import pickle
import random as dice
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import spoton
from spoton.pettingzoo import env


def quietly(check, *args, **more):
    """Runs a check of PettingZoo without its warnings, for example that observations aren't pixels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check(*args, **more)


def test_its_own_checks_on_every_book(shipped, invented, capsys):
    for asked in [*shipped, *invented]:
        quietly(api_test, env(asked.book), num_cycles=60, verbose_progress=False)
        quietly(seed_test, lambda book=asked.book: env(book), num_cycles=20)


def test_its_own_checks_on_any_book(random, capsys):
    for asked in random[:60]:
        if not asked.book.round().over:
            quietly(api_test, env(asked.book), num_cycles=30, verbose_progress=False)


def test_rounds_are_those_of_the_engine(shipped, invented, random):
    for asked in [*shipped, *invented[:20], *random]:
        for first in (1, 2):
            duel, round = env(asked.book, first=first), asked.book.round(first=first)
            duel.reset()
            chance = dice.Random(first)
            total = dict.fromkeys(duel.possible_agents, 0)
            for agent in duel.agent_iter():
                seen, reward, terminated, truncated, info = duel.last()
                total[agent] += reward
                if terminated or truncated:
                    assert not seen["action_mask"].any() and info["ending"] == round.ending
                    assert truncated == (round.ending == "stopped")
                    duel.step(None)
                    continue
                assert agent == f"player_{round.turn}"
                assert seen["action_mask"].tolist() == info["action_mask"].tolist() == list(round.mask)
                assert seen["observation"].tolist() == round.observation(round.turn)
                action = chance.choice(round.actions)
                duel.step(action)
                round.play(action)
            worth = {None: (0, 0), 1: (1, -1), 2: (-1, 1)}[round.winner]
            assert (total["player_1"], total["player_2"]) == worth, asked


def test_only_who_is_on_turn_may_move():
    duel = env("number-maze")
    duel.reset(options={"first": 2})
    assert duel.agent_selection == "player_2"
    assert not duel.observe("player_1")["action_mask"].any()
    assert duel.observe("player_2")["action_mask"].tolist() == [1, 1]


def test_an_illegal_action_loses():
    five = spoton.read("title = 'Five'\nstart = 4\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'")
    duel = env(five)
    duel.reset()
    duel.step(1)
    assert duel.rewards == {"player_1": -1, "player_2": 0}
    assert duel.terminations == {"player_1": True, "player_2": True}
    assert duel.infos["player_1"]["illegal"] == "+2: goes past 5"


def test_the_number_of_no_move_loses_and_what_is_no_number_is_an_error():
    for action in (-1, 2, 1000, 10**30):
        duel = env("number-maze")
        duel.reset()
        duel.step(action)
        assert duel.rewards == {"player_1": -1, "player_2": 0}
        assert duel.infos["player_1"]["illegal"] == f"{action}: the moves of this game are numbered from 0 to 1"
    duel = env("number-maze")
    duel.reset()
    for action in ("x", "+1", 1.0, None, [1]):
        with pytest.raises(TypeError, match="an action must be a move's number in the book's alphabet, not "):
            duel.step(action)
    assert duel.round.history == [] and not any(duel.terminations.values())
    assert duel.last()[0]["action_mask"].tolist() == duel.infos["player_1"]["action_mask"].tolist() == [1, 1]
    for action in (np.int64(1), np.array(0)):
        duel.step(action)
    assert duel.round.history == ["x2", "+1"]


def test_a_target_and_a_variant():
    assert env("number-maze", target=50).book == spoton.load("number-maze", target=50)
    assert env("number-maze", variant="to-34").book == spoton.load("number-maze", variant="to-34")
    for change in ({"target": 50}, {"variant": "to-34"}):
        with pytest.raises(ValueError, match="give them to spoton.load"):
            env(spoton.load("number-maze"), **change)
    with pytest.raises(spoton.RulebookError, match="^target 1: .* are both 1"):
        env("number-maze", target=1)


def test_an_invalid_starter_is_refused_immediately():
    for first in (0, 3):
        with pytest.raises(spoton.Error, match=f"players are 1 and 2, not {first}"):
            env("number-maze", first=first)


def test_it_can_be_looked_at_and_kept(capsys):
    duel = env("number-maze", render_mode="ansi")
    duel.reset()
    duel.step(1)
    assert duel.render() == "The number is 2. It's Player 2's turn."
    again = pickle.loads(pickle.dumps(duel))
    assert again.render() == duel.render() and again.agent_selection == "player_2"
    duel.close()
    shown = env("number-maze", render_mode="human")
    shown.reset()
    shown.step(0)
    assert capsys.readouterr().out == "The number is 2. It's Player 2's turn.\n"
    with pytest.raises(ValueError, match="render_mode"):
        env("number-maze", render_mode="rgb_array")
