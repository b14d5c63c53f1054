"""Conversations with the MCP server over standard input and output."""

import json
import random
import subprocess

from .books import random_book
from .sides import PATIENCE, Answer

EVERY = 10
"""One random book in this many is played here."""


class Client:
    """A client of one side's server. Remembers every answer."""

    def __init__(self, side, home):
        self.side, self.home, self.answers, self.process, self.asked = side, home, [], None, 0

    def start(self, *arguments):
        self.process = subprocess.Popen(
            [self.side.binaries / "spoton-mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=self.home, env=self.side.environment(self.home), text=True, encoding="utf-8", errors="backslashreplace",
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "compare", "version": "1"}}
        self.ask("initialize", hello)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.process.stdin.flush()

    def ask(self, method, parameters=None, kind=None):
        self.asked += 1
        self.say({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters or {}})
        line = self.process.stdout.readline()
        self.answers.append(Answer(kind or f"mcp {method}", f"{method} {json.dumps(parameters)}", line.replace("\\n", "\n")))
        return json.loads(line)

    def call(self, tool, **arguments):
        told = self.ask("tools/call", {"name": tool, "arguments": arguments}, f"mcp {tool}")
        return told.get("result", {}).get("structuredContent") or {}

    def end(self):
        """Closes the input: the server exits."""
        rest, _ = self.process.communicate(timeout=PATIENCE)
        self.answers.append(Answer("mcp exit", "end of input", f"{rest}--- exit status {self.process.returncode}"))


def scenarios(books, seed):
    yield "mcp-lists", lists
    yield "mcp-exam", exam
    for number in range(0, books, EVERY):
        yield f"mcp-book-{number}", lambda client, number=number: about_book(client, f"{seed}/{number}")


def lists(client):
    client.start()
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping", "no/such"):
        client.ask(method)
    client.call("list_games")
    client.call("nothing")
    for arguments in ({"game": "maze"}, {"game": "double-or-add", "variant": "subtract"}, {"game": "nothing"}, {"game": "take-away", "target": 3}, {}):
        client.call("read_rules", **arguments)
    for uri in ("spoton://games/number-maze/rules", "spoton://rulebook-template", "spoton://records", "spoton://nothing"):
        client.ask("resources/read", {"uri": uri})
    client.ask("prompts/get", {"name": "play", "arguments": {"game": "take-away"}})
    client.call("invent", seed=4, level=2)
    client.end()


def exam(client):
    client.start("--graded", "--game", "number-maze", "--opponent", "otto", "--rounds", "2", "--seed", "5")
    dice = random.Random("exam")
    for _ in range(5):
        play(client, client.call("start_round"), dice)
    for uri in ("spoton://exam", "spoton://records"):
        client.ask("resources/read", {"uri": uri})
    client.end()


def about_book(client, seed):
    dice = random.Random(seed)
    book = random_book(dice)
    client.start()
    client.call("check_rulebook", rulebook=book.text)
    client.call("read_rules", rulebook=book.text)
    for opponent, hints in ((dice.choice(["random", "careful", "perfect", "sage", "pip"]), True), ("otto", False)):
        seat = dice.choice(["first", "second"])
        play(client, client.call("start_round", rulebook=book.text, opponent=opponent, seat=seat, hints=hints, take_back=hints, seed=3), dice)
    client.ask("resources/read", {"uri": "spoton://records"})
    client.end()


def play(client, state, dice):
    """Plays a round, and gives up after a while."""
    name = state.get("round")
    if not name:
        return
    for _ in range(12):
        if state.get("outcome") or not state.get("legal"):
            break
        tool = dice.choices(["move", "hint", "take_back", "look", "wrong"], [12, 2, 1, 1, 1])[0]
        if tool == "move":
            state = client.call("move", round=name, move=dice.choice(state["legal"]), expected_turn=state["expected_turn"])
        elif tool == "wrong":
            client.call("move", round=name, move="x99")
        else:
            client.call(tool, round=name)
            state = client.call("look", round=name)
    client.call("give_up", round=name)
    client.call("review", round=name)
    client.ask("resources/read", {"uri": f"spoton://rounds/{name}/record"})
