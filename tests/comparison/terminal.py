"""Command lines and rounds in line mode."""

import json
import random
import re
import shlex
from pathlib import Path

from .books import random_book
from .sides import Answer

REPOSITORY = Path(__file__).resolve().parents[2]
OPPONENTS = "pip dash momo otto nina sage random careful perfect sound easy medium hard adaptive".split()
DAY = "2026-11-15"
MEMORY = "--memory-limit 32"
"""A low memory limit, so that books with many positions are refused quickly."""
TALK = [
    "help", "rules", "moves", "hint", "hint", "why", "undo", "save", "idea leave 5 10 15", "idea leave even", "idea what?", "finish",
    "", "nonsense", "99999999999999999999", "+", "add 1", "double", "x1", "-0", "Yes", "no", "resign",
]
IDEAS = ["leave 5 10 15", "leave even", "leave odd from 5", "leave every 6 from 2", "leave primes", "leave squares to 50 and 7", "leave", "win", "leave multiples of 0"]
SETS = [
    "past=wins", "past=forbidden", "no_repeat=own", "moves=+1..3,x2", "range=0,20", "losing=7,13", "winning=even,15..17", "stuck=skips",
    'moves=+1,{ op = "x2", uses = 3 }', "repetition=2", "wording.menu=legal", "match={ first_to = 2 }", "target=1", "start=12", "nothing=1", "past",
]


class Terminal:
    """A person at a terminal of one side. Remembers every answer."""

    def __init__(self, side, home):
        self.side, self.home, self.answers = side, home, []

    def __call__(self, line, typed=""):
        """Runs a command line, written as in a shell, with this on standard input."""
        arguments = shlex.split(line)
        words = arguments[:2] if arguments[:1] == ["bot"] else arguments[:1]
        kind = " ".join(["spoton", *words] + [option for option in ("--json", "--stdin") if option in arguments])
        text = self.side.run(self.home, arguments, typed)
        question = f"spoton {line}" + (f" <<< {typed!r}" if typed else "")
        self.answers.append(Answer(kind, question, text))
        return text

    def write(self, name, text):
        (self.home / name).write_text(text, encoding="utf-8", newline="")

    def look_at_files(self):
        """Adds the files that the commands left behind: saves, records, settings, new books."""
        for path in sorted(self.home.rglob("*")):
            if path.is_file():
                name = str(path.relative_to(self.home))
                text = path.read_bytes().decode("utf-8", "backslashreplace")
                self.answers.append(Answer("files", name, text))


def scenarios(books, seed):
    """Yields the names of scenarios with their functions, which take a Terminal."""
    yield "guides", guides
    yield "mistakes", mistakes
    yield "settings", settings
    yield "programs", programs
    yield "inventions", inventions
    for path in sorted((REPOSITORY / "crates/spoton-cli/tests/playthroughs").glob("*.txt")):
        yield f"playthrough-{path.stem}", lambda terminal, path=path: playthrough(terminal, path)
    for path in sorted((REPOSITORY / "crates/spoton/rulebooks").glob("*.toml")):
        variants = re.findall(r"^\[variants\.([a-z0-9-]+)\]", path.read_text(), re.M)
        yield f"shipped-{path.stem}", lambda terminal, path=path, variants=variants: shipped(terminal, path.stem, variants)
    for number in range(books):
        yield f"book-{number}", lambda terminal, number=number: about_book(terminal, f"{seed}/{number}")


def about_book(terminal, seed):
    dice = random.Random(seed)
    book = random_book(dice)
    terminal.write("book.toml", book.text)
    for line in ("check book.toml --json", "rules book.toml --json", f"solve book.toml --json {MEMORY}"):
        terminal(line)
    play(terminal, "book.toml", book.moves, dice)
    for question in dice.sample(QUESTIONS if book.may_loop else QUESTIONS + ARENAS, 6):
        question(terminal, "book.toml", book.moves, book.number, dice)
    terminal.look_at_files()


def shipped(terminal, game, variants):
    dice = random.Random(game)
    moves = ["+1", "x2", "+2", "+3", "-1", "-2", "-3", "/2"]
    for question in QUESTIONS + ARENAS:
        question(terminal, game, moves, 10, dice)
    play(terminal, game, moves, dice)
    for variant in variants:
        changed = f"{game} --variant {variant}"
        for question in (rules, solve, chart, play_opponent, audit):
            question(terminal, changed, moves, 10, dice)
    terminal.look_at_files()


def lines(moves, dice, count=40):
    """A player's input: mostly answers to a menu, some moves, some commands."""
    typed = []
    for _ in range(count):
        typed.append(dice.choices([dice.choice("11122233456"), dice.choice(moves), dice.choice(TALK)], [6, 4, 1])[0])
    return "\n".join(typed) + dice.choice(["\n", "\nquit\n", ""])


