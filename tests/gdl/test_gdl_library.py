"""The library's games are the games that they say they are."""

from __future__ import annotations

from itertools import product
from statistics import mean

import pytest

from facedown.core import SpecError
from facedown.games.registry import load_game
from facedown.gdl import library
from facedown.gdl.info import info
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read_file
from facedown.gdl.simulate import play
from facedown.gdl.syntax import Compound

NAMES = library.names()


def reasoner(name):
    return Lifted(read_file(library.find(name)))


def move(text):
    """`place 1 2` as a term."""
    name, *args = text.split()
    return Compound(name, tuple(args)) if args else name


def after(game, *joint):
    """The position after joint moves, each written as `move, move`."""
    state = game.initial()
    for moves in joint:
        state = game.next(state, [move(each.strip()) for each in moves.split(",")])
    return state


def legal(game, state, role):
    return list(map(str, game.legal(state, role)))


def sees(game, state, moves, role):
    return list(map(str, game.sees(state, [move(m.strip()) for m in moves.split(",")], role)))


@pytest.mark.parametrize("name", NAMES)
def test_every_game_can_be_played(name):
    played = play(reasoner(name), games=30, seconds=10)
    assert played.faults == []
    assert all(values for role, values in played.goals.items() if role != "random")


@pytest.mark.parametrize("name", NAMES)
def test_every_file_says_what_it_is(name):
    text = library.find(name).read_text()
    assert text.startswith(";;; ")
    assert "Roles: " in text.partition("\n\n")[0]
    assert all(len(line) <= 100 for line in text.splitlines())
    assert len(library.summary(name)) > 20


@pytest.mark.parametrize("family", ["krieg-tic-tac-toe", "blind-breakthrough"])
def test_games_of_a_family_differ_in_facts_only(family):
    names = [name for name in NAMES if name.startswith(family)]
    assert len(names) == 3
    rules = []
    for name in names:
        made = [str(rule) for rule in read_file(library.find(name)).rules if rule.body]
        sized = ("(<= (line ?p) ", "(<= terminal (true (turn ")  # how long a line or a game is
        rules.append([rule for rule in made if not rule.startswith(sized)])
    assert rules[0] == rules[1] == rules[2]
    assert len(rules[0]) > 20


def test_unknown_names_are_told_with_the_known():
    with pytest.raises(SpecError, match="no rule file 'chess', and none of this name in the lib"):
        library.find("chess")
    with pytest.raises(SpecError, match="no rule file"):
        library.find("x" * 5000)


def test_languages():
    perfect = [name for name in NAMES if read_file(library.find(name)).perfect]
    assert perfect == [
        *("breakthrough", "chomp", "connect-four", "five-in-a-row", "goofspiel-5", "hex-5x5"),
        *("knightthrough", "nim", "tic-tac-toe", "wolf-and-sheep"),
    ]


def won(name, *joint):
    """Who has 100 after these moves, made in turn by the roles; nobody before the end."""
    game = reasoner(name)
    state = game.initial()
    for k, one in enumerate(joint):
        moves = ["noop", "noop"]
        moves[k % 2] = move(one)
        state = game.next(state, moves)
    winners = [role for role in game.roles if "100" in game.goals(state, role)]
    return winners if game.terminal(state) else []


def test_games_that_hide_nothing():
    assert won("nim", "leave a 0", "leave b 0") == []
    assert won("nim", "leave a 0", "leave b 0", "leave c 0") == ["first"]
    assert won("chomp", "bite 2 1", "bite 1 2", "bite 1 1") == ["second"]
    line = [f"put {x} {y}" for x in range(1, 6) for y in (x, 8)]
    assert won("five-in-a-row", *line[:8]) == []
    assert won("five-in-a-row", *line[:9]) == ["black"]
    chain = ["put 1 2", "put 1 1", "put 2 1", "put 2 2", "put 3 1", "put 3 2", "put 4 1"]
    assert won("hex-5x5", *chain, "put 4 2") == []
    assert won("hex-5x5", *chain, "put 4 2", "put 5 1") == ["red"]
    straight = [f"put {x} {y}" for y in range(1, 5) for x in (1, 2)]
    assert won("hex-5x5", *straight, "put 1 5") == []  # along an edge of its own
    assert won("hex-5x5", *straight, "put 1 5", "put 2 5") == ["blue"]
    race = ["move 1 2 2 4", "move 8 7 7 5", "move 2 4 3 6", "move 7 5 6 3", "move 3 6 4 8"]
    assert won("knightthrough", *race) == ["white"]


