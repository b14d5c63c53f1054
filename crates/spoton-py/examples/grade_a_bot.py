"""Grades a bot on the 50 fresh games of a day, next to perfect play and a guesser.

    python grade_a_bot.py [DAY]

DAY is a date such as 2026-11-16 (default: today). Replace our bot with your own.
"""

import argparse
from datetime import date

import spoton

OPPONENT = "careful"


def bot(round):
    """Takes an immediate win, otherwise the first move."""
    here = round.position
    for move in here.legal:
        if here.play(move).winner == here.turn:
            return move
    return here.legal[0]


parser = argparse.ArgumentParser(description="Grades a bot on the fresh games of a day.")
day = {"type": date.fromisoformat, "default": date.today(), "help": "a date such as 2026-11-16 (default: today)"}
parser.add_argument("day", nargs="?", metavar="DAY", **day)
games = spoton.bench(parser.parse_args().day)

records = []
for book in games:
    for first in (1, 2):
        round = book.round(first=first)
        while not round.over:
            round.play(bot(round) if round.turn == 1 else round.choose(OPPONENT, seed=1, number=first))
        records.append(round.record("bot", OPPONENT))

score = spoton.score(records, "bot")
print(f"The {len(games)} games of {games.name}, each from both seats, against {score['against']}:")
for seat in score["seats"]:
    got = seat["got"]
    low, high = got["won_interval"]
    print(f"going {seat['seat']}")
    print(f"    won                    {got['won']} of {got['rounds']} ({low:.0%} to {high:.0%})")
    print(f"    perfect play would win {seat['perfect']:.1%}")
    print(f"    a guesser would win    {seat['careful']:.1%}")
    print(f"    choices right          {got['kept']} of {got['decisions']}")
    print(f"    hidden ones right      {got['subtle_kept']} of {got['subtle']}")
