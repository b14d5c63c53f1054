"""The server with the official client: whole rounds over standard input and output and over HTTP."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

ROOT = Path(__file__).resolve().parents[3]
SERVER = os.environ["SPOTON_MCP"]
PROGRAM = os.environ["SPOTON"]

# All kinds of games: shared and separate numbers, up and down, limited uses, no repeats, amounts computed from the number.
GAMES = [
    {"game": "number-maze"},
    {"game": "number-maze", "target": 34},
    {"game": "operation-target", "variant": "three-operations"},
    {"game": "sequence-math-duel", "variant": "no-copying"},
    {"game": "double-or-add", "variant": "three-subtractions"},
    {"game": "target-twenty-one"},
    {"game": "race-to-23"},
    {"game": "half-at-most"},
    {"game": "two-castles"},
]
NINE = 'title = "Nine"\nstart = 1\ntarget = 9\nmoves = ["+1", "x2"]\n'
WORTH = {"value", "remoteness", "best", "made", "mark", "decision", "subtle", "claims", "notes", "opening"}


@contextlib.contextmanager
def over_http(*arguments):
    """Starts a server on a free port and yields its address."""
    command = [SERVER, "--http", "0", *arguments]
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        told = server.stderr.readline()
        yield re.search(r"http://127\.0\.0\.1:\d+/mcp", told).group()
        assert server.poll() is None, "it keeps running without clients"
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


def over_pipes(*arguments):
    return StdioServerParameters(command=SERVER, args=list(arguments))


@pytest.fixture(params=["pipes", "pipes-legacy", "http", "http-legacy"])
def connected(request):
    """A client with its own server, in the newest version of the protocol or in an older one."""
    way, _, legacy = request.param.partition("-")
    with contextlib.ExitStack() as stack:
        server = over_pipes() if way == "pipes" else stack.enter_context(over_http())
        client = Client(server, mode=legacy or "auto")
        client.is_shared = way == "http"
        yield client
        # The requested version was used.
        assert client.spoke == ("2025-11-25" if legacy else "2026-07-28")


def run(talk, client):
    async def whole():
        async with client as it:
            client.spoke = it.protocol_version
            await talk(it)

    asyncio.run(whole())


async def call(client, tool, **arguments):
    """Calls a tool and returns its words and data. It must not be refused."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.content[0].text, result.structured_content


async def refused(client, tool, **arguments):
    """Calls a tool that must be refused and returns the sentence."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content[0].text
    assert result.structured_content is None
    assert_tells_no_value(result.content[0].text, {})
    return result.content[0].text


def keys(data):
    if isinstance(data, dict):
        return set(data) | {key for value in data.values() for key in keys(value)}
    if isinstance(data, list):
        return {key for value in data for key in keys(value)}
    return set()


def assert_tells_no_value(words, data):
    assert not keys(data) & WORTH, data
    assert not re.search(r"\bforce\b|\bbest\b|\bmistake\b|can win", words), words


def solve(asked, moves):
    """The program's evaluation of a position: its value for the player to move, and the moves, best first."""
    command = [PROGRAM, "solve", asked["game"], "--json", "--moves", " ".join(moves)]
    for key in ("variant", "target"):
        if key in asked:
            command += [f"--{key}", str(asked[key])]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


async def play(client, asked, seat):
    """Plays a whole round perfectly against the perfect opponent."""
    words, state = await call(client, "start_round", **asked, seat=seat, opponent="perfect")
    assert state["you"] == {"first": 1, "second": 2}[seat]
    assert len(state["history"]) == (0 if seat == "first" else 1)
    worth = {"first": 1, "second": -1}[seat] * {"win": 1, "draw": 0, "loss": -1}[solve(asked, [])["value"]]
    while state["outcome"] is None:
        assert_tells_no_value(words.replace("never makes a mistake", ""), state)
        assert state["turn"] == state["you"] and state["legal"]
        best = solve(asked, state["history"])["moves"][0]["move"]
        assert best in state["legal"]
        words, after = await call(client, "move", round=state["round"], move=best)
        assert after["history"][: len(state["history"]) + 1] == state["history"] + [best]
        state = after
    assert state["result"] == {1: "won", 0: "drawn", -1: "lost"}[worth]
    assert state["legal"] == []
    _, review = await call(client, "review", round=state["round"])
    mine = review["players"][state["you"] - 1]
    assert mine["kept"] == mine["decisions"], review
    assert [judged["move"] for judged in review["moves"]] == state["history"]
    return state


