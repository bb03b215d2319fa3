"""A game's own belief by the house's protocol: the factored belief of Settlers."""

import numpy as np
import pytest

from facedown.agents.analysis import inferred
from facedown.agents.registry import make_agent
from facedown.belief.belief import Wanted
from facedown.belief.sources import Means, make_belief
from facedown.core import CHANCE, NOTHING, PUBLIC, Memos, SpecError, Stream, derive
from facedown.games.registry import load_game
from facedown.games.settlers.state import unpack


def played(seed, plies, viewer=0, spec="settlers"):
    """A random game by kinds; what a viewer believes, and its memos."""
    game = load_game(spec)
    position, stream = game.start(), Stream(derive(seed, "factored"))
    belief, memos = make_belief(game, ("factored",), viewer, 5, Means(draws=40)), Memos(game, 0)
    for _ in range(plies):
        if position.over:
            break
        if position.turn() == CHANCE:
            move = position.draw(stream)
        else:
            move = stream.choice(position.of_kind(stream.choice(position.kinds())))
        belief.observe(position.sees(move, viewer))
        memos.observe(position.sees(move, 0))
        memos.overhear(position.sees(move, PUBLIC))
        position.apply(move)
    return position, belief, memos


@pytest.mark.parametrize("viewer", [0, PUBLIC])
def test_worlds_are_the_rules_with_hands_of_the_belief(viewer):
    position, belief, memos = played(3, 700, viewer)
    view = position.view(viewer)
    pool = belief.worlds(view, Wanted(Stream(1), memos=memos))
    assert (len(pool), pool.views, belief.lost) == (40, False, "")
    for k in range(len(pool)):
        world = pool.position(k)
        assert world.view(viewer).digest() == view.digest()
        s, total = world.record, np.zeros(5, int)
        for player in range(4):
            hand = unpack(s["hands"][player])
            total += hand
            if player != viewer:
                assert belief.knowledge.hands[player].share(hand) > 0
        assert (total + unpack(s["bank"])).tolist() == [19] * 5
    again = belief.worlds(view, Wanted(Stream(1), memos=memos))
    assert (again.block == pool.block).all()
    assert len(belief.worlds(view, Wanted(Stream(1), samples=7, memos=memos))) == 7


def test_marginals_are_shares_in_words_the_likeliest_first():
    position, belief, memos = played(3, 700)
    said = belief.marginals(position.view(0), Wanted(Stream(1), memos=memos))
    shares = [share for _, share in said]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share <= 1 for share in shares)
    assert any("has ore" in text for text, _ in said)


def test_an_agent_keeps_it_from_decision_to_decision():
    game = load_game("settlers")
    agent = make_agent("so-ismcts:belief=factored,iterations=30", game, 0, 1)
    position, stream, asked = game.start(), Stream(2), 0
    while asked < 5:
        legal = position.legal()
        if position.turn() == 0:
            agent.choose(position.view(0), legal)
            asked += 1
        move = position.draw(stream) if position.turn() == CHANCE else stream.choice(legal)
        token, public = position.sees(move, 0), position.sees(move, PUBLIC)
        position.apply(move)
        if token != NOTHING:
            agent.observe(token, "")
        if public != NOTHING:
            agent.overhear(public)
    assert agent.belief.knowledge.hands[0].share(unpack(position.record["hands"][0])) == 1
    assert all("player 0" not in text for text, _ in inferred(agent, position.view(0)))
    assert agent.summary()["iterations"] == 30


def test_knowledge_that_is_lost_is_told_and_worlds_are_the_rules():
    position, belief, memos = played(3, 700)
    own = next(player for player in range(1, 4) if position.record["held"][player])
    belief.knowledge.hands[own].hold_exactly(0, belief.knowledge.hands[own].bounds(0)[0])
    belief.knowledge.observe = _contradicted
    belief.observe(9)
    assert belief.summary() == {"belief lost": "nothing agrees"}
    belief.observe(10)  # which is not asked again
    view = position.view(0)
    pool = belief.worlds(view, Wanted(Stream(1), memos=memos))
    assert all(pool.position(k).view(0).digest() == view.digest() for k in range(len(pool)))
    assert belief.marginals(view, Wanted(Stream(1), 20, memos=memos))


def _contradicted(token):
    assert token == 9
    raise ValueError("nothing agrees")


def test_a_game_without_any_says_so():
    with pytest.raises(SpecError, match="leduc keeps no knowledge of its own"):
        load_game("leduc").knowledge(0)
