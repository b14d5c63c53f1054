"""Every rule book as a Gymnasium environment: a duel against a computer player.

    >>> import gymnasium, spoton.gymnasium
    >>> duel = gymnasium.make("spoton/Duel-v0", book="number-maze", opponent="careful", seat="second")
    >>> seen, info = duel.reset(seed=7)
    >>> seen, reward, terminated, truncated, info = duel.step(int(info["action_mask"].argmax()))

An action is the number of a move in the book's alphabet, the same in every position; `info["action_mask"]` says which may be
made. A win is worth 1, a loss -1, a draw 0, and an illegal action loses.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import Book, IllegalMove
from ._arrays import book_of, mask_of, observation_space, observe

__all__ = ["SEATS", "Duel"]

SEATS = ("first", "second", "random")

# The agent's number at the table, and the opponent's: the seat says who of them goes first.
AGENT, OPPONENT = 1, 2


class Duel(gymnasium.Env):
    """A round of a rule book against a computer player, who answers within the same step."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        book: Book | str = "number-maze",
        *,
        opponent: str = "careful",
        seat: str = "first",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is None, 'ansi' or 'human', not {render_mode!r}")
        if seat not in SEATS:
            raise ValueError(f"seat is one of {', '.join(SEATS)}, not {seat!r}")
        self.book = book_of(book)
        self.opponent = opponent
        self.seat = seat
        self.render_mode = render_mode
        self.observation_space = observation_space(self.book)
        self.action_space = spaces.Discrete(len(self.book.alphabet))
        # Whoever cannot play here says so now, and not in the middle of a round.
        self.book.round().chances(opponent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begins a round; `options` may name another `seat`."""
        super().reset(seed=seed)
        seat = (options or {}).get("seat", self.seat)
        if seat == "random":
            seat = SEATS[self.np_random.integers(2)]
        # The opponent's draws of this round.
        self._seed = int(self.np_random.integers(2**63))
        self.round = self.book.round(first=AGENT if seat == "first" else OPPONENT)
        self._answer()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Makes a move, and lets the opponent answer."""
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
        """Lets the opponent move until the agent is on turn."""
        while self.round.turn == OPPONENT:
            self.round.play(self.round.choose(self.opponent, self._seed))

    def _seen(self) -> dict[str, np.ndarray]:
        return observe(self.round, AGENT, mask_of(self.round))

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask_of(self.round)}
        if self.round.over:
            info["ending"] = self.round.ending
        return info

    def render(self) -> str | None:
        """Where the round stands, in words: returned with `ansi`, printed with `human`."""
        if self.render_mode == "ansi":
            return str(self.round)
        if self.render_mode == "human":
            print(self.round)
        return None


gymnasium.register(id="spoton/Duel-v0", entry_point="spoton.gymnasium:Duel")