def test_whole_rounds(connected):
    async def talk(client):
        for asked in GAMES:
            for seat in ("first", "second"):
                await play(client, asked, seat)

    run(talk, connected)


def test_the_tools_need_no_other_documentation(connected):
    async def talk(client):
        assert "start_round" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        expected = "list_games read_rules check_rulebook start_round look move take_back give_up hint review invent"
        assert set(tools) == set(expected.split())
        for tool in tools.values():
            assert tool.description and tool.title
            assert tool.input_schema["additionalProperties"] is False
            for about in tool.input_schema.get("properties", {}).values():
                assert about["description"]
        words, listed = await call(client, "list_games")
        assert len(listed["games"]) >= 15 and all(game["game"] in words for game in listed["games"])
        # All listed games and opponents are playable.
        for game in listed["games"]:
            await call(client, "read_rules", game=game["game"])
        for opponent in listed["opponents"]:
            _, state = await call(client, "start_round", game="number-maze", opponent=opponent["opponent"])
            await call(client, "give_up", round=state["round"])
        # Errors in arguments go to the model, not to its client.
        assert "missing field `round`" in await refused(client, "look")
        assert "unknown field `gmae`" in await refused(client, "start_round", gmae="number-maze")
        assert "expected `first` or `second`" in await refused(client, "start_round", game="number-maze", seat="third")
        assert "list_games" in await refused(client, "start_round")
        # Part of a game's name is enough.
        _, state = await call(client, "start_round", game="maze")
        assert state["game"] == "number-maze"
        await call(client, "give_up", round=state["round"])
        for tool in ("start_round", "read_rules"):
            for name, told in (
                ("target", '"target" could be operation-target or target-twenty-one; type more of the name'),
                ("nubmer-maze", 'there is no game "nubmer-maze"; did you mean "number-maze"?'),
                ("qqqq", 'there is no game "qqqq"; list_games lists the games'),
            ):
                assert await refused(client, tool, game=name) == told
        assert "did you mean" in await refused(client, "start_round", game="number-maze", opponent="perfekt")
        assert "variant" in await refused(client, "start_round", game="number-maze", variant="none-such")
        for tool in ("start_round", "read_rules"):
            told = await refused(client, tool, game="number-maze", target=-5)
            assert told == "target -5: a setting can't turn a climb into a countdown: the start is 1, the target -5"
        assert "not both" in await refused(client, "start_round", game="number-maze", rulebook=NINE)
        assert "start_round" in await refused(client, "look", round="nobodys")
        for wrong, told in (
            ({"target": "ten"}, 'string "ten", expected a whole number'),
            ({"target": 9.5}, "`9.5`, expected a whole number"),
            ({"seed": -1}, "`-1`, expected a whole number from 0 to 18446744073709551615"),
        ):
            assert (await refused(client, "start_round", game="number-maze", **wrong)).endswith(told)

    run(talk, connected)


def test_moves_that_do_not_count(connected):
    async def talk(client):
        _, state = await call(client, "start_round", game="race-to-23", seed=1)
        for said in ("", "+5", "x2", "+1 or +2", "one", "\x1b[2J", "+1" * 2000):
            assert "doesn't count" in await refused(client, "move", round=state["round"], move=said)
        _, after = await call(client, "look", round=state["round"])
        assert after["refused"] == {"illegal": 0, "unreadable": 7}
        assert {**after, "refused": None} == {**state, "refused": None}
        await call(client, "give_up", round=state["round"])
        _, state = await call(client, "start_round", game="operation-target", seed=1, opponent="random")
        _, state = await call(client, "move", round=state["round"], move="+1")
        # Players can't repeat their last move.
        assert state["barred"][0]["move"] == "+1"
        assert state["barred"][0]["reason"] in await refused(client, "move", round=state["round"], move="+1")
        _, after = await call(client, "look", round=state["round"])
        assert (after["refused"], after["history"]) == ({"illegal": 1, "unreadable": 0}, state["history"])

    run(talk, connected)


