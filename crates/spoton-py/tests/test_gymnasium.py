"""Gymnasium's own check, and a comparison with the engine's rounds."""

import random as dice
import warnings

import gymnasium
import numpy as np
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
                # It warns about unscaled numbers.
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
                        round.play(round.choose(opponent, seed, episode=1))
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
    """From a winning seat, perfect moves always beat the guesser."""
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
    assert env.render() == "The number is 4. It's Player 1's turn."


def test_the_number_of_no_move_loses_and_what_is_no_number_is_an_error():
    env = duel("number-maze").unwrapped
    for action in (-1, 2, 10**30):
        env.reset(seed=1)
        _, reward, terminated, _, info = env.step(action)
        assert (reward, terminated) == (-1, True)
        assert info["illegal"] == f"{action}: the moves of this game are numbered from 0 to 1"
    env.reset(seed=1)
    for action in ("x", "+1", 1.0, None):
        with pytest.raises(TypeError, match="an action must be a move's number in the book's alphabet, not "):
            env.step(action)
    assert env.round.history == []
    env.step(np.int64(0))
    assert env.round.history[0] == "+1"


def test_a_target_and_a_variant():
    for make in (duel, lambda book, **more: duels(book, 2, **more)):
        assert make("number-maze", target=50).unwrapped.book == spoton.load("number-maze", target=50)
        assert make("number-maze", variant="to-34").unwrapped.book == spoton.load("number-maze", variant="to-34")
        with pytest.raises(ValueError, match="give them to spoton.load"):
            make(spoton.load("number-maze"), target=50)


def test_a_round_that_is_over_before_the_first_turn():
    """The opponent wins immediately: the first step reports it, whatever the action."""
    near = spoton.read("title = 'Near'\nstart = 8\ntarget = 9\nmoves = ['+1', '+2']")
    for env, wrap in [(duel(near, seat="second"), lambda action: action), (duels(near, 1, seat="second"), lambda action: [action])]:
        seen, info = env.reset(seed=1)
        assert not seen["action_mask"].any() and info["ending"] in ("reached", spoton.gymnasium.ENDINGS.index("reached"))
        _, reward, terminated, _, info = env.step(wrap(0))
        assert reward == -1 and terminated and "illegal" not in info


