"""Tasks for Inspect: whole rounds and single choices of a language model, graded exactly.

    inspect eval spoton/duel --model MODEL
    inspect eval spoton/choice --model MODEL -T books=fresh-2026-11-16 -T disguise=7

For a dry run without a model or a network, use `--model spoton/first-move`: a script that takes the first legal move in the prompt.

`spoton/duel` plays whole rounds against a computer player. `spoton/choice` asks for one move in a position with a hidden choice: it
matters, but the best move isn't obvious. Both take the fixed set of games, a day's fresh set, or your own rule books. Prompts,
answer parsing and grading are the same as in `spoton bot bench --prompt`: the same rounds get the same figures.

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

# The model is always Player 1. The seat decides who goes first.
MODEL, OPPONENT = 1, 2
# The model's name in records.
NAME = "model"

# Store keys for the scorers: the record of the round, and the single requested move.
RECORD, MOVE = "spoton:record", "spoton:move"

# Inspect's marker for a sample without a score; metrics ignore it.
UNSCORED = float("nan")

# Stop reasons of answers cut off by a length limit. The missing rest could have changed the answer.
CUT = ("max_tokens", "model_length")

# The scripted model's name.
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
        books: `fixed` for the fixed set of 50 games, `fresh-2026-11-16` for the fresh set of that day, or your own games: names
            or paths of rule books, separated by commas or as a list.
        opponent: The opponent, one of `spoton games --opponents`.
        seat: The model's seat: `first`, `second` or `both`, which alternates.
        rounds: Rounds per game.
        disguise: A seed that disguises the games as other stories, with other move names.
        legal_list: Whether prompts list the legal moves.
        tries: Retries on a turn before the round is forfeited.
        seed: The opponent's random seed.
        conversation: Whether the model sees its earlier turns. Each prompt is complete, so it doesn't need them.
    """
    if seat not in SEATS:
        raise ValueError(f"seat must be one of {', '.join(SEATS)}, not {seat!r}")
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
        metadata={**about, "against": opponent, "asked": asked, **_reading()},
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
    """One move in a position with a hidden choice: it matters, but the best move isn't obvious.

    Args:
        books: As for `duel`.
        samples: Positions per game, drawn by `seed`. `null`, or more than there are, means all.
        disguise: A seed that disguises the games as other stories, with other move names.
        legal_list: Whether prompts list the legal moves.
        tries: Retries if an answer isn't a legal move.
        seed: Random seed for drawing the positions.
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
        raise ValueError("none of these games has a hidden choice")
    asked = {"tries": tries, "legal_list": legal_list, "prompt": True, "disguise": disguise}
    return Task(
        dataset=MemoryDataset(choices, name=about["set"]),
        solver=choose_move(disguise, legal_list, tries),
        scorer=[right(), illegal(), unreadable()],
        metadata={**about, "asked": asked, **_reading()},
        version=1,
    )


def _reading() -> dict[str, Any]:
    """The answer grammar and the prompt fingerprint: results are comparable only if both are the same."""
    return {"grammar": spoton.GRAMMAR, "prompt_fingerprint": spoton.prompt_fingerprint()}


def _at_least(least: int, **given: int | None) -> None:
    for name, number in given.items():
        if number is not None and number < least:
            raise ValueError(f"{name} must be at least {least}, not {number}")


def _books(books: Books) -> tuple[Iterable[spoton.Book], dict[str, Any]]:
    """Loads the games, and the metadata that results record about them."""
    if isinstance(books, str) and (books == FIXED or books.startswith(FRESH)):
        drawn = spoton.bench(None if books == FIXED else books.removeprefix(FRESH))
        return drawn, {"set": drawn.name, "fingerprint": drawn.fingerprint}
    if isinstance(books, date):
        # Inspect parses a bare day on its command line as a date, but can't restore it on a retry.
        raise ValueError(f"for a day's fresh set, use books={FRESH}{books}")
    if isinstance(books, str):
        # A comma-separated list, as on Inspect's command line.
        books = [name.strip() for name in books.split(",")]
    named = [books] if isinstance(books, (PathLike, spoton.Book)) else books
    own = [book if isinstance(book, spoton.Book) else spoton.load(book) for book in named]
    if not own:
        raise ValueError("books is empty; name at least one game")
    return own, {"set": "own", "fingerprint": " ".join(book.fingerprint for book in own)}


def _of(book: spoton.Book) -> dict[str, Any]:
    """A sample's metadata about its game, enough to play it again."""
    return {"game": book.id, "depth": book.depth, "book": book.line}


def _book(state: TaskState) -> spoton.Book:
    return spoton.read_line(state.metadata["book"], state.metadata["game"])


