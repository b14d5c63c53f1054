"""Spot On: two-player number duels, solved completely.

    >>> import spoton
    >>> book = spoton.load("number-maze", target=34)
    >>> here = book.opening()
    >>> here.numbers, here.turn, here.legal
    ((1,), 1, ['+1', 'x2'])
    >>> there = here.play("x2")
    >>> book.solve().verdict(there)["value"]
    'loss'

The package uses the same library as the program `spoton`, and its answers have the same form as the program's JSON.
`spoton.pettingzoo`, `spoton.gymnasium` and `spoton.openspiel` provide the games as environments, and `spoton.inspect` has the
tasks for Inspect.
"""

from ._spoton import (
    GRAMMAR,
    BenchSet,
    Book,
    Error,
    IllegalMove,
    Inventor,
    Position,
    RecordError,
    Round,
    RulebookError,
    Solution,
    Telling,
    TooLarge,
    __version__,
    bench,
    chances,
    games,
    grade,
    cluster_interval,
    interval,
    invent,
    load,
    opponents,
    prompt_fingerprint,
    read,
    read_line,
    review,
    score,
    set_memory,
)

__all__ = [
    "GRAMMAR",
    "BenchSet",
    "Book",
    "Error",
    "IllegalMove",
    "Inventor",
    "Position",
    "RecordError",
    "Round",
    "RulebookError",
    "Solution",
    "Telling",
    "TooLarge",
    "__version__",
    "bench",
    "chances",
    "games",
    "grade",
    "cluster_interval",
    "interval",
    "invent",
    "load",
    "opponents",
    "prompt_fingerprint",
    "read",
    "read_line",
    "review",
    "score",
    "set_memory",
]
