"""Any rule book as a Gymnasium environment: a duel against a computer player.

    >>> import gymnasium, spoton.gymnasium
    >>> duel = gymnasium.make("spoton/Duel-v0", book="number-maze", opponent="careful", seat="second")
    >>> seen, info = duel.reset(seed=7)
    >>> seen, reward, terminated, truncated, info = duel.step(int(info["action_mask"].argmax()))

`book` is a `Book`, or a name or path with `variant` and `target`, as for `spoton.load`. `seat` is `first`, `second` or `random`.

An action is the number of a move in the book's alphabet, the same in every position. `info["action_mask"]` marks the legal ones.
Rewards are 1 for a win, -1 for a loss and 0 for a draw. An illegal action, or a number without a move, loses immediately, and
`info["illegal"]` has the reason. An action that isn't a whole number raises a `TypeError`. When a round ends by the rules,
`info["ending"]` has the ending as a word. If a round is over before the agent's first turn, the first step ends it, whatever the
action. Don't share an environment between threads.

`gymnasium.make_vec` steps many duels in a single call, without Python in between. Each one plays exactly like a single duel: the
duel at index `i` has the seed `seed + i`. A finished duel restarts at the next step, which ignores its action. `info["ending"]` has
indexes into `ENDINGS`.

    >>> duels = gymnasium.make_vec("spoton/Duel-v0", num_envs=1000, book="number-maze", opponent="careful")
    >>> seen, info = duels.reset(seed=7)
    >>> seen, rewards, terminations, truncations, info = duels.step(info["action_mask"].argmax(axis=1))
    >>> seen["observation"].shape, seen["action_mask"].shape, rewards.shape
    ((1000, 2), (1000, 2), (1000,))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import Book, IllegalMove
from ._arrays import RENDER_MODES, Rendered, action_space, book_of, mask_of, number_of, observation_space, observe
from ._spoton import Duels, coin

__all__ = ["ENDINGS", "SEATS", "Duel", "VectorDuel"]

SEATS = ("first", "second", "random")

# The player numbers of the agent and the opponent. The seat decides who goes first.
AGENT, OPPONENT = 1, 2

# The number of seeds.
_SEEDS = 2**64

# The endings of vector environments, by number.
ENDINGS = (None, *Duels.ENDINGS)


def _checked_seat(seat: str) -> str:
    if seat not in SEATS:
        raise ValueError(f"seat must be one of {', '.join(SEATS)}, not {seat!r}")
    return seat


def _book_for(book: Book | str, variant: str | None, target: int | None, opponent: str) -> Book:
    """Loads the book and checks early that the opponent can play it."""
    book = book_of(book, variant, target)
    book.round().chances(opponent)
    return book


class Duel(Rendered, gymnasium.Env):
    """A round against a computer player, which replies within the same step."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        book: Book | str = "number-maze",
        *,
        variant: str | None = None,
        target: int | None = None,
        opponent: str = "careful",
        seat: str = "first",
        render_mode: str | None = None,
    ) -> None:
        self._render_as(render_mode)
        self.seat = _checked_seat(seat)
        self.book = _book_for(book, variant, target, opponent)
        self.opponent = opponent
        self.observation_space = observation_space(self.book)
        self.action_space = action_space(self.book)
        # The opponent's random state: the seed, and the number of the episode.
        self._seed: int | None = None
        self._episode = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts a round: a seed's first round, or the next one. `options` can override the `seat`."""
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._episode = seed % _SEEDS, 0
        elif self._seed is None:
            self._seed = int(self.np_random.integers(_SEEDS, dtype=np.uint64))
        self._episode += 1
        seat = _checked_seat((options or {}).get("seat", self.seat))
        if seat == "random":
            seat = "first" if coin(self._seed, self._episode) else "second"
        self.round = self.book.round(first=AGENT if seat == "first" else OPPONENT)
        self._answer()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Makes a move and the opponent's reply."""
        action = number_of(action)
        if not self.round.over:
            try:
                self.round.play(action)
            except IllegalMove as why:
                return self._seen(), -1.0, True, False, {**self._info(), "illegal": str(why)}
            self._answer()
        if self.render_mode == "human":
            self.render()
        reward = {None: 0.0, AGENT: 1.0, OPPONENT: -1.0}[self.round.winner]
        stopped = self.round.ending == "stopped"
        return self._seen(), reward, self.round.over and not stopped, stopped, self._info()

    def _answer(self) -> None:
        """Lets the opponent move until it's the agent's turn."""
        while self.round.turn == OPPONENT:
            self.round.play(self.round.choose(self.opponent, self._seed, episode=self._episode))

    def _seen(self) -> dict[str, np.ndarray]:
        return observe(self.round, AGENT, mask_of(self.round))

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask_of(self.round)}
        if self.round.over:
            info["ending"] = self.round.ending
        return info


