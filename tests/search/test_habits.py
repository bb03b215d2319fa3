"""Preferences that are updated towards those at the table, and worlds that follow a game."""

import numpy as np
import pytest

from facedown.agents.registry import check_agent, make_agent
from facedown.belief.following import Following
from facedown.core import CHANCE, NOTHING, PUBLIC, SpecError, Stream
from facedown.core.kinds import fill_shares
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.search.habits import Habit
from facedown.search.preferences import KindPolicy, Preferences
from support import EXAMPLES
from support.plain_peek import PlainPeek

PEEK = f"{EXAMPLES / 'peek.py'}:Peek"
KINDS = ("above", "guess", "deal")
KNOWN = Preferences("peek", KINDS, {0b011: (3, 1, 0)}, {})


@pytest.fixture(params=["compiled", "plain"])
def game(request):
    return load_game(PEEK) if request.param == "compiled" else adapt(PlainPeek(), "PlainPeek")


@pytest.fixture
def prefs(tmp_path):
    KNOWN.save(tmp_path / "prefs.json")
    return str(tmp_path / "prefs.json")


def shares(policy, legal, kinds=3):
    out = np.zeros(kinds)
    fill_shares(policy.address, legal, out)
    return out.tolist()


# --- the posterior --------------------------------------------------------------------------------


def test_the_mean_of_a_dirichlet_by_hand():
    base = KindPolicy(3, KNOWN, "conditioned")
    habit = Habit(base, 4.0)
    assert shares(habit, 0b011) == shares(base, 0b011) == [0.75, 0.25, 0.0]
    habit.note(0b011, 1, 1.0)
    habit.note(0b011, 1, 0.5)
    # 4 decisions of the prior and one and a half that were seen
    assert shares(habit, 0b011) == pytest.approx([3 / 5.5, 2.5 / 5.5, 0.0])
    assert shares(habit, 0b111) == shares(base, 0b111)  # another set is left as it was
    assert shares(base, 0b011) == [0.75, 0.25, 0.0]  # and so is everybody else's policy


def test_a_set_that_nobody_counted_gets_a_row_of_its_own():
    habit = Habit(KindPolicy(3, None, "uniform"), 2.0)
    habit.note(0b101, 2, 1.0)
    assert shares(habit, 0b101) == pytest.approx([1 / 3, 0.0, 2 / 3])
    assert shares(habit, 0b011) == pytest.approx([0.5, 0.5, 0.0])


def test_any_number_of_sets():
    known = Preferences("toy", tuple("abcdefghi"), {3: (1, 2, 0, 0, 0, 0, 0, 0, 0)}, {})
    habit = Habit(KindPolicy(9, known, "conditioned"), 1.0)
    address = habit.address
    for legal in range(1, 200):
        habit.note(legal, (legal & -legal).bit_length() - 1, 99.0)
    assert habit.address == address  # where a search looks for it
    for legal in range(1, 200):
        assert shares(habit, legal, 9)[(legal & -legal).bit_length() - 1] >= 0.99


# --- following ------------------------------------------------------------------------------------


def played(game, *words):
    """The positions of a game before each move, and the moves."""
    position = game.start()
    for word in words:
        move = game.parse_move(word, position.legal())
        yield position, move
        position.apply(move)


def test_worlds_follow_what_is_seen_and_tell_what_others_decided(game):
    following, told = Following(game, 0, Stream(1), 6), []
    for position, move in played(game, "deal 2", "above 1?", "above 0?", "above 2?", "guess 2"):
        token = position.sees(move, 0)
        for world, chosen, share in following.observe(token):
            told.append((game.move_text(chosen), share))
            assert world.turn() == 1
    assert {text for text, _ in told} == {"above 0?", "guess 2"}
    assert all(world.over for world in following.worlds)
    assert sum(share for text, share in told if text == "above 0?") == pytest.approx(1.0)
    # that it is above 1 is known to player 0, and to all worlds that are left
    assert 1 <= len(following.worlds) <= 6


def test_what_contradicts_a_world_ends_it(game):
    following = Following(game, 0, Stream(1), 40)
    for position, move in played(game, "deal 2", "above 1?"):
        list(following.observe(position.sees(move, 0)))
    cards = {game.text.hidden_text(world.record, 0) for world in following.worlds}
    assert cards == {"the card is 2", "the card is 3"}
    before = len(following.worlds)
    assert 0 < before < 40
    following.begin([])
    assert list(following.observe(1)) == []


# --- agents ---------------------------------------------------------------------------------------


def test_an_agent_adapts_to_whom_it_plays(game, prefs):
    spec = f"pomcp-ts-cr:preferences={prefs},iterations=30,adapting=4"
    agent = make_agent(spec, game, 0, 1)
    assert agent.remembers
    habit = agent.habits.of(1, "conditioned")
    assert agent.habits.of(0, "conditioned") is None
    for position, move in played(game, "deal 2", "above 1?", "above 0?", "above 2?", "above 1?"):
        if position.turn() == 0:
            agent.choose(position.view(0), position.legal())
        agent.observe(position.sees(move, 0), "")
        public = position.sees(move, PUBLIC)
        if public != NOTHING:
            agent.overhear(public)
    # he asked twice where he could have guessed
    assert shares(habit, 0b011) == pytest.approx([5 / 6, 1 / 6, 0.0])


def test_without_a_sight_of_others_nothing_changes(game, prefs):
    """At the first decision there is nothing to go by: the same tree with and without."""
    position = game.start()
    position.apply(game.parse_move("deal 2", position.legal()))
    trees = []
    for more in ("", ",adapting=5"):
        spec = f"pomcp-ts-cr:preferences={prefs},iterations=100{more}"
        agent = make_agent(spec, game, 0, 1)
        agent.choose(position.view(0), position.legal())
        trees.append(agent.search.dump())
    assert trees[0] == trees[1]


def test_what_cannot_adapt_is_told(prefs):
    with pytest.raises(
        SpecError, match=r"adapting=3\.0: this search asks no preferences among kinds"
    ):
        check_agent("so-ismcts:adapting=3", load_game(PEEK))
    with pytest.raises(SpecError, match=r"adapting=0\.0: more than 0 is wanted"):
        check_agent(f"pomcp-cr:adapting=0,preferences={prefs}", load_game(PEEK))


def test_in_settlers_most_sets_of_kinds_are_told_rightly():
    """Of the others' decisions each is counted once, in parts, unless all worlds were lost."""
    settlers = load_game("settlers:turns=40")
    agent = make_agent("pomcp:iterations=20,adapting=10", settlers, 0, 1)
    position, stream, sure, decisions = settlers.start(), Stream(3), 0.0, 0
    while not position.over:
        turn, legal = position.turn(), position.choices()
        if turn == CHANCE:
            move = position.draw(stream)
        else:
            move = settlers.scripted(position.view(turn).record, turn, legal, stream)
        if turn == 0 and len(legal) > 1:
            agent.start_search(position.view(0), legal)
        bits = position.kind_bits() if turn > 0 else 0
        habit = agent.habits.of(turn, "uniform") if bits & (bits - 1) else None
        before = 0.0 if habit is None else habit.counts.get(bits, np.zeros(1)).sum()
        agent.observe(position.sees(move, 0), "")
        agent.overhear(position.sees(move, PUBLIC))
        if habit is not None:
            decisions += 1
            sure += habit.counts.get(bits, np.zeros(1)).sum() - before
        position.apply(move)
    assert decisions > 50
    assert 0.5 < sure / decisions <= 1.0 + 1e-9
