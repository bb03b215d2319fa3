"""GDL games as games of the contract: turns, views, tokens, words, threads, searches."""

from __future__ import annotations

import pytest

import facedown
from facedown.core import CHANCE, OVER, PUBLIC, Game, Position, SpecError, Stream
from facedown.core.compiled import build
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.gdl import network
from facedown.gdl.game import NetworkGame
from facedown.gdl.library import find, names
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read, read_file
from facedown.laws.check import LAWS, check_game
from facedown.search.budget import Budget
from facedown.search.recipe import Recipe
from facedown.search.search import Search
from support.network_play import legal_of

BOTH = """
(role left) (role right) (init (n 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?r (show ?x)) (role ?r) (finger ?x) (true (n 1)))
(<= (legal ?r (show ?x)) (role ?r) (finger ?x) (true (n 3)))
(<= (legal ?r rest) (role ?r) (true (n 2)))
(finger 1) (finger 2)
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (next (shown ?r ?x)) (does ?r (show ?x)))
(<= (next (shown ?r ?x)) (true (shown ?r ?x)) (true (n 2)))
(<= terminal (true (n 4)))
(<= even (true (shown left ?x)) (true (shown right ?x)))
(<= (goal left 100) even) (<= (goal left 0) (not even))
(<= (goal right 0) even) (<= (goal right 100) (not even))
"""
"""Both show a finger at once, rest, and do it again."""

SEEN = BOTH + "(<= (sees ?r (other ?x)) (role ?r) (does ?q (show ?x)) (distinct ?r ?q))"


def game_of(rules: str) -> Game:
    return build(NetworkGame(read(rules)), "gdl:test")


def texts(position: Position) -> list[str]:
    return [position.game.move_text(move) for move in position.legal()]


def play(position: Position, text: str) -> None:
    position.apply(position.game.parse_move(text, position.legal()))


# --- turns, views and tokens ---------------------------------------------------------------------


def test_choices_of_an_open_game_are_pending_until_all_have_chosen() -> None:
    game = game_of(BOTH)
    position = game.start()
    assert (position.turn(), texts(position)) == (0, ["(show 1)", "(show 2)"])
    before = position.view(1).digest()
    move = position.legal()[1]
    assert position.sees(move, 0)
    assert not position.sees(move, 1)
    assert not position.sees(move, PUBLIC)
    position.apply(move)
    assert position.turn() == 1
    assert position.view(1).digest() == before
    assert position.view(1).turn() == 0  # whose choice it withdraws
    move = position.legal()[0]
    told = {position.sees(move, viewer) for viewer in (0, 1, PUBLIC)}
    assert len(told) == 1
    words = game.text.observation_text(told.pop(), 0)
    assert words == "left does (show 2), right does (show 1)"


def test_a_step_without_any_choice_is_made_by_chance() -> None:
    position = game_of(BOTH).start()
    play(position, "(show 1)")
    play(position, "(show 1)")
    assert (position.turn(), texts(position)) == (CHANCE, ["go on"])
    play(position, "go on")
    play(position, "(show 2)")
    play(position, "(show 2)")
    assert position.turn() == OVER
    assert position.payoff() == [100.0, 0.0]


def test_in_gdl_ii_chance_makes_every_step_and_percepts_come_with_it() -> None:
    game = game_of(SEEN)
    position = game.start()
    play(position, "(show 2)")
    move = position.legal()[0]
    assert game.text.observation_text(position.sees(move, 1), 1) == "you choose (show 1)"
    assert not position.sees(move, 0)
    position.apply(move)
    assert (position.turn(), texts(position)) == (CHANCE, ["go on"])
    assert position.view(0).turn() == CHANCE
    go = position.legal()[0]
    tokens = [position.sees(go, viewer) for viewer in (0, 1, PUBLIC)]
    assert tokens == position.tokens(go)
    words = [game.text.observation_text(t, v) for t, v in zip(tokens, (0, 1, PUBLIC), strict=True)]
    assert words == ["you see (other 1)", "you see (other 2)", "a step is made"]


def test_a_view_of_gdl_ii_holds_nothing_of_others() -> None:
    one, other = game_of(SEEN).start(), game_of(SEEN).start()
    for position, mine in ((one, "(show 1)"), (other, "(show 2)")):
        play(position, mine)
        assert position.view(1).turn() == 1
    assert one.view(1).digest() == other.view(1).digest()
    assert one.view(0).digest() != other.view(0).digest()
    view = one.view(1)
    assert texts(view) == ["(show 1)", "(show 2)"]
    assert not legal_of(view, 0)
    assert legal_of(one, 0)
    assert not view.game.definition.holding(view.record)


def test_random_is_chance_and_even_over_its_moves() -> None:
    position = load_game("monty-hall").start()
    play(position, "(pick 1)")
    assert position.turn() == CHANCE
    assert position.weights() == pytest.approx([1 / 3] * 3)


def test_the_end_is_told() -> None:
    game = load_game("monty-hall")
    position, stream = game.start(), Stream(1)
    while True:
        move = stream.choice(position.legal())
        words = game.text.observation_text(position.sees(move, 0), 0)
        position.apply(move)
        assert ("the game is over" in words) == position.over
        if position.over:
            return


def test_the_highest_of_several_goals_counts_and_none_is_the_lowest() -> None:
    rules = """
        (role a) (role b) (init s) (<= (legal ?r go) (role ?r)) (<= (next t) (does a go))
        (<= terminal (true t)) (<= (goal a 30) (true t)) (<= (goal a 70) (true t))
    """
    position = game_of(rules).start()
    play(position, "go on")
    assert position.payoff() == [70.0, 0.0]


