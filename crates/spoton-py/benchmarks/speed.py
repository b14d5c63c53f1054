"""Compares the speed of Spot On in Python with OpenSpiel and PettingZoo games, and with plain numpy, in a single run.

    pip install './crates/spoton-py[pettingzoo,gymnasium,openspiel]' pygame
    python crates/spoton-py/benchmarks/speed.py

Each figure is the processor time per move: the median of several interleaved runs, with minimum and maximum.
"""

import importlib.metadata
import random
import statistics
import sys
import time

try:
    import numpy as np
except ImportError:
    np = None  # then the frameworks are missing, too

import spoton

RUNS = 9
# The number of parallel duels.
MANY = 4096


def of_positions(book):
    """Plays rounds through positions: legal moves, a move, the end test. Choosing takes almost no time."""

    def play(rounds):
        moves = 0
        for _ in range(rounds):
            here = book.opening()
            while not here.over:
                legal = here.legal
                here = here.play(legal[moves % len(legal)])
                moves += 1
        return moves

    return play


def of_openspiel(game):
    """The same loop with a game of OpenSpiel."""

    def play(rounds):
        moves = 0
        for _ in range(rounds):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[moves % len(legal)])
                moves += 1
        return moves

    return play


def of_pettingzoo(env):
    """Plays random legal rounds in an environment of PettingZoo."""

    def play(rounds):
        chance, moves = random.Random(1), 0
        for _ in range(rounds):
            env.reset()
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = seen["action_mask"].nonzero()[0]
                env.step(int(legal[int(chance.random() * len(legal))]))
                moves += 1
        return moves

    return play


class NumpyDuels:
    """`spoton.gymnasium.VectorDuel` in numpy, for books with a shared number, additions and multiplications, no overshooting
    and no stuck players. The opponent is the careful guesser: it takes an immediate win, otherwise it picks evenly."""

    def __init__(self, rounds, factors, addends, start, target):
        # The smallest type that holds every result: it's the fastest.
        kind = np.min_scalar_type(-(target * max(factors) + max(addends)) * max(factors) - max(addends))
        self.factors, self.addends = np.array(factors, kind)[:, None], np.array(addends, kind)[:, None]
        self.start, self.target = kind.type(start), kind.type(target)
        self.rows = np.arange(rounds)
        self.chance = np.random.default_rng(1)

    def _of_each(self, array, places):
        """Picks one item per round."""
        return array.ravel().take(places * np.intp(self.rows.size) + self.rows)

    def reset(self):
        self.number = np.full(self.rows.size, self.start)
        self.over = np.zeros(self.rows.size, dtype=np.bool_)
        return self._seen(self.over)

    def step(self, actions):
        fresh, chosen = self.over, np.minimum(actions.view(np.uint64), len(self.factors) - 1).view(np.int64)
        legal = self._of_each(self.legal, chosen) & (chosen == actions)
        moved = self._of_each(self.results, chosen)
        plays = legal & ~fresh
        illegal = ~(legal | fresh)
        won = plays & (moved == self.target)
        # The opponent's reply: finds the drawn index among the cumulative counts.
        replies = moved * self.factors + self.addends
        wins = replies == self.target
        choices = np.where(wins.any(axis=0), wins, replies <= self.target)
        counted = self._counted_up(choices)
        drawn = (self.chance.random(self.rows.size) * counted[-1]).astype(np.int8)
        # Finished rounds have no reply.
        picked = np.minimum((counted <= drawn).sum(axis=0, dtype=np.int8), len(self.factors) - 1)
        replied = self._of_each(replies, picked)
        lost = plays & ~won & (replied == self.target)
        number = np.where(illegal, self.number, np.where(won, moved, replied))
        number = np.where(fresh, self.start, number)
        self.number, ended = number, won | lost
        self.over = ended | illegal
        seen, info = self._seen(ended)
        truncated = np.zeros(self.rows.size, dtype=np.bool_)
        return seen, won.astype(np.float64) - lost - illegal, self.over, truncated, info

    def _seen(self, ended):
        self.results = self.number * self.factors + self.addends
        self.legal = (self.results <= self.target) & ~ended
        mask = self._turned(self.legal)
        observation = np.empty((self.rows.size, 2), dtype=np.int64)
        observation[:, 0] = self.number
        np.logical_not(ended, out=observation[:, 1], casting="unsafe")
        info = {"action_mask": mask, "ending": ended.view(np.int8), "_ending": ended}
        return {"observation": observation, "action_mask": mask}, info

    def _counted_up(self, choices):
        return choices.cumsum(axis=0, dtype=np.int8)

    def _turned(self, legal):
        return np.ascontiguousarray(legal.T).view(np.int8)