def play(terminal, game, moves, dice):
    options = dice.choice(["", "", "--names Ann,Ben", "--first 2", "--first random", "--coach", "--rounds 2", "--first-to 2", "--discover"])
    terminal(f"play {game} --seed {dice.randrange(99)} {options}", lines(moves, dice))


def play_opponent(terminal, game, moves, number, dice):
    record = dice.choice(["rounds.txt", "rounds.jsonl"])
    terminal(f"play {game} --vs {dice.choice(OPPONENTS)} --seed {dice.randrange(99)} --record {record}", lines(moves, dice))
    for options in dice.sample(["", "--json", "--summary", "--summary --json", "--annotate", "--convert", "--convert --json"], 3):
        terminal(f"review {record} {options} {'' if 'convert' in options else MEMORY}")


def play_and_resume(terminal, game, moves, number, dice):
    first = dice.choice(moves)
    terminal(f"play {game} --seed 5 --names Ann,Ben", f"{first}\n{dice.choice(moves)}\nsave\nquit\n")
    terminal("play --resume", lines(moves, dice))
    terminal("review")
    terminal("review --json")


def rules(terminal, game, moves, number, dice):
    for options in ("", "--json", "--markdown", "--source"):
        terminal(f"rules {game} {options}")


def check(terminal, game, moves, number, dice):
    if game.endswith(".toml"):
        terminal(f"check {game}")
        terminal("check - --json", (terminal.home / game).read_text(encoding="utf-8"))


def solve(terminal, game, moves, number, dice):
    made = " ".join(dice.choices([*moves, "skip"], k=dice.randrange(1, 5)))
    for options in ("", f"--moves {shlex.quote(made)}", f"--moves {shlex.quote(dice.choice(moves))} --json"):
        terminal(f"solve {game} {options} {MEMORY}")


def solve_lines(terminal, game, moves, number, dice):
    asked = [" ".join(dice.choices(moves, k=count % 4)) for count in range(8)]
    asked += [json.dumps({"game": "number-maze", "set": {"target": 34}, "moves": ["x2"]}), "{}", "[", '{"moves":"+1 +1"}']
    terminal(f"solve {game} --stdin --json {MEMORY}", "\n".join(asked) + "\n")


def chart(terminal, game, moves, number, dice):
    for options in ("", "--json", "--blank", f"--last {shlex.quote(dice.choice(moves))},- --json"):
        terminal(f"map {game} {options} {MEMORY}")


def ideas(terminal, game, moves, number, dice):
    for options in ("", "--json"):
        terminal(f"idea {game} {shlex.quote(dice.choice(IDEAS))} {options} {MEMORY}")


def audit(terminal, game, moves, number, dice):
    options = dice.choice(["", "--json", "--json", "--markdown", f"--targets {number}..{number + 9}", f"--targets {number}..{number + 9} --json", "--strict"])
    terminal(f"audit {game} {options} {MEMORY}")


def puzzle(terminal, game, moves, number, dice):
    terminal(f"puzzle {game} --json {MEMORY}")
    terminal(f"puzzle {game} {MEMORY}", lines(moves, dice, 8))


def changes(terminal, game, moves, number, dice):
    rule = shlex.quote(dice.choice(SETS))
    for line in (f"rules {game} --rule {rule}", f"solve {game} --target {number} --json", f"play {game} --variant other --rule {rule} --seed 4"):
        terminal(line, "1\n2\n1\nquit\n" if line.startswith("play") else "")


def arena(terminal, game, moves, number, dice):
    one, two = dice.sample(OPPONENTS[:10], 2)
    json_or_not = dice.choice(["", "--json", "--record all.jsonl"])
    terminal(f"bot arena {game} --p1 {one} --p2 {two} --rounds 2 --seed {dice.randrange(9)} {json_or_not} {MEMORY}")


def outside_program(terminal, game, moves, number, dice):
    answers = f"while read -r turn; do echo {shlex.quote(dice.choice(moves))}; done"
    terminal(f"bot arena {game} --p1 {shlex.quote('exec:' + answers)} --p2 careful --rounds 2 --seed 3 --json --record all.jsonl {MEMORY}")


def engine(terminal, game, moves, number, dice):
    rule_book = "{start = 1, target = %d, moves = ['+1', 'x2', '+3']}" % min(abs(number) + 2, 500)
    typed = ["spoton", "newgame", f"rules {rule_book}", "position opening", "go perfect", f"position opening moves {dice.choice(moves)}",
             "go depth 3", "go depth 0", "go among +1 x2", "nonsense", "", "spoton spoton", "position 5;1", "go", "quit"]
    terminal("bot engine", "\n".join(typed) + "\n")