def test_the_wolf_and_the_sheep():
    game = reasoner("wolf-and-sheep")
    assert legal(game, game.initial(), "wolf") == ["(move 5 8 4 7)", "(move 5 8 6 7)"]
    assert len(legal(game, after(game, "move 5 8 4 7, noop"), "sheep")) == 7


def test_goofspiel_gives_prizes_to_the_higher_bid():
    game = reasoner("goofspiel-5")
    bids = ["bid 5, bid 1", "bid 4, bid 4", "bid 1, bid 5", "bid 2, bid 3", "bid 3, bid 2"]
    state = after(game, *bids)
    assert game.terminal(state)
    assert (move("points left 6") in state, move("points right 5") in state) == (True, True)
    assert [game.goals(state, role) for role in game.roles] == [["100"], ["0"]]


def value(game, state, role, choose):
    """The mean of a goal over all that `random` may draw; `choose` moves the others."""
    if game.terminal(state):
        return int(game.goals(state, role)[0])
    options = [
        game.legal(state, r) if r == "random" else [choose(r, game.legal(state, r), state)]
        for r in game.roles
    ]
    return mean(value(game, game.next(state, moves), role, choose) for moves in product(*options))


def test_monty_hall_switching_wins_two_in_three():
    game = reasoner("monty-hall")
    assert value(game, game.initial(), "contestant", lambda r, found, s: found[0]) == pytest.approx(
        100 / 3
    )
    switch = lambda r, found, s: "switch" if "switch" in found else found[0]  # noqa: E731
    assert value(game, game.initial(), "contestant", switch) == pytest.approx(200 / 3)
    state = after(game, "hide 3, pick 1")
    assert legal(game, state, "random") == ["(open 2)"]
    assert sees(game, state, "open 2, noop", "contestant") == ["(opened 2)"]


def test_exploding_bomb_asking_costs_ten():
    game = reasoner("exploding-bomb")
    armed = after(game, "arm red, noop")
    assert sees(game, armed, "noop, ask", "agent") == ["(armed red)"]
    assert sees(game, armed, "noop, wait", "agent") == []
    ends = {
        (question, wire): game.goals(
            after(game, "arm red, noop", f"noop, {question}", f"noop, cut {wire}"), "agent"
        )
        for question in ("ask", "wait")
        for wire in ("red", "blue")
    }
    assert ends["ask", "red"] == ["90"]
    assert ends["wait", "red"] == ["100"]
    assert ends["ask", "blue"] == ends["wait", "blue"] == ["0"]


def test_cooperative_spies_only_the_first_sees_the_wire():
    game = reasoner("cooperative-spies")
    start = game.initial()
    assert sees(game, start, "arm red, noop, noop", "spy1") == ["(armed red)"]
    assert sees(game, start, "arm red, noop, noop", "spy2") == []
    armed = after(game, "arm red, noop, noop")
    assert sees(game, armed, "noop, signal blue, noop", "spy2") == ["(signalled blue)"]


def test_tic_tac_toe_has_5478_positions():
    game = reasoner("tic-tac-toe")
    waiting, found = [game.initial()], {game.initial()}
    while waiting:
        state = waiting.pop()
        if game.terminal(state):
            continue
        for moves in product(*(game.legal(state, role) for role in game.roles)):
            then = game.next(state, moves)
            if then not in found:
                found.add(then)
                waiting.append(then)
    assert len(found) == 5478


@pytest.mark.parametrize("name", ["breakthrough", "blind-breakthrough-8x8"])
def test_breakthrough_begins_with_22_moves(name):
    game = reasoner(name)
    assert len(game.legal(game.initial(), "white")) == 22
    assert legal(game, game.initial(), "black") == ["noop"]