def test_nothing_is_revealed_during_a_round(connected):
    async def talk(client):
        _, other = await call(client, "start_round", game="number-maze", hints=True, take_back=True)
        _, plain = await call(client, "start_round", game="number-maze")
        assert "isn't over" in await refused(client, "review", round=plain["round"])
        assert "hints are off" in await refused(client, "hint", round=plain["round"])
        assert "off" in await refused(client, "take_back", round=plain["round"])
        # Other rounds don't help either, in progress or over.
        assert "without hints" in await refused(client, "hint", round=other["round"])
        await call(client, "give_up", round=other["round"])
        assert "without hints" in await refused(client, "review", round=other["round"])
        for tool in ("look", "read_rules"):
            asked = {"round": plain["round"]} if tool == "look" else {"game": "fair-shares"}
            assert_tells_no_value(*await call(client, tool, **asked))
        assert_tells_no_value(*await call(client, "list_games"))
        # Everything is revealed when the round is over.
        _, state = await call(client, "give_up", round=plain["round"])
        assert (state["result"], state["outcome"]["ending"]) == ("lost", "resigned")
        for tool in ("give_up", "move", "take_back"):
            arguments = {"move": "+1"} if tool == "move" else {}
            assert await refused(client, tool, round=plain["round"], **arguments)
        await call(client, "review", round=plain["round"])
        await call(client, "review", round=other["round"])

    run(talk, connected)


def standing_at(number, target=20):
    """Number Maze from a given number, as a rule book with another title."""
    return f'title = "Another"\nstart = {number}\ntarget = {target}\nmoves = ["+1", "x2"]\n'


def test_a_round_that_counts_goes_on_alone(connected):
    """No second round from the same position reveals the computer's moves."""

    async def talk(client):
        _, early = await call(client, "start_round", rulebook=standing_at(5), hints=True)
        _, second = await call(client, "start_round", game="number-maze", hints=True, take_back=True)
        _, counts = await call(client, "start_round", game="number-maze", target=34)
        told = await refused(client, "start_round", game="number-maze")
        assert (counts["round"] in told) != connected.is_shared, "only a single client sees the id"
        for wanted in (
            {"game": "number-maze", "seat": "second"},
            {"game": "number-maze", "seat": "second", "target": 34, "hints": True},
            {"rulebook": standing_at(counts["numbers"][0], 34), "seat": "second"},
            {"rulebook": standing_at(5), "seat": "second", "opponent": "careful", "take_back": True},
        ):
            told = await refused(client, "start_round", **wanted)
            assert "without hints is in progress" in told and "give_up" in told
        # Rounds that began earlier are blocked, too.
        for other in (early, second):
            assert "in progress" in await refused(client, "move", round=other["round"], move=other["legal"][0])
            assert (await call(client, "look", round=other["round"]))[1] == other
        # Exactly one of many concurrent calls succeeds.
        _, counts = await call(client, "give_up", round=counts["round"])
        wanted = {"game": "number-maze", "seat": "second"}
        many = await asyncio.gather(*(client.call_tool("start_round", wanted) for _ in range(10)))
        [counts] = [result.structured_content for result in many if not result.is_error]
        await call(client, "move", round=counts["round"], move=counts["legal"][0])
        await call(client, "give_up", round=counts["round"])
        # Afterwards, everything works again.
        await call(client, "move", round=early["round"], move=early["legal"][0])
        await call(client, "hint", round=second["round"])

    run(talk, connected)


def test_help_where_it_is_allowed(connected):
    async def talk(client):
        _, state = await call(client, "start_round", game="number-maze", target=34, hints=True, take_back=True)
        round = state["round"]
        assert "nothing to undo" in await refused(client, "take_back", round=round)
        best = solve({"game": "number-maze", "target": 34}, [])["moves"][0]["move"]
        hints = []
        while not hints or hints[-1] not in hints[:-1]:
            hints.append((await call(client, "hint", round=round))[0])
        assert len(hints) > 2 and best in hints[-1], hints
        _, moved = await call(client, "move", round=round, move=best)
        assert len(moved["history"]) == 2
        _, back = await call(client, "take_back", round=round)
        assert back["history"] == [] and back["legal"] == state["legal"]
        await call(client, "give_up", round=round)
        assert "over" in await refused(client, "hint", round=round)

    run(talk, connected)


