"""Any rule book as an OpenSpiel game.

    >>> import pyspiel, spoton.openspiel
    >>> game = pyspiel.load_game("spoton(book=number-maze,target=34)")
    >>> state = game.new_initial_state()
    >>> [state.action_to_string(action) for action in state.legal_actions()]
    ['+1', 'x2']

The parameter `book` is a name or path as for `spoton.load`, with optional `variant` and `target`. It can also be a whole rule book:
its one-line form in base64url without padding. OpenSpiel's strings can't contain commas, equals signs or parentheses, and its
integers are 32-bit. `load_game` encodes any book, path or target that doesn't fit.

Rounds use the house rule against repetition. An action is the number of a move in the book's alphabet, the same in every position.
Turns without a legal move are skipped automatically.
"""

from __future__ import annotations

import base64
import binascii
import re
from os import PathLike
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from . import Book, load, read_line

__all__ = ["DuelGame", "DuelState", "book_parameter", "game_string", "load_game"]

# Characters that a parameter can't contain.
_BREAKS = re.compile(r"[,=()]")

# Sentinel for the book's own target.
_OWN_TARGET = -(2**31)

_GAME_TYPE = pyspiel.GameType(
    short_name="spoton",
    long_name="Spot On",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"book": "number-maze", "variant": "", "target": _OWN_TARGET},
)


def book_parameter(book: Book) -> str:
    """Encodes a book for the parameter `book`."""
    return base64.urlsafe_b64encode(book.line.encode()).decode().rstrip("=")


def game_string(book: Book) -> str:
    """A game's string for `pyspiel.load_game`."""
    return f"spoton(book={book_parameter(book)})"


def load_game(book: Book | str | PathLike[str]) -> pyspiel.Game:
    """Loads a book as a game. The book can also be a name or path as for `spoton.load`."""
    if isinstance(book, str) and not _BREAKS.search(book):
        return pyspiel.load_game(f"spoton(book={book})")
    return pyspiel.load_game(game_string(book if isinstance(book, Book) else load(book)))


def _book(name: str, variant: str, target: int) -> Book:
    """Decodes the parameters."""
    of_its_own = None if target == _OWN_TARGET else target
    line = _line(name)
    if line is None:
        return load(name, variant=variant or None, target=of_its_own)
    if variant:
        raise ValueError("a one-line rule book has no variants")
    return read_line(line, target=of_its_own)


def _line(parameter: str) -> str | None:
    """Decodes a one-line rule book. Returns None for a name or path."""
    try:
        line = base64.b64decode(parameter + "=" * (-len(parameter) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    # A name can be valid base64url, but never decodes to a brace.
    return line if line.startswith("{") else None


class DuelGame(pyspiel.Game):
    """A rule book as a game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_GAME_TYPE.parameter_specification, **(params or {})}
        self.book = _book(given["book"], given["variant"], given["target"])
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.book.alphabet),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.book.longest_round(),
        )
        super().__init__(_GAME_TYPE, info, params or {})

    def new_initial_state(self, state: Any = None) -> DuelState:
        if state is not None:
            raise ValueError("new_initial_state takes no state; apply actions instead")
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return DuelObserver(self.book, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class DuelState(pyspiel.State):
    """A round."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.round = game.book.round()

    def current_player(self) -> int:
        turn = self.round.turn
        return pyspiel.PlayerId.TERMINAL if turn is None else turn - 1

    def _legal_actions(self, player: int) -> list[int]:
        # OpenSpiel requires ascending order.
        return sorted(self.round.actions)

    def _apply_action(self, action: int) -> None:
        self.round.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.round.book.alphabet[action]

    def is_terminal(self) -> bool:
        return self.round.over

    def returns(self) -> list[float]:
        return {None: [0.0, 0.0], 1: [1.0, -1.0], 2: [-1.0, 1.0]}[self.round.winner]

    def __str__(self) -> str:
        return str(self.round.position)


class DuelObserver:
    """A player's observation: the numbers described by `book.features`."""

    def __init__(self, book: Book, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters, but {params} was given")
        self.tensor = np.zeros(len(book.features), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DuelState, player: int) -> None:
        self.tensor[:] = state.round.observation(player + 1)

    def string_from(self, state: DuelState, player: int) -> str:
        return str(state)


pyspiel.register_game(_GAME_TYPE, DuelGame)
