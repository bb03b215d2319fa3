"""Inference over facts: equation 2 where worlds are drawn and not listed."""

import numpy as np
import pytest

from facedown.agents.registry import make_agent
from facedown.arena.match import run_match
from facedown.belief.belief import Wanted
from facedown.belief.facts import FactBelief
from facedown.core import OVER, PUBLIC, Stream
from support.seats import after, game

KING, JACK = "player 1 holds K", "player 1 holds J"


class Counted:
    """What a search is said to have counted: shares of its iterations, by label."""

    def __init__(self, root, seen):
        self.root, self.seen = root, seen

    def see(self, token):
        return self.seen


def wanted(seed=1):
    return Wanted(Stream(seed))


def held(pool, viewer, fact):
    """The share of a pool in which a fact holds."""
    holds = [fact in pool.position(k).hidden_facts(viewer) for k in range(len(pool))]
    return float(pool.weights @ np.array(holds, float) / pool.weights.sum())


def leduc(spec="leduc"):
    return after(spec, "deal Q", "deal K")


def test_a_fact_is_as_likely_afterwards_as_equation_2_says():
    view = leduc().view(0)
    belief = FactBelief(view.game, 0, seed=1)
    pool = belief.pool(view, wanted())
    prior = held(pool, 0, KING)
    kings = np.array([KING in pool.position(k).hidden_facts(0) for k in range(len(pool))], float)
    seen = 10 * kings + 5 * (1 - kings)  # of 20 in each world
    belief.expect(Counted(np.full(len(pool), 20.0), seen))
    belief.observe(7)
    n, all_ = seen.sum(), 20.0 * len(pool)
    after_ = (1 - n / all_) * prior + (n / all_) * (10 * kings.sum() / n)
    again = belief.pool(view, wanted())  # the same draws: the stream is the same
    others = (1 - after_) / (1 - prior)  # which are less likely, all alike
    assert held(again, 0, KING) == pytest.approx(after_)
    assert held(again, 0, JACK) == pytest.approx(others * held(pool, 0, JACK))


def test_what_says_nothing_changes_nothing():
    view = leduc().view(0)
    belief = FactBelief(view.game, 0, seed=1)
    pool = belief.pool(view, wanted())
    for seen in (np.zeros(len(pool)), np.full(len(pool), 20.0)):  # never searched; forced
        belief.expect(Counted(np.full(len(pool), 20.0), seen))
        belief.observe(7)
    assert belief.pool(view, wanted()).weights.tolist() == pool.weights.tolist()
    assert belief.summary() == {"facts": {}}


def test_no_fact_that_is_possible_is_ruled_out():
    view = leduc().view(0)
    belief = FactBelief(view.game, 0, seed=1)
    for _ in range(50):
        pool = belief.pool(view, wanted())
        kings = np.array([KING in pool.position(k).hidden_facts(0) for k in range(len(pool))])
        belief.expect(Counted(np.full(len(pool), 20.0), np.where(kings, 0.0, 19.999)))
        belief.observe(7)
    assert np.isfinite(belief.pool(view, wanted()).weights).all()
    assert belief.odds_of[KING] > 0


def test_the_two_viewers_of_a_search_do_not_share_labels():
    truth = leduc()
    own, public = (FactBelief(truth.game, viewer, seed=1) for viewer in (0, PUBLIC))
    for belief in (own, public):
        pool = belief.pool(truth.view(belief.viewer), wanted())
        assert pool.labels.tolist() == list(belief.labels)
    assert not set(own.labels) & set(public.labels)


@pytest.mark.parametrize("spec", ["leduc", "liars-dice", "cribbage", "cheat"])
def test_a_whole_agent_infers_in_games_that_list_no_worlds(spec):
    """A move of the other's that was searched teaches its facts something."""
    agent = make_agent("mt-ismcts:inference=facts,iterations=400", game(spec), 0, 1)
    truth, stream = game(spec).start(), Stream(3)
    while truth.turn() != OVER and not agent.belief.odds_of:
        legal = truth.legal()
        own = truth.turn() == 0 and len(legal) > 1
        move = agent.choose(truth.view(0), legal) if own else stream.choice(legal)
        token = truth.sees(move, 0)
        truth.apply(move)
        if token:
            agent.observe(token, "")
    assert agent.belief.odds_of
    assert all(odds > 0 for odds in agent.belief.odds_of.values())


def test_the_same_seed_gives_the_same_games():
    agents = ["mt-ismcts:inference=facts,self=bluff,iterations=100", "random"]
    one, two = (run_match("leduc", agents, games=4, seed=5) for _ in range(2))
    assert one.agents == two.agents