def test_blind_breakthrough_straight_moves_fail_on_pawns():
    game = reasoner("blind-breakthrough-5x5")
    state = after(game, "move 1 2 1 3, noop", "noop, move 2 4 2 3")
    assert sees(game, state, "move 2 2 2 3, noop", "white") == ["blocked"]
    assert sees(game, state, "move 2 2 2 3, noop", "black") == []
    again = game.next(state, [move("move 2 2 2 3"), "noop"])
    assert "(move 2 2 2 3)" not in legal(game, again, "white")
    assert sees(game, again, "move 3 2 2 3, noop", "white") == ["captured"]
    assert sees(game, again, "move 3 2 2 3, noop", "black") == ["your-turn", "(lost 2 3)"]
    then = game.next(again, [move("move 3 2 2 3"), "noop"])
    assert move("pawn white 2 3") in then
    assert move("pawn black 2 3") not in then
    assert not any(str(fluent).startswith("(blocked") for fluent in then)


def test_krieg_tic_tac_toe_attempts():
    game = reasoner("krieg-tic-tac-toe-3x3")
    start = game.initial()
    assert sees(game, start, "place 1 1, place 1 1", "xplayer") == ["(clash 1 1)"]
    assert after(game, "place 1 1, place 1 1") == frozenset([move("turn 2")])
    state = after(game, "place 1 1, place 2 2")
    assert sees(game, state, "place 2 2, place 3 3", "xplayer") == ["(taken 2 2)"]
    then = after(game, "place 1 1, place 2 2", "place 2 2, place 3 3")
    assert "(place 2 2)" not in legal(game, then, "xplayer")
    end = after(game, "place 1 1, place 2 2", "place 1 2, place 3 3", "place 1 3, place 3 2")
    assert game.terminal(end)
    assert [game.goals(end, role) for role in game.roles] == [["100"], ["0"]]
    both = after(game, "place 1 1, place 2 1", "place 1 2, place 2 2", "place 1 3, place 2 3")
    assert [game.goals(both, role) for role in game.roles] == [["50"], ["50"]]


def test_number_guessing_wrong_is_wrong_only_then():
    game = reasoner("number-guessing")
    asked = after(game, "choose 5, noop", "noop, less-than 6")
    assert sees(game, after(game, "choose 5, noop"), "noop, less-than 6", "guesser") == ["yes"]
    assert sees(game, after(game, "choose 5, noop"), "noop, less-than 5", "guesser") == ["no"]
    ready = game.next(asked, ["noop", "ready"])
    assert game.goals(game.next(ready, ["noop", move("guess 5")]), "guesser") == ["100"]
    assert game.goals(game.next(ready, ["noop", move("guess 4")]), "guesser") == ["0"]


def test_banker_and_thief_take_the_gold_of_one_bank():
    game = reasoner("banker-and-thief")
    deposits = [f"noop, deposit {bank}, noop" for bank in (1, 2, 1, 3, 1)]
    for raided, banker, thief in ((1, "0", "60"), (2, "60", "0")):
        end = after(game, "name 1, noop, noop", *deposits, f"noop, noop, raid {raided}")
        assert game.terminal(end)
        assert (game.goals(end, "banker"), game.goals(end, "thief")) == ([banker], [thief])


def test_mastermind_counts_right_pegs():
    game = reasoner("mastermind")
    state = after(game, "set red green red, noop")
    for guess, count in (("red red red", 2), ("green red blue", 0), ("red green red", 3)):
        assert sees(game, state, f"noop, guess {guess}", "player") == [f"(right {count})"]


def test_battleships_scan_shows_and_tells():
    game = reasoner("battleships-in-fog")
    state = after(game, "place 1 1 2 3, noop, noop")
    assert sees(game, state, "noop, scan, noop", "first") == ["(found 2 3)"]
    assert sees(game, state, "noop, scan, noop", "second") == ["scanned"]
    end = game.next(state, ["noop", move("fire 2 3"), "noop"])
    assert [game.goals(end, role) for role in ("first", "second")] == [["100"], ["0"]]


def test_border_protection_the_guard_hears_and_stops():
    game = reasoner("border-protection")
    state = after(game, "start 2, stay", "on, stay")
    assert sees(game, state, "on, look", "guard") == ["(noise 2)", "(there 2)"]
    assert sees(game, state, "on, stay", "smuggler") == ["(guard 3)"]
    near = game.next(state, ["on", "stay"])
    caught, crossed = (game.next(near, ["on", move(m)]) for m in ("go 2", "stay"))
    assert game.goals(caught, "guard") == ["100"]
    assert game.goals(crossed, "guard") == ["0"]


