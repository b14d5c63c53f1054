"""Q-learning with Gymnasium, compared with the exact values.

    pip install gymnasium
    python learn_by_playing.py
"""

import random

import gymnasium

import spoton.gymnasium

book = spoton.load("number-maze")
env = gymnasium.make("spoton/Duel-v0", book=book, opponent="random", seat="random")
chance = random.Random(1)
values = {}


def best(seen, mask):
    return max((action for action, legal in enumerate(mask) if legal), key=lambda a: values.get((seen, a), 0.0))


for episode in range(3000):
    observation, info = env.reset(seed=episode)
    over = not info["action_mask"].any()
    while not over:
        seen, mask = tuple(observation["observation"]), info["action_mask"]
        legal = [action for action, is_legal in enumerate(mask) if is_legal]
        action = chance.choice(legal) if chance.random() < 0.2 else best(seen, mask)
        observation, reward, over, _, info = env.step(action)
        after, mask = tuple(observation["observation"]), info["action_mask"]
        ahead = 0.0 if over else values.get((after, best(after, mask)), 0.0)
        old = values.get((seen, action), 0.0)
        values[seen, action] = old + 0.2 * (reward + ahead - old)

# Compares the policy with the exact values wherever the choice matters.
solution, met, kept = book.solve(), 0, 0
for number in range(1, 20):
    position = book.position(f"{number};1")
    moves = solution.verdict(position)["moves"]
    if len({judged["value"] for judged in moves}) > 1:
        mask = [action in position.actions for action in range(len(book.alphabet))]
        chosen = book.alphabet[best((number, 1), mask)]
        met += 1
        kept += next(judged["value"] for judged in moves if judged["move"] == chosen) == moves[0]["value"]
print(f"After 3,000 rounds against a random player, {kept} of {met} choices that matter are right.")
