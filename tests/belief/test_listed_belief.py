"""Beliefs over listed worlds: equation 2 by hand, what is ruled out, what can never happen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.belief.listed import ListedBelief
from facedown.core import OVER, PUBLIC, RuleError, SpecError
from facedown.core.plain import adapt
from facedown.core.streams import mixed, tagged
from facedown.games.registry import load_game
from facedown.search.state import BY_PUBLIC, BY_SEARCHER, SearchState
from facedown.search.tallies import Onlooker, Tallies

WORLDS = 4


class Listed:
    """Nothing but worlds: a position is their weights, 0 for those that it rules out."""

    players, bounds = 1, (0.0, 1.0)
    worlds = WORLDS
    deal = (1.0, 2.0, 3.0, 2.0)

    def start(self):
        return self.deal

    def turn(self, s):
        return OVER

    def legal(self, s):
        return []

    def apply(self, s, move):
        return s

    def sees(self, s, move, viewer):
        return None

    def payoff(self, s):
        return [0.0]

    def hide(self, s, viewer):
        return s

    def infoset(self, s, viewer):
        return s

    def world(self, s, viewer, k):
        return s, s[k]


def view_of(weights):
    made = Listed()
    made.deal = tuple(weights)
    return adapt(made, "listed").start()


def counts(*numbers):
    return np.array(numbers, float)


@pytest.fixture
def belief():
    return ListedBelief(adapt(Listed(), "listed"), 0)


def test_the_first_view_gives_the_games_own_prior(belief):
    assert belief.shares.tolist() == [0.25] * WORLDS
    pool = belief.meet(view_of([1.0, 2.0, 0.0, 1.0]))
    assert belief.shares.tolist() == [0.25, 0.5, 0.0, 0.25]
    assert pool.labels.tolist() == [0, 1, 3]
    assert pool.weights.tolist() == [0.25, 0.5, 0.25]


def test_later_views_rule_out_and_do_not_weigh(belief):
    belief.meet(view_of([1.0, 1.0, 1.0, 1.0]))
    belief.update(counts(4, 0, 0, 0), 10)
    before = belief.shares.copy()
    belief.meet(view_of([9.0, 1.0, 0.0, 1.0]))
    assert belief.shares == pytest.approx(before * [1, 1, 0, 1] / before[[0, 1, 3]].sum())
    assert belief.shares[2] == 0


# --- equation 2 ----------------------------------------------------------------------------------

# The tree, after 100 iterations in worlds 0 and 1, half of them in each: the first opponent says x
# in 30 and 10 of them; then the second says y in 6 and 9.
N = 100
ROOT, X, Y = (50, 50), (30, 10), (6, 9)


def bayes(prior, before, after):
    """Bayes at the node of who acts: P(d | a) in proportion to P(d) c(after, d) / c(before, d)."""
    posterior = [p * a / b for p, b, a in zip(prior, before, after, strict=True)]
    return [p / sum(posterior) for p in posterior]


class Grown(Tallies):
    """Tallies that are filled in by hand."""

    def put(self, observer, tokens, seen):
        history = 5
        for token in tokens:
            history = mixed(history, token)
        for world, number in enumerate(seen):
            key = mixed(tagged(history, observer), world)
            slot = (key >> 16) & (len(self.table) - 1)
            while self.table[slot]["key"] != 0:
                slot = (slot + 1) & (len(self.table) - 1)
            self.table[slot] = key, number


@pytest.mark.parametrize(("observer", "number"), [(0, BY_SEARCHER), (PUBLIC, BY_PUBLIC)])
def test_equation_2_two_opponents_moves_deep(observer, number):
    tallies = Grown(np.zeros(1, SearchState)[0], 1 << 20)
    for tokens, seen in (((), ROOT), ((7,), X), ((7, 8), Y)):
        tallies.put(number, tokens, seen)
    onlooker = Onlooker([tallies], observer, 5, range(WORLDS))
    belief = ListedBelief(adapt(Listed(), "listed"), observer)
    belief.meet(view_of([1.0, 1.0, 0.0, 0.0]))
    assert onlooker.root.tolist() == [50, 50, 0, 0]

    belief.update(onlooker.see(7), onlooker.root.sum())
    # n(v) = 40 of N = 100: 0.6 * 0.5 + 0.4 * 30 / 40 and 0.6 * 0.5 + 0.4 * 10 / 40
    assert belief.shares == pytest.approx([0.6, 0.4, 0, 0])

    belief.update(onlooker.see(8), onlooker.root.sum())
    # n(v) = 15 of N = 100, not of 40: 0.85 * 0.6 + 0.15 * 6 / 15 and 0.85 * 0.4 + 0.15 * 9 / 15
    assert belief.shares == pytest.approx([0.57, 0.43, 0, 0])

    once = bayes([0.5, 0.5], ROOT, X)
    assert bayes([0.6, 0.4], X, Y) == pytest.approx([0.25, 0.75])
    assert bayes(once, X, Y) == pytest.approx([0.4, 0.6])  # both prefer the other world
    weighted = [0.85 * 0.6 + 0.15 * 0.25, 0.85 * 0.4 + 0.15 * 0.75]
    assert abs(belief.shares[0] - weighted[0]) > 0.02

    never = belief.shares.copy()
    belief.update(onlooker.see(9), onlooker.root.sum())
    assert belief.shares.tolist() == never.tolist()


def test_tallies_of_several_threads_add_up():
    parts = [Grown(np.zeros(1, SearchState)[0], 1 << 20) for _ in range(2)]
    parts[0].put(BY_SEARCHER, (), (1, 2))
    parts[1].put(BY_SEARCHER, (), (10, 0))
    parts[1].put(BY_SEARCHER, (4,), (0, 5))
    onlooker = Onlooker(parts, 0, 5, range(WORLDS))
    assert onlooker.root.tolist() == [11, 2, 0, 0]
    assert onlooker.see(4).tolist() == [0, 5, 0, 0]


def test_a_move_that_was_never_searched_leaves_the_belief_as_it_is(belief):
    belief.meet(view_of(Listed.deal))
    before = belief.shares.tolist()
    belief.update(counts(0, 0, 0, 0), 50)
    belief.update(counts(0, 0, 0, 0), 0)
    assert belief.shares.tolist() == before


def test_a_move_that_all_iterations_came_to_leaves_it_too(belief):
    """Else a world that happened not to be drawn would be lost for good."""
    belief.meet(view_of(Listed.deal))
    before = belief.shares.tolist()
    belief.update(counts(3, 3, 4, 0), 10)
    assert belief.shares.tolist() == before


def test_when_all_that_is_believed_is_ruled_out_it_begins_anew(belief):
    belief.meet(view_of([1.0, 0.0, 0.0, 0.0]))
    pool = belief.meet(view_of([0.0, 1.0, 3.0, 0.0]))
    assert belief.shares.tolist() == [0.0, 0.25, 0.75, 0.0]
    assert len(pool) == 2


def test_forgetting_makes_all_that_is_possible_equally_likely(belief):
    belief.meet(view_of([1.0, 5.0, 0.0, 2.0]))
    belief.update(counts(9, 0, 0, 0), 10)
    belief.forget()
    belief.meet(view_of([1.0, 5.0, 0.0, 2.0]))
    assert belief.shares == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])


@pytest.mark.parametrize("weights", [(0, 0, 0, 0), (1, -1, 0, 0), (1, float("nan"), 0, 0)])
def test_weights_that_cannot_be_meant_are_the_games_fault(belief, weights):
    with pytest.raises(RuleError, match=r"world gave the weights .*; none below 0, not all 0"):
        belief.meet(view_of(map(float, weights)))


def test_a_game_that_lists_no_worlds_has_no_belief():
    with pytest.raises(SpecError, match="leduc has no rule 'world'"):
        ListedBelief(load_game("leduc"), 0)


LEARN = st.tuples(
    st.lists(st.integers(0, 10**6), min_size=WORLDS, max_size=WORLDS), st.integers(0, 10**6)
)
RULE_OUT = st.lists(
    st.sampled_from([0.0, 1e-6, 0.5, 1.0, 100.0]), min_size=WORLDS, max_size=WORLDS
).filter(any)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(LEARN, RULE_OUT, st.just("forget")), max_size=30))
def test_a_belief_is_always_a_distribution(steps):
    belief = ListedBelief(adapt(Listed(), "listed"), 0)
    for step in steps:
        before = belief.shares.copy()
        if step == "forget":
            belief.forget()
        elif isinstance(step, tuple):
            found, beyond = step
            belief.update(counts(*found), float(sum(found) + beyond))
            assert ((belief.shares > 0) >= (before > 0)).all()  # nothing became impossible
        else:
            pool = belief.meet(view_of(step))
            assert (belief.shares[np.array(step) == 0] == 0).all()  # hard evidence
            assert pool.weights.sum() == pytest.approx(1)
        assert np.isfinite(belief.shares).all()
        assert (belief.shares >= 0).all()
        assert belief.shares.sum() == pytest.approx(1)
