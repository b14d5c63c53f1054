"""OpenSpiel's own checks, and a comparison of its minimax with our solution."""

import os
import pickle
import random as dice
import sys
from pathlib import Path

import pyspiel
import pytest
from absl import flags
from conftest import ROOT, SHIPPED
from open_spiel.python.algorithms import generate_playthrough, minimax
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

import spoton
from spoton.openspiel import game_string, load_game

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
MCTS = ROOT / "crates" / "spoton-py" / "benchmarks" / "mcts.py"
WORTH = {"loss": -1, "draw": 0, "win": 1}


def test_its_own_check_on_every_book(shipped, invented):
    for asked in [*shipped, *invented]:
        pyspiel.random_sim_test(load_game(asked.book), num_sims=1, serialize=True, verbose=False)


def test_its_own_check_on_any_book(random):
    for asked in random[:60]:
        if asked.book.longest_round() < 500:
            pyspiel.random_sim_test(load_game(asked.book), num_sims=1, serialize=True, verbose=False)


def test_playthroughs():
    """Snapshots of a round of each game, written by OpenSpiel's own tool.

    `SPOTON_UPDATE=1` rewrites them.
    """
    flags.FLAGS.mark_as_parsed()
    for name in SHIPPED:
        path = PLAYTHROUGHS / f"{name}.txt"
        if os.environ.get("SPOTON_UPDATE"):
            path.write_text(generate_playthrough.playthrough(f"spoton(book={name})", [], seed=1))
        kept, played = generate_playthrough.replay(str(path))
        assert kept == played, name
    assert {path.stem for path in PLAYTHROUGHS.iterdir()} == set(SHIPPED)


def test_its_tree_search_plays(program):
    """The benchmark's MCTS player beats a guesser, answers correctly, and is deterministic."""
    player = f"exec:{sys.executable} {MCTS} 300"
    contest = ["take-away", "--json", "--p1", player, "--p2", "random", "--rounds", "2", "--seed", "1", "--move-time", "300000"]
    [told] = program.json("arena", *contest)
    assert program.json("arena", *contest) == [told]
    got = [seat["got"] for seat in told["seats"] if seat["player"] == 1]
    assert [seat["won"] for seat in got] == [1, 1]
    refused = [seat[why] for seat in got for why in ("illegal", "unreadable", "late", "died", "flooded")]
    assert not any(refused)


def test_the_table_of_the_documentation_is_made_by_the_command(program):
    """The rows with the fewest simulations, which are fast."""
    player = f"exec:{sys.executable} {MCTS} 10"
    table = program.run("bench", player, "--rounds", "10", "--move-time", "300000", "--markdown")
    rows = [line.split(" | ", 1)[1] for line in table.splitlines() if line.startswith("| exec")]
    page = (ROOT / "docs" / "benchmark-results.md").read_text()
    shown = [line.split(" | ", 1)[1] for line in page.splitlines() if line.startswith("| MCTS, 10 ")]
    assert rows == shown and len(rows) == 2


def lines(position, most, known):
    """Counts the lines of play from a position, up to a bit more than `most`."""
    if position not in known:
        known[position] = 1
        if not position.over:
            moves = ["skip"] if position.skips else position.legal
            known[position] = sum(min(most + 1, lines(position.play(move), most, known)) for move in moves)
    return known[position]


def test_minimax_finds_what_we_find(shipped, invented):
    """Searches from the opening, or from a later position if that is too large."""
    most, compared, openings = 400, 0, 0
    for asked in [*shipped, *invented]:
        book = asked.book
        if not book.audit()["always_ends"]:
            continue
        game, solution, known = load_game(book), book.solve(), {}
        for seed in range(2):
            chance, state = dice.Random(seed), game.new_initial_state()
            while lines(state.round.position, most, known) > most:
                state.apply_action(chance.choice(state.legal_actions()))
            if state.is_terminal():
                continue
            value, action = minimax.alpha_beta_search(
                game, state=state, maximum_depth=10_000, maximizing_player_id=state.current_player()
            )
            verdict = solution.verdict(state.round.position)
            assert value == WORTH[verdict["value"]], (asked, str(state))
            chosen = next(judged for judged in verdict["moves"] if judged["move"] == state.action_to_string(action))
            assert chosen["value"] == verdict["value"], (asked, str(state))
            compared += 1
            openings += not state.round.history
    assert compared > 100 and openings > 3


