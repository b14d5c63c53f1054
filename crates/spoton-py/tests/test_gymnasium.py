"""Gymnasium's own check, and that its rounds are ours."""

import random as dice
import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import spoton
import spoton.gymnasium


def duel(book, **more):
    return gymnasium.make("spoton/Duel-v0", book=book, **more)


def test_its_own_check_on_every_book(shipped, invented):
    for asked in [*shipped, *invented]:
        for seat in ("first", "second"):
            with warnings.catch_warnings():
                # It would like every number to be scaled.
                warnings.simplefilter("ignore")
                check_env(duel(asked.book, seat=seat).unwrapped)


def test_rounds_are_those_of_the_engine(shipped, invented, random):
    ended = set()
    for asked in [*shipped, *invented[:10], *random[:80]]:
        for seat, opponent in [("first", "careful"), ("second", "random")]:
            env = duel(asked.book, seat=seat, opponent=opponent).unwrapped
            for seed in range(2):
                seen, info = env.reset(seed=seed)
                round = asked.book.round(first=1 if seat == "first" else 2)
                chance, reward, over = dice.Random(seed), 0, env.round.over
                while not round.over:
                    if round.turn == 2:
                        round.play(round.choose(opponent, env._seed))
                        continue
                    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == list(round.mask)
                    assert seen["observation"].tolist() == round.observation(1)
                    action = chance.choice(round.actions)
                    assert not over
                    seen, reward, terminated, truncated, info = env.step(action)
                    over = terminated or truncated
                    round.play(action)
                assert over and env.round.history == round.history, asked
                ended.add(round.ending)
                if len(round.history) > 1:
                    assert reward in (0, {None: 0, 1: 1, 2: -1}[round.winner])
    assert {"reached", "overshot", "stuck", "repetition"} <= ended


def test_the_same_seed_is_the_same_round():
    def play(seed):
        env = duel("number-maze", opponent="random", seat="random")
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        return env.unwrapped.round.history

    assert [play(seed) for seed in range(20)] == [play(seed) for seed in range(20)]
    assert len({tuple(play(seed)) for seed in range(20)}) > 5


def test_perfect_play_gets_what_the_seat_allows():
    """Against the guesser, the moves of the solution win every round from a seat that wins."""
    book = spoton.load("number-maze", target=34)
    solution = book.solve()
    assert solution.verdict(book.opening())["value"] == "win"
    env = duel(book, opponent="careful")
    for seed in range(20):
        env.reset(seed=seed)
        over = False
        while not over:
            best = solution.verdict(env.unwrapped.round.position)["moves"][0]["move"]
            _, reward, over, _, _ = env.step(book.alphabet.index(best))
        assert reward == 1


def test_an_illegal_action_loses():
    five = spoton.read("title = 'Five'\nstart = 4\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'")
    env = duel(five, render_mode="ansi")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(1)
    assert (reward, terminated, info["illegal"]) == (-1, True, "+2: goes past 5")
    assert env.render() == "The number is 4. It is Player 1's turn."


def test_what_cannot_be_is_said_at_once():
    with pytest.raises(spoton.Error, match="did you mean dash"):
        duel("number-maze", opponent="dahs")
    with pytest.raises(ValueError, match="seat is one of"):
        duel("number-maze", seat="third")
