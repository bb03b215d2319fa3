"""Models that are repaired in place: as sound and complete as walks, where walks are lost."""

from collections import Counter
from functools import cache

import pytest

from facedown.agents.registry import make_agent
from facedown.belief import walk
from facedown.belief.hyperplay import Bag
from facedown.belief.nearest import nearest
from facedown.core import OVER, Stream
from facedown.games.registry import load_game
from support import EXAMPLES, SUPPORT
from support.consistent import Enumerated, tell

LETTER = f"{EXAMPLES / 'love_letter.py'}:LoveLetter"
GAMES = [
    "kuhn",
    "leduc",
    "liars-dice:faces=3",
    f"{SUPPORT / 'hidden_roles.py'}:Moles",
    f"{SUPPORT / 'doors.py'}:Bits:n=4",
    "exploding-bomb",
    f"{LETTER}:players=3",
]


@cache
def game(spec):
    return load_game(spec)


@pytest.fixture
def at_once(monkeypatch):
    """Models are repaired as soon as they can be: after 2 states of their walks."""
    monkeypatch.setattr("facedown.belief.hyperplay.REPAIRED", 1)
    monkeypatch.setattr("facedown.belief.hyperplay.FIRST", 1)


def followed(told_by_ply, size, seed=1, **options):
    """A bag after every ply that its viewer saw anything of."""
    bag, seen = None, 0
    for told in told_by_ply:
        if bag is None:
            bag = Bag(told.game, told.viewer, size, seed, repairs=True, **options)
        if len(told.tokens) > seen:
            for token in told.tokens[seen:]:
                bag.observe(token)
            seen = len(told.tokens)
            yield told, bag.update()


def tokens_of(game, viewer, history):
    position, tokens = game.start(), []
    for move in history:
        assert move in position.legal()
        tokens.append(position.sees(move, viewer))
        position.apply(move)
    return [token for token in tokens if token], position


@pytest.mark.parametrize("spec", [*GAMES, "cribbage"])
def test_repaired_models_replay_to_the_same_observations(spec, at_once):
    plies = (told for _, told in zip(range(40), tell(game(spec), 0, seed=4), strict=False))
    online = 0
    for told, bag in followed(plies, 8, limit=2000):
        for history in bag.histories():
            tokens, position = tokens_of(game(spec), 0, history)
            assert tokens == told.tokens
            assert position.view(0).digest() == told.position.view(0).digest()
        online += bag.active
    assert online


@pytest.mark.parametrize("spec", GAMES[:6])
def test_every_history_that_agrees_is_found_by_repairs(spec, at_once):
    several = 0
    for told, bag in followed(tell(game(spec), 1, seed=7), 300, limit=400):
        exact = Enumerated(game(spec), 1, told.tokens).shares
        if len(exact) > 30:
            break
        several += len(exact) > 1
        found = Counter()
        for history, share in zip(bag.histories(), bag.shares(), strict=True):
            found[history] += share
        assert set(found) == set(exact)
        assert found == pytest.approx(exact, abs=0.05)
    assert several


def test_models_of_cribbage_are_on_line_at_ply_40():
    """Of 50 models with 10,000 states each at least 80 % are; backtracking alone leaves 4 %."""
    plies = (told for _, told in zip(range(40), tell(game("cribbage"), 0, seed=14), strict=False))
    *_, (told, bag) = followed(plies, 50, limit=10_000, weigh="distinct")
    assert len(told.moves) == 40
    assert bag.active >= 40
    assert len(set(bag.histories())) >= 30  # and no copies of a few


def test_the_same_seed_gives_the_same_repairs():
    spec = f"{LETTER}:players=4"

    def histories():
        plies = (t for _, t in zip(range(16), tell(load_game(spec), 2, seed=3), strict=False))
        *_, (_, bag) = followed(plies, 20, seed=5, limit=2000)
        return [[bag.game.move_text(m) for m in h] for h in bag.histories()], bag.states

    assert histories() == histories()


