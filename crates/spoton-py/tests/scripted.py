"""Scripted language models. They know only what the prompt shows."""

import re

from inspect_ai.model import ModelOutput, ModelUsage, get_model

import spoton

RULES = re.compile(r"^Rules:\n(.*?)\n\n", re.MULTILINE | re.DOTALL)
PLY = re.compile(r"^\d+\. Player ([12]): (\S+) \(", re.MULTILINE)
FIRST = re.compile(r"Player ([12]) goes first")


class Reader:
    """Reconstructs a round of one of the books from a prompt."""

    def __init__(self, books, disguise=None):
        tellings = [spoton.Telling(book, disguise=disguise) for book in books]
        self.tellings = {"\n".join(f"- {rule}" for rule in telling.rules()): telling for telling in tellings}

    def read(self, prompt):
        telling = self.tellings[RULES.search(prompt)[1]]
        names = {telling.write(move): move for move in telling.book.alphabet}
        plies = PLY.findall(prompt)
        round = telling.book.round(first=int(plies[0][0] if plies else FIRST.search(prompt)[1]))
        for _, name in plies:
            if name != "skip":
                round.play(names[name])
        assert f"You are Player {round.turn}." in prompt
        return telling, round


def said(text):
    """An answer. Sets the usage, since the mock would download a tokenizer to compute it."""
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return ModelOutput.from_content("mockllm/model", text).model_copy(update={"usage": usage})


def saying(answer):
    """A model that answers a prompt with a function of its text."""
    return get_model("mockllm/model", memoize=False, custom_outputs=lambda messages, *_: said(answer(messages[-1].text)))


def choosing(choose, books, disguise=None):
    """A model that chooses its move with a function of the round."""
    reader = Reader(books, disguise)

    def answer(prompt):
        telling, round = reader.read(prompt)
        return f"Let me see.\n\nmove: {telling.write(choose(round))}"

    return saying(answer)


def perfect(round):
    return round.book.solve().verdict(round.position)["moves"][0]["move"]


def first_of_the_list(prompt):
    """Takes the first legal move in the prompt."""
    return "move: " + re.search(r"^Your legal moves: ([^,\n]+)", prompt, re.MULTILINE)[1]