def test_books_of_ones_own(connected):
    async def talk(client):
        words, checked = await call(client, "check_rulebook", rulebook=NINE)
        assert checked["valid"] and "Nine is valid" in words
        words, checked = await call(client, "check_rulebook", rulebook=NINE + "[variants.far]\nstart = 50\n")
        assert words.startswith('Variant "far": The first player can\'t move') and "far" in checked["unplayable_variants"]
        wrong = NINE.replace("target", "traget")
        words, checked = await call(client, "check_rulebook", rulebook=wrong)
        assert not checked["valid"] and "did you mean `target`?" in words
        assert checked["problems"][0]["line"] == 3
        assert "did you mean `target`?" in await refused(client, "start_round", rulebook=wrong)
        long = NINE + "# " + "x" * (64 << 10)
        assert "at most 65536 bytes" in await refused(client, "check_rulebook", rulebook=long)
        assert "at most 65536 bytes" in await refused(client, "start_round", rulebook=long)
        _, noise = await call(client, "check_rulebook", rulebook="= \n" * 5000)
        assert not noise["valid"] and len(noise["problems"]) <= 50
        words, state = await call(client, "start_round", rulebook=NINE)
        assert "Land exactly on 9 to win." in words and state["target"] == 9
        await call(client, "give_up", round=state["round"])
        # A game that is too large to solve is refused, but can be played against an opponent that doesn't solve it.
        huge = 'title = "Huge"\nnumbers = "separate"\nstart = 1\ntarget = 1000000000\nmoves = ["+1", "+3", "x2"]\nno_repeat = "opponent"\n'
        assert await refused(client, "start_round", rulebook=huge)
        words, state = await call(client, "start_round", rulebook=huge, opponent="random")
        await call(client, "give_up", round=state["round"])

    run(talk, connected)


def test_new_games(connected):
    async def talk(client):
        words, game = await call(client, "invent", seed=7)
        assert_tells_no_value(words.replace("subtle", ""), {**game, "certificate": None})
        assert game["certificate"]["always_ends"] and "value" not in game["certificate"]
        assert game["text"] in words and "#" not in game["text"]
        assert (await call(client, "invent", seed=7))[1] == game
        assert (await call(client, "invent", level=1))[1]["text"] != game["text"]
        for level in (-2, 0, 6, 300):
            assert "from 1 to 5" in await refused(client, "invent", level=level)
        _, state = await call(client, "start_round", rulebook=game["text"], opponent="careful", seat="second")
        while state["outcome"] is None:
            _, state = await call(client, "move", round=state["round"], move=state["legal"][0])
        await call(client, "review", round=state["round"])

    run(talk, connected)


def test_rules_and_records_can_be_read(connected, tmp_path):
    async def talk(client):
        resources = (await client.list_resources()).resources
        rules = [it for it in resources if it.uri.endswith("/rules")]
        assert len(rules) >= 15
        for it in rules:
            read = (await client.read_resource(it.uri)).contents[0]
            assert "## How to play" in read.text and "remarks" not in read.text
        template = (await client.read_resource("spoton://rulebook-template")).contents[0].text
        assert (await call(client, "check_rulebook", rulebook=template))[1]["valid"]
        assert len((await client.list_resource_templates()).resource_templates) == 2
        for nothing in ("spoton://rounds/none/record", "spoton://games/none/rules", "file:///etc/passwd"):
            with pytest.raises(MCPError):
                await client.read_resource(nothing)
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert prompts == {"play", "look_back"}
        prompt = await client.get_prompt("play", {"game": "number-maze", "seat": "second"})
        said = prompt.messages[0].content.text
        assert "Land exactly on 20 to win." in said and 'seat "second"' in said
        with pytest.raises(MCPError):
            await client.get_prompt("play", {"game": "none"})

        state = await play(client, {"game": "number-maze"}, "second")
        address = f"spoton://rounds/{state['round']}/record"
        record = (await client.read_resource(address)).contents[0].text
        said = await client.get_prompt("look_back", {"round": state["round"]})
        assert record in said.messages[0].content.text
        # The program reads it and gives the same review.
        path = tmp_path / "record.txt"
        path.write_text(record)
        command = [PROGRAM, "review", str(path), "--json"]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        assert told == (await call(client, "review", round=state["round"]))[1]

    run(talk, connected)


def test_the_page_about_it_can_be_followed():
    """The page's test command works, its configuration starts the server, and it names every tool and resource."""
    page = (ROOT / "docs" / "mcp.md").read_text()
    found = {**os.environ, "PATH": f"{Path(SERVER).parent}{os.pathsep}{os.environ['PATH']}"}
    [hello] = re.findall(r"^echo .*", page, re.MULTILINE)
    said = subprocess.run(hello, shell=True, check=True, capture_output=True, text=True, env=found)
    told = json.loads(said.stdout)["result"]
    assert told["serverInfo"]["name"] == "spoton-mcp" and "start_round" in told["instructions"] and said.stderr == ""
    [kept] = re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    [server] = json.loads(kept)["mcpServers"].values()

    async def talk(client):
        for tool in (await client.list_tools()).tools:
            assert f"| `{tool.name}` |" in page
            for argument in tool.input_schema.get("properties", {}):
                assert f"`{argument}`" in page, (tool.name, argument)
        for it in (await client.list_resources()).resources:
            assert it.uri in page or "/games/" in it.uri

    run(talk, Client(StdioServerParameters(**server, env={"PATH": found["PATH"]})))


