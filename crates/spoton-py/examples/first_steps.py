"""A game, a position with its exact value, and a round against a computer player.

    python first_steps.py
"""

import spoton

book = spoton.load("number-maze", target=34)
print(book.rules())

here = book.opening()
verdict = book.solve().verdict(here)
print(f"Player {here.turn} to move at {here.numbers[0]}: a {verdict['value']} in {verdict['remoteness']} moves.")
for judged in verdict["moves"]:
    print(f"  {judged['move']:4} {judged['value']}")

round = book.round()
while not round.over:
    # We play the best move against Dash.
    move = book.solve().verdict(round.position)["moves"][0]["move"] if round.turn == 1 else round.choose("dash", seed=7)
    round.play(move)
print(round)
print(round.record("Us", "Dash"))
