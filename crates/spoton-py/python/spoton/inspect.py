"""Tasks for Inspect: whole rounds and single choices of a language model, each graded against the truth.

    inspect eval spoton/duel --model MODEL
    inspect eval spoton/choice --model MODEL -T books=fresh-2026-11-16 -T disguise=7

With `--model spoton/first-move` all of it is tried out without a model and without the network: a script answers, which takes
the first of the legal moves that it is told.

`spoton/duel` plays whole rounds against a computer player, `spoton/choice` asks for one move where it matters without showing
it. Both take the fixed set of games, the fresh set of a day, or rule books of your own. What a model is told, how its answer
is read and how its moves are graded is what `spoton bench` does with `--prompt`: the same rounds come to the same figures.

    >>> from spoton.inspect import choice
    >>> task = choice(books="number-maze", samples=2)
    >>> [sample.target for sample in task.dataset]
    [['x2'], ['x2']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from os import PathLike
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo

import spoton

__all__ = ["FIRST_MOVE", "SEATS", "choice", "duel"]

SEATS = ("first", "second", "both")
FIXED, FRESH = "fixed", "fresh-"

# The model is Player 1 at the table; the seat says who goes first.
MODEL, OPPONENT = 1, 2
# What it is called in records.
NAME = "model"

# Where the record of a round is kept for those who grade it, and the one move that was asked for.
RECORD, MOVE = "spoton:record", "spoton:move"

# What Inspect takes for a sample that has no score: it is shown as such, and left out of account.
UNSCORED = float("nan")

# Reasons of providers for an answer that ended at a length limit. The rest of it could have said something else.
CUT = ("max_tokens", "model_length")

# The model that is a script.
FIRST_MOVE = "spoton/first-move"

_Named = str | PathLike[str] | spoton.Book
Books = _Named | Sequence[_Named]


@task
def duel(
    books: Books = FIXED,
    opponent: str = "perfect",
    seat: str = "both",
    rounds: int = 2,
    disguise: int | None = None,
    legal_list: bool = True,
    tries: int = 2,
    seed: int = 1,
    conversation: bool = False,
) -> Task:
    """Whole rounds against a computer player.

    Args:
        books: `fixed` for the fixed set of fifty games, `fresh-2026-11-16` for the fresh set of that day, or games of your own:
            names, or paths of rule books, with commas between them or as a list.
        opponent: Whom it plays against: one of `spoton opponents`.
        seat: Whether it goes `first`, `second`, or `both`, one round after the other.
        rounds: Rounds of each game.
        disguise: The seed of another story to tell the games as, with other names for their moves.
        legal_list: Whether it is told which moves are legal.
        tries: How often it is asked again on a turn before the round is forfeited.
        seed: Makes the opponent's draws repeatable.
        conversation: Whether it sees what was said on its turns before. Each question tells everything, so it need not.
    """
    if seat not in SEATS:
        raise ValueError(f"seat is one of {', '.join(SEATS)}, not {seat!r}")
    _at_least(1, rounds=rounds)
    _at_least(0, tries=tries)
    games, about = _books(books)
    samples = []
    for book in games:
        telling = spoton.Telling(book, legal_list=legal_list, disguise=disguise)
        for number in range(1, rounds + 1):
            seated = seat if seat != "both" else SEATS[(number + 1) % 2]
            round = _begin(book, seated)
            _answer(round, opponent, seed, number)
            samples.append(
                Sample(
                    id=f"{book.id}-{number}-{seated}",
                    input=str(round) if round.over else telling.prompt(round),
                    metadata={**_of(book), "seat": seated, "number": number},
                )
            )
    asked = {"tries": tries, "legal_list": legal_list, "prompt": True, "disguise": disguise, "seat": seat}
    return Task(
        dataset=MemoryDataset(samples, name=about["set"]),
        solver=play_round(opponent, rounds, disguise, legal_list, tries, seed, conversation),
        scorer=[won(opponent), kept(), subtle_kept(), illegal(), unreadable(), forfeited()],
        metadata={**about, "against": opponent, "asked": asked, "grammar": spoton.GRAMMAR},
        version=1,
    )


@task
def choice(
    books: Books = FIXED,
    samples: int | None = 1,
    disguise: int | None = None,
    legal_list: bool = True,
    tries: int = 0,
    seed: int = 1,
) -> Task:
    """One move in a position where it matters what is chosen, and does not show it at once.

    Args:
        books: As for `duel`.
        samples: Positions of each game: so many, drawn by `seed`, or all if there are fewer or it is `null`.
        disguise: The seed of another story to tell the games as, with other names for their moves.
        legal_list: Whether it is told which moves are legal.
        tries: How often it is asked again if an answer is no legal move.
        seed: Makes the draw of the positions repeatable.
    """
    _at_least(1, samples=samples)
    _at_least(0, tries=tries)
    games, about = _books(books)
    choices = []
    for book in games:
        telling = spoton.Telling(book, legal_list=legal_list, disguise=disguise)
        for number, round in enumerate(book.subtle_choices(samples, seed), start=1):
            verdict = book.solve().verdict(round.position)
            best = [judged["move"] for judged in verdict["moves"] if judged["value"] == verdict["value"]]
            guessed = round.chances("careful")
            choices.append(
                Sample(
                    id=f"{book.id}-{number}",
                    input=telling.prompt(round),
                    target=[telling.write(move) for move in best],
                    metadata={
                        **_of(book),
                        "position": str(round.position),
                        "moves": [move for move in round.history if move != "skip"],
                        "careful": sum(guessed.get(move, 0.0) for move in best),
                    },
                )
            )
    if not choices:
        raise ValueError("in none of these games there is a choice that matters without showing it at once")
    asked = {"tries": tries, "legal_list": legal_list, "prompt": True, "disguise": disguise}
    return Task(
        dataset=MemoryDataset(choices, name=about["set"]),
        solver=choose_move(disguise, legal_list, tries),
        scorer=[right(), illegal(), unreadable()],
        metadata={**about, "asked": asked, "grammar": spoton.GRAMMAR},
        version=1,
    )


def _at_least(least: int, **given: int | None) -> None:
    for name, number in given.items():
        if number is not None and number < least:
            raise ValueError(f"{name} is a whole number from {least} on, not {number}")


def _books(books: Books) -> tuple[Iterable[spoton.Book], dict[str, Any]]:
    """The games that are asked for, and what is told of them with the result."""
    if isinstance(books, str) and (books == FIXED or books.startswith(FRESH)):
        drawn = spoton.bench(None if books == FIXED else books.removeprefix(FRESH))
        return drawn, {"set": drawn.name, "fingerprint": drawn.fingerprint}
    if isinstance(books, date):
        # Inspect makes one of a bare day on its command line, and would not know which it was when it tries again.
        raise ValueError(f"the fresh set of a day is asked for by books={FRESH}{books}")
    if isinstance(books, str):
        # As Inspect reads it on its command line.
        books = [name.strip() for name in books.split(",")]
    named = [books] if isinstance(books, (PathLike, spoton.Book)) else books
    own = [book if isinstance(book, spoton.Book) else spoton.load(book) for book in named]
    if not own:
        raise ValueError("books names no game; at least one is wanted")
    return own, {"set": "own", "fingerprint": " ".join(book.fingerprint for book in own)}


def _of(book: spoton.Book) -> dict[str, Any]:
    """A game as a sample keeps it: all that is needed to play it again."""
    return {"game": book.id, "depth": book.depth, "book": book.line}


def _book(state: TaskState) -> spoton.Book:
    return spoton.read_line(state.metadata["book"], state.metadata["game"])


def _begin(book: spoton.Book, seat: str) -> spoton.Round:
    return book.round(first=MODEL if seat == "first" else OPPONENT)


def _answer(round: spoton.Round, opponent: str, seed: int, number: int) -> None:
    """Lets the opponent move until the model is on turn."""
    while round.turn == OPPONENT:
        round.play(round.choose(opponent, seed, number))


async def _ask(
    state: TaskState, telling: spoton.Telling, round: spoton.Round, tries: int, conversation: bool = False
) -> str | None:
    """The model's move, or nothing if no answer of it counts. What is refused is counted in the round."""
    refused = None
    said_before = [message for message in state.messages if message.role == "system"]
    for _ in range(tries + 1):
        question = ChatMessageUser(content=telling.prompt(round, refused))
        state.messages.append(question)
        state.output = await get_model().generate(state.messages if conversation else [*said_before, question])
        state.messages.append(state.output.message)
        read = telling.read(state.output.completion, round, cut=state.output.stop_reason in CUT)
        if read["move"] is not None:
            return read["move"]
        refused = read["refused"]
        if refused is not None:
            round.refuse(refused["why"])
    return None