def test_all_records_together(connected, tmp_path):
    """A single read returns the records of a session, and the program counts them."""

    async def talk(client):
        async def records():
            return (await client.read_resource("spoton://records")).contents[0].text

        assert await records() == ""
        assert "spoton://records" in [it.uri for it in (await client.list_resources()).resources]
        played = [await play(client, {"game": game}, seat) for game in ("number-maze", "race-to-23") for seat in ("first", "second")]
        _, given_up = await call(client, "start_round", game="take-away", opponent="careful")
        await call(client, "give_up", round=given_up["round"])
        every = await records()
        single = [
            (await client.read_resource(f"spoton://rounds/{state['round']}/record")).contents[0].text
            for state in [*played, given_up]
        ]
        assert every == "\n".join(single)
        # An unfinished round isn't missing, and it isn't a win.
        _, left = await call(client, "start_round", game="number-maze", opponent="random")
        _, left = await call(client, "move", round=left["round"], move="+1")
        every = await records()
        assert left["round"] not in every and given_up["round"] not in every, "reading the records doesn't let anyone play the rounds"
        path = tmp_path / "records.txt"
        path.write_text(every)
        command = [PROGRAM, "review", str(path), "--summary"]
        lines = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True).stdout
        # The player has the same name from both seats.
        mine = [line for line in json.loads(lines) if line["player"] == "model"]
        assert sum(line["rounds"] for line in mine) == 6 and sum(line["lost"] for line in mine) >= 1
        assert [sum(line[key] for line in mine) for key in ("forfeited", "unfinished")] == [1, 0]
        page = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        [seat] = re.findall(r"^model, number-maze, goes first\n(.*?)\n\n", page, re.MULTILINE | re.DOTALL)
        assert re.search(r"Rounds: 2\b", seat) and re.search(r"Won: . of 2\b", seat), page
        assert re.search(r"Forfeited: 1\b", seat), page
        # The round still continues.
        _, after = await call(client, "look", round=left["round"])
        assert after == left and after["outcome"] is None

    run(talk, connected)


def test_parallel_rounds(connected):
    async def talk(client):
        # Concurrent rounds don't mix up their answers.
        async def one(target):
            asked = {"game": "number-maze", "target": target, "opponent": "random", "hints": True}
            _, state = await call(client, "start_round", **asked)
            assert state["target"] == target
            while state["outcome"] is None:
                _, state = await call(client, "move", round=state["round"], move=state["legal"][0])
            return state["round"]

        rounds = await asyncio.gather(*(one(target) for target in range(10, 30)))
        assert len(set(rounds)) == 20
        # Concurrent moves in one round are serialized.
        _, state = await call(client, "start_round", game="race-to-23", opponent="random")
        many = (client.call_tool("move", {"round": state["round"], "move": "+1"}) for _ in range(20))
        made = [result for result in await asyncio.gather(*many) if not result.is_error]
        _, after = await call(client, "look", round=state["round"])
        assert 1 <= len(made) and len(after["history"]) in (2 * len(made), 2 * len(made) - 1)

    run(talk, connected)


def test_many_rounds_make_room_for_others():
    async def talk(client):
        _, first = await call(client, "start_round", game="number-maze")
        await call(client, "give_up", round=first["round"])
        for _ in range(256):
            _, last = await call(client, "start_round", game="number-maze", hints=True)
        # The finished round has been evicted; rounds in progress stay.
        assert "no round with this id" in await refused(client, "look", round=first["round"])
        assert "256 rounds" in await refused(client, "start_round", game="number-maze", hints=True)
        await call(client, "give_up", round=last["round"])
        await call(client, "start_round", game="number-maze")

    run(talk, Client(over_pipes()))


def grades(records, tmp_path):
    """The program's counts for the model, both seats together."""
    path = tmp_path / "records.txt"
    path.write_text(records)
    command = [PROGRAM, "review", str(path), "--summary", "--json"]
    lines = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    mine = [line for line in lines if line["player"] == "model"]
    counted = ("rounds", "won", "lost", "forfeited", "decisions", "kept", "subtle", "subtle_kept")
    return {key: sum(line[key] for line in mine) for key in counted}


