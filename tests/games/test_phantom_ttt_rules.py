"""Phantom tic-tac-toe: the rules by hand and against OpenSpiel's, exact worlds, supposed marks."""

from collections import Counter, defaultdict

import pytest

from facedown.agents.registry import make_agent
from facedown.core import OVER, PUBLIC, Stream
from facedown.laws import check_game
from facedown.laws.statistics import chi_squared, tail
from support.playing import game, names, played, random_moves

SPEC = "phantom-ttt"


def test_a_square_that_is_taken_is_told_to_the_one_who_tries_alone():
    position = played(SPEC, "b2")
    move = position.game.parse_move("b2", position.legal())
    assert [position.sees(move, viewer) for viewer in (0, 1, PUBLIC)] == [0, 14, 0]
    before = position.view(0).digest()
    position.apply(move)
    assert position.turn() == 1
    assert position.view(0).digest() == before
    assert "b2" not in names(position)
    assert len(names(position)) == 8
    position.apply(position.game.parse_move("a1", position.legal()))
    assert position.turn() == 0
    assert position.view(0).text(0).splitlines()[2:5] == ["  1 . . .", "  2 . x .", "  3 . . ."]
    assert position.view(1).text(1).splitlines()[2:5] == ["  1 o . .", "  2 . x .", "  3 . . ."]


def test_three_in_a_row_win_and_a_full_board_is_a_draw():
    won = played(SPEC, *["a1", "b2", "b1", "c3", "c1"])
    assert won.turn() == OVER
    assert won.payoff() == [1.0, -1.0]
    drawn = played(SPEC, *["a1", "b1", "c1", "a2", "b2", "a3", "b3", "c3", "c2"])
    assert drawn.turn() == OVER
    assert drawn.payoff() == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(30))
def test_the_rules_are_those_of_open_spiel(seed):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("phantom_ttt").new_initial_state()
    for position, move in random_moves(game(SPEC), seed):
        assert position.over == theirs.is_terminal()
        for player in range(2):
            rows = position.view(player).text(player).splitlines()[2:5]
            board = "\n".join(row[4:].replace(" ", "") for row in rows)
            assert board == theirs.observation_string(player).strip()
        if position.over:
            assert position.payoff() == theirs.returns()
            break
        assert position.turn() == theirs.current_player()
        assert sorted(position.legal()) == theirs.legal_actions()
        theirs.apply_action(move)


def exact(seed, viewer, most):
    """The positions of a random game with the probability of each world given what was seen."""
    position, stream = game(SPEC).start(), Stream(seed)
    states = {position.digest(): (position.copy(), 1.0)}
    while not position.over and len(states) <= most:
        move = stream.choice(position.legal())
        token = position.sees(move, viewer)
        if token:
            states = filtered(states, token, viewer)
        position.apply(move)
        if token and 1 < len(states) <= most:
            yield position, states


def filtered(states, token, viewer):
    found, work = {}, list(states.values())
    while work:
        position, chance = work.pop()
        if position.over:
            continue
        legal = position.legal()
        for move in legal:
            seen = position.sees(move, viewer)
            if seen not in (0, token):
                continue
            after = position.copy()
            after.apply(move)
            if not seen:
                work.append((after, chance / len(legal)))
                continue
            key = after.digest()
            before = found[key][1] if key in found else 0.0
            found[key] = after, before + chance / len(legal)
    return found


def counted(view, viewer, n, stream):
    counts = Counter()
    for _ in range(n):
        world = view.copy()
        world.determinize(viewer, stream)
        counts[world.digest()] += 1
    return counts


def shares(states):
    total = sum(weight for _, weight in states.values())
    return {key: weight / total for key, (_, weight) in states.items()}


@pytest.mark.parametrize(("viewer", "most"), [(0, 400), (1, 400), (PUBLIC, 2000)])
def test_worlds_supposed_or_not_are_those_of_an_exact_filter(viewer, most):
    stream, total, freedom, labels = Stream(5), 0.0, 0, 0
    for seed in range(5):
        for position, states in exact(seed, viewer, most):
            view, parts = position.view(viewer), defaultdict(dict)
            for key, (world, weight) in states.items():
                parts[world.secret(viewer)][key] = (world, weight)
            supposed = view.supposed(viewer)
            assert supposed.keys() == parts.keys(), (seed, view.text(viewer))
            labels += len(parts)
            for there, wanted in [(view, states), *((supposed[k], parts[k]) for k in parts)]:
                counts = counted(there, viewer, max(100, 20 * len(wanted)), stream)
                assert counts.keys() <= wanted.keys()
                statistic, degrees = chi_squared(counts, shares(wanted))
                assert tail(statistic, degrees) > 1e-7, (seed, view.text(viewer))
                total, freedom = total + statistic, freedom + degrees
    assert tail(total, freedom) > 1e-4
    assert labels > (20 if viewer >= 0 else 4)


def test_the_laws_hold():
    found = check_game(lambda: game(SPEC), games=6, seconds=12)
    assert found.ok, found.text


def test_semi_determinization_has_a_root_for_each_square():
    position = played(SPEC, "b2", "a1")
    agent = make_agent("mga:iterations=300", game(SPEC), 0, 1)
    assert agent.choose(position.view(0), position.legal()) in position.legal()
    assert agent.predicted == dict.fromkeys([1, 2, 3, 4, 6, 7, 8, 9], 1 / 8)
    cheat = make_agent("fpmga:iterations=300,accuracy=1", game(SPEC), 0, 1)
    cheat.choose(position, position.legal())
    assert [label for label, odds in cheat.predicted.items() if odds] == [1]
