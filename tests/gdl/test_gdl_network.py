"""The rule network says what the lifted reasoner says, in every state and after every jump."""

from __future__ import annotations

import pytest

from facedown.core import Game, RuleError, SpecError, Stream
from facedown.core.compiled import build
from facedown.games.registry import load_game
from facedown.gdl import circuit
from facedown.gdl.circuit import Circuit
from facedown.gdl.game import NetworkGame
from facedown.gdl.ground import ground
from facedown.gdl.library import find, names
from facedown.gdl.network import RuleNetwork, rule_network
from facedown.gdl.play import random_games
from facedown.gdl.reader import read, read_file
from support.network_play import Beside

STEPS = {"blind-breakthrough-8x8": 60, "breakthrough": 60}


def game_of(rules: str) -> Game:
    return build(NetworkGame(read(rules)), "gdl:test")


@pytest.mark.parametrize("name", names())
def test_the_network_agrees_with_the_lifted_reasoner(name: str) -> None:
    Beside(load_game(name), Stream(len(name))).run(STEPS.get(name, 150))


def test_all_reachable_states_of_tic_tac_toe() -> None:
    game = load_game("tic-tac-toe")
    start = game.start()
    seen, waiting = {start.record["state"].tobytes()}, [start]
    while waiting:
        position = waiting.pop()
        for move in [] if position.over else position.legal():
            after = position.copy()
            after.apply(move)
            if (key := after.record["state"].tobytes()) not in seen:
                seen.add(key)
                waiting.append(after)
    assert len(seen) == 5478


# --- recursion -----------------------------------------------------------------------------------

FLOOD = """
(role digger) (role guard) (role random)
(init (source a)) (init (open a b)) (init (turn 1))
(pipe a b) (pipe b c) (pipe c d) (pipe d b) (pipe d e) (pipe e a) (pipe c a)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)

; which places are wet: recursion over the state
(<= (wet ?x) (true (source ?x)))
(<= (wet ?y) (wet ?x) (true (open ?x ?y)))
; which are safe: a second recursion, over what the first one denies
(<= (node ?x) (pipe ?x ?y))
(<= (safe ?x) (node ?x) (not (wet ?x)))
(<= (linked ?x ?x) (safe ?x))
(<= (linked ?x ?z) (linked ?x ?y) (pipe ?y ?z) (safe ?z))
; how far a push goes: a third one, over moves
(<= (push ?x) (does digger (dig ?x ?y)) (true (open ?x ?y)))
(<= (push ?y) (push ?x) (true (open ?x ?y)))
(<= (push ?x) (does random (shake ?x)) (wet ?x))

(<= (legal digger (dig ?x ?y)) (pipe ?x ?y))
(<= (legal guard (watch ?x)) (wet ?x))
(<= (legal guard sleep))
(<= (legal random (shake ?x)) (safe ?x))
(<= (legal random wait))

(<= (next (source ?x)) (true (source ?x)))
(<= (next (open ?x ?y)) (does digger (dig ?x ?y)) (not (true (open ?x ?y))))
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does digger (dig ?x ?y))) (not (push ?y)))
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does digger (dig ?x ?y))) (linked ?x ?y))
(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y))

(<= (sees guard (water ?x)) (wet ?x) (push ?x))
(<= (sees guard (calm ?x ?y)) (linked ?x ?y) (does guard (watch ?z)) (distinct ?x ?y))
(<= (sees digger hears) (push ?x))

(<= terminal (true (turn 8)))
(<= (goal digger 100) (wet e))
(<= (goal digger 0) (not (wet e)))
(<= (goal guard 50) (linked ?x e))
(<= (goal guard 10) (not (wet d)))
(<= (goal guard 0) (wet d))
"""


def test_recursion_that_depends_on_the_state_and_on_moves() -> None:
    game = game_of(FLOOD)
    play, sight = game.definition.network.play, game.definition.network.sight
    for network in (play, sight):
        loops = network.segments[:, 1] < network.segments[:, 2]
        assert loops.any(), "the test wants loops in both networks"
    assert (play.segments[play.view_segments :, 1] < play.segments[play.view_segments :, 2]).any()
    for seed in range(4):
        Beside(game, Stream(seed)).run(150, jumps=0.3)


def test_a_cycle_without_support_is_false() -> None:
    """Atoms that only hold each other up do not hold, also when they once did."""
    game = game_of("""
        (role a) (init (lamp on)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= p (true (lamp on))) (<= p q) (<= q p)
        (<= (legal a flip)) (<= (legal a stay)) (<= (legal a shine) p)
        (<= (next (lamp on)) (true (lamp on)) (not (does a flip)))
        (<= (next (lamp on)) (does a flip) (not (true (lamp on))))
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 3)))
        (<= (goal a 100) q) (<= (goal a 0) (not q))
    """)
    position = game.start()

    def texts() -> set[str]:
        return {game.move_text(move) for move in position.legal()}

    assert texts() == {"flip", "stay", "shine"}
    position.apply(game.parse_move("flip", position.legal()))
    assert texts() == {"flip", "stay"}
    position.apply(game.parse_move("flip", position.legal()))
    assert texts() == {"flip", "stay", "shine"}
    position.apply(game.parse_move("flip", position.legal()))
    assert position.payoff() == [0.0]