def _nothing_said(state: TaskState) -> None:
    """The questions are asked turn by turn; what the sample shows is the first of them."""
    state.messages = [message for message in state.messages if message.role == "system"]


@solver
def play_round(
    opponent: str, rounds: int, disguise: int | None, legal_list: bool, tries: int, seed: int, conversation: bool
) -> Solver:
    """Plays a round to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        round = _begin(_book(state), state.metadata["seat"])
        telling = spoton.Telling(round.book, legal_list=legal_list, disguise=disguise)
        # Each epoch has draws of its own.
        number = state.metadata["number"] + (state.epoch - 1) * rounds
        _nothing_said(state)
        try:
            _answer(round, opponent, seed, number)
            while not round.over:
                move = await _ask(state, telling, round, tries, conversation)
                if move is None:
                    round.forfeit()
                else:
                    round.play(move)
                    _answer(round, opponent, seed, number)
        finally:
            # Whatever stops it, the round counts as far as it has come.
            state.store.set(RECORD, round.record(NAME, opponent))
        return state

    return solve


@solver
def choose_move(disguise: int | None, legal_list: bool, tries: int) -> Solver:
    """Asks for one move."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        round = _book(state).round()
        for move in state.metadata["moves"]:
            round.play(move)
        names = (NAME, "other") if round.turn == 1 else ("other", NAME)
        telling = spoton.Telling(round.book, legal_list=legal_list, disguise=disguise)
        _nothing_said(state)
        try:
            move = await _ask(state, telling, round, tries)
            if move is None:
                round.forfeit()
            else:
                round.play(move)
                state.store.set(MOVE, move)
        finally:
            state.store.set(RECORD, round.record(*names))
        return state

    return solve


