"""Pages and the JSON API, from one server per side."""

import contextlib
import html.parser
import http.client
import json
import random
import re
import socket
import subprocess
import time
import urllib.parse

from .books import random_book
from .sides import PATIENCE, Answer, readable
from .terminal import DAY, REPOSITORY

EVERY = 4
"""One random book in this many is played here."""
HOST = "spoton.test"
LIMITS = [
    "new-of-a-browser", "new-of-an-address", "books-of-a-browser", "books-of-an-address", "classes-of-a-browser", "classes-of-an-address",
    "puzzle-moves-of-a-browser", "puzzle-moves-of-an-address", "commands-of-a-seat", "commands-at-once", "commands-of-a-browser", "commands-of-an-address",
]
BYTES = ["new-bytes-of-a-browser", "new-bytes-of-an-address"]


@contextlib.contextmanager
def servers(sides):
    """Runs a server for each side and yields their ports, or nothing if a side has none."""
    if not all(side.has("spoton-web") for side in sides):
        yield None
        return
    ports, running = {}, []
    try:
        for side in sides:
            ports[side.name], process = start(side)
            running.append(process)
        yield ports
    finally:
        for process in running:
            process.terminate()
            process.wait(PATIENCE)


def start(side):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = side.home("server")
    limits = [f"--limit={name}=1000000" for name in LIMITS] + [f"--limit={name}=1000000000" for name in BYTES]
    process = subprocess.Popen(
        [side.binaries / "spoton-web", "--listen", f"127.0.0.1:{port}", "--data", home / "data.db", "--base-url", f"http://{HOST}",
         "--computer-pause", "0", "--log", "off", *limits],
        stdout=subprocess.PIPE, cwd=home, env=side.environment(home),
    )
    if not process.stdout.readline():
        raise SystemExit(f"{side.binaries}/spoton-web doesn't start")
    return port, process


class Visit:
    """Everything that a scenario asks one side's server."""

    def __init__(self, side, port):
        self.side, self.port, self.answers = side, port, []

    def browser(self):
        return Browser(self)

    def send(self, method, path, body=None, headers=None, silent=False):
        for _ in range(PATIENCE):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request(method, path, body, {"Host": HOST, **(headers or {})})
            response = connection.getresponse()
            text = readable(response.read())
            connection.close()
            # A busy machine may take too long to answer.
            if response.status != 503:
                break
            time.sleep(1)
        if not silent:
            # The length follows from the body, whose ids and times differ.
            heads = sorted(f"{name}: {value}" for name, value in response.getheaders() if name not in ("date", "content-length"))
            shown = "\n".join([f"HTTP {response.status}", *heads, "", text.replace("><", ">\n<")])
            self.answers.append(Answer(f"{method} {route(path)}", f"{method} {path} {body or ''}", shown))
        return response.status, response.headers, text

    def api(self, method, path, body=None, token=None, silent=False):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        _, _, text = self.send(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers, silent)
        try:
            return json.loads(text)
        except ValueError:
            return {}


class Browser:
    """A browser: one cookie, and pages without scripts."""

    def __init__(self, visit):
        self.visit, self.cookie = visit, None

    def headers(self):
        return {"Cookie": self.cookie} if self.cookie else {}

    def get(self, path):
        return self.followed(path, self.visit.send("GET", path, None, self.headers()))

    def post(self, path, fields):
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{HOST}", **self.headers()}
        return self.followed(path, self.visit.send("POST", path, urllib.parse.urlencode(fields), headers))

    def followed(self, path, answer, most=5):
        """Follows redirects and returns the page."""
        status, headers, text = answer
        if headers.get("set-cookie"):
            self.cookie = headers["set-cookie"].split(";")[0]
        if status in (302, 303, 307) and most:
            path = urllib.parse.urljoin(path, headers["location"])
            self.wait_for_computer(path)
            return self.followed(path, self.visit.send("GET", path, None, self.headers()), most - 1)
        return Page(path, text)

    def wait_for_computer(self, path):
        """Waits until it's a person's turn: the computer moves while the browser asks."""
        match = re.match(r"/r/([0-9a-z]{26})\b", path)
        until = time.monotonic() + PATIENCE
        while match and time.monotonic() < until:
            state = self.visit.api("GET", f"/rounds/{match[1]}", silent=True)
            if state.get("outcome") or not state.get("turn") or not state["players"][state["turn"] - 1].get("computer"):
                return
            time.sleep(0.02)


