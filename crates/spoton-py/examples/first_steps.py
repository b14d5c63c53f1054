"""A game, a position, the truth about it, and a round against a computer player.

    python first_steps.py
"""

import spoton

book = spoton.load("number-maze", target=34)
print(book.rules())

here = book.opening()
verdict = book.solve().verdict(here)
print(f"At {here.numbers[0]}, Player {here.turn} is on turn: a {verdict['value']} in {verdict['remoteness']} moves.")
for judged in verdict["moves"]:
    print(f"  {judged['move']:4} {judged['value']}")

round = book.round()
while not round.over:
    # We play the best move, the computer what Dash would play.
    move = book.solve().verdict(round.position)["moves"][0]["move"] if round.turn == 1 else round.choose("dash", seed=7)
    round.play(move)
print(round)
print(round.record("Us", "Dash"))
