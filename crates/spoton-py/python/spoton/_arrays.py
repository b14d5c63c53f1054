"""Rounds as arrays, for the frameworks that want them."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from . import Book, Round, load


def book_of(book: Book | str) -> Book:
    """A book, or the one of a name or a path."""
    return load(book) if isinstance(book, str) else book


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
