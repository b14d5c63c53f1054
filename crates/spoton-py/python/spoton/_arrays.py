"""Rounds as arrays and as text, for the frameworks that want them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium import spaces

from . import Book, Round, load

RENDER_MODES = ["ansi", "human"]


def book_of(book: Book | str, variant: str | None = None, target: int | None = None) -> Book:
    """A book, or the one of a name or a path with a variant and a target laid over it."""
    if not isinstance(book, Book):
        return load(book, variant=variant, target=target)
    if variant is not None or target is not None:
        raise ValueError("variant and target go with the name of a book; give them to spoton.load to have a book with them")
    return book


def number_of(action: Any) -> int:
    """The number of a move. One that is not legal loses; what is no number at all is a slip of whoever calls."""
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"an action is the number of a move in the book's alphabet, not {action!r}") from None


def action_space(book: Book) -> spaces.Discrete:
    """The numbers of the moves in the book's alphabet."""
    return spaces.Discrete(len(book.alphabet))


def observation_space(book: Book) -> spaces.Dict:
    """What `observe` gives: the numbers that `book.features` names, and which moves may be made."""
    low = np.array([low for _, low, _ in book.features], dtype=np.int64)
    high = np.array([high for _, _, high in book.features], dtype=np.int64)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int64),
            "action_mask": spaces.Box(0, 1, shape=(len(book.alphabet),), dtype=np.int8),
        }
    )


def observe(round: Round, player: int, mask: np.ndarray) -> dict[str, np.ndarray]:
    """What a player sees."""
    return {
        "observation": np.frombuffer(round.observation_bytes(player), dtype=np.int64),
        "action_mask": mask,
    }


def mask_of(round: Round) -> np.ndarray:
    """Which moves may be made: 1 or 0 for each of the book's alphabet."""
    return np.frombuffer(round.mask, dtype=np.int8)


class Rendered:
    """An environment whose round can be looked at."""

    round: Round
    render_mode: str | None

    def _render_as(self, mode: str | None) -> None:
        if mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is None, 'ansi' or 'human', not {mode!r}")
        self.render_mode = mode

    def render(self) -> str | None:
        """Where the round stands, in words: returned with `ansi`, printed with `human`."""
        if self.render_mode == "ansi":
            return str(self.round)
        if self.render_mode == "human":
            print(self.round)
        return None
