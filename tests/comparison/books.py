"""Random rule books, written from docs/rulebook-format.md alone. About one in ten is broken on purpose."""

import json
from dataclasses import dataclass

SHIPPED = ["number-maze", "double-or-add", "race-to-23", "take-away", "fair-shares", "sequence-math-duel", "two-castles"]
KINDS = ["even", "odd", "prime", "square", "multiples of 3", "multiples of 7"]
CLAIMS = ["ends", "no-draws", "skill-wins", "first-wins", "second-wins", "moves <= 20", "subtle >= 3"]
TITLES = [
    "Up to {target}", "From {start} to {target}", "Über Zahl \N{SNOWMAN}", 'The "quoted" & <b>bold</b> game', "7",
    "x" * 64, "It's a duel: {start}, {target} and \\", "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}",
]
SENTENCES = {
    "opening": ["", "~~ {title} ~~\n{goal}", "{{{start}}} -> {target}"],
    "separator": ["~", ""],
    "turn": ["", "{player} ({number}/{other}), last: {previous}", "{Your} turn at {number}."],
    "choices": ["{You} can {list}.", "<{list}>"],
    "choices_one": ["Only {list}."],
    "item": ["[{key}] {operation} to {result}", "{key}) {Operation}"],
    "item_limited": ["[{key}] {operation} to {result} ({left})"],
    "item_barred": ["[{key}] no: {reason}", "({operation}: {reason})"],
    "item_separator": [", ", " | "],
    "prompt": ["{player}? ", "{You} ({keys}) "],
    "moved": ["", "{You}: {before} -> {number} by {operation}"],
    "skip": ["", "{player} waits."],
    "reached": ["{player} is at {number}!"],
    "overshot": ["{number} is too much for {player}."],
    "landed": ["{player} lands on {number}."],
    "stuck": ["{player} sits at {number}."],
    "resigned": ["{player} is tired."],
    "repetition": ["{times} times is enough."],
    "wins": ["{winner} beats {loser}!", ""],
    "drawn": ["Nobody wins."],
    "none": ["nothing"],
}


@dataclass
class Book:
    text: str
    moves: list[str]
    """Moves as players may type them. Not all of them are legal, or in the book."""
    number: int
    """A number near the middle of the game."""
    may_loop: bool
    """Whether moves may lead back. Exact odds then often take too long."""


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def random_book(dice):
    if dice.random() < 0.08:
        book = variation(dice)
    elif dice.random() < 0.05:
        book = huge(dice)
    else:
        book = ordinary(dice)
    if dice.random() < 0.1:
        book.text = broken(dice, book.text)
    return book