# --- the laws, and the lifted game ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["tic-tac-toe", "monty-hall", "small-poker", "meier"])
def test_the_laws_hold(name: str) -> None:
    laws = [law.name for law in LAWS if law.name != "uncompiled"]
    found = check_game(lambda: load_game(name), games=5, seconds=8, only=laws)
    assert found.ok, found.text


@pytest.mark.parametrize("rules", [BOTH, SEEN])
def test_the_laws_hold_uncompiled_and_with_pending_choices(rules: str, tmp_path) -> None:
    (tmp_path / "both.kif").write_text(rules)
    found = check_game(lambda: load_game(f"gdl:{tmp_path / 'both.kif'}"), games=5, seconds=20)
    assert found.ok, found.text
    assert found["uncompiled"].status == "held"


def test_rules_that_keep_legal_moves_from_a_player_are_found() -> None:
    rules = """
        (role a) (role random) (init s) (<= (legal random ?x) (true s) (coin ?x)) (coin h) (coin t)
        (<= (legal a wait) (true s)) (<= (legal random noop) (not (true s)))
        (<= (next (fell ?x)) (does random ?x) (coin ?x)) (<= (next done) (not (true s)))
        (<= (legal a (take ?x)) (true (fell ?x))) (<= (legal a pass) (not (true s)))
        (<= terminal (true done)) (<= (goal a 100) (true done))
    """
    found = check_game(lambda: game_of(rules), games=10, seconds=20, only=["equal-observations"])
    assert not found.ok


@pytest.mark.parametrize("name", [*names()[:3], "tic-tac-toe", "meier", "small-poker", "transit"])
def test_the_lifted_game_is_the_same_game(name: str) -> None:
    description = read_file(find(name))
    fast, slow = build(NetworkGame(description), name), adapt(lifted_game(description), name)
    assert (fast.players, fast.bounds) == (slow.players, slow.bounds)
    assert fast.has("determinize") == slow.has("determinize")
    stream = Stream(3)
    one, other = fast.start(), slow.start()
    while not one.over:
        assert one.turn() == other.turn()
        legal = {slow.move_text(move): move for move in other.legal()}
        assert sorted(texts(one)) == sorted(legal)
        for viewer in (*range(fast.players), PUBLIC):
            assert one.view(viewer).turn() == other.view(viewer).turn()
        move = stream.choice(one.legal())
        twin = legal[fast.move_text(move)]
        for viewer in (*range(fast.players), PUBLIC):
            assert bool(one.sees(move, viewer)) == bool(other.sees(twin, viewer))
        one.apply(move)
        other.apply(twin)
    assert other.over
    assert one.payoff() == other.payoff()


def test_the_laws_hold_for_lifted_games() -> None:
    rules = read(SEEN)
    found = check_game(lambda: adapt(lifted_game(rules), "gdl:test"), games=4, seconds=10)
    assert found.ok, found.text


# --- searches ------------------------------------------------------------------------------------


def test_agents_play_open_games() -> None:
    found = facedown.match("tic-tac-toe", ["so-ismcts:iterations=300", "random"], games=10, seed=2)
    assert found.agents[0].win_rate > 0.7


@pytest.mark.parametrize("agent", ["so-ismcts:iterations=30", "hyperplay:iterations=30", "oos"])
def test_searches_play_gdl_ii_with_worlds_from_the_rules_alone(agent: str) -> None:
    found = facedown.match("small-poker", [agent, "random"], games=2, seed=1)
    assert not found.errors


def _tree(game: Game, threads: int) -> list[object]:
    search = Search(game, Recipe(belief=("truth",)), game.start(), 0, [], 7, threads=threads)
    return list(search.run(Budget(iterations=2_000)).dump())


@pytest.mark.parametrize("name", ["connect-four", "krieg-tic-tac-toe-3x3"])
def test_threads_that_fight_for_areas_find_the_same_tree(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(name)
    wanted = _tree(game, 4)
    monkeypatch.setattr(network, "AREAS", 2)
    crowded = load_game(name)
    for _ in range(3):
        assert _tree(crowded, 4) == wanted


def test_a_search_leaves_what_players_observe_alone() -> None:
    """Worlds in a search keep no keys of observations; positions do."""
    game = load_game("small-poker")
    position = game.start()
    before = position.digest()
    Search(game, Recipe(belief=("truth",)), position, 0, [], 1).run(Budget(iterations=50))
    assert position.digest() == before
    keys = {position.infoset(0)}
    while not position.over:
        position.apply(position.legal()[0])
        keys.add(position.infoset(0))
    assert len(keys) > 1


# --- names ---------------------------------------------------------------------------------------


def test_games_by_name_and_by_file(tmp_path) -> None:
    assert load_game("gdl:monty-hall").players == load_game("monty-hall").players == 1
    (tmp_path / "a,b=c:d.kif").write_text(BOTH)
    assert load_game(f"gdl:{tmp_path / 'a,b=c:d.kif'}").players == 2
    with pytest.raises(SpecError, match="no rule file"):
        load_game("gdl:nowhere.kif")
    with pytest.raises(SpecError, match=r"gdl:path/to/file\.kif"):
        load_game("nowhere")


def test_moves_and_percepts_have_numbers() -> None:
    definition = load_game("monty-hall").definition
    number = definition.move_number("contestant", "switch")
    assert definition.move_text(number) == "switch"
    with pytest.raises(SpecError, match="contestant can never do fly"):
        definition.move_number("contestant", "fly")
    with pytest.raises(SpecError, match="can never see goats"):
        definition.percept_token(0, ["goats"], over=False)
