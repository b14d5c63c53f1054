"""How fast Spot On is from Python, beside the games of OpenSpiel and PettingZoo and a plain one in numpy, in one run and as
ratios.

    pip install './crates/spoton-py[pettingzoo,gymnasium,openspiel]' pygame
    python crates/spoton-py/benchmarks/speed.py

Every figure is processor time for one move, the median of several runs that take turns, with the fastest and the slowest.
"""

import importlib.metadata
import random
import statistics
import sys
import time

try:
    import numpy as np
except ImportError:
    np = None  # nor are the frameworks there that want it

import spoton

RUNS = 9
# Duels that are stepped at once.
MANY = 4096


def of_positions(book):
    """Plays rounds through positions: what may be done, doing it, whether it is over. Choosing takes next to nothing."""

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
    """The same through a game of OpenSpiel."""

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
    """Random rounds through an environment of PettingZoo, by its masks."""

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
    """What `spoton.gymnasium.VectorDuel` does, in numpy: for books with one number that is added to and multiplied, in which
    going past the target is forbidden and nobody is ever stuck, against the careful guesser, who wins at once if that can be
    done and else picks evenly."""

    def __init__(self, rounds, factors, addends, start, target):
        # No more bits than the largest number takes that can be computed, since that is fastest.
        kind = np.min_scalar_type(-(target * max(factors) + max(addends)) * max(factors) - max(addends))
        self.factors, self.addends = np.array(factors, kind)[:, None], np.array(addends, kind)[:, None]
        self.start, self.target = kind.type(start), kind.type(target)
        self.rows = np.arange(rounds)
        self.chance = np.random.default_rng(1)

    def _of_each(self, array, places):
        """What an array has for each round at its place."""
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
        # The opponent's reply: the place of the draw among the choices, counted up.
        replies = moved * self.factors + self.addends
        wins = replies == self.target
        choices = np.where(wins.any(axis=0), wins, replies <= self.target)
        counted = self._counted_up(choices)
        drawn = (self.chance.random(self.rows.size) * counted[-1]).astype(np.int8)
        # Where the round is over, there is none.
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
    """The same without what numpy does slowly: whatever goes along the short side of an array."""

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
    """Steps many duels at once with random legal moves; a move is one of the agent's, with everything that follows it. To choose
    it is not the environment's work, and does not count."""
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
    """Nanoseconds for a move of each, run after run by turns."""
    times = {name: [] for name in contests}
    for run in range(RUNS + 1):
        for name, (play, rounds) in contests.items():
            begun = time.process_time()
            moves = play(rounds)
            taken = time.process_time() - begun
            if isinstance(moves, tuple):  # of which only a part counts
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
        ratio = "" if name == ours else f"   {median / reference:5.1f} times ours"
        print(f"  {name:34} {median:8.1f} ns a move ({min(taken):.1f} to {max(taken):.1f}){ratio}")


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
        table("Legal moves, a move, whether it is over", contests, "ours: Number Maze")
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
                "numpy: the same": (of_many(NumpyDuels(MANY, factors, addends, start, target), MANY), 50),
                "numpy: the same, tuned": (of_many(TunedNumpyDuels(MANY, factors, addends, start, target), MANY), 50),
            }
            table(f"{MANY} duels at once: a step, the reply, the mask, the next round", contests, f"ours: {book.title}")


if __name__ == "__main__":
    main()