def ordinary(dice):
    second_version = dice.random() < 0.5
    separate = dice.random() < 0.3
    size = dice.choice([8, 12, 20, 20, 25] if separate else [8, 15, 20, 20, 30, 50, 100, 300])
    low = dice.choice([0, 0, 0, 1, 1, -5, -20])
    start, target = low + dice.randrange(3), low + size
    if dice.random() < 0.25:
        start, target = target, low
    keys = {"title": dice.choice(TITLES)}
    if dice.random() < 0.5:
        keys["summary"] = dice.choice(["Land on {target}.", "A short one.", "From {start}: <i>be quick</i> & win."])
    if dice.random() < 0.2:
        keys["suits"] = "people who test things"
    if dice.random() < 0.2:
        keys["notes"] = ["The target is {target}.", "No *stars* here."][: dice.randrange(3)]
    if separate:
        keys["numbers"] = "separate"
    keys["start"] = start if not separate or dice.random() < 0.6 else [start, start + (1 if start < target else -1)]
    has_target = dice.random() < 0.85
    if has_target:
        keys["target"] = target
    down = start > target
    entries = moves(dice, second_version, separate, down)
    keys["moves"] = entries
    computed = any(name in json.dumps(entries) for name in ("divisor", "prime", "digit", "half"))
    if computed or not has_target or dice.random() < 0.3:
        slack = dice.randrange(6)
        keys["range"] = [min(start, target) - dice.randrange(4), max(start, target) + slack]
    if has_target:
        sometimes(dice, keys, 0.2, "reach", ["loses", "wins"])
        sometimes(dice, keys, 0.7, "past", ["forbidden", "forbidden", "wins", "loses"])
    taken = {start, target}
    for name in ("winning", "losing", "forbidden"):
        if dice.random() < (0.25 if has_target else 0.6):
            keys[name] = numbers(dice, second_version, low, low + size, taken)
    sometimes(dice, keys, 0.4, "no_repeat", ["own", "opponent", "both", "none"])
    # Each number of passes left multiplies the positions, so large games get few passes.
    sometimes(dice, keys, 0.2, "passes", [0, 1, 3] + [255] * (size < 13))
    stuck = ["skips", "draws", "wins", "loses"] + (["closest"] * 3 if separate and has_target and second_version else [])
    sometimes(dice, keys, 0.4, "stuck", stuck)
    sometimes(dice, keys, 0.3, "repetition", [0, 2, 2, 4, 255])
    if separate and has_target and second_version:
        sometimes(dice, keys, 0.3, "turns", [1, 3, 10])
    if dice.random() < 0.3:
        keys["claims"] = dice.sample(CLAIMS, dice.randrange(4))
    sometimes(dice, keys, 0.2, "match", [{"first_to": 2}, {"rounds": 3}, {"rounds": 1}])
    text = "".join(f"{key} = {toml(value)}\n" for key, value in keys.items())
    if dice.random() < 0.3:
        text += f"\n[variants.other]\nno_repeat = {toml(dice.choice(['own', 'both', 'none']))}\n"
        if has_target:
            text += f"target = {target + (1 if down else -1) * dice.randrange(1, 5)}\nclaims = []\n"
    if dice.random() < 0.25:
        chosen = dice.sample(sorted(SENTENCES), dice.randrange(1, 8))
        text += "\n[wording]\n" + "".join(f"{name} = {toml(dice.choice(SENTENCES[name]))}\n" for name in chosen)
        questions = not any(name in text for name in ("other", "divisor", "prime", "digit", "half"))
        text += f"menu = {toml(dice.choice(['all', 'legal'] + ['questions'] * questions))}\n"
    return Book(text, typed(entries), (start + target) // 2, any(leads_back(entry, down) for entry in entries))


def sometimes(dice, keys, chance, name, values):
    if dice.random() < chance:
        keys[name] = dice.choice(values)


def moves(dice, second_version, separate, down):
    onward, back = ("-", "+") if down else ("+", "-")
    entries, known = [], set()
    for _ in range(dice.choice([1, 2, 2, 3, 3, 4, 5])):
        amount = dice.choice([1, 1, 2, 3, 4, 5, 7])
        plain = [f"{onward}{amount}", f"{onward}{amount}", f"{back}{amount}", f"x{dice.choice([1, 2, 2, 3])}", f"/{dice.choice([1, 2, 3])}"]
        if down:
            plain += ["/2", "-1"]
        operation = dice.choice(plain)
        if dice.random() < 0.15:
            operation = f"{onward}{amount}..{amount + dice.randrange(1, 3)}"
        entry = {"op": operation}
        if second_version and dice.random() < 0.3:
            entry["op"] = dice.choice(["-divisor", "+divisor", "/divisor", "-prime", "+prime", "/prime", "-digit", "+digit", "-1..half"])
            sometimes(dice, entry, 0.2, "from", [1, 2, 3])
            sometimes(dice, entry, 0.4, "to", [3, 5, 9, 9999])
        if second_version and dice.random() < 0.25:
            entry["when"] = dice.choice(["even", "odd", "prime", "square", "multiple of 3", "below 10", "above 4", "from 2 to 9", ["odd", "above 1"]])
        if second_version and separate and dice.random() < 0.25:
            entry["on"] = "other"
        # Each limited move multiplies the positions.
        if dice.random() < 0.2 and json.dumps(entries).count("uses") < 2 and ".." not in entry["op"]:
            entry["uses"] = dice.choice([1, 1, 2, 3])
            sometimes(dice, entry, 0.4, "pool", ["shared", "own"])
        if dice.random() < 0.15:
            entry["label"] = dice.choice(["Hop {amount}", "Leap", "Big strike", "Take away {amount}", "<i>&", "Übermut"])
        same = {json.dumps([op, entry.get("on"), entry.get("when")]) for op in expanded(entry["op"])}
        if known.isdisjoint(same) or dice.random() < 0.05:
            known |= same
            entries.append(entry if len(entry) > 1 or dice.random() < 0.1 else entry["op"])
    # Most games get a step of 1 towards the target.
    if dice.random() < 0.8 and not any(f"{onward}1" in expanded(operation_of(entry)) for entry in entries):
        entries.append(f"{onward}1")
    return entries


def expanded(operation):
    """The operations of a span, or the operation itself."""
    first, _, last = operation[1:].partition("..")
    return [f"{operation[0]}{amount}" for amount in range(int(first), int(last) + 1)] if last.isdigit() else [operation]


def operation_of(entry):
    return entry if isinstance(entry, str) else entry["op"]


def numbers(dice, second_version, low, high, taken):
    listed = []
    for _ in range(dice.randrange(1, 4)):
        number = dice.randrange(low, high + 1)
        if second_version and dice.random() < 0.4:
            listed.append(dice.choice([*KINDS, f"{number}..{number + 2}"]))
        elif number not in taken:
            taken.add(number)
            listed.append(number)
    return listed


def leads_back(entry, down):
    operation = operation_of(entry)
    onward = "-/" if down else "+x"
    return operation[0] not in onward or operation[1:] == "1" and operation[0] in "x/" or "other" in json.dumps(entry)


def typed(entries):
    """The plain moves among the entries, each as players could type it."""
    found = ["+1", "x2", "-1"]
    for entry in entries:
        operation = operation_of(entry)
        if operation[1:].isdigit():
            other = "@" if isinstance(entry, dict) and entry.get("on") == "other" else ""
            found += [other + operation] * 2
        elif len(expanded(operation)) > 1:
            found += expanded(operation)
        else:
            found += [operation[0] + amount for amount in "12345"]
    return found


def huge(dice):
    """Numbers up to the bounds, and books too large to solve."""
    start, target = dice.choice([(0, 10**18), (1, 10**6), (-(10**18), 10**18), (10**12, 0), (0, 268_435_456), (1, 10**18 + 1), (0, 2**63)])
    onward = "+" if start < target else "-"
    entries = dice.choice([
        [f"{onward}1", f"{onward}3"], ["x2", f"{onward}1"], [f"{onward}1..9"], [f"{onward}{10**17}", f"{onward}1"], ["/2", f"{onward}1", "-1"],
        [{"op": f"{onward}{10**18}", "uses": 2}, f"{onward}7"],
    ])
    text = f"title = {toml(dice.choice(TITLES))}\nstart = {start}\ntarget = {target}\nmoves = {toml(entries)}\n"
    keys = {}
    sometimes(dice, keys, 0.5, "no_repeat", ["own", "both"])
    sometimes(dice, keys, 0.5, "past", ["forbidden", "wins", "loses"])
    sometimes(dice, keys, 0.2, "numbers", ["separate"])
    return Book(text + "".join(f"{key} = {toml(value)}\n" for key, value in keys.items()), typed(entries), (start + target) // 2, may_loop=True)


def variation(dice):
    """A book that extends a shipped one."""
    text = f"extends = {toml(dice.choice(SHIPPED))}\n"
    if dice.random() < 0.8:
        text += f"title = {toml(dice.choice(TITLES))}\n"
    if dice.random() < 0.3:
        text += f"past = {toml(dice.choice(['loses', 'forbidden', 'wins']))}\n"
    if dice.random() < 0.3:
        text += f"no_repeat = {toml(dice.choice(['own', 'opponent', 'both']))}\n"
    if dice.random() < 0.3:
        text += '\n[variants.extra]\nrepetition = 2\n'
    if dice.random() < 0.3:
        text += '\n[wording]\nwins = "{winner} is there first!"\n'
    return Book(text, ["+1", "x2", "+2", "-1", "+3"], 10, may_loop=True)


def broken(dice, text):
    """The text with one mistake, or a few."""
    lines = text.splitlines()
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        at = dice.randrange(len(lines))
        line = lines[at]
        place = dice.randrange(len(line) + 1)
        lines[at] = dice.choice([
            line[:place] + line[place + 1:],
            line[:place] + dice.choice('"]}=,x#\t9-\x01\N{RIGHT-TO-LEFT OVERRIDE}') + line[place:],
            line.replace("=", "= -", 1),
            line.replace("moves", "move"),
            line + "\n" + line,
            "",
            line.replace('"+', '"+0').replace("target = ", "target = 1.5e"),
            "color = true",
        ])
    return "\n".join(lines) + "\n"