def _begin(book: spoton.Book, seat: str) -> spoton.Round:
    return book.round(first=MODEL if seat == "first" else OPPONENT)


def _answer(round: spoton.Round, opponent: str, seed: int, number: int) -> None:
    """Lets the opponent move until it's the model's turn."""
    while round.turn == OPPONENT:
        round.play(round.choose(opponent, seed, number))


async def _ask(
    state: TaskState, telling: spoton.Telling, round: spoton.Round, tries: int, conversation: bool = False
) -> str | None:
    """Asks for a move. Returns None if no answer counts. The round counts the rejected answers."""
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
    """Removes the sample's input from the messages: each turn adds its own prompt."""
    state.messages = [message for message in state.messages if message.role == "system"]


@solver
def play_round(
    opponent: str, rounds: int, disguise: int | None, legal_list: bool, tries: int, seed: int, conversation: bool
) -> Solver:
    """Plays a round to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        round = _begin(_book(state), state.metadata["seat"])
        telling = spoton.Telling(round.book, legal_list=legal_list, disguise=disguise)
        # Each epoch has its own draws.
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
            # If a limit stops the sample, the unfinished round still counts.
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
        raise ValueError("there is no round to grade; Spot On's tasks need their own solvers")
    return str(record)


def _counted(state: TaskState) -> dict[str, Any]:
    """The counts of the model's moves and answers in a round."""
    return next({**line} for line in spoton.grade(_record(state)) if line["player"] == NAME)


@metric(scores="unreduced")
def share() -> Metric:
    """The pooled share, with its 95% interval for other games of this kind.

    All samples of a game, in all epochs, form one cluster, because they aren't independent. With a single game, the interval
    applies to further samples of that game.
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
    """A share; unscored if the whole is 0."""
    counted = {"part": part, "of": whole}
    if whole == 0:
        return Score(value=UNSCORED, metadata=counted, explanation="This round had no such choice.")
    return Score(value=part / whole, metadata=counted, **more)


@metric(scores="unreduced")
def careful() -> Metric:
    """The careful guesser's exact share."""

    def expected(scores: list[SampleScore]) -> Value:
        chances = [(score.sample_metadata or {})["careful"] for score in scores]
        return sum(chances) / len(chances) if chances else UNSCORED

    return expected


@metric(scores="unreduced")
def total() -> Metric:
    """The total count."""

    def summed(scores: list[SampleScore]) -> Value:
        return sum(score.score.as_int() for score in scores)

    return summed


@metric(scores="unreduced")
def result() -> Metric:
    """The share of rounds won, by seat, with the exact shares of perfect play and of the careful guesser.

    `of_ceiling` is the share won divided by perfect play's share; it's missing if perfect play wins nothing. Against `perfect` it
    is at most 1. Against an opponent who makes mistakes, it also depends on luck, and traps can raise it above 1. The 95%
    intervals (`_low`, `_high`) apply to other games of this kind: all rounds of a game count as one observation.
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
        # No ceiling, no share.
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
    """Right choices among those that matter."""

    async def score(state: TaskState, target: Target) -> Score:
        counted = _counted(state)
        return _share(counted["kept"], counted["decisions"])

    return score


@scorer(metrics=[share()])
def subtle_kept() -> Scorer:
    """Share of hidden choices that were right."""

    async def score(state: TaskState, target: Target) -> Score:
        counted = _counted(state)
        return _share(counted["subtle_kept"], counted["subtle"])

    return score


@scorer(metrics=[share(), careful()])
def right() -> Scorer:
    """Whether the requested move keeps the best result. An answer that isn't a legal move doesn't."""

    async def score(state: TaskState, target: Target) -> Score:
        record, move = _record(state), state.store.get(MOVE)
        if move is None:
            return _share(0, 1, explanation=record)
        review = spoton.review(record)
        player = 1 + [player["player"] for player in review["players"]].index(NAME)
        # A skipped turn of the opponent may have followed.
        *_, made = (judged for judged in review["moves"] if judged["player"] == player)
        return _share(int(made["made"] == made["best"]), 1, answer=move, explanation=record)

    return score


@scorer(metrics=[total()])
def illegal() -> Scorer:
    """Answers with an illegal move."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=_counted(state)["illegal"])

    return score


@scorer(metrics=[total()])
def unreadable() -> Scorer:
    """Answers without a clear move."""

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
    """A scripted model for dry runs: it takes the first legal move in the prompt."""

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
            raise ValueError(f"there is no model spoton/{model_name}; use {FIRST_MOVE}")

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        told = _LEGAL.search(input[-1].text)
        said = f"move: {told[1]}" if told else "The prompt doesn't list the legal moves."
        output = ModelOutput.from_content(self.model_name, said)
        output.usage = ModelUsage()
        return output
