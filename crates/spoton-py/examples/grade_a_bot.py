"""A bot of your own on games that nobody has seen before, graded move by move.

    python grade_a_bot.py
"""

import spoton


def bot(position):
    """Wins at once if that can be done, and takes the first move otherwise."""
    for move in position.legal:
        if position.play(move).winner == position.turn:
            return move
    return position.legal[0]


records = []
for book in spoton.invent(seed=20261116, count=20):
    for first in (1, 2):
        round = book.round(first=first)
        while not round.over:
            round.play(bot(round.position) if round.turn == 1 else round.choose("careful", seed=first))
        records.append(round.record("bot", "careful"))

met = kept = 0
for line in spoton.grade(records):
    if line["player"] == "bot":
        met += line["subtle"]
        kept += line["subtle_kept"]
won = sum(line["won"] for line in spoton.grade(records) if line["player"] == "bot")
print(f"{len(records)} rounds, {won} won. Of {met} choices that mattered without showing it, {kept} were right.")