class Page(html.parser.HTMLParser):
    """A page's links and forms."""

    def __init__(self, path, text):
        super().__init__()
        self.path, self.text, self.links, self.forms, self.named, self.form = path, text, [], [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "a" and found.get("href", "").startswith(("/", "?")):
            self.links.append(urllib.parse.urljoin(self.path, found["href"]))
        elif tag == "form":
            self.form = {"method": found.get("method", "get"), "action": found.get("action") or self.path, "fields": {}, "buttons": []}
            self.forms.append(self.form)
            self.named[found.get("id")] = self.form
        elif tag in ("input", "select", "textarea", "button"):
            form = self.named.get(found.get("form")) if "form" in found else self.form
            if form is None or "disabled" in found:
                return
            if tag == "button" and found.get("type") != "button":
                form["buttons"].append((found.get("formaction"), found.get("name"), found.get("value") or ""))
            elif tag in ("input", "textarea") and found.get("name") and found.get("type") != "checkbox":
                form["fields"][found["name"]] = found.get("value") or ""

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None


def route(path):
    """The path without ids and names, to count by."""
    path = path.partition("?")[0]
    path = re.sub(r"/[0-9a-z]{26}\b", "/{id}", path)
    path = re.sub(r"^((?:/api/v1)?/games|/puzzles|/class)/[^/]+", r"\1/{name}", path)
    return path


def scenarios(books, seed):
    yield "web-files", files
    yield "web-mistakes", mistakes
    yield "web-class", school_class
    yield "web-friends", friends
    for number in range(max(4, books // 20)):
        yield f"web-walk-{number}", lambda visit, number=number: walk(visit, random.Random(f"{seed}/walk/{number}"))
    for path in sorted((REPOSITORY / "crates/spoton/rulebooks").glob("*.toml")):
        yield f"web-shipped-{path.stem}", lambda visit, name=path.stem: about_game(visit, {"game": name}, [], random.Random(name))
    for number in range(0, books, EVERY):
        yield f"web-book-{number}", lambda visit, number=number: about_book(visit, f"{seed}/{number}")


def files(visit):
    for name in ("app.css", "app.js", "workshop.js", "join.js", "class.js", "today.js", "icon.svg", "turn.svg", "nothing"):
        visit.send("GET", f"/static/{name}")
    for path in ("/", "/games", "/workshop", "/join", "/class", "/device", "/puzzles", "/past", "/today", f"/today?day={DAY}", "/nothing", "/robots.txt"):
        visit.browser().get(path)
    for path in ("/openapi.json", "/games", "/games/number-maze", "/games/maze", "/games/nothing", "/nothing"):
        visit.api("GET", path)


def mistakes(visit):
    for path in ("/check", "/solve", "/audit", "/rounds"):
        for body in ({}, [], {"game": "nothing"}, {"game": "maze"}, {"game": "number-maze", "variant": "nothing"}, {"rulebook": "title = 3"},
                     {"game": "number-maze", "settings": {"past": "often"}}, {"game": "number-maze", "target": "x", "seats": ["me"]},
                     {"game": "number-maze", "seats": ["otto", "sage"]}, {"game": "number-maze", "moves": "+9"}):
            visit.api("POST", path, body)
        visit.send("POST", f"/api/v1{path}", "{", {"Content-Type": "application/json"})
        visit.send("POST", f"/api/v1{path}", "{}")
        visit.send("DELETE", f"/api/v1{path}")
    nowhere = "0" * 26
    for path in (f"/rounds/{nowhere}", f"/rounds/{nowhere}/record", f"/rounds/{nowhere}/review", "/rounds/short"):
        visit.api("GET", path)
    for path in (f"/r/{nowhere}", f"/j/{nowhere}", f"/b/{nowhere}", "/r/short", "/class/ABCDEF", "/games/nothing", "/puzzles/nothing", "/workshop?like=nothing"):
        visit.browser().get(path)
    for path, fields in (("/new", {"game": "nothing"}), ("/join", {"code": "BAD COD", "name": "Ann"}), ("/today", {"day": "x"}),
                         ("/workshop", {"rulebook": "title ="}), ("/workshop/share", {"rulebook": "x"}), ("/class", {"game": "nothing"})):
        visit.browser().post(path, fields)
    visit.send("POST", "/new", "game=number-maze", {"Origin": "http://elsewhere.test", "Content-Type": "application/x-www-form-urlencoded"})
    visit.send("GET", "/", None, {"Host": "elsewhere.test"})


def school_class(visit):
    teacher = visit.browser()
    page = teacher.post("/class", {"game": "number-maze", "hints": "on"})
    code = page.path.rsplit("/", 1)[-1]
    pupils = [visit.browser() for _ in range(4)]
    at = {}
    for pupil, name in zip(pupils, ("Ann", "Ben", "Cleo", "Ann")):
        pupil.get("/join")
        at[pupil] = pupil.post("/join", {"code": code, "name": name}).path
    teacher.get(f"/class/{code}")
    dice = random.Random("class")
    for _ in range(12):
        for pupil in pupils:
            page = pupil.get(at[pupil])
            choose_move(pupil, page, dice)
    for pupil in pupils:
        pupil.get(at[pupil])
        pupil.post(f"{at[pupil]}/next", {})
    teacher.post(f"/class/{code}/close", {})
    visit.browser().post("/join", {"code": code, "name": "Dan"})
    teacher.post(f"/class/{code}/open", {})
    teacher.get(f"/class/{code}")


def friends(visit):
    """Two people, each with a browser: an invitation, moves, an undo, a rematch."""
    ann, ben = visit.browser(), visit.browser()
    page = ann.post("/new", {"game": "take-away", "mode": "friend", "name": "Ann", "first": "1"})
    here = page.path
    link = re.search(r'id="link" [^>]*value="([^"]+)"', page.text)[1]
    address = urllib.parse.urlsplit(link)
    ben.get(address.path)
    ben.post(address.path, {"secret": "wrong", "name": "Ben"})
    ben.post(address.path, {"secret": address.fragment, "name": "Ben"})
    dice = random.Random("friends")
    for turn in range(20):
        for player in (ann, ben):
            page = player.get(here)
            if turn == 2:
                press(player, page, "take-back")
            elif turn > 15:
                press(player, page, "rematch")
            else:
                choose_move(player, page, dice)
    for player in (ann, ben):
        press(player, player.get(here), "resign")
        player.get(f"{here}/look-back")
        player.get("/past")
    visit.browser().get(here)


def choose_move(browser, page, dice):
    for form in page.forms:
        moves = [button for button in form["buttons"] if button[1] == "move"]
        if moves:
            _, name, value = dice.choice(moves)
            return browser.post(form["action"], {**form["fields"], name: value})
    return page


def press(browser, page, action):
    for form in page.forms:
        for address in [form["action"], *(button[0] for button in form["buttons"])]:
            if address and address.endswith(f"/{action}"):
                return browser.post(address, form["fields"])
    return page


def walk(visit, dice):
    """Follows links and fills in forms at random."""
    browser = visit.browser()
    page = browser.get(dice.choice(["/", "/games", "/workshop", "/puzzles", "/today", f"/today?day={DAY}", "/past", "/games/two-castles", "/join", "/class"]))
    for _ in range(25):
        forms = [(form, button) for form in page.forms for button in form["buttons"] or [(None, None, "")] if is_certain(form, button)]
        moves = [both for both in forms if both[1][1] == "move"]
        if moves and dice.random() < 0.6:
            page = submit(browser, *dice.choice(moves), dice)
        elif forms and dice.random() < 0.5:
            page = submit(browser, *dice.choice(forms), dice)
        elif page.links:
            page = browser.get(dice.choice(page.links))
        else:
            page = browser.get("/games")


def is_certain(form, button):
    """Whether the result is deterministic. A computer's seed is random, except in today's duel, and so is a new target."""
    action, name, value = button
    address = action or form["action"]
    mode = value if name == "mode" else form["fields"].get("mode")
    return not (address.endswith(("/computer", "/play-on", "/another-target")) or (address == "/new" and mode not in ("two", "friend")))


def submit(browser, form, button, dice):
    action, name, value = button
    fields = {**form["fields"], **({name: value} if name else {})}
    for empty in [field for field, text in fields.items() if not text]:
        fields[empty] = {"name": "Ann", "other": "Ben", "idea": dice.choice(["leave 5 10 15", "leave even", "x"]), "typed": dice.choice(["+1", "1", "x"]),
                         "code": "ABC DEF", "secret": "x"}.get(empty, "")
    address = urllib.parse.urljoin(form["action"], action or form["action"])
    if form["method"] == "post":
        return browser.post(address, fields)
    return browser.get(f"{address.partition('?')[0]}?{urllib.parse.urlencode(fields)}")


def about_book(visit, seed):
    dice = random.Random(seed)
    book = random_book(dice)
    about_game(visit, {"rulebook": book.text}, book.moves, dice)
    browser = visit.browser()
    browser.post("/workshop", {"rulebook": book.text})
    shared = browser.post("/workshop/share", {"rulebook": book.text})
    short = re.search(r"/b/[0-9a-z]{26}", shared.text)
    if short:
        for path in ("", "/book.toml", "/facts", "/map"):
            visit.browser().get(short[0] + path)


def about_game(visit, game, typed, dice):
    """A game in the JSON API, and a round of it on a page."""
    typed = typed or ["+1", "x2"]
    visit.api("POST", "/check", game)
    for moves in ([], [dice.choice(typed)], " ".join(dice.choices(typed, k=3))):
        visit.api("POST", "/solve", {**game, "moves": moves})
    if dice.random() < 0.2 or "game" in game:
        visit.api("POST", "/audit", game)
    friend = dice.random() < 0.5
    terms = {"hints": dice.random() < 0.5, "take_back": dice.random() < 0.8, "discover": dice.random() < 0.2}
    made = visit.api("POST", "/rounds", {**game, "seats": ["me", "friend" if friend else "me"], "first": dice.choice([1, 2]), "name": "Ann", "terms": terms})
    if "id" in made:
        play(visit, made, dice)
    if "game" in game:
        browser = visit.browser()
        name = game["game"]
        for path in (f"/games/{name}", f"/games/{name}/facts", f"/games/{name}/map", f"/workshop?like={name}"):
            browser.get(path)
        page = browser.post("/new", {**game, "mode": "two", "name": "Ann", "other": "Ben", "first": "1"})
        here = page.path
        for action in ("hint", "why", "take-back"):
            press(browser, page, action)
            page = browser.get(here)
            choose_move(browser, page, dice)
            page = browser.get(here)
        browser.get(f"{here}?idea=leave+5+10")
        for _ in range(8):
            page = choose_move(browser, page, dice)
        press(browser, browser.get(here), "resign")
        for path in (here, f"{here}/look-back", "/past"):
            browser.get(path)


def play(visit, made, dice):
    """A round in the JSON API."""
    here, state, tokens = f"/rounds/{made['id']}", made["state"], dict(made["tokens"])
    if "invitation" in made:
        joined = visit.api("POST", f"{here}/seats", {"secret": made["invitation"]["secret"], "name": "Ben"})
        tokens[str(joined["seat"])], state = joined["token"], joined["state"]
    anyone = next(iter(tokens.values()))
    for _ in range(12):
        if state.get("outcome") or not state.get("legal"):
            break
        token = tokens.get(str(state["turn"]), anyone)
        what = dice.choices(["moves", "hint", "take-back", "wrong", "stranger"], [12, 1, 1, 1, 1])[0]
        move = {"move": dice.choice(state["legal"]), "expected_seq": state["seq"]}
        if what == "moves":
            visit.api("POST", f"{here}/moves", move, token)
        elif what == "wrong":
            visit.api("POST", f"{here}/moves", {"move": "x99", "expected_seq": state["seq"]}, token)
        elif what == "stranger":
            visit.api("POST", f"{here}/moves", move, "0" * 52)
        elif what == "hint":
            visit.api("POST", f"{here}/hint", {"why": dice.random() < 0.5}, token)
        else:
            visit.api("POST", f"{here}/take-back", {"expected_seq": state["seq"]}, token)
        state = visit.api("GET", here, None, token)
    if not state.get("outcome"):
        visit.api("POST", f"{here}/resign", {"expected_seq": state["seq"]}, tokens.get(str(state["turn"]), anyone))
    for path in ("", "/events?after=0&wait=0", "/record", "/record.txt", "/record.json", "/review"):
        visit.api("GET", here + path)
    visit.api("POST", f"{here}/rematch", {"expected_seq": visit.api("GET", here).get("seq", 0)}, anyone)
    visit.api("GET", here)