def test_an_exam_is_set_by_its_host(tmp_path):
    """The model plays what the host has set, and nothing else."""

    async def talk(client):
        assert "exam" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert not {"hint", "take_back"} & set(tools) and not tools["start_round"].input_schema.get("properties")
        for chosen in ({"game": "number-maze"}, {"opponent": "random"}, {"seat": "first"}, {"seed": 1}, {"rulebook": NINE}):
            assert "this is an exam" in await refused(client, "start_round", **chosen)
        assert "play" not in {prompt.name for prompt in (await client.list_prompts()).prompts}
        with pytest.raises(MCPError):
            await client.get_prompt("play", {"game": "number-maze"})

        # Giving up or leaving at a hard choice is no better than choosing wrongly.
        for number in range(3):
            words, state = await call(client, "start_round")
            assert words.startswith(f"Round {number + 1} of 4 of the exam.")
            assert (state["game"], state["opponent"], state["target"]) == ("number-maze", "perfect", 20)
            assert state["you"] == (1, 2)[number % 2]
            if number < 2:
                while state["outcome"] is None:
                    best = solve({"game": "number-maze"}, state["history"])["moves"][0]["move"]
                    expected = state["expected_turn"]
                    asked = {"round": state["round"], "move": best, "expected_turn": expected}
                    words, state = await call(client, "move", **asked)
                    assert await call(client, "move", **asked) == (words, state), "a retry is free"
                assert "exam" in await refused(client, "review", round=state["round"])
            else:
                await call(client, "give_up", round=state["round"])
        _, state = await call(client, "start_round")
        assert "in progress" in await refused(client, "start_round")
        exam = json.loads((await client.read_resource("spoton://exam")).contents[0].text)
        assert (exam["begun"], exam["finished"], exam["rounds"], exam["seed"]) == (4, 3, 4, 1)
        assert re.fullmatch("[0-9a-f]{16}", exam["prompt_fingerprint"])
        records = (await client.read_resource("spoton://records")).contents[0].text
        counted = grades(records, tmp_path)
        assert (counted["rounds"], counted["won"], counted["forfeited"]) == (4, 1, 1), counted
        # The second seat can force a win. The first choice of the unfinished round counts as wrong.
        assert counted["decisions"] == counted["kept"] + 1, counted
        await call(client, "give_up", round=state["round"])
        assert "the exam is over" in await refused(client, "start_round")
        await call(client, "review", round=state["round"])

    run(talk, Client(over_pipes("--graded", "--game", "number-maze", "--rounds", "4")))
    with over_http("--graded", "--game", "number-maze", "--rounds", "4") as address:
        run(talk, Client(address))


def test_a_set_is_an_exam_too():
    async def talk(client):
        exam = json.loads((await client.read_resource("spoton://exam")).contents[0].text)
        assert (exam["set"], exam["rounds"], exam["fingerprint"]) == ("1", 50, "4d8e962d8fd3cfc6")
        for number in range(1, 51):
            words, state = await call(client, "start_round")
            assert words.startswith(f"Round {number} of 50 of the exam.") and state["game"] == f"bench-1-{number:02}"
            assert state["you"] == 2
            await call(client, "give_up", round=state["round"])
        assert "the exam is over" in await refused(client, "start_round")

    run(talk, Client(over_pipes("--graded", "--set", "fixed", "--seat", "second", "--rounds", "1")))


def post(address, body, **headers):
    """Sends a raw request and returns the status."""
    host, port = re.search(r"//([^:/]+):(\d+)", address).groups()
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        connection.request(headers.pop("method", "POST"), headers.pop("path", "/mcp"), body, kinds | headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_only_this_machine_and_nobody_elses_page():
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    with over_http() as address:
        port = re.search(r":(\d+)/", address).group(1)
        assert post(address, ping) == 200
        assert post(address, ping, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") == 200
        for host in ("example.org", f"example.org:{port}", "127.0.0.1:1", "169.254.1.1"):
            assert post(address, ping, Host=host) == 403
        for origin in ("https://example.org", "http://localhost:1", "null"):
            assert post(address, ping, Origin=origin) == 403
        assert post(address, "{") in (400, 415, 422)
        assert post(address, " " * ((1 << 20) + 1)) == 413
        assert post(address, ping, path="/") == 404
        assert post(address, None, method="GET") == 405
        assert post(address, None, method="DELETE") == 405
        assert post(address, ping) == 200, "the server still runs"
