"""The two builds, their answers, and the normalization that makes answers comparable."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 120
"""Timeout of a command in seconds. If both sides time out, that counts as the same answer."""

LETTER = "[0-9a-hjkmnp-tv-z]"
NAMED = re.compile(
    rf"(?P<secret>\b{LETTER}{{52}}\b)"
    rf"|(?P<id>\b{LETTER}{{26}}\b)"
    rf"|(?P<key>\b{LETTER}{{20}}[a-c]?\b)"
    r"|(?P<code>\b(?:[A-Z]{3} [A-Z]{3}|[A-Z]{4} [A-Z]{4})\b)"
    r"|(?P<time>\b1[6-9]\d{11}\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"
    r"|(?P<ago>\bjust now\b|\b\d+ (?:minute|hour)s? ago\b)"
)
"""Random ids, secrets and times. Their values differ in every run."""
SHORT = re.compile(rf"\bRound ({LETTER}{{12}}):|/class/([A-Z]{{6}})\b|\?made=({LETTER}{{12}})\b")
"""Matches ids that are too short to recognise by their letters alone: of MCP rounds, classes and codes."""
DRAWN = re.compile(r'<div class="qr">.*?</div>', re.DOTALL)
"""Matches QR codes, which encode such an id."""


@dataclass
class Answer:
    kind: str
    """The key that groups differences."""
    question: str
    text: str


class Side:
    """One build, with a scratch folder. The folders' paths have the same length, so lines wrap alike."""

    def __init__(self, name, binaries, scratch):
        self.name, self.binaries, self.scratch = name, Path(binaries).resolve(), Path(scratch) / name
        self.scratch.mkdir()

    def has(self, program):
        return (self.binaries / program).exists()

    def home(self, name):
        home = self.scratch / name
        home.mkdir()
        return home

    def environment(self, home):
        return {
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "PATH": f"{self.binaries}:{os.environ.get('PATH', '')}",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def run(self, home, arguments, typed):
        try:
            done = subprocess.run(
                [self.binaries / "spoton", *arguments],
                input=typed.encode("utf-8", "surrogateescape"),
                capture_output=True, cwd=home, env=self.environment(home), timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return f"no answer within {PATIENCE} seconds\n"
        return f"{readable(done.stdout)}--- stderr\n{readable(done.stderr)}--- exit status {done.returncode}\n"

    def comparable(self, answers):
        """The answers with ids and times numbered by first appearance over the whole scenario."""
        names = {}

        def name(kind, value):
            return names.setdefault(value, f"<{kind} {len(names) + 1}>")

        def replaced(match):
            # Two times may be the same in one run and not in another.
            kind = match.lastgroup
            return f"<{kind}>" if kind in ("time", "ago") else name(kind, match[0])

        texts = [text for answer in answers for text in (answer.question, answer.text)]
        short = {word for text in texts for words in SHORT.findall(text) for word in words if word}
        short = re.compile("|".join(rf"\b{word}\b" for word in sorted(short)) or r"\b\B")
        for answer in answers:
            for field in ("question", "text"):
                text = getattr(answer, field).replace(str(self.scratch), "/scratch").replace(str(self.binaries), "/binaries")
                text = NAMED.sub(replaced, DRAWN.sub("<drawing>", text))
                setattr(answer, field, short.sub(lambda match: name("short", match[0]), text))
        return answers


def readable(output):
    return output.decode("utf-8", "backslashreplace")