def test_impossible_arguments_are_refused_immediately():
    for make in (duel, lambda book, **more: duels(book, 2, **more)):
        with pytest.raises(spoton.Error, match="did you mean dash"):
            make("number-maze", opponent="dahs")
        with pytest.raises(ValueError, match="seat must be one of"):
            make("number-maze", seat="third")
        with pytest.raises(ValueError, match="seat must be one of"):
            make("number-maze").reset(options={"seat": "third"})
        with pytest.raises(ValueError, match="render_mode"):
            make("number-maze", render_mode="rgb_array")
    with pytest.raises(ValueError, match="at least 1"):
        duels("number-maze", 0)
    many = duels("number-maze", 3)
    with pytest.raises(spoton.Error, match="haven't started"):
        many.step([0, 0, 0])
    many.reset(seed=1)
    with pytest.raises(ValueError, match="expected 3 actions, one per round, not 2"):
        many.step([0, 0])
    with pytest.raises(TypeError):
        many.step([0.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="expected 3 seeds, one per round, not 2"):
        many.reset(seed=[1, 2])


def duels(book, many, **more):
    return gymnasium.make_vec("spoton/Duel-v0", num_envs=many, book=book, **more)


def assert_same(one, other, what):
    """Asserts equality, including the types of arrays."""
    assert type(one) is type(other) and (not isinstance(one, dict) or one.keys() == other.keys()), what
    if isinstance(one, dict):
        for key in one:
            assert_same(one[key], other[key], (what, key))
    elif isinstance(one, tuple):
        for ours, theirs in zip(one, other, strict=True):
            assert_same(ours, theirs, what)
    else:
        assert one.dtype == other.dtype and np.array_equal(one, other), (what, one, other)


def in_words(told):
    """Converts endings to the words of single environments."""
    *rest, info = told
    info = dict(info)
    endings, which = info.pop("ending"), info.pop("_ending")
    if which.any():
        info["ending"] = np.array([spoton.gymnasium.ENDINGS[ending] for ending in endings], dtype=object)
        info["_ending"] = which
    return (*rest, info)


def together_and_one_by_one(book, many, **more):
    """Our vector environment, and Gymnasium's own one of single duels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return duels(book, many, **more), duels(book, many, vectorization_mode="sync", **more)


def test_a_batch_equals_single_environments(shipped, invented, random):
    many, ended, refused = 5, set(), 0
    terms = [("careful", "first"), ("random", "random"), ("sage", "second")]
    for number, asked in enumerate([*shipped, *invented[:20], *random[:120]]):
        opponent, seat = terms[number % 3]
        try:
            ours, theirs = together_and_one_by_one(asked.book, many, opponent=opponent, seat=seat)
        except spoton.TooLarge:
            assert opponent == "sage"
            continue
        assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
        chance = dice.Random(number)
        seen, info = ours.reset(seed=number)
        assert_same(in_words((seen, info)), theirs.reset(seed=number), asked)
        assert seen in ours.observation_space
        for step in range(40):
            actions = []
            for mask in info["action_mask"]:
                legal = mask.nonzero()[0].tolist()
                # Sometimes an illegal action, but not at the first step, which Gymnasium checks.
                any_at_all = step and chance.random() < 0.04
                actions.append(chance.choice(legal) if legal and not any_at_all else chance.randrange(-1 if step else 0, len(mask)))
            told = ours.step(np.array(actions))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert_same(in_words(told), theirs.step(np.array(actions)), asked)
            info = told[-1]
            ended.update(spoton.gymnasium.ENDINGS[ending] for ending in info["ending"])
            refused += "illegal" in info
    assert {"reached", "overshot", "stuck", "repetition", "landed"} <= ended and refused > 20


def test_some_environments_of_a_batch_reset():
    ours, theirs = together_and_one_by_one("number-maze", 4, opponent="random", seat="random")
    nothing, which = np.zeros(4, dtype=np.int64), np.array([True, False, False, True])
    assert_same(in_words(ours.reset(seed=[3, 1, 4, 1])), theirs.reset(seed=[3, 1, 4, 1]), "seeds")
    assert_same(in_words(ours.step(nothing)), theirs.step(nothing), "step")
    seen, info = ours.reset(options={"reset_mask": which, "seat": "second"})
    their_seen, their_info = theirs.reset(options={"reset_mask": which, "seat": "second"})
    assert_same(seen, their_seen, "some")
    assert info["_action_mask"].tolist() == their_info["_action_mask"].tolist() == which.tolist()
    assert_same(in_words(ours.step(nothing)), theirs.step(nothing), "step")
    # Finished rounds restart at the next step, even after a partial reset.
    over = nothing != 0
    while not over[1:3].any():
        told = ours.step(nothing)
        assert_same(in_words(told), theirs.step(nothing), "step")
        over = told[2]
    seen, info = ours.reset(options={"reset_mask": which})
    their_seen, _ = theirs.reset(options={"reset_mask": which})
    assert_same(seen, their_seen, "some")
    assert not info["ending"].any() and not info["_ending"].any()
    assert_same(in_words(ours.step(nothing)), theirs.step(nothing), "step")
    assert_same(in_words(ours.reset()), theirs.reset(), "the next of each seed")


def test_many_rounds_go_as_the_chances_say():
    """A guesser against a guesser matches the exact chances."""
    book = spoton.load("race-to-23")
    env = duels(book, 500, opponent="random")
    seen, _ = env.reset(seed=1)
    chance, won, rounds = np.random.default_rng(1), 0, 0
    for _ in range(150):
        picked = (chance.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=1)
        seen, rewards, terminations, _, _ = env.step(picked)
        won, rounds = won + int((rewards > 0).sum()), rounds + int(terminations.sum())
    exactly = spoton.chances(book, "random", "random")[0]["wins"][0]
    assert abs(won / rounds - exactly) < 4 * (0.25 / rounds) ** 0.5 + 500 / rounds


def test_wrappers_of_gymnasium_take_many():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(duels("number-maze", 8))
    _, info = env.reset(seed=1)
    finished = 0
    for _ in range(40):
        _, _, _, _, info = env.step(info["action_mask"].argmax(axis=1))
        finished += int(info["_episode"].sum()) if "episode" in info else 0
    assert finished > 8


def test_without_a_seed_no_two_are_the_same():
    played = set()
    for _ in range(2):
        env = duels("race-to-23", 40, opponent="random", seat="second")
        seen, _ = env.reset()
        assert len(set(seen["observation"][:, 0].tolist())) > 1
        again, *_ = env.step(np.zeros(40, dtype=np.int64))
        played.add(tuple(again["observation"][:, 0].tolist()))
    assert len(played) == 2