def _record(state: TaskState) -> str:
    record = state.store.get(RECORD)
    if record is None:
        raise ValueError("there is no round to grade: the tasks of Spot On are played by their own solvers")
    return str(record)


def _counted(state: TaskState) -> dict[str, Any]:
    """What was counted of the model's moves and answers in a round."""
    return next({**line} for line in spoton.grade(_record(state)) if line["player"] == NAME)


@metric(scores="unreduced")
def share() -> Metric:
    """How many of all there were, with the 95 % interval for other games of this kind.

    The samples of a game, in all epochs, are one cluster: they are not independent. If there is one game alone, the interval is
    for more samples of it.
    """

    def pooled(scores: list[SampleScore]) -> Value:
        games: dict[str, list[tuple[int, int]]] = {}
        for score in scores:
            counted, game = score.score.metadata or {}, (score.sample_metadata or {}).get("book", "")
            games.setdefault(game, []).append((counted.get("part", 0), counted.get("of", 0)))
        clusters = [_sum(samples) for samples in games.values()]
        if len(clusters) == 1:
            [clusters] = games.values()
        (part, whole), interval = _sum(clusters), spoton.cluster_interval(clusters)
        if interval is None:
            return {"of": whole}
        return {"share": part / whole, "low": interval[0], "high": interval[1], "of": whole}

    return pooled