def test_negative_cycles_are_refused() -> None:
    rules = """
        (role a) (init s) (<= (next s) (true s))
        (<= p (true s) (not q)) (<= q (true s) (not p))
        (<= (legal a go) p) (<= (legal a go) q) (<= terminal p) (<= (goal a 0) q)
    """
    with pytest.raises(SpecError, match="own negation"):
        RuleNetwork(read(rules, "here.kif"))


def test_a_negation_that_meets_itself_only_by_name_is_no_cycle() -> None:
    """win(x) asks for not win(y) further on: stratified once it is ground."""
    game = game_of("""
        (role a) (init (at 1)) (step 1 2) (step 2 3) (step 3 4)
        (<= (lost ?x) (step ?x ?y) (not (lost ?y)) (true (at ?z)))
        (<= (legal a (go ?y)) (true (at ?x)) (step ?x ?y))
        (<= (legal a stay) (true (at 1)))
        (<= (next (at ?y)) (does a (go ?y))) (<= (next (at 1)) (does a stay))
        (<= terminal (true (at 4)))
        (<= (goal a 100) (lost 1)) (<= (goal a 0) (not (lost 1)))
    """)
    position = game.start()
    for place in (2, 3, 4):
        if not position.over:  # from the second place on nothing else is legal: chance goes on
            legal = position.legal()
            position.apply(
                next(m for m in legal if game.move_text(m) in (f"(go {place})", "go on"))
            )
    assert position.payoff() == [100.0]  # lost 3, not lost 2, lost 1


# --- circuits ------------------------------------------------------------------------------------


def test_factoring_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    description, gates = read_file(find("connect-four")), set()
    for frequent in (2, 6, 10**9):
        monkeypatch.setattr(circuit, "FREQUENT", frequent)
        rule_network.cache_clear()
        game = build(NetworkGame(description), "gdl:test")
        rule_network.cache_clear()
        gates.add(game.definition.network.play.gates)
        Beside(game, Stream(1)).run(40)
    assert len(gates) == 3, "the three are different networks"


def test_long_disjunctions_do_not_recurse() -> None:
    """Thousands of bodies with as many frequent literals are taken apart one after another."""
    moves = range(1200)
    facts = "".join(f"(init (on {k})) (group {k} {k // 6})" for k in moves)
    rules = f"""
        (role a) {facts} (init (s 0))
        (<= some (true (on ?k)) (group ?k ?g) (true (s ?g)))
        (<= (next (on ?k)) (true (on ?k)) (not (does a (drop ?k))))
        (<= (next (s ?g)) (does a (drop ?k)) (group ?k ?g))
        (<= (legal a (drop ?k)) (true (on ?k)))
        (<= terminal (not some)) (<= (goal a 100) (not some)) (<= (goal a 0) some)
    """
    found = Circuit(ground(read(rules)))
    assert len(found.fluents) == 1200 + 200


# --- random play ---------------------------------------------------------------------------------


def test_random_play_in_the_network() -> None:
    rules = RuleNetwork(read_file(find("tic-tac-toe")))
    played = random_games(rules, 20_000, seed=3)
    assert played.mean_length == pytest.approx(7.6, abs=0.1)
    assert played.mean_goals[0] == pytest.approx(64.9, abs=1.5)
    assert sum(played.mean_goals) == pytest.approx(100)


def test_percepts_change_no_game() -> None:
    rules = RuleNetwork(read_file(find("krieg-tic-tac-toe-3x3")))
    plain, seeing = random_games(rules, 500, 7), random_games(rules, 500, 7, seeing=True)
    assert (plain.mean_length, plain.mean_goals) == (seeing.mean_length, seeing.mean_goals)


def test_a_role_without_moves_is_named() -> None:
    rules = """
        (role a) (init s) (<= (legal a go) (true s)) (<= (next t) (does a go))
        (<= terminal (true u)) (<= (goal a 0) (true u)) (<= (next u) (true v))
    """
    with pytest.raises(RuleError, match="no legal move"):
        random_games(RuleNetwork(read(rules)), 1)


def test_a_start_at_which_nothing_holds_is_settled_too():
    """A gate with several readers is true while none of what it reads is: nobody has moved yet."""
    rules = """(role a) (legal a one) (legal a two) (<= (next (d ?m)) (does a ?m))
    (<= terminal (true (d ?m))) (<= (goal a 100) (true (d one))) (<= (goal a 50) (true (d ?m)))"""
    game = game_of(rules)
    position = game.start()
    assert not position.over
    assert len(position.legal()) == 2
    position.play(position.legal()[0])
    assert position.over
