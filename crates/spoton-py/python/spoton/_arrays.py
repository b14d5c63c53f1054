"""Rounds as arrays and text, shared by the environments."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium import spaces

from . import Book, Round, load

RENDER_MODES = ["ansi", "human"]


def book_of(book: Book | str, variant: str | None = None, target: int | None = None) -> Book:
    """Returns the book itself, or loads it by name or path with a variant and a target."""
    if not isinstance(book, Book):
        return load(book, variant=variant, target=target)
    if variant is not None or target is not None:
        raise ValueError("variant and target need the name of a book; for a Book, give them to spoton.load")
    return book


def number_of(action: Any) -> int:
    """Converts an action to an int. An illegal number loses the round, but a wrong type is the caller's bug."""
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"an action must be a move's number in the book's alphabet, not {action!r}") from None


def action_space(book: Book) -> spaces.Discrete:
    """The numbers of the moves in the book's alphabet."""
    return spaces.Discrete(len(book.alphabet))


def observation_space(book: Book) -> spaces.Dict:
    """The observation space: the numbers of `book.features`, and the action mask."""
    low = np.array([low for _, low, _ in book.features], dtype=np.int64)
    high = np.array([high for _, _, high in book.features], dtype=np.int64)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int64),
            "action_mask": spaces.Box(0, 1, shape=(len(book.alphabet),), dtype=np.int8),
        }
    )


def observe(round: Round, player: int, mask: np.ndarray) -> dict[str, np.ndarray]:
    """A player's observation and action mask."""
    return {
        "observation": np.frombuffer(round.observation_bytes(player), dtype=np.int64),
        "action_mask": mask,
    }


def mask_of(round: Round) -> np.ndarray:
    """The action mask: 1 for each legal move of the book's alphabet, otherwise 0."""
    return np.frombuffer(round.mask, dtype=np.int8)


class Rendered:
    """Mixin that renders the round as text."""

    round: Round
    render_mode: str | None

    def _render_as(self, mode: str | None) -> None:
        if mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be None, 'ansi' or 'human', not {mode!r}")
        self.render_mode = mode

    def render(self) -> str | None:
        """Returns (`ansi`) or prints (`human`) the state of the round in words."""
        if self.render_mode == "ansi":
            return str(self.round)
        if self.render_mode == "human":
            print(self.round)
        return None
