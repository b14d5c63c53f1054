"""Any rule book as a PettingZoo environment.

    >>> from spoton.pettingzoo import env
    >>> duel = env("number-maze")
    >>> duel.reset()
    >>> duel.agent_selection, int(duel.last()[0]["action_mask"].sum())
    ('player_1', 2)

An action is the number of a move in the book's alphabet, the same in every position. Turns without a legal move are skipped
automatically. Rewards are 1 for a win, -1 for a loss and 0 for a draw. An illegal action, or a number without a move, loses
immediately: its agent gets -1, the other agent 0, and `infos` has the reason as `illegal`. When a round ends by the rules, `infos`
has the `ending` as a word. An action that isn't a whole number raises a `TypeError`. Don't share an environment between threads.

`book` is a `Book`, or a name or path with `variant` and `target`, as for `spoton.load`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import Book, IllegalMove
from ._arrays import RENDER_MODES, Rendered, action_space, book_of, mask_of, number_of, observation_space, observe

__all__ = ["Duel", "env", "raw_env"]


class Duel(Rendered, AECEnv):
    """A round between `player_1` and `player_2`."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": RENDER_MODES,
        "name": "spoton_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        book: Book | str,
        *,
        variant: str | None = None,
        target: int | None = None,
        first: int = 1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._render_as(render_mode)
        self.book = book_of(book, variant, target)
        self.first = first
        # Checks `first` early.
        self.book.round(first=first)
        self.possible_agents = ["player_1", "player_2"]
        self._players = {"player_1": 1, "player_2": 2}
        # A space has its own random state, so each player gets one.
        self.observation_spaces = {agent: observation_space(self.book) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.book) for agent in self.possible_agents}
        self._no_move = np.zeros(len(self.book.alphabet), dtype=np.int8)

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a round. There is no randomness, so `seed` has no effect. `options` can override `first`."""
        first = (options or {}).get("first", self.first)
        self.round = self.book.round(first=first)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_move} for agent in self.agents}
        self.agent_selection = f"player_{first}"
        self._skip_agent_selection = None
        self._arrive()

    def step(self, action: Any) -> None:
        """Makes a move for the selected agent. When the round is over, pass `None`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        action = number_of(action)
        self.infos[agent]["action_mask"] = self._no_move
        try:
            self.round.play(action)
        except IllegalMove as why:
            self._end({agent: -1}, illegal=str(why))
            return
        self._arrive()
        if self.render_mode == "human":
            self.render()

    def _arrive(self) -> None:
        """Selects the agent to move, or ends the round."""
        turn = self.round.turn
        if turn is not None:
            self.agent_selection = agent = self.possible_agents[turn - 1]
            self.infos[agent]["action_mask"] = self._mask = mask_of(self.round)
            return
        winner = self.round.winner
        rewards = {} if winner is None else {f"player_{winner}": 1, f"player_{3 - winner}": -1}
        self._end(rewards, ending=self.round.ending)

    def _end(self, rewards: dict[str, int], **told: Any) -> None:
        self._mask = self._no_move
        self.rewards.update(rewards)
        # A stopped round is truncated, not terminated.
        over = self.truncations if self.round.ending == "stopped" else self.terminations
        for agent in self.agents:
            over[agent] = True
            self.infos[agent].update(told)
        self._accumulate_rewards()
        self.agent_selection = next(agent for agent in self.agents if agent != self.agent_selection)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """An agent's observation. Only the agent to move has legal actions."""
        mask = self._mask if agent == self.agent_selection else self._no_move
        return observe(self.round, self._players[agent], mask)

    def close(self) -> None:
        """Does nothing: there are no resources to release."""


raw_env = Duel


def env(
    book: Book | str,
    *,
    variant: str | None = None,
    target: int | None = None,
    first: int = 1,
    render_mode: str | None = None,
) -> Duel:
    """Creates an AEC environment for a book, or for a name or path."""
    return Duel(book, variant=variant, target=target, first=first, render_mode=render_mode)
