"""How fast Spot On is from Python, beside the games of OpenSpiel and PettingZoo, in one run and as ratios.

    pip install './crates/spoton-py[pettingzoo,gymnasium,openspiel]' pygame
    python crates/spoton-py/benchmarks/speed.py

Every figure is processor time for one move, the median of several runs that take turns, with the fastest and the slowest.
"""

import importlib.metadata
import random
import statistics
import sys
import time

import spoton

RUNS = 9


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


def measured(contests):
    """Nanoseconds for a move of each, run after run by turns."""
    times = {name: [] for name in contests}
    for run in range(RUNS + 1):
        for name, (play, rounds) in contests.items():
            begun = time.process_time()
            moves = play(rounds)
            if run:  # the first one warms up
                times[name].append((time.process_time() - begun) / moves * 1e9)
    return times


def table(title, contests, ours):
    times = measured(contests)
    reference = statistics.median(times[ours])
    print(f"\n{title}\n")
    for name, taken in times.items():
        median = statistics.median(taken)
        ratio = "" if name == ours else f"   {median / reference:5.1f} times ours"
        print(f"  {name:34} {median:8.0f} ns a move ({min(taken):.0f} to {max(taken):.0f}){ratio}")


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


if __name__ == "__main__":
    main()