def test_transit_changing_places_is_being_caught():
    game = reasoner("transit")
    state = after(game, "enter 2, go left", "go right, go wait")
    assert sees(game, state, "go right, go left", "patrol") == ["caught", "(evader 3 2)"]
    assert game.goals(game.next(state, [move("go right"), move("go left")]), "evader") == ["0"]


def test_guess_who_answers_are_true():
    game = reasoner("guess-who")
    state = after(game, "give anna bert, noop, noop")
    assert sees(game, state, "noop, ask beard, noop", "second") == ["(asked beard yes)"]
    assert sees(game, state, "noop, ask curls, noop", "first") == ["(asked curls no)"]
    end = game.next(state, ["noop", move("name bert"), "noop"])
    assert game.goals(end, "first") == ["100"]


def test_hidden_connect_full_columns_fail():
    game = reasoner("hidden-connect")
    turns = ["drop 1, noop", "noop, drop 1"]
    state = after(game, *turns, *turns, "drop 2, noop", "noop, drop 1")
    assert sees(game, state, "drop 1, noop", "red") == ["full"]
    again = game.next(state, [move("drop 1"), "noop"])
    assert "(drop 1)" not in legal(game, again, "red")
    assert sees(game, again, "drop 2, noop", "red") == ["(row 2)"]


def test_meier_ranks_and_doubts():
    game = reasoner("meier")
    state = after(game, "dice 1 2, noop, noop")
    assert move("dice 21") in state
    assert sees(game, game.initial(), "dice 3 1, noop, noop", "first") == ["(dice 1)"]
    assert sees(game, game.initial(), "dice 3 1, noop, noop", "second") == []
    said = after(game, "dice 3 1, noop, noop", "noop, say 5, noop")
    assert legal(game, said, "second") == ["doubt", "believe"]
    end = game.next(said, ["noop", "noop", "doubt"])
    assert [game.goals(end, role) for role in ("first", "second")] == [["0"], ["100"]]
    meier = after(game, "dice 3 1, noop, noop", "noop, say 21, noop")
    assert legal(game, meier, "second") == ["doubt"]


@pytest.mark.parametrize("actions", ["pp", "pbp", "pbb", "bp", "bb"])
def test_small_poker_pays_as_kuhns(actions):
    """Every deal and betting of the compiled game, whose payoffs are chips."""
    game, kuhn = reasoner("small-poker"), load_game("kuhn")
    cards = {"jack": "J", "queen": "Q", "king": "K"}
    words = {"p": "pass", "b": "bet"}
    for first, second in product(cards, repeat=2):
        if first == second:
            continue
        joint = [f"deal {first} {second}, noop, noop"]
        truth = kuhn.start()
        for text in (f"deal {cards[first]}", f"deal {cards[second]}"):
            truth.apply(kuhn.parse_move(text, truth.legal()))
        for turn, action in enumerate(actions):
            word = words[action]
            joint.append(f"noop, {word}, noop" if turn % 2 == 0 else f"noop, noop, {word}")
            truth.apply(truth.legal()[action == "b"])
        end = after(game, *joint)
        assert game.terminal(end)
        assert truth.over
        pays = [50 + 25 * chips for chips in truth.payoff()]
        assert [int(game.goals(end, role)[0]) for role in ("first", "second")] == pays


def test_info_tells_the_size():
    found = info(library.find("tic-tac-toe"), games=40)
    assert (found.language, found.roles, found.recursive) == ("GDL", ("xplayer", "oplayer"), ())
    assert (found.sample.fluents, found.sample.moves) == (20, {"xplayer": 10, "oplayer": 10})
    assert found.sample.goals["xplayer"][::2] == (0, 100)


def test_a_file_may_be_named_as_the_game_that_it_is(tmp_path):
    file = tmp_path / "own.kif"
    file.write_bytes(library.find("nim").read_bytes())
    assert library.find(f"gdl:{file}") == file
    assert library.find("gdl:nim") == library.find("nim")