class TunedNumpyDuels(NumpyDuels):
    """The same without slow numpy operations, which run along the short side of an array."""

    def _counted_up(self, choices):
        counted = choices.astype(np.int8)
        for row in range(1, len(counted)):
            counted[row] += counted[row - 1]
        return counted

    def _turned(self, legal):
        mask = np.empty(legal.shape[::-1], dtype=np.int8)
        for action, may in enumerate(legal):
            mask[:, action] = may
        return mask


def of_many(duels, many):
    """Steps many duels with random legal moves. A move includes everything that follows from it. The time to choose it doesn't
    count, because that isn't the environment's work."""
    _, info = duels.reset()
    wishes = np.random.default_rng(2).random((16, many, info["action_mask"].shape[1]))

    def play(steps):
        nonlocal info
        taken = 0
        for step in range(steps):
            actions = (wishes[step % 16] * info["action_mask"]).argmax(axis=1)
            begun = time.process_time()
            _, _, _, _, info = duels.step(actions)
            taken += time.process_time() - begun
        return steps * many, taken

    return play


def measured(contests):
    """Nanoseconds per move of each contest, in interleaved runs."""
    times = {name: [] for name in contests}
    for run in range(RUNS + 1):
        for name, (play, rounds) in contests.items():
            begun = time.process_time()
            moves = play(rounds)
            taken = time.process_time() - begun
            if isinstance(moves, tuple):  # counts only part of the time
                moves, taken = moves
            if run:  # the first one warms up
                times[name].append(taken / moves * 1e9)
    return times


def table(title, contests, ours):
    times = measured(contests)
    reference = statistics.median(times[ours])
    print(f"\n{title}\n")
    for name, taken in times.items():
        median = statistics.median(taken)
        ratio = "" if name == ours else f"   {median / reference:5.1f}x ours"
        print(f"  {name:34} {median:8.1f} ns per move ({min(taken):.1f} to {max(taken):.1f}){ratio}")


def missing(package):
    print(f"\n{package} is not installed; pip install {package}")


def main():
    print(f"spoton {spoton.__version__}, Python {sys.version.split()[0]}")
    maze, duel = spoton.load("number-maze"), spoton.load("sequence-math-duel")
    try:
        import pyspiel
    except ImportError:
        missing("open_spiel")
    else:
        print(f"open_spiel {importlib.metadata.version('open_spiel')}")
        contests = {
            "ours: Number Maze": (of_positions(maze), 300),
            "ours: Sequence Math Duel": (of_positions(duel), 300),
            "OpenSpiel: tic_tac_toe": (of_openspiel(pyspiel.load_game("tic_tac_toe")), 300),
            "OpenSpiel: connect_four": (of_openspiel(pyspiel.load_game("connect_four")), 150),
            "OpenSpiel: nim": (of_openspiel(pyspiel.load_game("nim")), 300),
        }
        table("Legal moves, a move, the end test", contests, "ours: Number Maze")
    try:
        from pettingzoo.classic import tictactoe_v3

        from spoton.pettingzoo import env
    except ImportError:
        missing("pettingzoo and pygame")
    else:
        print(f"\npettingzoo {importlib.metadata.version('pettingzoo')}")
        contests = {
            "ours: Number Maze": (of_pettingzoo(env(maze)), 150),
            "ours: Sequence Math Duel": (of_pettingzoo(env(duel)), 150),
            "PettingZoo: tictactoe_v3": (of_pettingzoo(tictactoe_v3.env()), 100),
        }
        table("PettingZoo's loop: last, step", contests, "ours: Number Maze")
    try:
        from spoton.gymnasium import VectorDuel
    except ImportError:
        missing("gymnasium")
    else:
        print(f"\ngymnasium {importlib.metadata.version('gymnasium')}, numpy {np.__version__}")
        for name, factors, addends in [("double-or-add", [1, 2], [1, 0]), ("race-to-23", [1, 1, 1, 1], [1, 2, 3, 4])]:
            book = spoton.load(name)
            (start,), target = book.opening().numbers, book.target
            ours = VectorDuel(MANY, book, opponent="careful")
            contests = {
                f"ours: {book.title}": (of_many(ours, MANY), 200),
                "numpy": (of_many(NumpyDuels(MANY, factors, addends, start, target), MANY), 50),
                "numpy, tuned": (of_many(TunedNumpyDuels(MANY, factors, addends, start, target), MANY), 50),
            }
            table(f"{MANY:,} duels per step: move, reply, mask, next round", contests, f"ours: {book.title}")


if __name__ == "__main__":
    main()