def test_its_solver_finds_every_value_that_we_find(shipped):
    """Its solver caches positions, so it covers all positions of every game that always ends."""
    solved = 0
    for asked in shipped:
        if not asked.book.audit()["always_ends"]:
            continue
        solution, book = asked.book.solve(), asked.book
        for text, found in MinimaxSolver(game_string(book)).solve().items():
            verdict = solution.verdict(book.position(text))
            assert found.value == WORTH[verdict["value"]], (asked, text)
            for judged in verdict["moves"]:
                assert found.action_values[book.alphabet.index(judged["move"])] == WORTH[judged["value"]], (asked, text)
        solved += 1
    assert solved > 20


def test_draws_by_the_house_rule():
    """With cycles, the house rule changes no value."""
    book = spoton.read("title = 'R'\nstart = 2\ntarget = 4\nrange = [0, 4]\nmoves = ['+1', '-1']\nrepetition = 2")
    game = load_game(book)
    value, _ = minimax.alpha_beta_search(
        game, state=game.new_initial_state(), maximum_depth=10_000, maximizing_player_id=0
    )
    assert value == WORTH[book.solve().verdict(book.opening())["value"]]
    assert game.max_game_length() == book.longest_round() < 50
    endless = spoton.read("title = 'R'\nstart = 2\ntarget = 9\nrange = [0, 9]\nmoves = ['+1', '-1']\nrepetition = 0")
    assert load_game(endless).max_game_length() == 10_000


def test_parameters():
    assert load_game("number-maze").new_initial_state().round.book == spoton.load("number-maze")
    maze = pyspiel.load_game("spoton(book=number-maze,variant=to-34)")
    assert maze.book.target == 34
    assert pyspiel.load_game("spoton(book=number-maze,target=12)").book.target == 12
    mine = spoton.read("title = 'A, (b) = c'\nstart = 1\ntarget = 9\nmoves = ['+1', { op = 'x2', uses = 1 }]")
    game = pyspiel.load_game(game_string(mine))
    assert game.book.fingerprint == mine.fingerprint and game.book.title == mine.title
    assert pyspiel.load_game(str(game)).book == game.book
    with pytest.raises(spoton.Error, match='there is no game "maez!"'):
        pyspiel.load_game("spoton(book=maez!)")


def test_names_paths_and_days(tmp_path, monkeypatch):
    """The same names as for `spoton.load`."""
    monkeypatch.chdir(tmp_path)
    text = "title = 'Lila'\nstart = 1\ntarget = 9\nmoves = ['+1', 'x2']\n[variants.far]\ntarget = 30\n"
    for name in ("lila.toml", "a, (b) = c.toml"):
        (tmp_path / name).write_text(text)
    assert pyspiel.load_game("spoton(book=maze)").book == spoton.load("number-maze")
    assert pyspiel.load_game("spoton(book=today-2026-11-15)").book == spoton.load("today-2026-11-15")
    assert pyspiel.load_game("spoton(book=lila.toml)").book == spoton.load("lila.toml")
    assert pyspiel.load_game("spoton(book=lila.toml,variant=far)").book.target == 30
    assert pyspiel.load_game("spoton(book=lila.toml,target=12)").book.target == 12
    for path in (tmp_path / "lila.toml", "lila.toml", "a, (b) = c.toml"):
        game = load_game(path)
        assert game.book == spoton.load("lila.toml") and pyspiel.load_game(str(game)).book == game.book
    far = load_game(spoton.load("number-maze", target=10**18))
    assert far.book.target == 10**18 and pyspiel.load_game(str(far)).book == far.book
    with pytest.raises(FileNotFoundError):
        pyspiel.load_game("spoton(book=none.toml)")


def test_states_can_be_kept_and_copied():
    game = load_game("sequence-math-duel")
    state = game.new_initial_state()
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    for same in [state.clone(), game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state))]:
        assert (str(same), same.history(), same.legal_actions()) == (str(state), state.history(), state.legal_actions())
    other = state.clone()
    other.apply_action(other.legal_actions()[-1])
    assert len(state.round.history) == 4 and len(other.round.history) == 5


def test_observations():
    game = load_game("two-castles")
    state = game.new_initial_state()
    observer = game.make_py_observer()
    state.apply_action(state.legal_actions()[0])
    for player in (0, 1):
        observer.set_from(state, player)
        assert observer.tensor.tolist() == state.round.observation(player + 1)
        assert state.observation_tensor(player) == observer.tensor.tolist()
        assert observer.string_from(state, player) == state.observation_string(player) == str(state)
