"""OpenSpiel's MinimaxSolver (with memoization) on the same game, implemented as an OpenSpiel Python game."""

from importlib.metadata import version

import pyspiel
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from measured import main

# The same kind of game: two players, alternating turns, perfect information, no chance.
LIKE = pyspiel.load_game("tic_tac_toe").get_type()
KIND = ["dynamics", "chance_mode", "information", "utility", "reward_model", "max_num_players", "min_num_players"]
SHOWN = ["information_state_string", "information_state_tensor", "observation_string", "observation_tensor"]

GAME_TYPE = pyspiel.GameType(
    short_name="python_add_or_double",
    long_name="Add 1 or double",
    parameter_specification={"target": 20},
    **{key: getattr(LIKE, key) for key in KIND},
    **{f"provides_{key}": False for key in SHOWN},
)


class AddOrDouble(pyspiel.Game):
    def __init__(self, params=None):
        self.target = int((params or {}).get("target", 20))
        info = pyspiel.GameInfo(
            num_distinct_actions=2,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.target,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self):
        return Position(self)


class Position(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.target, self.number, self.player = game.target, 1, 0

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.number >= self.target else self.player

    def _legal_actions(self, player):
        return [0, 1]

    def _apply_action(self, action):
        self.number = self.number + 1 if action == 0 else self.number * 2
        self.player = 1 - self.player

    def is_terminal(self):
        return self.number >= self.target

    def returns(self):
        if self.number < self.target:
            return [0.0, 0.0]
        last = 1 - self.player
        winner = last if self.number == self.target else 1 - last
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def __str__(self):
        return f"{self.number} {self.player}"


pyspiel.register_game(GAME_TYPE, AddOrDouble)


def number_maze(target):
    table = MinimaxSolver(f"python_add_or_double(target={target})").solve()
    return table["1 0"].value > 0, None


if __name__ == "__main__":
    main(f"OpenSpiel {version('open_spiel')}", number_maze)
