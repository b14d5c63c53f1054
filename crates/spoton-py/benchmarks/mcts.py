"""OpenSpiel's Monte Carlo tree search as a player for `spoton bot bench` and `spoton bot arena`.

    pip install './crates/spoton-py[openspiel]'
    spoton bot bench "exec:python crates/spoton-py/benchmarks/mcts.py 100" --move-time 60000

The number is the maximum number of simulations per move. The player is an ordinary outside program (docs/outside-programs.md). It
sees only the rules, and always gives the same answer to the same question.
"""

import json
import sys

import numpy as np
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

import spoton
from spoton.openspiel import load_game

# The exploration constant of OpenSpiel's own examples.
EXPLORATION = 2


def bot_of(game, simulations, chance):
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=chance)
    return MCTSBot(game, EXPLORATION, simulations, evaluator, random_state=chance)


def choose(game, turn, simulations):
    """Chooses a move for a turn of the arena. Reseeds on every turn, so that answers don't depend on each other."""
    alphabet = game.book.alphabet
    state = game.new_initial_state()
    for written in turn["history"]:
        if written != "skip":
            state.apply_action(alphabet.index(written))
    chance = np.random.RandomState([turn["round"], len(turn["history"])])
    return alphabet[bot_of(game, simulations, chance).step(state)]


def main():
    simulations, game = int(sys.argv[1]), None
    for line in sys.stdin:
        turn = json.loads(line)
        # The first turn of a round includes the rules.
        if "rulebook" in turn:
            game = load_game(spoton.read_line(turn["rulebook"]))
        print(choose(game, turn, simulations), flush=True)


if __name__ == "__main__":
    main()