class VectorDuel(VectorEnv):
    """Many duels in parallel. Each one plays exactly like a `Duel` with its seed."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        book: Book | str = "number-maze",
        *,
        variant: str | None = None,
        target: int | None = None,
        opponent: str = "careful",
        seat: str = "first",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"vector environments can't be rendered: render_mode must be None, not {render_mode!r}")
        self.num_envs = num_envs
        self.seat = _checked_seat(seat)
        self.book = _book_for(book, variant, target, opponent)
        self.opponent = opponent
        self.single_observation_space = observation_space(self.book)
        self.single_action_space = action_space(self.book)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._duels = Duels(self.book, num_envs, opponent, seat)
        # The arrays of a step, in one buffer.
        features, actions = len(self.book.features), len(self.book.alphabet)
        self._told_as = np.dtype(
            [
                ("observation", np.int64, (num_envs, features)),
                ("reward", np.float64, (num_envs,)),
                ("action_mask", np.int8, (num_envs, actions)),
                ("terminated", np.bool_, (num_envs,)),
                ("truncated", np.bool_, (num_envs,)),
                ("ending", np.int8, (num_envs,)),
                ("ended", np.bool_, (num_envs,)),
            ]
        )
        self._seeded = False
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._all.flags.writeable = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts all rounds: each seed's first round, or the next one.

        `seed` is a list, or one number for the first duel; the others count up from it. `options` can override the `seat`, and
        its `reset_mask` selects the duels to restart.
        """
        options = options or {}
        if seed is None or isinstance(seed, (int, np.integer)):
            super().reset(seed=seed)
            seeds = [None if seed is None else int(seed) + place for place in range(self.num_envs)]
        else:
            seeds = list(seed)
        if not self._seeded:
            drawn = self.np_random.integers(_SEEDS, size=self.num_envs, dtype=np.uint64).tolist()
            seeds = [own if given is None else given for given, own in zip(seeds, drawn, strict=True)]
        chosen = options.get("reset_mask")
        which = self._all if chosen is None else np.asarray(chosen, dtype=np.bool_)
        seat = options.get("seat")
        shown = self._duels.reset(
            [None if seed is None else seed % _SEEDS for seed in seeds],
            seat if seat is None else _checked_seat(seat),
            which.tobytes(),
        )
        self._seeded = True
        seen, _, _, _, info = self._told(shown, which)
        # The other endings were already reported.
        info["ending"] *= which
        info["_ending"] &= which
        return seen, info

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Makes a move and the opponent's reply in every round. Restarts the finished ones."""
        moves = np.asarray(actions).astype(np.int64, casting="same_kind", copy=False)
        return self._told(self._duels.step(moves.tobytes()), self._all)

    def _told(
        self, shown: tuple[Any, ...], which: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        told, illegal = np.ndarray((), self._told_as, shown[0]), shown[1]
        mask = told["action_mask"]
        info: dict[str, Any] = {
            "action_mask": mask,
            "_action_mask": which,
            "ending": told["ending"],
            "_ending": told["ended"],
        }
        if illegal:
            reasons, refused = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, dtype=np.bool_)
            for place, why in illegal:
                reasons[place], refused[place] = why, True
            info["illegal"], info["_illegal"] = reasons, refused
        seen = {"observation": told["observation"], "action_mask": mask}
        return seen, told["reward"], told["terminated"], told["truncated"], info


gymnasium.register(
    id="spoton/Duel-v0",
    entry_point="spoton.gymnasium:Duel",
    vector_entry_point="spoton.gymnasium:VectorDuel",
)
