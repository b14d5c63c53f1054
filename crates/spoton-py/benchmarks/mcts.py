"""OpenSpiel's Monte-Carlo tree search as a player for `spoton bench` and `spoton arena`.

    pip install './crates/spoton-py[openspiel]'
    spoton bench "exec:python crates/spoton-py/benchmarks/mcts.py 100" --move-time 60000

The number says how many simulations it may make for a move. It is asked as any other program (docs/outside-programs.md),
sees the rules and nothing else, and always answers the same to the same question.
"""

import json
import sys

import numpy as np
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

import spoton
from spoton.openspiel import load_game

# What OpenSpiel's own examples explore with.
EXPLORATION = 2


def bot_of(game, simulations, chance):
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=chance)
    return MCTSBot(game, EXPLORATION, simulations, evaluator, random_state=chance)


def choose(game, turn, simulations):
    """The move for a turn as the arena tells it. Chance begins anew with every question, so that nothing depends on others."""
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
        # The rules come with the first question of a round.
        if "rulebook" in turn:
            game = load_game(spoton.read_line(turn["rulebook"]))
        print(choose(game, turn, simulations), flush=True)


if __name__ == "__main__":
    main()