def _sum(counts: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(part for part, _ in counts), sum(whole for _, whole in counts)


def _share(part: int, whole: int, **more: Any) -> Score:
    """A share of something; unscored where there was nothing."""
    counted = {"part": part, "of": whole}
    if whole == 0:
        return Score(value=UNSCORED, metadata=counted, explanation="No such choice came up in this round.")
    return Score(value=part / whole, metadata=counted, **more)


@metric(scores="unreduced")
def careful() -> Metric:
    """How many the careful guesser would have, exactly."""

    def expected(scores: list[SampleScore]) -> Value:
        chances = [(score.sample_metadata or {})["careful"] for score in scores]
        return sum(chances) / len(chances) if chances else UNSCORED

    return expected


@metric(scores="unreduced")
def total() -> Metric:
    """How many there were in all."""

    def summed(scores: list[SampleScore]) -> Value:
        return sum(score.score.as_int() for score in scores)

    return summed


@metric(scores="unreduced")
def result() -> Metric:
    """Rounds won, by seat, beside what perfect play and the careful guesser would win there, exactly.

    `of_ceiling` is how much was won of what perfect play would win; where that is nothing, it is not told. Against `perfect` it
    is 1 at most. Against an opponent who slips it is a matter of luck as well, and whoever sets traps can win more than that.
    The 95 % intervals (`_low`, `_high`) are for other games of this kind: all rounds of a game count as one observation.
    """

    def by_seat(scores: list[SampleScore]) -> Value:
        rounds = [score.score.metadata or {} for score in scores]
        unscored: Value = {"of_ceiling": UNSCORED}
        if not rounds:
            return unscored
        graded = spoton.score([each["record"] for each in rounds], NAME, rounds[0]["against"])
        told: dict[str, float] = {}
        for seat in graded["seats"]:
            name, got, perfect = seat["seat"], seat["got"], seat["perfect"]
            if got["rounds"] == 0 or perfect is None or seat["careful"] is None:
                continue
            if got["won_interval"] is not None:
                told[name] = got["won"] / (got["rounds"] - got["unfinished"])
                told[f"{name}_low"], told[f"{name}_high"] = got["won_interval"]
            told |= {f"{name}_perfect": perfect, f"{name}_careful": seat["careful"]}
        # Of nothing there is no share.
        if graded["of_ceiling"] is not None:
            told["of_ceiling"] = graded["of_ceiling"]
        if graded["of_ceiling_interval"] is not None:
            told["of_ceiling_low"], told["of_ceiling_high"] = graded["of_ceiling_interval"]
        return told or unscored

    return by_seat


@scorer(metrics=[result()])
def won(opponent: str) -> Scorer:
    """Whether the round was won."""

    async def score(state: TaskState, target: Target) -> Score:
        record, counted = _record(state), _counted(state)
        return Score(value=counted["won"], explanation=record, metadata={"record": record, "against": opponent})

    return score


@scorer(metrics=[share()])
def kept() -> Scorer:
    """Of the choices that mattered, those that kept the best there was."""

    async def score(state: TaskState, target: Target) -> Score:
        counted = _counted(state)
        return _share(counted["kept"], counted["decisions"])

    return score


@scorer(metrics=[share()])
def subtle_kept() -> Scorer:
    """The same of those that did not show it at once."""

    async def score(state: TaskState, target: Target) -> Score:
        counted = _counted(state)
        return _share(counted["subtle_kept"], counted["subtle"])

    return score


@scorer(metrics=[share(), careful()])
def right() -> Scorer:
    """Whether the one move that was asked for kept the best there was. An answer that is no legal move did not."""

    async def score(state: TaskState, target: Target) -> Score:
        record, move = _record(state), state.store.get(MOVE)
        if move is None:
            return _share(0, 1, explanation=record)
        review = spoton.review(record)
        player = 1 + [player["player"] for player in review["players"]].index(NAME)
        # The other player's turn may have gone over since.
        *_, made = (judged for judged in review["moves"] if judged["player"] == player)
        return _share(int(made["made"] == made["best"]), 1, answer=move, explanation=record)

    return score


@scorer(metrics=[total()])
def illegal() -> Scorer:
    """Answers that are a move, but not a legal one."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=_counted(state)["illegal"])

    return score


@scorer(metrics=[total()])
def unreadable() -> Scorer:
    """Answers that are no move at all, or several."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=_counted(state)["unreadable"])

    return score


@scorer(metrics=[total()])
def forfeited() -> Scorer:
    """Rounds that ended because no answer counted."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=_counted(state)["forfeited"])

    return score


_LEGAL = re.compile(r"^Your legal moves: ([^,\n]+)", re.MULTILINE)


@modelapi(name="spoton")
class FirstMove(ModelAPI):
    """A script in the place of a model: it takes the first of the legal moves that it is told. For trying things out."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if f"spoton/{model_name}" != FIRST_MOVE:
            raise ValueError(f"there is no model spoton/{model_name}; there is {FIRST_MOVE}")

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        told = _LEGAL.search(input[-1].text)
        said = f"move: {told[1]}" if told else "I was not told which moves are legal."
        output = ModelOutput.from_content(self.model_name, said)
        output.usage = ModelUsage()
        return output