@cache
def empty():
    """A view of Love Letter, and a bag whose models had no chance to agree with it."""
    g = game(f"{LETTER}:players=4")
    for told in tell(g, 0, seed=1):
        if told.position.turn() == 0 and len(told.moves) > 20:
            break
    bag = Bag(g, 0, 4, seed=1, limit=1, repairs=True)
    for token in told.tokens:
        bag.observe(token)
    return told, bag


def test_without_a_model_the_nearest_positions_stand_for_worlds_and_it_is_said():
    told, bag = empty()
    agent = make_agent("so-ismcts:iterations=50,models=4,limit=1", told.game, 0, seed=1)
    for token in told.tokens:
        agent.observe(token, "")
    legal = told.position.choices()
    assert agent.choose(told.position.view(0), legal) in legal
    stated = agent.summary()
    assert stated["bag"]["active"] == 0
    said = stated["bag"].get("fallback") or stated["fallback"]
    assert f"of {len(told.tokens)} observations agree" in said or "any legal move" in said
    for world in nearest(bag, told.position.view(0)):
        assert world.turn() == 0
        assert world.choices() == legal


def test_with_models_nothing_is_said_of_a_fall_back():
    g = game(LETTER)
    for told in tell(g, 0, seed=2):
        if told.position.turn() == 0:
            break
    agent = make_agent("so-ismcts:iterations=50", g, 0, seed=1)
    for token in told.tokens:
        agent.observe(token, "")
    agent.choose(told.position.view(0), told.position.choices())
    assert "fallback" not in agent.summary()["bag"]
    assert "fallback" not in agent.summary()


def asked_at_decisions(seed, plies, models, limit):
    """A bag of Cribbage at player 0's decisions, told then all that was seen since the last."""
    bag = Bag(game("cribbage"), 0, models, seed, repairs=True, limit=limit)
    for _, told in zip(range(plies), tell(bag.game, 0, seed=seed), strict=False):
        for token in told.tokens[len(bag.observed) :]:
            bag.observe(token)
        if told.position.turn() == 0:
            yield bag


def agrees(bag):
    return all(tokens_of(bag.game, 0, moves)[0] == bag.observed for moves in bag.histories())


@pytest.mark.parametrize("seed", [1, 4])
def test_a_bag_that_is_asked_at_decisions_alone_meets_what_it_saw_in_turn(seed):
    late = False
    for bag in asked_at_decisions(seed, 38, 50, limit=10_000):
        bag.follow()
        assert bag.active >= 45
        assert agrees(bag)
        late = late or len(bag.observed) > 30
    assert late


def test_a_token_that_no_model_has_met_is_met_later():
    stuck = False
    for bag in asked_at_decisions(3, 30, 20, limit=150):
        updates = 0
        while bag.update().active < 20:
            stuck = stuck or not bag.active
            assert agrees(bag)
            updates += 1
            assert updates < 300
        assert agrees(bag)
    assert stuck


def test_a_repair_that_is_broken_off_begins_again():
    *_, told = (t for _, t in zip(range(23), tell(game("cribbage"), 0, seed=3), strict=False))
    bag = Bag(game("cribbage"), 0, 6, seed=2, limit=3000, repairs=True)
    for token in told.tokens:
        bag.observe(token)
    bag.update()
    bag.models["status"] = walk.ALARMED  # as a clock leaves them
    bag.update()
    assert walk.ALARMED not in bag.models["status"]
    for history in bag.histories():
        assert tokens_of(bag.game, 0, history)[0] == told.tokens


def test_love_letter_ends_with_a_winner_and_every_card_counted():
    stream = Stream(5)
    for players in (2, 3, 4):
        g = game(f"{LETTER}:players={players}")
        for _ in range(40):
            position = g.start()
            while position.turn() != OVER:
                position.apply(stream.choice(position.legal()))
            s = position.record
            shown = [e[5] for e in s.log if e[5] > 0]
            held = [card for card in (*s.hands, s.drawn, s.aside, *s.shown) if card > 0]
            assert len(held) + len(shown) + len(s.log) + sum(s.left) == 16
            assert sum(position.payoff()) == pytest.approx(1.0)
            assert s.deck == sum(s.left)
