"""Shared fixtures: the program to compare with, and many books."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

import spoton

# Hides the user's own rule books.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = [game["game"] for game in spoton.games()]


def built(path):
    """The path of a binary that `./test` has built."""
    path = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / path
    assert path.exists(), f"{path} is missing: cargo build -p spoton-cli && cargo build -p spoton --example random_books"
    return path


class Program:
    """The program `spoton` with its own home folder."""

    def __init__(self, home):
        self.path = built("spoton")
        self.home = home

    def run(self, *args, given=None, status=0, errors=False):
        """Returns its output or its errors. It must exit with `status`; `None` means any but 0."""
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        done = subprocess.run(
            [self.path, *map(str, args)], input=given, capture_output=True, text=True, env=environment, cwd=self.home
        )
        assert done.returncode != 0 if status is None else done.returncode == status, (args, done.stderr)
        return done.stderr if errors else done.stdout

    def json(self, *args, **more):
        return [json.loads(line) for line in self.run(*args, **more).splitlines()]


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("home"))


class Asked:
    """A book with the program's arguments for it."""

    def __init__(self, book, *args):
        self.book = book
        self.args = args

    def __repr__(self):
        return " ".join(map(str, self.args))


def shipped_books():
    """All shipped games and variants."""
    for name in SHIPPED:
        book = spoton.load(name)
        yield Asked(book, name)
        for variant in book.variants:
            yield Asked(spoton.load(name, variant=variant), name, "--variant", variant)


@pytest.fixture(scope="session")
def shipped():
    return list(shipped_books())


@pytest.fixture(scope="session")
def invented(tmp_path_factory):
    """100 invented games."""
    folder = tmp_path_factory.mktemp("invented")
    asked = []
    for book in spoton.invent(20261115, 100):
        path = folder / f"{book.id}.toml"
        path.write_text(book.to_toml())
        asked.append(Asked(spoton.load(path), path))
    return asked


@pytest.fixture(scope="session")
def drawn(tmp_path_factory):
    """Random valid and invalid books, with variants and settings."""
    lines = subprocess.run([built("examples/random_books"), "0", "300"], capture_output=True, text=True, check=True)
    folder = tmp_path_factory.mktemp("drawn")
    books = []
    for number, line in enumerate(lines.stdout.splitlines()):
        path = folder / f"book-{number}.toml"
        drawn = json.loads(line)
        path.write_text(drawn["text"])
        args = [path]
        if drawn["variant"]:
            args += ["--variant", drawn["variant"]]
        for setting in drawn["settings"]:
            args += ["--set", setting]
        settings = dict(setting.split("=", 1) for setting in drawn["settings"])
        books.append((path, drawn["variant"], settings, args))
    return books


@pytest.fixture(scope="session")
def random(drawn):
    """The valid ones of the random books."""
    asked = []
    for path, variant, settings, args in drawn:
        try:
            asked.append(Asked(spoton.load(path, variant=variant, settings=settings), *args))
        except spoton.RulebookError:
            continue
    assert len(asked) > 200
    return asked


def walk(book, most):
    """Yields up to `most` positions with the moves that lead to them, breadth first."""
    opening = book.opening()
    seen, queue = {opening}, [([], opening)]
    for moves, position in queue:
        yield moves, position
        for move in ["skip"] if position.skips else position.legal:
            there = position.play(move)
            if there not in seen and len(seen) < most:
                seen.add(there)
                queue.append(([*moves, move], there))