def discovery(terminal, game, moves, number, dice):
    terminal("config discovery on")
    for line in (f"map {game}", f"map {game} --uncover", f"solve {game}", f"idea {game} leave 5", f"audit {game}", f"rules {game}"):
        terminal(line)
    terminal(f"play {game} --seed 2", lines(moves, dice))
    terminal("config discovery off")


QUESTIONS = [
    rules, check, solve, solve_lines, chart, ideas, audit, puzzle, changes, engine, discovery, play_opponent, play_opponent,
    play_and_resume,
]
ARENAS = [arena, outside_program]


def playthrough(terminal, path):
    command, answers = path.read_text().splitlines()[:2]
    terminal(f"{command.removeprefix('$ spoton ')} --seed 1", answers.removeprefix("> ").replace(",", "\n") + "\n")


COMMANDS = ["play", "today", "puzzle", "games", "rules", "solve", "map", "idea", "review", "new", "check", "audit", "invent", "bot",
            "bot arena", "bot bench", "bot engine", "bot check", "config", "help", "completions", "man"]


def guides(terminal):
    for line in ["", "--help", "-h", "help", "--version", "man", "--color always --help", "games", "games --long", "games --json",
                 "games --opponents", "games --opponents --json", "opponents", "opponents number-maze"]:
        terminal(line)
    for command in COMMANDS:
        for line in (f"help {command}", f"{command} --help", f"{command} -h", f"man {command}"):
            terminal(line)
    for shell in ("bash", "elvish", "fish", "powershell", "zsh"):
        terminal(f"completions {shell}")
    terminal("solve number-maze --color always")
    terminal("play number-maze --color always --seed 1", "1\n2\nwhy\nquit\n")


def mistakes(terminal):
    for line in ["nonsense", "play nonsense", "plya", "play e", "solve", "solve number-maze extra", "solve number-maze --jsn", "solve maze --target x --json",
                 "rules nothing.toml", "rules - --json", "check nothing.toml", "check", "review nothing.txt", "review nothing.txt --json",
                 "play number-maze --vs nobody", "play number-maze --first 3", "play --resume", "play --resume=nothing.spoton", "config nothing",
                 "config discovery maybe", "new", "new here/there.toml", "map number-maze --last +9,+9", "audit number-maze --targets 9..2",
                 "bot", "bot arena number-maze --p1 otto", "bot bench nobody", "bot check true", "bot check false --json", "invent --level 9",
                 "invent --count 2", "today --date yesterday", "today --date 1999-01-01", "completions tcsh", "play number-maze --rounds 0",
                 "play number-maze --memory 1 --seed 1", "solve number-maze --target 100000000 --memory 1 --json", "idea number-maze", "map maze --set past=wins"]:
        terminal(line)


def settings(terminal):
    for line in ["config", "config discovery on", "config discovery", "discover", "discover off", "config motion off", "config colours dark",
                 "config names Ann,Ben", "config names", "config", "config names ''", "config colours purple", "new my-game.toml", "new my-game.toml",
                 "new like.toml --like number-maze", "new like.toml --like nothing", "check my-game.toml like.toml", "check my-game.toml --json",
                 f"today --json --date {DAY}", "rules today-2026-11-15", f"solve today-{DAY} --json"]:
        terminal(line)
    terminal(f"today --date {DAY}", "+2\n+3\nhint\nundo\nquit\n")
    terminal("play number-maze --resume", "1\n")
    terminal("puzzle", "1\n2\n1\n2\nquit\n")
    terminal("puzzle", "2\n1\nquit\n")
    terminal.look_at_files()


def programs(terminal):
    for line in ["bot arena number-maze take-away --p1 otto --p2 sage", "bot arena maze --p1 careful --p2 random --target 20..30 --json",
                 "bot arena fair-shares --p1 nina --p2 pip --rounds 3 --seat first", "arena maze --p1 sound --p2 dash --json",
                 "bot bench otto --rounds 1 --json", "bot bench random careful --rounds 1 --markdown", "bot check 'spoton bot engine' --json",
                 "bot arena maze --p1 'engine:spoton bot engine' --p2 otto --rounds 2 --go perfect", "bot arena maze --p1 exec:cat --p2 otto --rounds 1",
                 "bot arena maze --p1 'exec:cat >> prompts; echo +1' --p2 otto --rounds 1 --prompt", "bot arena maze --p1 exec:true --p2 otto --rounds 1"]:
        terminal(line)
    terminal("bot arena maze --p1 'exec:tee -a prompts | sed -u s/.*/+1/' --p2 otto --rounds 2 --disguise 7 --json")
    terminal.look_at_files()


def inventions(terminal):
    for line in ["invent --seed 7 --level 2", "invent --seed 8 --json", "invent --seed 3 --like number-maze", "invent --seed 1 --count 2 --to games --level 1",
                 "audit number-maze --better", "audit take-away fair-shares", "audit number-maze --targets 2..60 --json"]:
        terminal(line)
    terminal.look_at_files()


